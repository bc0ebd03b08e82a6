//! What sentences need to know beyond the traces; the command line fills it.
use crate::report::{Provenance, Verdict};
use crate::run::VariantRuns;

/// Of a page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Context {
    /// The scenario's name: "shop".
    pub scenario: String,
    /// The file in which assumed values are edited: "shop.toml".
    pub file: String,
    /// Who is lost.
    pub lost: Vec<Lost>,
    /// "hdfs3"
    pub pacing: String,
    /// Blocks of the whole cluster.
    pub blocks: u64,
    /// Replicas that a block wants (`dfs.replication`).
    pub replication: u32,
    /// The NameNode's HOST:PORT, where known.
    pub namenode: Option<String>,
    /// Real keys and values of this scenario: `dfs.namenode.redundancy.interval.seconds`, `3s`.
    pub settings: Vec<(String, String)>,
    /// What no input says.
    pub assumptions: Vec<Assumption>,
    /// Doubtful or reduced data, for dashed tags.
    pub tags: Vec<String>,
    /// What makes this page: "tenbin compare scenarios/shop.toml".
    pub command: String,
    /// The page's foot after the seeds: scenario hash, trace hash, version, the cluster's source.
    pub provenance: Vec<Provenance>,
}

/// A node that is lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// Host.
    pub name: String,
    /// "/rack2"
    pub rack: String,
}

/// An input that is assumed.
#[derive(Clone, PartialEq, Debug)]
pub struct Assumption {
    /// "Disk"
    pub name: String,
    /// "150 MB/s × 12"
    pub value: String,
    /// `hardware.disk`
    pub key: String,
    /// All variants (or the first alone) at half the value; empty if that was not simulated.
    pub half: Vec<VariantRuns>,
    /// At double.
    pub double: Vec<VariantRuns>,
}

impl Context {
    /// A setting's value.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

/// A verdict in words.
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::NoDifference => "no difference",
    }
}
