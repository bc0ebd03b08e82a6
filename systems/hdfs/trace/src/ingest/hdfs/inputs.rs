//! What the joining and the checks work on.
use super::fsck::Fsck;
use super::report::Report;
use super::topology::PlacedNode;

/// The inputs, read; each with its file's name.
pub(super) struct Inputs {
    pub(super) fsck: (String, Fsck),
    pub(super) report: Option<(String, Report)>,
    pub(super) topology: Option<(String, Vec<PlacedNode>)>,
    /// Entries of `dfs.datanode.data.dir`.
    pub(super) data_dirs: Option<u16>,
}
