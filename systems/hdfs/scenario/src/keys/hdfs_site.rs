//! Settings of `hdfs-site.xml` that the model implements, with the defaults of HDFS 3.4.
use super::{
    Key,
    KeyDefault::{Default, DefaultBy},
    Kind,
};
use cluster::Values;

/// Units of numbers without a unit, in nanoseconds.
const S: u64 = 1_000_000_000;
const MS: u64 = 1_000_000;

/// A key with its default of `hdfs-default.xml`.
pub(super) const fn key(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    row: &'static str,
    doc: &'static str,
) -> Key {
    Key::new(name, kind, Default(default), doc).row(row).source("hdfs-default.xml 3.4")
}

/// When a changed setting takes effect in Hadoop 3.4 (`NameNode.reconfigurableProperties`,
/// `DataNode.RECONFIGURABLE_PROPERTIES`).
pub(super) const NAMENODE: &str = "after a restart of the NameNode";
pub(super) const DATANODES: &str = "after a restart of every DataNode";
const LIMITS: &str = "by hdfs dfsadmin -reconfig namenode HOST:PORT start, without a restart (from \
                      Hadoop 3.1.3, 3.2.1 and 3.3.0 on)";
const LIVE: &str = "by hdfs dfsadmin -reconfig namenode HOST:PORT start, without a restart";
const PENDING: &str = "by hdfs dfsadmin -reconfig namenode HOST:PORT start, without a restart \
                       (from Hadoop 3.4.0 on)";
const TRANSFER: &str = "by hdfs dfsadmin -reconfig datanode livenodes start, without a restart \
                        (from Hadoop 3.4.0 on)";

/// Two and four times the current limit.
fn more(_: &Values, now: &str) -> Vec<String> {
    let now = now.parse::<u64>().ok();
    now.map_or_else(Vec::new, |now| [2, 4].map(|times| (times * now).to_string()).to_vec())
}

const fn time(name: &'static str, unit: u64, default: &'static str, doc: &'static str) -> Key {
    key(name, Kind::HadoopTime { unit, zero: false }, default, "", doc)
}

const fn count(
    name: &'static str,
    min: u64,
    default: &'static str,
    row: &'static str,
    doc: &'static str,
) -> Key {
    key(name, Kind::HadoopCount { min, max: 1_000_000 }, default, row, doc)
}

