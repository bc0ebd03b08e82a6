//! File of an imported cluster: written by `tenbin import`, named in `[cluster] import`, edited by
//! users.
mod nodes;
mod quote;
mod read;
mod write;
use crate::Synthesis;
use cluster::Cluster;
pub(crate) use read::{ImportedFile, read_file};
pub use read::{read, read_str};
pub use write::write;

#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// Nodes in the order of their ids, which the block map uses. A node with 0 disks has no known
    /// disks.
    pub cluster: Cluster,
    /// Names of the input files, without folders.
    pub sources: Vec<String>,
    /// Day of the import, or of its sources: 2026-11-21.
    pub date: String,
    /// The NameNode's RPC address, HOST:PORT; `None`: not in any input.
    pub namenode: Option<String>,
    /// Hadoop version, such as "3.3.6"; `None`: not in any input. It decides which settings a plan
    /// calls live.
    pub hadoop: Option<String>,
    /// Hardware found in the inputs; the rest is written as `# ASSUMED`.
    pub hardware: Vec<SourcedValue>,
    /// Keys and values of `hdfs-site.xml` that a scenario needs, in file order.
    pub hdfs_site: Vec<(String, String)>,
    /// Keys of `hdfs_site` that are `<final>`: Hadoop ignores a second property of that name.
    pub finals: Vec<String>,
    /// All names in the site file of settings that occur there under a deprecated name.
    pub site_names: Vec<String>,
    /// `None`: no input counts blocks.
    pub blocks: Option<ImportedBlocks>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcedValue {
    /// Without its table: `disks_per_node`.
    pub key: String,
    /// As in a scenario, without quotes.
    pub value: String,
    /// Such as "dfs.datanode.data.dir in hdfs-site.xml".
    pub source: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImportedBlocks {
    File(BlockFile),
    /// Counted by the NameNode's JMX.
    Synthesised(Synthesis),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockFile {
    /// Relative to the cluster file.
    pub file: String,
    pub sha256: String,
    pub blocks: u64,
    pub replicas: u64,
}
