//! Scenarios compiled into the program, available without files.
use super::SYSTEMS;
use crate::failure::Failure;
use system::{BuiltIn, System};

pub fn built_ins() -> impl Iterator<Item = (&'static System, &'static BuiltIn)> {
    SYSTEMS.all().flat_map(|system| system.scenarios.iter().map(move |scenario| (system, scenario)))
}

/// # Errors
/// Bad input: unknown name, with a suggestion.
pub fn built_in(name: &str) -> Result<(&'static System, &'static BuiltIn), Failure> {
    built_ins().find(|(_, scenario)| scenario.name == name).ok_or_else(|| {
        let near = cluster::nearest(name, built_ins().map(|(_, scenario)| scenario.name));
        let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
        let expected = "expected a name that `tenbin list scenarios` prints";
        Failure::BadInput(format!("{name} is not a built-in scenario: {expected}{near}"))
    })
}