pub(super) static KEYS: [Key; 19] = [
    key(
        "hdfs-site.dfs.replication",
        Kind::HadoopCount { min: 1, max: 512 },
        "3",
        "replication {}",
        "Replicas of a block",
    ),
    Key {
        absent: DefaultBy("128m", |values, _| under_hdfs1(values, |_| "64m".into())),
        ..key(
            "hdfs-site.dfs.blocksize",
            Kind::HadoopSize { zero: false },
            "128m",
            "blocks of {}",
            "Length of a full block",
        )
    },
    time(
        "hdfs-site.dfs.heartbeat.interval",
        S,
        "3s",
        "Interval of a DataNode's heartbeats, which fetch its work",
    )
    .setting(DATANODES),
    time(
        "hdfs-site.dfs.namenode.heartbeat.recheck-interval",
        MS,
        "300000",
        "Interval of searches for dead nodes; dead after 2 × this + 10 heartbeats",
    )
    .setting(LIVE),
    time(
        "hdfs-site.dfs.namenode.redundancy.interval.seconds",
        S,
        "3s",
        "Interval of the redundancy monitor's rounds",
    )
    .setting(NAMENODE),
    count(
        "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration",
        1,
        "2",
        "multiplier {}",
        "Blocks scheduled in a round, per live node",
    )
    .setting(LIMITS)
    .tries_by(more),
    count(
        "hdfs-site.dfs.namenode.replication.max-streams",
        0,
        "2",
        "max-streams {}",
        "Copies that a node sends at a time, except those of highest priority",
    )
    .setting(LIMITS)
    .tries_by(more),
    Key {
        absent: DefaultBy("4", |values, _| {
            under_hdfs1(values, |values| values.text(SOFT_LIMIT).to_string())
        }),
        ..count(
            "hdfs-site.dfs.namenode.replication.max-streams-hard-limit",
            0,
            "4",
            "hard limit {}",
            "Copies that a node sends at a time, at any priority",
        )
        .setting(LIMITS)
        .tries_by(more)
    },
    key(
        "hdfs-site.dfs.namenode.reconstruction.pending.timeout-sec",
        Kind::HadoopTimeout { unit: S },
        "300",
        "",
        "A copy not reported after this is scheduled again",
    )
    .setting(PENDING),
    key(
        "hdfs-site.dfs.namenode.redundancy.considerLoad",
        Kind::HadoopFlag,
        "true",
        "considerLoad {}",
        "No target with more than factor × mean transfers",
    )
    .setting(NAMENODE),
    key(
        "hdfs-site.dfs.namenode.redundancy.considerLoad.factor",
        Kind::Number,
        "2.0",
        "load factor {}",
        "The factor of considerLoad",
    )
    .setting(NAMENODE),
    time(
        "hdfs-site.dfs.namenode.decommission.interval",
        S,
        "30s",
        "Interval of the admin monitor's checks of leaving nodes",
    )
    .setting(NAMENODE),
    key(
        "hdfs-site.dfs.blockreport.incremental.intervalMsec",
        Kind::HadoopTime { unit: MS, zero: true },
        "0",
        "",
        "Delay of a DataNode's reports of new replicas",
    )
    .setting(DATANODES),
    key(
        "hdfs-site.dfs.datanode.data.transfer.bandwidthPerSec",
        Kind::HadoopSize { zero: true },
        "0",
        "transfer limit {}",
        "Limit of a node's copies [bytes/s]; 0: no limit",
    )
    .setting(TRANSFER),
    count(
        "hdfs-site.dfs.namenode.redundancy.queue.restart.iterations",
        0,
        "2400",
        "",
        "Rounds after which the queues are read from their start again",
    )
    .setting(NAMENODE),
    time(
        "hdfs-site.dfs.namenode.stale.datanode.interval",
        MS,
        "30000",
        "A node silent for this is stale",
    )
    .setting(NAMENODE),
    key(
        "hdfs-site.dfs.namenode.avoid.write.stale.datanode",
        Kind::HadoopFlag,
        "false",
        "",
        "A stale node is not a target",
    )
    .setting(NAMENODE),
    key(
        "hdfs-site.dfs.datanode.ec.reconstruction.xmits.weight",
        Kind::Number,
        "0.5",
        "",
        "A group that a node rebuilds counts as max(blocks read, written) × this of its copies",
    )
    .setting(DATANODES),
    count(
        "hdfs-site.dfs.datanode.ec.reconstruction.threads",
        1,
        "8",
        "",
        "Groups that a node rebuilds at a time",
    )
    .setting(DATANODES),
];

/// Limit of streams per source, except for the most urgent blocks.
const SOFT_LIMIT: &str = "hdfs-site.dfs.namenode.replication.max-streams";

/// Defaults of Hadoop 1.x (`hdfs-default.xml` 1.2, `FSNamesystem`), used with `hdfs1` pacing.
/// Hadoop 1.x has one stream limit, so the hard limit equals it.
fn under_hdfs1(values: &Values, text: impl FnOnce(&Values) -> String) -> Option<String> {
    (values.text("policy.pacing") == "hdfs1").then(|| text(values))
}

/// Valid Hadoop keys that look like a misspelling of a modelled key.
pub const ELSEWHERE: [&str; 13] = [
    "dfs.blockreport.intervalMsec",
    "dfs.datanode.data.read.bandwidthPerSec",
    "dfs.datanode.data.write.bandwidthPerSec",
    "dfs.datanode.ec.reconstruct.read.bandwidthPerSec",
    "dfs.datanode.ec.reconstruct.write.bandwidthPerSec",
    "dfs.namenode.avoid.read.stale.datanode",
    "dfs.namenode.avoid.read.slow.datanode",
    "dfs.namenode.replication.min",
    "dfs.namenode.stale.datanode.minimum.interval",
    "dfs.namenode.redundancy.considerLoadByStorageType",
    "dfs.namenode.redundancy.considerLoadByVolume",
    "dfs.replication.max",
    "dfs.replication.min",
];
