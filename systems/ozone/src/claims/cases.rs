//! Clusters of Li Cheng 2020.
use system::claims::{BaseScenario, Run};

/// Common to all cases: Ratis as in Ozone 0.5 (commit notices, outstanding appends), and the
/// benchmarks' 8 DataNodes with 10 disks.
pub const BASE: BaseScenario = BaseScenario {
    name: "s3",
    file: "s3.toml",
    text: r#"
[model]
system = "ozone"
[cluster]
nodes = 8
[hardware]
disks_per_node = 10
log_disks = 10
nic = "10Gbit/s"
[ozone-site]
"hdds.ratis.raft.grpc.server.leader.outstanding.appends.max" = 128
[policy]
pipeline = "scm-reopened"
commit_notice = "metadata-entry"
[workload]
objects = 2000
"#,
};

pub type KeyValues = &'static [(&'static str, &'static str)];

pub const LIMIT: &str = "ozone-site.ozone.scm.datanode.pipeline.limit";
const WATCH: &str = "ozone-site.hdds.ratis.client.request.watch.type";

pub const SINGLE: KeyValues = &[("policy.pipeline", "single-raft"), ("hardware.log_disks", "1")];
pub const MULTI: KeyValues = &[(LIMIT, "4")];
/// DataNodes of the production cluster; an assumption, since the paper does not state it.
pub const PRODUCTION: &str = "9";
/// C3.2: mixed object sizes in open arrivals.
const MIXED: KeyValues = &[
    ("cluster.nodes", PRODUCTION),
    ("workload.rate", "20"),
    ("workload.largest_bytes", "10MB"),
    ("workload.object_bytes", "1kB"),
];
/// Rare bursts of twenty, with exponentially distributed flush times.
const SELDOM: KeyValues = &[
    ("cluster.nodes", PRODUCTION),
    ("workload.rate", "1"),
    ("workload.largest_bytes", "10MB"),
    ("workload.object_bytes", "1kB"),
    ("workload.objects", "1000"),
    ("workload.burst", "20"),
    ("hardware.flush_shape", "exponential"),
];
const BURSTS: KeyValues = &[("workload.burst", "20")];
/// C3.3: 60 000 objects of 100 kB.
pub const SMALL: KeyValues = &[("workload.objects", "60000"), ("workload.limit", "100h")];
const ONE: KeyValues = &[("workload.clients", "1")];
const SOME: KeyValues = &[("workload.clients", "64")];
const MANY: KeyValues = &[("om.time", "0.05ms"), ("workload.clients", "1024")];
/// C3.4: 1 000 objects of 1 GB, 90 writers.
pub const LARGE: KeyValues = &[
    ("workload.clients", "90"),
    ("workload.objects", "1000"),
    ("workload.object_bytes", "1GB"),
    ("workload.limit", "100h"),
];
/// 12 and 15 pipelines follow from limits of 4 and 5 on nine nodes; on the eight of Li Cheng 2020
/// these give 10 and 13.
const NINE: KeyValues = &[("cluster.nodes", "9")];
const SIX: KeyValues = &[("cluster.nodes", "6")];
/// The largest are cut from the plot of Li Cheng 2020, but written.
const ALL_SIZES: KeyValues = &[("workload.object_bytes", "10B"), ("workload.largest_bytes", "1GB")];
const ELECTED: KeyValues = &[("policy.leader", "as-elected")];
/// Each node leads as many pipelines, as far as possible.
const EVEN: KeyValues = &[("policy.leader", "fewest")];

pub fn cases() -> Vec<(&'static str, Run)> {
    let case = |name, parts: &[KeyValues]| (name, Run::of(BASE, &parts.concat()));
    vec![
        case("mixed single", &[SINGLE, MIXED]),
        case("mixed multi", &[MULTI, MIXED]),
        case("mixed single, bursts of 20", &[SINGLE, MIXED, BURSTS]),
        case("mixed multi, bursts of 20", &[MULTI, MIXED, BURSTS]),
        case(
            "mixed single, told at once",
            &[SINGLE, MIXED, &[("policy.commit_notice", "at-once")]],
        ),
        case("mixed single, majority knows", &[SINGLE, MIXED, &[(WATCH, "MAJORITY_COMMITTED")]]),
        case("single, seldom, long flushes", &[SINGLE, SELDOM]),
        case("multi, seldom, long flushes", &[MULTI, SELDOM]),
        case("small single, 1 writer", &[SINGLE, SMALL, ONE]),
        case("small multi, 1 writer", &[MULTI, SMALL, ONE]),
        case("small single, 64 writers", &[SINGLE, SMALL, SOME]),
        case("small multi, 64 writers", &[MULTI, SMALL, SOME]),
        case("small single, 1024 writers", &[SINGLE, SMALL, MANY]),
        case("small multi, 1024 writers", &[MULTI, SMALL, MANY]),
        case("mixed single, 10 B to 1 GB", &[SINGLE, MIXED, ALL_SIZES]),
        case("mixed multi, 10 B to 1 GB", &[MULTI, MIXED, ALL_SIZES]),
        case("1 GB, 1 pipeline", &[&[("policy.pipeline", "one")], LARGE]),
        case("1 GB, 1 pipeline, 9 nodes", &[&[("policy.pipeline", "one")], LARGE, NINE]),
        case("1 GB, single-Raft", &[&[("policy.pipeline", "single-raft")], LARGE]),
        case("1 GB, single-Raft, 9 nodes", &[&[("policy.pipeline", "single-raft")], LARGE, NINE]),
        case("1 GB, single-Raft, 6 nodes", &[&[("policy.pipeline", "single-raft")], LARGE, SIX]),
        case("1 GB, limit 4, 6 nodes", &[MULTI, LARGE, SIX]),
        case("1 GB, limit 4, leaders as elected", &[MULTI, LARGE, ELECTED]),
        case("1 GB, limit 4, even leaders", &[MULTI, LARGE, EVEN]),
        case("small multi, 64 writers, leaders as elected", &[MULTI, SMALL, SOME, ELECTED]),
        case("small multi, 64 writers, even leaders", &[MULTI, SMALL, SOME, EVEN]),
        case("1 GB, limit 4", &[MULTI, LARGE]),
        case("1 GB, limit 5", &[&[(LIMIT, "5")], LARGE]),
        case("1 GB, limit 4, 9 nodes", &[MULTI, LARGE, NINE]),
        case("1 GB, limit 5, 9 nodes", &[&[(LIMIT, "5")], LARGE, NINE]),
    ]
}
