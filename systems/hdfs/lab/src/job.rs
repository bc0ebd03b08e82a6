//! Reads and checks scenarios of HDFS.
use crate::failure::Failure;
use crate::simulated::SIMULATED;
use hdfs_scenario::Scenario;
use std::path::Path;
use system::lab::Lab;
pub use system::lab::bad;
pub use system::provenance::{command_line, hash_text, set_json};

pub type Sets = Vec<(String, String)>;

/// Splits `TABLE.KEY=VALUE`.
///
/// # Errors
/// If a text has no `=`.
pub fn sets(texts: &[String]) -> Result<Sets, Failure> {
    texts.iter().map(|text| crate::vary::set(text)).collect()
}

pub fn lab() -> Lab {
    Lab::of(&SIMULATED).expect("HDFS is simulated")
}

/// # Errors
/// Bad input, with file, line, key, what was expected and the nearest valid name.
pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Scenario, Failure> {
    lab().read(path, sets).map(|sheet| Scenario::of(&sheet).clone())
}

/// As [`read`], from a text; errors name `file`.
pub fn read_text(text: &str, file: &Path, sets: &[(String, String)]) -> Result<Scenario, Failure> {
    lab().read_text(text, file, sets).map(|sheet| Scenario::of(&sheet).clone())
}
