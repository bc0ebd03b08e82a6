//! The settings that a plan may change, by their real keys.
use cluster::HdfsSite;

/// One setting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Knob {
    /// Blocks that a round takes, per live node.
    Multiplier,
    /// Copies that a source may have queued, and that one heartbeat hands out.
    MaxStreams,
    /// The same for blocks with one replica left.
    HardLimit,
    /// Seconds between two rounds.
    Interval,
}

/// All, in the order of a fragment.
pub const KNOBS: [Knob; 4] = [Knob::Multiplier, Knob::MaxStreams, Knob::HardLimit, Knob::Interval];

impl Knob {
    /// As `hdfs-site.xml` has it.
    pub fn key(self) -> &'static str {
        match self {
            Knob::Multiplier => "dfs.namenode.replication.work.multiplier.per.iteration",
            Knob::MaxStreams => "dfs.namenode.replication.max-streams",
            Knob::HardLimit => "dfs.namenode.replication.max-streams-hard-limit",
            Knob::Interval => "dfs.namenode.redundancy.interval.seconds",
        }
    }

    /// In a few words.
    pub fn short(self) -> &'static str {
        match self {
            Knob::Multiplier => "multiplier",
            Knob::MaxStreams => "max-streams",
            Knob::HardLimit => "hard limit",
            Knob::Interval => "interval",
        }
    }

    /// What the cluster has; the interval in whole seconds.
    pub fn of(self, site: &HdfsSite) -> u32 {
        match self {
            Knob::Multiplier => site.work_multiplier,
            Knob::MaxStreams => site.max_streams,
            Knob::HardLimit => site.max_streams_hard_limit,
            Knob::Interval => (site.redundancy_interval.as_secs() as u32).max(1),
        }
    }

    /// A value in words: "8", "1 s". (Files have it without the unit, which all versions take.)
    pub fn words(self, value: u32) -> String {
        match self {
            Knob::Interval => format!("{value} s"),
            _ => value.to_string(),
        }
    }
}
