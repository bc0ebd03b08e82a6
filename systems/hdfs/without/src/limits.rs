//! Limits of a repair that remain when one is removed.
use hardware::{Kind, Resource, Resources};
use hdfs_scenario::{HdfsSite, Pacing, Scenario};
use hdfs_trace::{Cause, ResourceKind, Trace, kind};
use units::{BytesPerSec, Nanos};

/// A limit that can be removed: a kind of resource then takes no time, a setting has no limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RemovedLimit {
    Disks,
    Nics,
    Uplinks,
    /// `dfs.namenode.replication.max-streams` and its hard limit.
    MaxStreams,
    /// `dfs.namenode.replication.work.multiplier.per.iteration`
    Multiplier,
    /// `dfs.heartbeat.interval`: sources receive orders at once.
    Heartbeat,
    /// `dfs.namenode.redundancy.interval.seconds`: rounds start at once.
    Interval,
    /// `policy.streams_per_source`
    Streams,
}

impl RemovedLimit {
    pub const ALL: [RemovedLimit; 8] = [
        RemovedLimit::Multiplier,
        RemovedLimit::MaxStreams,
        RemovedLimit::Streams,
        RemovedLimit::Heartbeat,
        RemovedLimit::Interval,
        RemovedLimit::Disks,
        RemovedLimit::Nics,
        RemovedLimit::Uplinks,
    ];

    /// Limits that exist under this pacing.
    pub fn of(pacing: Pacing) -> impl Iterator<Item = RemovedLimit> {
        use RemovedLimit::{
            Disks, Heartbeat, Interval, MaxStreams, Multiplier, Nics, Streams, Uplinks,
        };
        let settings: &[RemovedLimit] = match pacing {
            Pacing::EventDriven => &[Streams],
            Pacing::Hdfs1 | Pacing::Hdfs3 => &[MaxStreams, Multiplier, Heartbeat, Interval],
        };
        [Disks, Nics, Uplinks].into_iter().chain(settings.iter().copied())
    }

    /// Metric of the repair time without it \[s\].
    pub fn metric(self) -> &'static str {
        match self {
            RemovedLimit::Disks => "without_disks_s",
            RemovedLimit::Nics => "without_nics_s",
            RemovedLimit::Uplinks => "without_uplinks_s",
            RemovedLimit::MaxStreams => "without_max_streams_s",
            RemovedLimit::Multiplier => "without_multiplier_s",
            RemovedLimit::Heartbeat => "without_heartbeat_s",
            RemovedLimit::Interval => "without_redundancy_interval_s",
            RemovedLimit::Streams => "without_streams_per_source_s",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            RemovedLimit::Disks => "disks that take no time",
            RemovedLimit::Nics => "NICs that take no time",
            RemovedLimit::Uplinks => "uplinks that take no time",
            RemovedLimit::MaxStreams => "unlimited max-streams",
            RemovedLimit::Multiplier => "an unlimited work multiplier",
            RemovedLimit::Heartbeat => "heartbeats at once",
            RemovedLimit::Interval => "rounds at once",
            RemovedLimit::Streams => "unlimited streams_per_source",
        }
    }

    /// Whether the holder (a setting's key or a kind of resource) is this limit.
    pub fn is_holder(self, holder: &str) -> bool {
        let kinds: &[&str] = match self {
            RemovedLimit::Disks => &["Disk"],
            RemovedLimit::Nics => &["NIC"],
            RemovedLimit::Uplinks => &["Rack uplink", "Inter-rack link"],
            _ => self.keys(),
        };
        kinds.iter().any(|part| holder.contains(part))
    }

    /// Parts of the setting's keys in Hadoop 3 and 1.
    fn keys(self) -> &'static [&'static str] {
        match self {
            RemovedLimit::Disks | RemovedLimit::Nics | RemovedLimit::Uplinks => &[],
            RemovedLimit::MaxStreams => &["max-streams", "max-repl-streams"],
            RemovedLimit::Multiplier => &["work.multiplier", "WORK_MULTIPLIER"],
            RemovedLimit::Heartbeat => &["dfs.heartbeat.interval"],
            RemovedLimit::Interval => &["redundancy.interval", "dfs.replication.interval"],
            RemovedLimit::Streams => &["policy.streams_per_source"],
        }
    }

    fn is(self, kind: ResourceKind) -> bool {
        match kind {
            kind::DISK | kind::DISK_WRITE => self == RemovedLimit::Disks,
            kind::NIC_OUT | kind::NIC_IN => self == RemovedLimit::Nics,
            _ => self == RemovedLimit::Uplinks,
        }
    }
}

