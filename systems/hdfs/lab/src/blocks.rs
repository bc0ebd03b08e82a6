//! Loads block maps of scenarios.
use crate::failure::Failure;
use crate::{about, interrupt};
use cluster::BadInput;
use hdfs_model::hdfs;
use hdfs_scenario::{BlockMap, Blocks, Scenario};
use std::sync::Arc;
use system::lab::bad;

/// A map in a file is the same for every seed: load it once.
///
/// # Errors
/// If the file is missing, changed or truncated, or the map cannot be drawn.
pub(crate) fn load(scenario: &Scenario, seed: u64) -> Result<Arc<BlockMap>, Failure> {
    match &scenario.blocks {
        Blocks::Parquet { path, sha256, .. } => {
            let disks = scenario.hardware.disks_per_node;
            hdfs_trace::blocks_file::read(path, sha256, &scenario.cluster, disks)
                .map(Arc::new)
                .map_err(|e| import_again(scenario, e))
        }
        Blocks::Drawn(_) | Blocks::Synthesised(_) | Blocks::Given(_) => {
            let map = hdfs::load_blocks_while(scenario, seed, &|| !interrupt::is_requested());
            map.map_err(bad)?.ok_or_else(interrupt::nothing_written)
        }
    }
}

/// Names both files, since either may have been changed.
fn import_again(scenario: &Scenario, mut what: BadInput) -> Failure {
    let toml = about::cluster_file(scenario).unwrap_or(&scenario.file).display();
    for problem in &mut what.problems {
        problem.expected += &format!(
            " (named in {toml}). Run `tenbin import hdfs` again, which writes both files, or \
             restore them"
        )
    }
    bad(what)
}
