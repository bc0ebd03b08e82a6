//! Facts for sentences beyond the traces; the command line fills them in.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Context {
    pub lost: Vec<AffectedPart>,
    /// Other events: "dn-r1-02 disk 0 slow", "dn-r2-03 back".
    pub besides: Vec<String>,
    pub pacing: String,
    /// In the entire cluster.
    pub blocks: u64,
    /// `dfs.replication`
    pub replication: u32,
    /// (least, most) time until a silent node is declared dead \[s\]; `None`: not given by the
    /// NameNode's timeout.
    pub detection: Option<(f64, f64)>,
    /// HOST:PORT; `None`: unknown.
    pub namenode: Option<String>,
    /// Hadoop version, such as "3.3.6"; `None`: unknown.
    pub hadoop: Option<String>,
    /// (real key, value) of the scenario: `dfs.namenode.redundancy.interval.seconds`, `3s`.
    pub settings: Vec<(String, String)>,
    /// The trace comes from logs.
    pub logged: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AffectedPart {
    /// "dn-r2-03", "dn-r2-03 disk 1", "/rack2".
    pub name: String,
    pub rack: String,
    pub event_type: EventType,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventType {
    Node,
    /// All nodes of a rack fail at once.
    Rack {
        nodes: u32,
    },
    Disk,
    Leaving,
    Maintenance,
}

impl EventType {
    /// True if its replicas stay readable.
    pub fn leaves(self) -> bool {
        matches!(self, EventType::Leaving | EventType::Maintenance)
    }
}

impl Context {
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}