/// Whether anything in the trace waited for it; if not, removing it changes nothing.
pub fn is_waited_for(trace: &Trace, away: RemovedLimit) -> bool {
    let limits_streams = matches!(away, RemovedLimit::MaxStreams | RemovedLimit::Streams);
    trace.intervals.iter().any(|row| match row.cause {
        Cause::Unexplained | Cause::Phase => false,
        Cause::Resource(r) => away.is(trace.resources[r.at()].kind),
        Cause::Setting(s) => {
            let key = &trace.settings[s.at()].key;
            away.keys().iter().any(|part| key.contains(part))
        }
        Cause::Shortage(_) => false,
        // A wait for another copy is a wait for a stream of the source.
        Cause::Interval(_) => limits_streams && row.kind != kind::TRANSFER,
    })
}

/// Interval that replaces a removed heartbeat or redundancy interval.
const AT_ONCE: Nanos = Nanos::millis(10);

pub struct RemainingLimits {
    pub removed: Option<RemovedLimit>,
    pub hdfs: HdfsSite,
    pub pacing: Pacing,
    /// Live nodes: their number, and which are.
    pub live: u32,
    pub is_live: Vec<bool>,
    /// Streams per source under event-driven pacing.
    pub streams: u32,
}

impl RemainingLimits {
    pub fn new(scenario: &Scenario, trace: &Trace, away: Option<RemovedLimit>) -> RemainingLimits {
        let lives: Vec<bool> = trace.nodes.iter().map(|node| node.alive).collect();
        let live = u32::try_from(lives.iter().filter(|lives| **lives).count()).unwrap_or(u32::MAX);
        let mut hdfs = scenario.hdfs.clone();
        let mut streams = scenario.policy.streams_per_source;
        match away {
            Some(RemovedLimit::MaxStreams) => {
                (hdfs.max_streams, hdfs.max_streams_hard_limit) = (u32::MAX, u32::MAX)
            }
            Some(RemovedLimit::Multiplier) => hdfs.work_multiplier = u32::MAX,
            Some(RemovedLimit::Heartbeat) => hdfs.heartbeat_interval = AT_ONCE,
            Some(RemovedLimit::Interval) => hdfs.redundancy_interval = AT_ONCE,
            Some(RemovedLimit::Streams) => streams = u32::MAX,
            Some(RemovedLimit::Disks | RemovedLimit::Nics | RemovedLimit::Uplinks) | None => {}
        }
        RemainingLimits {
            removed: away,
            hdfs,
            pacing: scenario.policy.pacing,
            live,
            is_live: lives,
            streams,
        }
    }

    pub fn has(&self, kind: Kind) -> bool {
        let gone: &[Kind] = match self.removed {
            Some(RemovedLimit::Disks) => &[Kind::Disk, Kind::DiskRead, Kind::DiskWrite],
            Some(RemovedLimit::Nics) => &[Kind::NicOut, Kind::NicIn],
            Some(RemovedLimit::Uplinks) => &[Kind::UplinkOut, Kind::UplinkIn, Kind::InterRackLink],
            _ => &[],
        };
        !gone.contains(&kind)
    }

    pub fn is_free_to_send(&self) -> bool {
        matches!(self.removed, Some(RemovedLimit::MaxStreams | RemovedLimit::Streams))
    }
}

/// Disks, NICs, links, and the limit of copy traffic per DataNode, if below the NIC.
pub fn resources(scenario: &Scenario) -> Resources {
    let mut resources = Resources::build(&scenario.cluster, &scenario.hardware);
    let bandwidth = BytesPerSec(scenario.hdfs.transfer_bandwidth);
    if bandwidth.0 > 0 && bandwidth < scenario.hardware.nic {
        resources.add_limit(Resource::CopyLimit, bandwidth)
    }
    resources
}
