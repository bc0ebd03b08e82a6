//! Settings that a plan may change.
use hdfs_reading::releases::is_before;
use hdfs_scenario::Scenario;
use units::{Nanos, floored_u64};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Knob {
    /// Blocks that a round takes, per live node.
    Multiplier,
    /// Copies that a source may have queued, and that one heartbeat hands out.
    MaxStreams,
    /// The same for blocks with one replica left.
    HardLimit,
    /// Between two rounds \[s\].
    Interval,
    /// Limit of a DataNode's copy traffic \[bytes/s\]; 0: no limit. Tried with clients only, since
    /// it can only slow a repair.
    Bandwidth,
    /// Timeout after which an unreported copy is repeated \[s\]. Tried if it limits the repair.
    Pending,
    /// Limit of a DataNode's balancer traffic, both directions \[bytes/s\]; 0: no balancer. Tried
    /// if one runs.
    Balance,
}

/// In the order of a fragment.
pub const KNOBS: [Knob; 7] = [
    Knob::Multiplier,
    Knob::MaxStreams,
    Knob::HardLimit,
    Knob::Interval,
    Knob::Bandwidth,
    Knob::Pending,
    Knob::Balance,
];

fn whole_secs(time: Nanos) -> u64 {
    floored_u64(time.as_secs())
}

impl Knob {
    /// Key in `hdfs-site.xml`.
    pub fn key(self) -> &'static str {
        match self {
            Knob::Multiplier => "dfs.namenode.replication.work.multiplier.per.iteration",
            Knob::MaxStreams => "dfs.namenode.replication.max-streams",
            Knob::HardLimit => "dfs.namenode.replication.max-streams-hard-limit",
            Knob::Interval => "dfs.namenode.redundancy.interval.seconds",
            Knob::Bandwidth => "dfs.datanode.data.transfer.bandwidthPerSec",
            Knob::Pending => "dfs.namenode.reconstruction.pending.timeout-sec",
            Knob::Balance => "dfs.datanode.balance.bandwidthPerSec",
        }
    }

    pub fn short(self) -> &'static str {
        match self {
            Knob::Multiplier => "multiplier",
            Knob::MaxStreams => "max-streams",
            Knob::HardLimit => "hard limit",
            Knob::Interval => "interval",
            Knob::Bandwidth => "copy limit",
            Knob::Pending => "pending timeout",
            Knob::Balance => "balancer limit",
        }
    }

    /// Whether this Hadoop version has the setting: the copy limit is one of 3.4, where DataNodes
    /// apply it live. True for an unknown version.
    pub fn is_in(self, hadoop: Option<&str>) -> bool {
        self != Knob::Bandwidth || hadoop.is_none_or(|version| !is_before(version, self.key()))
    }

    /// Parses a holder: "dfs.namenode.redundancy.interval.seconds = 3s".
    pub fn of_holder(holder: &str) -> Option<Knob> {
        let key = holder.split(" = ").next()?;
        KNOBS.into_iter().find(|knob| knob.key() == key)
    }

    /// Value in the cluster; times in whole seconds.
    pub fn of(self, scenario: &Scenario) -> u64 {
        let site = &scenario.hdfs;
        match self {
            Knob::Multiplier => site.work_multiplier.into(),
            Knob::MaxStreams => site.max_streams.into(),
            Knob::HardLimit => site.max_streams_hard_limit.into(),
            Knob::Interval => whole_secs(site.redundancy_interval).max(1),
            Knob::Bandwidth => site.transfer_bandwidth,
            Knob::Pending => whole_secs(site.pending_timeout).max(1),
            Knob::Balance => scenario.balancer.as_ref().map_or(0, |b| b.bandwidth.0),
        }
    }

    /// Factor of a change, at least 1. Setting or removing a limit counts as 2, since the value
    /// without it is unknown.
    pub fn times(self, old: u64, new: u64) -> f64 {
        if self == Knob::Bandwidth && (old == 0 || new == 0) {
            return 2.0;
        }
        let (old, new) = (old.max(1) as f64, new.max(1) as f64);
        (old / new).max(new / old)
    }

    /// A value in words: "8", "1 s". (Files have no unit, which all versions accept.)
    pub fn words(self, value: u64) -> String {
        match self {
            Knob::Bandwidth if value == 0 => "none".into(),
            Knob::Bandwidth | Knob::Balance => {
                // 100m of Hadoop is 104.9 MB/s.
                format!("{} MB/s", (value as f64 / 1e5).round() / 10.0)
            }
            Knob::Interval | Knob::Pending => format!("{value} s"),
            _ => value.to_string(),
        }
    }
}
