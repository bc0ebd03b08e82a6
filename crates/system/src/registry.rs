//! All systems that a program knows.
use crate::built_in;
use crate::failure::Failure;
use crate::seam::System;
use crate::vary::Set;
use cluster::{nearest, system_of};
use std::path::Path;

/// All systems that a program knows; a line each. The first is meant where a scenario names none.
#[derive(Clone, Copy)]
pub struct Registry(pub &'static [&'static System]);

impl Registry {
    /// All of them, in the order of their lines.
    pub fn all(&self) -> impl Iterator<Item = &'static System> + use<> {
        self.0.iter().copied()
    }

    /// The system of this name.
    pub fn find(&self, name: &str) -> Option<&'static System> {
        self.all().find(|system| system.name == name)
    }

    /// The system that a scenario is of: a file, or a built-in one by its name.
    ///
    /// # Errors
    /// Bad input: a file that cannot be read, a name that nobody has.
    pub fn of(&self, scenario: &Path, sets: &[Set]) -> Result<&'static System, Failure> {
        if let Some((system, _)) = built_in::find(self.0, scenario)? {
            return Ok(system);
        }
        let named = system_of(scenario, sets).map_err(|e| Failure::BadInput(e.to_string()))?;
        let Some(name) = named else { return Ok(self.first()) };
        self.find(&name).ok_or_else(|| {
            let names = || self.all().map(|system| system.name);
            let known: Vec<String> = names().map(|name| format!("\"{name}\"")).collect();
            let meant = nearest(&name, names());
            let hint = meant.map_or(String::new(), |name| format!("; did you mean \"{name}\"?"));
            Failure::BadInput(format!(
                "{}: model.system: \"{name}\": expected {}{hint}",
                scenario.display(),
                known.join(" or ")
            ))
        })
    }

    /// The system of a finished run's folder; the first where its trace does not say.
    pub fn of_run(&self, folder: &Path) -> &'static System {
        let about = trace::tables::about(&folder.join("trace"));
        let name = about.ok().and_then(|about| about.into_iter().find(|(key, _)| key == "system"));
        name.and_then(|(_, name)| self.find(&name)).unwrap_or_else(|| self.first())
    }

    fn first(&self) -> &'static System {
        self.0[0]
    }
}
