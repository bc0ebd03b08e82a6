//! How a changed setting is applied: live, or by a restart.
use crate::releases;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ApplyMode {
    /// `hdfs dfsadmin -reconfig namenode`.
    Live,
    /// `hdfs dfsadmin -reconfig datanode`.
    LiveDataNodes,
    /// `hdfs dfsadmin -setBalancerBandwidth`, which lasts until a DataNode restarts.
    LiveBalancer,
    NameNode,
    /// Restart of the DataNodes (and of the NameNode).
    DataNodes,
}

/// Keys that a running NameNode reconfigures (`NameNode.reconfigurableProperties` of Hadoop 3.4).
/// `dfs.heartbeat.interval` is in the list, too, but DataNodes keep their value.
const LIVE: [&str; 5] = [
    "dfs.namenode.heartbeat.recheck-interval",
    "dfs.namenode.reconstruction.pending.timeout-sec",
    "dfs.namenode.replication.max-streams",
    "dfs.namenode.replication.max-streams-hard-limit",
    "dfs.namenode.replication.work.multiplier.per.iteration",
];

/// Limits a DataNode's sends and receives for the balancer.
pub const BALANCER: &str = "dfs.datanode.balance.bandwidthPerSec";

/// `key`: real key; `hadoop`: version, `None`: assume Hadoop 3.4.
pub fn apply_key(key: &str, hadoop: Option<&str>) -> ApplyMode {
    match (of_newest(key), hadoop) {
        (ApplyMode::Live, Some(version)) if releases::is_before(version, key) => {
            ApplyMode::NameNode
        }
        (ApplyMode::LiveDataNodes, Some(version)) if releases::is_before(version, key) => {
            ApplyMode::DataNodes
        }
        (newest, _) => newest,
    }
}

fn of_newest(key: &str) -> ApplyMode {
    match key {
        key if LIVE.contains(&key) => ApplyMode::Live,
        // `DataNode.RECONFIGURABLE_PROPERTIES` of Hadoop 3.4.
        "dfs.datanode.data.transfer.bandwidthPerSec" => ApplyMode::LiveDataNodes,
        BALANCER => ApplyMode::LiveBalancer,
        key if key.starts_with("dfs.namenode.") => ApplyMode::NameNode,
        _ => ApplyMode::DataNodes,
    }
}

/// The key without its scenario table.
pub fn real_key(key: &str) -> &str {
    let table = key.find('.').filter(|&dot| key[..dot].ends_with("-site"));
    table.map_or(key, |dot| &key[dot + 1..])
}
