//! A run of HDFS as the trace that all systems share (`systems/hdfs/docs/trace.md`), and back,
//! without loss.
//!
//! A block is an entity with its number, a disk a resource with its place in the node, what the
//! cluster lacks a lack, a client's request an operation. Intervals keep their ids; operations
//! stand behind them.
mod from;
mod to;
mod words;
pub use from::from;
pub use to::{Walked, to, walked};

use crate::Trace;
use cluster::{BadInput, Problem};
use std::path::Path;

/// The run table's key that says whose run it is, and what it says of HDFS's.
pub const SYSTEM: (&str, &str) = ("system", "hdfs");

/// Reads a run back from the folder of its tables.
///
/// # Errors
/// As [`trace::tables::read`]; or it is no run of HDFS.
pub fn read(folder: &Path) -> Result<Trace, BadInput> {
    let stored = trace::tables::read(folder)?;
    let expected = "the trace of a run of HDFS";
    from(&stored).map_err(|problem| Problem::of_file(folder, problem, expected).into())
}
