//! Limits of a repair that remain when one is removed.
use hardware::{Kind, Resource, Resources};
use hdfs_scenario::{HdfsSite, Pacing, Scenario};
use hdfs_trace::{Cause, ResourceKind, Trace, kind};
use units::{BytesPerSec, Nanos};

/// A limit that can be removed: a kind of resource then takes no time, a setting has no limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Away {
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

impl Away {
    pub const ALL: [Away; 8] = [
        Away::Multiplier,
        Away::MaxStreams,
        Away::Streams,
        Away::Heartbeat,
        Away::Interval,
        Away::Disks,
        Away::Nics,
        Away::Uplinks,
    ];

    /// Limits that exist under this pacing.
    pub fn of(pacing: Pacing) -> impl Iterator<Item = Away> {
        use Away::{Disks, Heartbeat, Interval, MaxStreams, Multiplier, Nics, Streams, Uplinks};
        let settings: &[Away] = match pacing {
            Pacing::EventDriven => &[Streams],
            Pacing::Hdfs1 | Pacing::Hdfs3 => &[MaxStreams, Multiplier, Heartbeat, Interval],
        };
        [Disks, Nics, Uplinks].into_iter().chain(settings.iter().copied())
    }

    /// Metric of the repair time without it \[s\].
    pub fn metric(self) -> &'static str {
        match self {
            Away::Disks => "without_disks_s",
            Away::Nics => "without_nics_s",
            Away::Uplinks => "without_uplinks_s",
            Away::MaxStreams => "without_max_streams_s",
            Away::Multiplier => "without_multiplier_s",
            Away::Heartbeat => "without_heartbeat_s",
            Away::Interval => "without_redundancy_interval_s",
            Away::Streams => "without_streams_per_source_s",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Away::Disks => "disks that take no time",
            Away::Nics => "NICs that take no time",
            Away::Uplinks => "uplinks that take no time",
            Away::MaxStreams => "unlimited max-streams",
            Away::Multiplier => "an unlimited work multiplier",
            Away::Heartbeat => "heartbeats at once",
            Away::Interval => "rounds at once",
            Away::Streams => "unlimited streams_per_source",
        }
    }

    /// Whether the holder (a setting's key or a kind of resource) is this limit.
    pub fn is_holder(self, holder: &str) -> bool {
        let kinds: &[&str] = match self {
            Away::Disks => &["Disk"],
            Away::Nics => &["NIC"],
            Away::Uplinks => &["Rack uplink", "Inter-rack link"],
            _ => self.keys(),
        };
        kinds.iter().any(|part| holder.contains(part))
    }

    /// Parts of the setting's keys in Hadoop 3 and 1.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Away::Disks | Away::Nics | Away::Uplinks => &[],
            Away::MaxStreams => &["max-streams", "max-repl-streams"],
            Away::Multiplier => &["work.multiplier", "WORK_MULTIPLIER"],
            Away::Heartbeat => &["dfs.heartbeat.interval"],
            Away::Interval => &["redundancy.interval", "dfs.replication.interval"],
            Away::Streams => &["policy.streams_per_source"],
        }
    }

    fn is(self, kind: ResourceKind) -> bool {
        match kind {
            kind::DISK | kind::DISK_WRITE => self == Away::Disks,
            kind::NIC_OUT | kind::NIC_IN => self == Away::Nics,
            _ => self == Away::Uplinks,
        }
    }
}

/// Whether anything in the trace waited for it; if not, removing it changes nothing.
pub fn is_waited_for(trace: &Trace, away: Away) -> bool {
    let limits_streams = matches!(away, Away::MaxStreams | Away::Streams);
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

pub struct Left {
    pub away: Option<Away>,
    pub hdfs: HdfsSite,
    pub pacing: Pacing,
    /// Live nodes: their number, and which are.
    pub live: u32,
    pub lives: Vec<bool>,
    /// Streams per source under event-driven pacing.
    pub streams: u32,
}

impl Left {
    pub fn new(scenario: &Scenario, trace: &Trace, away: Option<Away>) -> Left {
        let lives: Vec<bool> = trace.nodes.iter().map(|node| node.alive).collect();
        let live = u32::try_from(lives.iter().filter(|lives| **lives).count()).unwrap_or(u32::MAX);
        let mut hdfs = scenario.hdfs.clone();
        let mut streams = scenario.policy.streams_per_source;
        match away {
            Some(Away::MaxStreams) => {
                (hdfs.max_streams, hdfs.max_streams_hard_limit) = (u32::MAX, u32::MAX)
            }
            Some(Away::Multiplier) => hdfs.work_multiplier = u32::MAX,
            Some(Away::Heartbeat) => hdfs.heartbeat_interval = AT_ONCE,
            Some(Away::Interval) => hdfs.redundancy_interval = AT_ONCE,
            Some(Away::Streams) => streams = u32::MAX,
            Some(Away::Disks | Away::Nics | Away::Uplinks) | None => {}
        }
        Left { away, hdfs, pacing: scenario.policy.pacing, live, lives, streams }
    }

    pub fn has(&self, kind: Kind) -> bool {
        let gone: &[Kind] = match self.away {
            Some(Away::Disks) => &[Kind::Disk, Kind::DiskRead, Kind::DiskWrite],
            Some(Away::Nics) => &[Kind::NicOut, Kind::NicIn],
            Some(Away::Uplinks) => &[Kind::UplinkOut, Kind::UplinkIn, Kind::InterRackLink],
            _ => &[],
        };
        !gone.contains(&kind)
    }

    pub fn is_free_to_send(&self) -> bool {
        matches!(self.away, Some(Away::MaxStreams | Away::Streams))
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
