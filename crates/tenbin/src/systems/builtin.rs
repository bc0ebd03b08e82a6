//! Scenarios in the program itself, so that it answers where no file is.
use super::SYSTEMS;
use crate::failure::Failure;
use system::{BuiltIn, System};

/// All of them, each with its system.
pub fn built_ins() -> impl Iterator<Item = (&'static System, &'static BuiltIn)> {
    SYSTEMS.all().flat_map(|system| system.scenarios.iter().map(move |scenario| (system, scenario)))
}

/// The one of this name.
///
/// # Errors
/// Bad input: there is none; says what could be meant.
pub fn built_in(name: &str) -> Result<(&'static System, &'static BuiltIn), Failure> {
    built_ins().find(|(_, scenario)| scenario.name == name).ok_or_else(|| {
        let near = cluster::nearest(name, built_ins().map(|(_, scenario)| scenario.name));
        let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
        let expected = "expected a name that `tenbin list scenarios` prints";
        Failure::BadInput(format!("no built-in scenario is called {name}: {expected}{near}"))
    })
}
