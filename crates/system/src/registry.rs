//! All systems that a program knows.
use crate::failure::Failure;
use crate::seam::System;
use crate::vary::Set;
use cluster::{nearest, system_of};
use std::path::Path;

/// All systems that a program knows; a line each.
#[derive(Clone, Copy)]
pub struct Registry(pub &'static [&'static dyn System]);

impl Registry {
    /// All of them, in the order of their lines.
    pub fn all(&self) -> impl Iterator<Item = &'static dyn System> + use<> {
        self.0.iter().copied()
    }

    /// The system of this name.
    pub fn find(&self, name: &str) -> Option<&'static dyn System> {
        self.all().find(|system| system.about().name == name)
    }

    /// The system that a scenario is of; `other` is another name that is known elsewhere, for
    /// which there is no system: `None`.
    ///
    /// # Errors
    /// Bad input: a file that cannot be read, a name that nobody has.
    pub fn of(
        &self,
        scenario: &Path,
        sets: &[Set],
        other: &str,
    ) -> Result<Option<&'static dyn System>, Failure> {
        let named = system_of(scenario, sets).map_err(|e| Failure::BadInput(e.to_string()))?;
        let Some(name) = named.filter(|name| name != other) else { return Ok(None) };
        let names = || self.all().map(|system| system.about().name).chain([other]);
        self.find(&name).map(Some).ok_or_else(|| {
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
}
