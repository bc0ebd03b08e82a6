//! Scenarios of HDFS, read and checked, and the maps of their blocks.
use crate::failure::Failure;
use crate::{about, interrupt};
use cluster::BadInput;
use hdfs_model::hdfs;
use hdfs_scenario::{BlockMap, Blocks, Scenario};
use std::path::Path;
use std::sync::Arc;
use system::lab::Lab;
pub use system::provenance::{command_line, hash_text, set_json};

/// Keys and values of `--set`.
pub type Sets = Vec<(String, String)>;

/// Takes `TABLE.KEY=VALUE` apart.
///
/// # Errors
/// Bad input without `=`.
pub fn sets(texts: &[String]) -> Result<Sets, Failure> {
    texts.iter().map(|text| crate::vary::set(text)).collect()
}

pub fn lab() -> Lab {
    Lab::of(&crate::HDFS).expect("HDFS is simulated")
}

/// Reads and checks a scenario.
///
/// # Errors
/// Bad input, with file, line, key, what was expected and the nearest right name.
pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Scenario, Failure> {
    lab().read(path, sets).map(|sheet| Scenario::of(&sheet).clone())
}

/// As [`read`], from a text that stands for `file`.
pub fn read_text(text: &str, file: &Path, sets: &[(String, String)]) -> Result<Scenario, Failure> {
    lab().read_text(text, file, sets).map(|sheet| Scenario::of(&sheet).clone())
}

/// What is wrong with an input, as a failure.
pub fn bad(what: impl std::fmt::Display) -> Failure {
    Failure::BadInput(what.to_string())
}

/// The blocks of a scenario. A map in a file is the same for every seed: load it once.
///
/// # Errors
/// Bad input: a file that is missing, changed or cut; a map that cannot be drawn.
pub fn blocks(scenario: &Scenario, seed: u64) -> Result<Arc<BlockMap>, Failure> {
    match &scenario.blocks {
        Blocks::Parquet { path, sha256, .. } => {
            let disks = scenario.hardware.disks_per_node;
            hdfs_trace::blocks_file::read(path, sha256, &scenario.cluster, disks)
                .map(Arc::new)
                .map_err(|e| import_again(scenario, e))
        }
        Blocks::Drawn(_) | Blocks::Synthesised(_) | Blocks::Given(_) => {
            let map = hdfs::load_blocks_while(scenario, seed, &|| !interrupt::asked());
            map.map_err(bad)?.ok_or_else(interrupt::nothing_written)
        }
    }
}

/// Names both files: which of them was changed, nobody knows.
fn import_again(scenario: &Scenario, mut what: BadInput) -> Failure {
    let toml = about::cluster_file(scenario).unwrap_or(&scenario.file).display();
    for problem in &mut what.problems {
        problem.expected += &format!(
            " (named in {toml}). Run `tenbin import hdfs` again, which writes both, or restore them"
        )
    }
    bad(what)
}
