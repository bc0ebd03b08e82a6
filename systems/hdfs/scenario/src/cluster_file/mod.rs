//! The file of an imported cluster: `tenbin import` writes it, `[cluster] import` reads it, people
//! edit it.
mod nodes;
mod quote;
mod read;
mod write;
use crate::Synthesis;
use cluster::Cluster;
pub(crate) use read::{ImportedFile, read_file};
pub use read::{read, read_str};
pub use write::write;

/// What an import found out about a real cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// Nodes in the order of their ids (the block map refers to them by it) and racks. A node with
    /// 0 disks is one whose disks no input told.
    pub cluster: Cluster,
    /// Names of the files it was made of, without their folders.
    pub sources: Vec<String>,
    /// Day of the import, or of its sources: 2026-11-21.
    pub date: String,
    /// The NameNode's RPC address, HOST:PORT, where an input told it.
    pub namenode: Option<String>,
    /// The version of Hadoop that runs there, where an input told it: "3.3.6". It decides which
    /// settings a plan calls live.
    pub hadoop: Option<String>,
    /// Hardware that the inputs told; the rest is written as `# ASSUMED`.
    pub hardware: Vec<Found>,
    /// Keys and values of the site file that are worth keeping, in their order.
    pub hdfs_site: Vec<(String, String)>,
    /// Those of them that stand as `<final>`: a second property of that name is not heeded.
    pub finals: Vec<String>,
    /// The names by which those stand there that have an old one there: whoever changes one must
    /// look for it by that.
    pub site_names: Vec<String>,
    /// The block map, or what it is drawn from; none where no input counts blocks.
    pub blocks: Option<ImportedBlocks>,
}

/// A hardware key whose value an input told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Without its table: `disks_per_node`.
    pub key: String,
    /// As a scenario would write it, without quotes.
    pub value: String,
    /// What told it: "dfs.datanode.data.dir in hdfs-site.xml".
    pub source: String,
}

/// Which node holds which block: listed, or only counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImportedBlocks {
    File(BlockFile),
    /// Counted by the NameNode's JMX.
    Synthesised(Synthesis),
}

/// The block map beside the cluster file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockFile {
    /// Its name, relative to the cluster file.
    pub file: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Blocks and erasure-coded groups in it.
    pub blocks: u64,
    /// Replicas and internal blocks in it.
    pub replicas: u64,
}
