//! The settings that a plan may change, by their real keys.
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
    /// Seconds between two rounds.
    Interval,
    /// What a DataNode sends as copies at most [bytes/s]; 0 is no limit. Tried beside clients only:
    /// alone it can but slow a repair.
    Bandwidth,
    /// Seconds until a copy that was not reported is made again. Tried where it is what holds up.
    Pending,
    /// What a DataNode sends and receives as the balancer's moves [bytes/s]; 0 where no balancer
    /// runs. Tried where one does.
    Balance,
}

/// All, in the order of a fragment.
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
    /// As `hdfs-site.xml` has it.
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

    /// Whether the Hadoop that runs there is to be told of it: the copy limit is one of 3.4, where
    /// a DataNode takes it over live. Where the version is not known, it is, with that remark.
    pub fn is_in(self, hadoop: Option<&str>) -> bool {
        self != Knob::Bandwidth || hadoop.is_none_or(|version| !is_before(version, self.key()))
    }

    /// Which one a holder is: "dfs.namenode.redundancy.interval.seconds = 3s".
    pub fn of_holder(holder: &str) -> Option<Knob> {
        let key = holder.split(" = ").next()?;
        KNOBS.into_iter().find(|knob| knob.key() == key)
    }

    /// What the cluster has; times in whole seconds.
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

    /// By how many times a change of it changes the cluster: what it would be without the limit is
    /// not known, so to set or to lift one counts as twice.
    pub fn times(self, old: u64, new: u64) -> f64 {
        if self == Knob::Bandwidth && (old == 0 || new == 0) {
            return 2.0;
        }
        let (old, new) = (old.max(1) as f64, new.max(1) as f64);
        (old / new).max(new / old)
    }

    /// A value in words: "8", "1 s". (Files have it without the unit, which all versions take.)
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
