use super::fsck::Fsck;
use super::report::Report;
use super::topology::PlacedNode;

pub(super) struct Inputs {
    pub(super) fsck: (String, Fsck),
    pub(super) report: Option<(String, Report)>,
    pub(super) topology: Option<(String, Vec<PlacedNode>)>,
    /// Number of entries of `dfs.datanode.data.dir`.
    pub(super) data_dirs: Option<u16>,
}
