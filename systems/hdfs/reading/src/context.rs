//! What sentences need to know beyond the traces; the command line fills it.
use crate::run::VariantRuns;
use crate::stat::Verdict;
use page::Provenance;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Context {
    /// The scenario's name: "shop".
    pub scenario: String,
    /// The file in which assumed values are edited: "shop.toml".
    pub file: String,
    /// Who is lost, or is to leave.
    pub lost: Vec<Lost>,
    /// What else happens: "dn-r1-02 disk 0 slow", "dn-r2-03 back".
    pub besides: Vec<String>,
    /// "hdfs3"
    pub pacing: String,
    /// Blocks of the whole cluster.
    pub blocks: u64,
    /// Replicas that a block wants (`dfs.replication`).
    pub replication: u32,
    /// A silent node is declared dead after this time at least, and at most \[s\]; `None` where
    /// the NameNode's timeout does not tell it.
    pub detection: Option<(f64, f64)>,
    /// The NameNode's HOST:PORT, where known.
    pub namenode: Option<String>,
    /// The version of Hadoop that runs there, where an input told it: "3.3.6".
    pub hadoop: Option<String>,
    /// Real keys that stand as `<final>` in the imported site file.
    pub finals: Vec<String>,
    /// Real keys and values of this scenario: `dfs.namenode.redundancy.interval.seconds`, `3s`.
    pub settings: Vec<(String, String)>,
    /// It really happened: the trace is of logs.
    pub logged: bool,
    /// What no input says.
    pub assumptions: Vec<Assumption>,
    /// Doubtful or reduced data, for dashed tags.
    pub tags: Vec<String>,
    /// What makes this page: "tenbin compare scenarios/shop.toml".
    pub command: String,
    /// The page's foot after the seeds: scenario hash, trace hash, version, the cluster's source.
    pub provenance: Vec<Provenance>,
}

/// Something that is lost, or is to leave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// "dn-r2-03", "dn-r2-03 disk 1", "/rack2".
    pub name: String,
    /// "/rack2"
    pub rack: String,
    pub fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Node,
    /// All nodes of a rack do, at once.
    Rack {
        nodes: u32,
    },
    /// A disk fails, its node lives.
    Disk,
    Leaving,
    /// A node goes into maintenance.
    Maintenance,
}

impl Fate {
    /// Whether what it holds can still be read.
    pub fn leaves(self) -> bool {
        matches!(self, Fate::Leaving | Fate::Maintenance)
    }
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
    pub double: Vec<VariantRuns>,
}

impl Context {
    /// A setting's value.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::NoDifference => "no difference",
        Verdict::Undecided => "not decided",
    }
}
