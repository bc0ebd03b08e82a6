//! The systems of a program.
use crate::built_in;
use crate::failure::Failure;
use crate::interface::System;
use crate::vary::Set;
use cluster::{nearest, read_text, system_of};
use std::path::Path;

/// One line per system. The first is the default for scenarios that name none.
#[derive(Clone, Copy)]
pub struct Registry(pub &'static [&'static System]);

impl Registry {
    pub fn all(&self) -> impl Iterator<Item = &'static System> + use<> {
        self.0.iter().copied()
    }

    pub fn find(&self, name: &str) -> Option<&'static System> {
        self.all().find(|system| system.name == name)
    }

    /// The system and the text of a scenario: a file, or the name of a built-in one. Fails if the
    /// file is unreadable or the name unknown.
    pub fn of(&self, scenario: &Path, sets: &[Set]) -> Result<(&'static System, String), Failure> {
        if let Some((system, built_in)) = built_in::find(self.0, scenario)? {
            return Ok((system, built_in.text.into()));
        }
        let bad = |e: cluster::BadInput| Failure::BadInput(e.to_string());
        let text = read_text(scenario).map_err(bad)?;
        let named = system_of(&text, scenario, sets).map_err(bad)?;
        let Some(name) = named else { return Ok((self.first(), text)) };
        let system = self.find(&name).ok_or_else(|| {
            let names = || self.all().map(|system| system.name);
            let known: Vec<String> = names().map(|name| format!("\"{name}\"")).collect();
            let meant = nearest(&name, names());
            let hint = meant.map_or(String::new(), |name| format!("; did you mean \"{name}\"?"));
            Failure::BadInput(format!(
                "{}: model.system: \"{name}\": expected {}{hint}",
                scenario.display(),
                known.join(" or ")
            ))
        })?;
        Ok((system, text))
    }

    /// The system of a finished run; the first if the trace does not state it.
    pub fn of_run(&self, folder: &Path) -> &'static System {
        let about = trace::tables::about(&folder.join("trace"));
        let name = about.ok().and_then(|about| about.into_iter().find(|(key, _)| key == "system"));
        name.and_then(|(_, name)| self.find(&name)).unwrap_or_else(|| self.first())
    }

    fn first(&self) -> &'static System {
        self.0[0]
    }
}
