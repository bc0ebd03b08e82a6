//! Keys of the HDFS balancer.
use super::hdfs_site::{DATANODES, key as of_site};
use super::{Key, KeyDefault, KeyDefault::*, Kind};

const fn key(name: &'static str, kind: Kind, absent: KeyDefault, doc: &'static str) -> Key {
    Key::new(name, kind, absent, doc).source("`hdfs balancer`")
}

pub(super) static KEYS: [Key; 4] = [
    Key {
        row: "balancer at {}",
        ..key(
            "workload.balancer.start",
            Kind::Time { zero: true },
            Nothing,
            "Start of the HDFS balancer; without this key it does not run",
        )
    },
    Key {
        row: "threshold {}",
        ..key(
            "workload.balancer.threshold",
            Kind::Number,
            Default("10"),
            "Ends when every node's utilisation is within this distance of the mean [percent of a \
             node's capacity, 1 to 100]",
        )
    },
    Key {
        row: "{} % full",
        source: "",
        ..key(
            "workload.balancer.mean_utilisation",
            Kind::count(1, 100),
            Derived("50", |_, given| (!given.imported).then(|| "50".into())),
            "Synthetic cluster: mean utilisation of its nodes [percent]; their capacity, the same \
             for all, follows from the blocks",
        )
    },
    Key {
        row: "{} new nodes per rack",
        source: "",
        ..key(
            "workload.balancer.new_nodes_per_rack",
            Kind::count(0, 100_000),
            Derived("0", |_, given| (!given.imported).then(|| "0".into())),
            "Synthetic cluster: the last nodes of each rack are new and empty",
        )
    },
];

const SIZE: Kind = Kind::HadoopSize { zero: false };
const COUNT: Kind = Kind::HadoopCount { min: 1, max: 1_000_000 };
const MILLISECONDS: Kind = Kind::HadoopTime { unit: 1_000_000, zero: false };

const BANDWIDTH: &str = "by hdfs dfsadmin -setBalancerBandwidth BYTES, until a DataNode restarts";
const BALANCER: &str = "when the balancer is started again";

/// Keys of `[hdfs-site]` that only affect the balancer.
pub(super) static SITE: [Key; 7] = [
    of_site(
        "hdfs-site.dfs.datanode.balance.bandwidthPerSec",
        SIZE,
        "100m",
        "balance limit {}",
        "Balancer: limit of a node's sent and received moves, together [bytes/s]",
    )
    .setting(BANDWIDTH),
    of_site(
        "hdfs-site.dfs.datanode.balance.max.concurrent.moves",
        COUNT,
        "100",
        "{} moves at a time",
        "Balancer: moves that a node sends and receives at a time",
    )
    .setting(DATANODES),
    of_site(
        "hdfs-site.dfs.balancer.moverThreads",
        COUNT,
        "1000",
        "{} mover threads",
        "Balancer: moves at a time, shared equally among an iteration's targets",
    )
    .setting(BALANCER),
    of_site(
        "hdfs-site.dfs.balancer.max-size-to-move",
        SIZE,
        "10g",
        "{} a node and iteration",
        "Balancer: most data that a node sends or receives in one iteration",
    )
    .setting(BALANCER),
    of_site(
        "hdfs-site.dfs.balancer.getBlocks.min-block-size",
        SIZE,
        "10m",
        "",
        "Balancer: shorter blocks are not moved",
    )
    .setting(BALANCER),
    of_site(
        "hdfs-site.dfs.balancer.max-iteration-time",
        MILLISECONDS,
        "1200000",
        "",
        "Balancer: longest wait of an iteration for its moves",
    )
    .setting(BALANCER),
    of_site(
        "hdfs-site.dfs.balancer.max-no-move-interval",
        MILLISECONDS,
        "60000",
        "",
        "Balancer: a source without a move for this time ends its iteration",
    )
    .setting(BALANCER),
];

pub const START: &str = "workload.balancer.start";

/// True if only the balancer reads this key.
pub fn is_balancers(key: &str) -> bool {
    KEYS.iter().chain(&SITE).any(|own| own.name == key)
}
