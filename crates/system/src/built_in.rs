//! Scenarios that are compiled into the program.
use crate::failure::Failure;
use crate::interface::{BuiltIn, System};
use std::path::Path;

/// The built-in scenario of this name; `None` if a file has the name, which has priority. Fails if
/// there is neither, and suggests the nearest name.
pub fn find(
    systems: &[&'static System],
    scenario: &Path,
) -> Result<Option<(&'static System, &'static BuiltIn)>, Failure> {
    let is_missing = matches!(scenario.try_exists(), Ok(false));
    // A result folder may have the same name as a scenario.
    if !is_missing && !scenario.is_dir() {
        return Ok(None);
    }
    let all =
        || systems.iter().flat_map(|system| system.scenarios.iter().map(move |s| (*system, s)));
    if let Some(found) = all().find(|(_, one)| scenario.to_str() == Some(one.name)) {
        return Ok(Some(found));
    }
    // The reader of the scenario reports any other problem.
    if !is_missing {
        return Ok(None);
    }
    let near = cluster::nearest(&cluster::paths::stem(scenario), all().map(|(_, one)| one.name));
    let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    let of = match systems {
        [one] => format!(" for {}", one.name),
        _ => String::new(),
    };
    Err(Failure::BadInput(format!(
        "{}: no such file: expected a scenario file, or a name that `tenbin list scenarios` \
         prints{of}{near}",
        scenario.display()
    )))
}
