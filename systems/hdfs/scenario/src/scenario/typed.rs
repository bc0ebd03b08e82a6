//! Converts values to the types of the models.
use super::{HdfsSite, ModelKeys, Pacing, PolicyKeys, RunKeys, SourcesChosen};
use cluster::sheet::values::Values;
use cluster::{Channels, DiskCurve, DiskSpec, Hardware, InterRack, Network, Sharing};

pub(super) fn hardware(v: &Values) -> Hardware {
    let channels = match v.text("hardware.disk_channels") {
        "separate" => Channels::Separate,
        _ => Channels::Shared,
    };
    let inter_rack_kind = match v.text("hardware.inter_rack_kind") {
        "one-link" => InterRack::OneLink,
        _ => InterRack::Uplinks,
    };
    Hardware {
        disk: DiskSpec {
            rate: v.rate("hardware.disk"),
            seek: v.time("hardware.disk_seek"),
            batch: v.bytes("hardware.disk_batch"),
            curve: DiskCurve::KEPT,
            channels,
        },
        disks_per_node: v.narrow("hardware.disks_per_node"),
        nic: v.rate("hardware.nic"),
        nic_latency: v.time("hardware.nic_latency"),
        inter_rack: v.rate("hardware.inter_rack"),
        inter_rack_latency: v.time("hardware.inter_rack_latency"),
        inter_rack_kind,
    }
}

pub(super) fn hdfs(v: &Values) -> HdfsSite {
    let key = |name: &str| format!("hdfs-site.dfs.{name}");
    let time = |name| v.time(&key(name));
    let count = |name| v.narrow::<u32>(&key(name));
    HdfsSite {
        replication: v.narrow(&key("replication")),
        blocksize: v.bytes(&key("blocksize")),
        heartbeat_interval: time("heartbeat.interval"),
        heartbeat_recheck_interval: time("namenode.heartbeat.recheck-interval"),
        redundancy_interval: time("namenode.redundancy.interval.seconds"),
        work_multiplier: count("namenode.replication.work.multiplier.per.iteration"),
        max_streams: count("namenode.replication.max-streams"),
        max_streams_hard_limit: count("namenode.replication.max-streams-hard-limit"),
        pending_timeout: time("namenode.reconstruction.pending.timeout-sec"),
        consider_load: v.flag(&key("namenode.redundancy.considerLoad")),
        consider_load_factor: v.number(&key("namenode.redundancy.considerLoad.factor")),
        decommission_interval: time("namenode.decommission.interval"),
        incremental_report_interval: time("blockreport.incremental.intervalMsec"),
        transfer_bandwidth: v.bytes(&key("datanode.data.transfer.bandwidthPerSec")).0,
        queue_restart_iterations: count("namenode.redundancy.queue.restart.iterations"),
        stale_interval: time("namenode.stale.datanode.interval"),
        avoid_write_stale: v.flag(&key("namenode.avoid.write.stale.datanode")),
        ec_xmits_weight: v.number(&key("datanode.ec.reconstruction.xmits.weight")),
        ec_threads: count("datanode.ec.reconstruction.threads"),
    }
}

/// (k, m) of `RS-k-m-1024k`; `None`: full replicas.
pub(super) fn code(v: &Values) -> Option<(u8, u8)> {
    let mut parts = v.text("workload.redundancy").split('-').skip(1).map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

pub(super) fn policy(v: &Values) -> PolicyKeys {
    PolicyKeys {
        rereplication: v.text("policy.rereplication").to_string(),
        pacing: match v.text("policy.pacing") {
            "event-driven" => Pacing::EventDriven,
            "hdfs1" => Pacing::Hdfs1,
            _ => Pacing::Hdfs3,
        },
        streams_per_source: v.narrow("policy.streams_per_source"),
        sources_chosen: match v.text("policy.sources_chosen") {
            "before" => SourcesChosen::Before,
            _ => SourcesChosen::AtStart,
        },
    }
}

pub(super) fn model(v: &Values) -> ModelKeys {
    ModelKeys {
        sharing: match v.text("model.sharing") {
            "queue" => Sharing::Queue,
            _ => Sharing::Fluid,
        },
        chunk: v.bytes("model.chunk"),
        network: match v.text("model.network") {
            "CM02" => Network::Cm02,
            "LV08" => Network::Lv08,
            _ => Network::Fair,
        },
    }
}

pub(super) fn run(v: &Values) -> RunKeys {
    let until = match v.text("run.until") {
        "redundant" => None,
        _ => Some(v.time("run.until")),
    };
    RunKeys { until, seeds: v.narrow("run.seeds") }
}
