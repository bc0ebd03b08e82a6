//! Scenarios in the program itself, so that it answers where no file is.
use crate::failure::Failure;
use crate::seam::{BuiltIn, System};
use std::path::Path;

/// The built-in scenario that is meant by a name; `None` where a file is there, which comes first.
///
/// # Errors
/// Bad input: neither a file nor a name of these systems; says what could be meant.
pub fn find(
    systems: &[&'static System],
    scenario: &Path,
) -> Result<Option<(&'static System, &'static BuiltIn)>, Failure> {
    let is_missing = matches!(scenario.try_exists(), Ok(false));
    // A result's folder may well be called as the scenario is.
    if !is_missing && !scenario.is_dir() {
        return Ok(None);
    }
    let all =
        || systems.iter().flat_map(|system| system.scenarios.iter().map(move |s| (*system, s)));
    if let Some(found) = all().find(|(_, one)| scenario.to_str() == Some(one.name)) {
        return Ok(Some(found));
    }
    // What else is wrong with it its reader says.
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
