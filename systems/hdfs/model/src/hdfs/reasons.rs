//! Reasons of waits, and the real keys of the settings that cause them.
use super::messages::Reason;
use hdfs_scenario::{Pacing, Scenario};
use hdfs_trace::{Cause, Setting, SettingId, Shortage, ShortageId};

/// A setting that can hold a run up, in the order of the trace's table of settings; shortages come
/// last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u32)]
pub enum Holder {
    /// `dfs.namenode.heartbeat.recheck-interval`
    Recheck,
    /// `dfs.namenode.redundancy.interval.seconds`
    Interval,
    /// `dfs.namenode.replication.work.multiplier.per.iteration`
    Multiplier,
    /// `dfs.namenode.replication.max-streams`
    MaxStreams,
    /// `dfs.namenode.replication.max-streams-hard-limit`
    HardLimit,
    /// `dfs.heartbeat.interval`
    Heartbeat,
    /// `dfs.namenode.redundancy.considerLoad.factor`
    LoadFactor,
    /// `dfs.namenode.reconstruction.pending.timeout-sec`
    PendingTimeout,
    /// `dfs.blockreport.incremental.intervalMsec`
    ReportInterval,
    /// `dfs.datanode.data.transfer.bandwidthPerSec`
    Bandwidth,
    /// `policy.streams_per_source`
    Streams,
    /// `hardware.inter_rack_latency`, or `hardware.nic_latency` where that is longer
    Latency,
    /// `dfs.namenode.decommission.interval`
    Admin,
    /// `hardware.inter_rack`, if a policy makes copies wait for it
    Uplink,
    /// `dfs.datanode.ec.reconstruction.threads`
    Threads,
    /// A shortage: no node can take the block.
    NoTarget,
    /// A shortage: no readable replica is left.
    NoSource,
}

impl Holder {
    pub fn cause(self) -> Cause {
        match (self as usize).checked_sub(Holder::NoTarget as usize) {
            Some(shortage) => Cause::Shortage(ShortageId::of(shortage)),
            None => Cause::Setting(SettingId::of(self as usize)),
        }
    }
}

pub struct SettingKeys {
    pub settings: Vec<Setting>,
    pub shortages: Vec<Shortage>,
}

impl SettingKeys {
    /// Keys and values in this scenario; Hadoop 1.x has its own keys.
    pub fn new(s: &Scenario) -> SettingKeys {
        let h = &s.hdfs;
        let v1 = s.policy.pacing == Pacing::Hdfs1;
        let name = |three: &str, one: &str| if v1 { one.to_string() } else { three.to_string() };
        let seconds = |t: units::Nanos| t.to_string();
        let rows = vec![
            (
                name("dfs.namenode.heartbeat.recheck-interval", "heartbeat.recheck.interval"),
                seconds(h.heartbeat_recheck_interval),
            ),
            (
                name("dfs.namenode.redundancy.interval.seconds", "dfs.replication.interval"),
                seconds(h.redundancy_interval),
            ),
            (
                name(
                    "dfs.namenode.replication.work.multiplier.per.iteration",
                    "REPLICATION_WORK_MULTIPLIER_PER_ITERATION",
                ),
                h.work_multiplier.to_string(),
            ),
            (
                name("dfs.namenode.replication.max-streams", "dfs.max-repl-streams"),
                h.max_streams.to_string(),
            ),
            (
                "dfs.namenode.replication.max-streams-hard-limit".into(),
                h.max_streams_hard_limit.to_string(),
            ),
            ("dfs.heartbeat.interval".into(), seconds(h.heartbeat_interval)),
            (
                name("dfs.namenode.redundancy.considerLoad.factor", "dfs.replication.considerLoad"),
                h.consider_load_factor.to_string(),
            ),
            (
                name(
                    "dfs.namenode.reconstruction.pending.timeout-sec",
                    "dfs.replication.pending.timeout.sec",
                ),
                seconds(h.pending_timeout),
            ),
            (
                "dfs.blockreport.incremental.intervalMsec".into(),
                seconds(h.incremental_report_interval),
            ),
            ("dfs.datanode.data.transfer.bandwidthPerSec".into(), h.transfer_bandwidth.to_string()),
            ("policy.streams_per_source".into(), s.policy.streams_per_source.to_string()),
            latency(s),
            ("dfs.namenode.decommission.interval".into(), seconds(h.decommission_interval)),
            ("hardware.inter_rack".into(), s.hardware.inter_rack.to_string()),
            ("dfs.datanode.ec.reconstruction.threads".into(), h.ec_threads.to_string()),
        ];
        let shortages = [
            (
                "target refused",
                "every node in service holds the block, is full or breaks the rack rule",
            ),
            ("no source", "no readable replica is left"),
        ];
        let shortage = |(name, why): (&str, &str)| Shortage { name: name.into(), why: why.into() };
        SettingKeys {
            settings: rows.into_iter().map(|(key, value)| Setting { key, value }).collect(),
            shortages: shortages.map(shortage).into(),
        }
    }
}

/// The longer part of the message latency.
fn latency(s: &Scenario) -> (String, String) {
    let (nic, racks) = (s.hardware.nic_latency, s.hardware.inter_rack_latency);
    match nic > racks || s.cluster.racks.len() < 2 {
        true => ("hardware.nic_latency".into(), in_ms(nic)),
        false => ("hardware.inter_rack_latency".into(), in_ms(racks)),
    }
}

/// As users write latencies: "0.1ms", "2s".
fn in_ms(t: units::Nanos) -> String {
    if t < units::Nanos::secs(1) { format!("{}ms", t.0 as f64 / 1e6) } else { t.to_string() }
}

impl Reason {
    /// The setting behind it; `None` if there is none.
    pub fn holder(self) -> Option<Holder> {
        match self {
            Reason::Interval => Some(Holder::Interval),
            Reason::Multiplier => Some(Holder::Multiplier),
            Reason::MaxStreams | Reason::Handout => Some(Holder::MaxStreams),
            Reason::HardLimit => Some(Holder::HardLimit),
            Reason::TargetsLoaded => Some(Holder::LoadFactor),
            Reason::Uplink => Some(Holder::Uplink),
            Reason::Heartbeat => Some(Holder::Heartbeat),
            Reason::Latency => Some(Holder::Latency),
            Reason::PendingTimeout => Some(Holder::PendingTimeout),
            Reason::Threads => Some(Holder::Threads),
            Reason::Undeclared => Some(Holder::Recheck),
            Reason::NoTarget => Some(Holder::NoTarget),
            Reason::NoSource => Some(Holder::NoSource),
            Reason::Stream(_) | Reason::HandoutBusy => None,
        }
    }
}
