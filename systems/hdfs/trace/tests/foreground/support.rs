//! Pages of DataNodes, in the form of Hadoop 3, with any counts.
use hdfs_trace::ingest::foreground::{Imported, Sources, import};
use hdfs_trace::ingest::hdfs::{ImportError, Input};

/// Counters of a DataNode in the order of a page; those that no test names are 0.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub node: String,
    /// \[ms\]
    pub uptime: u64,
    /// \[ms\]
    pub start: u64,
    pub counters: Vec<(&'static str, u64)>,
}

/// As `DataNodeMetrics` declares them.
const COUNTERS: [&str; 26] = [
    "BytesWritten",
    "TotalWriteTime",
    "BytesRead",
    "TotalReadTime",
    "BlocksWritten",
    "BlocksRead",
    "BlocksReplicated",
    "BlocksRemoved",
    "BlocksVerified",
    "BlockVerificationFailures",
    "ReadsFromLocalClient",
    "ReadsFromRemoteClient",
    "WritesFromLocalClient",
    "WritesFromRemoteClient",
    "BlocksGetLocalPathInfo",
    "RemoteBytesRead",
    "RemoteBytesWritten",
    "FsyncCount",
    "VolumeFailures",
    "DatanodeNetworkErrors",
    "ReadBlockOpNumOps",
    "WriteBlockOpNumOps",
    "CopyBlockOpNumOps",
    "ReplaceBlockOpNumOps",
    "EcReconstructionTasks",
    "EcReconstructionBytesRead",
];

impl Page {
    /// All counters 0.
    pub fn new(node: &str, uptime: u64) -> Page {
        let counters = COUNTERS.iter().map(|name| (*name, 0)).collect();
        Page { node: node.into(), uptime, start: 1_750_000_000_000, counters }
    }
    pub fn with(mut self, counters: &[(&str, u64)]) -> Page {
        counters.iter().for_each(|(name, n)| self.count(name, *n));
        self
    }
    /// Counts `n` more.
    pub fn count(&mut self, name: &str, n: u64) {
        self.counters.iter_mut().find(|(known, _)| *known == name).expect(name).1 += n
    }
    pub fn text(&self) -> String {
        let Page { node, uptime, start, .. } = self;
        let counters: String =
            self.counters.iter().map(|(name, n)| format!(",\n    \"{name}\" : {n}")).collect();
        let head = format!(
            "\"name\" : \"Hadoop:service=DataNode,name=DataNodeActivity-{node}\",\n    \
             \"modelerType\" : \"DataNodeActivity-{node}\",\n    \
             \"tag.SessionId\" : null,\n    \"tag.Context\" : \"dfs\""
        );
        let beans = [
            "\"name\" : \"Hadoop:service=DataNode,name=JvmMetrics\",\n    \
             \"MemNonHeapMaxM\" : -1.0"
                .to_string(),
            format!("{head}{counters},\n    \"ReadBlockOpAvgTime\" : 585.4"),
            format!(
                "\"name\" : \"java.lang:type=Runtime\",\n    \
                 \"StartTime\" : {start},\n    \"Uptime\" : {uptime}"
            ),
        ];
        format!("{{\n  \"beans\" : [ {{\n    {}\n  }} ]\n}}\n", beans.join("\n  }, {\n    "))
    }
    pub fn input(&self, moment: &str) -> Input {
        memory(&format!("{moment}/{}.json", self.node), self.text())
    }
}

pub fn memory(name: &str, bytes: impl Into<Vec<u8>>) -> Input {
    Input::Memory { name: name.into(), bytes: bytes.into() }
}

pub fn between(before: &[Page], after: &[Page]) -> Result<Imported, ImportError> {
    let inputs = |pages: &[Page], moment: &str| pages.iter().map(|p| p.input(moment)).collect();
    let (before, after) = (inputs(before, "before"), inputs(after, "after"));
    import(&Sources { before, after, ..Sources::default() }, &mut |_| ())
}

/// A seeded generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}
