//! What sentences need to know beyond the traces; the command line fills it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Context {
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
    /// Real keys and values of this scenario: `dfs.namenode.redundancy.interval.seconds`, `3s`.
    pub settings: Vec<(String, String)>,
    /// It really happened: the trace is of logs.
    pub logged: bool,
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

impl Context {
    /// A setting's value.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}
