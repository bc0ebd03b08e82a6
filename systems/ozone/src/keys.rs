//! What a scenario of Ozone may say.
use cluster::keys::{Absent::*, Change, Key, Kind, Vocabulary, shared};

const S: u64 = 1_000_000_000;
const SITE: &str = "ozone-default.xml 2.2";
const SCM: &str = "after a restart of the SCM";
const DATANODES: &str = "after a restart of the DataNodes";
const CLIENTS: &str = "with the clients' next start (ozone-site.xml of clients and gateways)";

const fn key(
    name: &'static str,
    kind: Kind,
    absent: cluster::keys::Absent,
    doc: &'static str,
) -> Key {
    Key::new(name, kind, absent, doc)
}

const fn site(name: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key::new(name, kind, Default(default), doc).source(SITE)
}

const fn duration(name: &'static str, default: &'static str, doc: &'static str) -> Key {
    site(name, Kind::HadoopTime { unit: S, zero: false }, default, doc)
}

/// Two of three nodes are enough to lose what the client holds for safe.
const TWO: &str = "a write is acknowledged that two of three nodes hold";

fn watch(_: &str, to: &str) -> Change {
    let costs = if to == "MAJORITY_COMMITTED" { TWO } else { "" };
    Change::Setting { when: CLIENTS, costs }
}

/// The sooner a client goes on, the more writes only two nodes hold.
fn watch_timeout(_: &str, _: &str) -> Change {
    Change::Setting { when: CLIENTS, costs: "after it a write is acknowledged that two nodes hold" }
}

fn sync(_: &str, to: &str) -> Change {
    let costs = match to.eq_ignore_ascii_case("false") {
        true => "chunks are acknowledged that no disk holds yet",
        false => "",
    };
    Change::Setting { when: DATANODES, costs }
}

/// SCM has one way to open pipelines.
fn pipeline(_: &str, to: &str) -> Change {
    shipped(to, &["scm"], SCM)
}

fn leader(_: &str, to: &str) -> Change {
    shipped(to, &["as-elected", "fewest"], SCM)
}

fn choice(_: &str, to: &str) -> Change {
    shipped(to, &["random", "round-robin"], SCM)
}

fn volume(_: &str, to: &str) -> Change {
    shipped(to, &["round-robin", "better-of-two"], DATANODES)
}

/// What Ozone has code for is set; the rest is research.
fn shipped(to: &str, names: &[&str], when: &'static str) -> Change {
    if names.contains(&to) { Change::setting(when) } else { Change::Research }
}

static CLUSTER: [Key; 6] = [
    key("cluster.nodes", Kind::count(3, 10_000), Required, "DataNodes").row("{} nodes"),
    key("cluster.racks", Kind::count(1, 1_000), Default("1"), "Racks, to which nodes go in turn"),
    key(
        "cluster.rack_of",
        Kind::Text,
        Nothing,
        "The rack of each node, by number, with blanks between",
    ),
    key("cluster.hosts", Kind::Text, Nothing, "Names of the nodes, with blanks between"),
    key(
        "cluster.pipelines",
        Kind::Text,
        Nothing,
        "Open pipelines: `0-1-2:1 …`, three nodes and after the colon the leader; \
         for policy.pipeline = \"as-imported\"",
    ),
    key(
        "cluster.erasure_coded",
        Kind::Text,
        Nothing,
        "Open EC pipelines that each node is in, by number, with blanks between: such a node is \
         not idle, and their writes are not modelled",
    ),
];

static HARDWARE: [Key; 11] = [
    key("hardware.disks_per_node", Kind::count(1, 1_000), Assumed("12"), "Disks of each node"),
    key(
        "hardware.log_disks",
        Kind::count(1, 1_000),
        Assumed("1"),
        "Disks that hold a RaftLog directory (`hdds.container.ratis.datanode.storage.dir`)",
    )
    .row("{} log disks"),
    key("hardware.log_apart", Kind::Flag, Default("false"), "Log disks hold no containers"),
    key("hardware.disk", Kind::Disk, Assumed("150MB/s"), "Rate of each disk"),
    key(
        "hardware.disk_seek",
        Kind::Time { zero: true },
        Assumed("8ms"),
        "Before each chunk that is written back",
    ),
    key("hardware.flush_time", Kind::Time { zero: false }, Assumed("15ms"), "Mean of one fsync"),
    key(
        "hardware.flush_shape",
        Kind::Choice(&["uniform", "exponential", "fixed"]),
        Default("uniform"),
        "How long fsyncs spread: 0.7–1.3 of the mean, exponentially, or not",
    ),
    key(
        "hardware.flush_first",
        Kind::Flag,
        Default("false"),
        "An fsync overtakes the write-back that stands in line for its disk",
    ),
    key("hardware.page_cache", Kind::Amount, Assumed("10GB"), "Dirty bytes that a node may hold"),
    key("hardware.nic", Kind::Rate, Assumed("10Gbit/s"), "Sending side of each node"),
    key("hardware.nic_latency", Kind::Time { zero: false }, Assumed("0.1ms"), "Of each message"),
];

static SITES: [Key; 16] = [
    site(
        "ozone-site.ozone.scm.datanode.pipeline.limit",
        Kind::HadoopCount { min: 0, max: 1_000 },
        "2",
        "Pipelines that a node may be in; 0: as many as its log disks × per.metadata.disk",
    )
    .row("limit {}")
    .setting(SCM),
    site(
        "ozone-site.ozone.scm.pipeline.per.metadata.disk",
        Kind::HadoopCount { min: 1, max: 1_000 },
        "2",
        "Pipelines a log disk, where the limit is 0",
    )
    .setting(SCM),
    site(
        "ozone-site.ozone.scm.pipeline.owner.container.count",
        Kind::HadoopCount { min: 1, max: 1_000 },
        "3",
        "Open containers of a pipeline",
    )
    .setting(SCM),
    site(
        "ozone-site.ozone.scm.container.size",
        Kind::HadoopSize { zero: false },
        "5g",
        "Of one container",
    )
    .setting(SCM),
    site(
        "ozone-site.ozone.scm.block.size",
        Kind::HadoopSize { zero: false },
        "256m",
        "Of one block",
    )
    .setting(SCM),
    site("ozone-site.ozone.scm.chunk.size", Kind::HadoopSize { zero: false }, "4m", "Of one chunk")
        .setting(CLIENTS),
    site(
        "ozone-site.hdds.ratis.client.request.watch.type",
        Kind::Choice(&["ALL_COMMITTED", "MAJORITY_COMMITTED"]),
        "ALL_COMMITTED",
        "Who must know of a commit before the client goes on",
    )
    .takes(watch),
    duration(
        "ozone-site.hdds.ratis.client.request.write.timeout",
        "5m",
        "A client gives a write up and writes the block elsewhere",
    )
    .setting(CLIENTS),
    duration(
        "ozone-site.hdds.ratis.client.request.watch.timeout",
        "3m",
        "A client that waits for all three replicas goes on with two of them after so long",
    )
    .takes(watch_timeout)
    // A third copy that takes 20 s is lost or as good as lost; half of the default is no help.
    .tries(&["20s", "60s"]),
    site(
        "ozone-site.hdds.ratis.client.multilinear.random.retry.policy",
        Kind::Text,
        "5s, 5, 10s, 5, 15s, 5, 20s, 5, 25s, 5, 60s, 10",
        "How long a client sleeps, and how often, before it tries the next node for a leader",
    )
    .setting(CLIENTS)
    .tries(&["1s, 10, 5s, 5, 10s, 5, 15s, 5, 20s, 5, 25s, 5, 60s, 10"]),
    site(
        "ozone-site.hdds.ratis.raft.grpc.server.leader.outstanding.appends.max",
        Kind::HadoopCount { min: 1, max: 100_000 },
        "8",
        "Entries under way to a follower at most, each answered when it is on disk: 8 from Ratis \
         3.0 on, 128 before; an append carries one (hdds.container.ratis.log.appender.queue.\
         num-elements)",
    )
    .source("Ratis 3.1, GrpcConfigKeys")
    .setting(DATANODES)
    .tries(&["32", "128"]),
    duration(
        "ozone-site.ozone.scm.pipeline.creation.interval",
        "120s",
        "SCM looks so often whether it may open pipelines",
    )
    .setting(SCM),
    duration(
        "ozone-site.hdds.ratis.client.exponential.backoff.base.sleep",
        "4s",
        "A client waits so long before its first retry, then twice as long each time",
    )
    .setting(CLIENTS),
    duration(
        "ozone-site.hdds.ratis.leader.election.minimum.timeout.duration",
        "5s",
        "A follower stands for election after so long without a message, and up to 200 ms more; \
         a leader's heartbeat comes after half of it",
    )
    .setting(DATANODES),
    site(
        "ozone-site.hdds.container.chunk.write.sync",
        Kind::HadoopFlag,
        "false",
        "Chunks are synced to disk before their entry counts",
    )
    .takes(sync),
    duration("ozone-site.ozone.scm.stale.node.interval", "5m", "SCM misses a node after so long")
        .setting(SCM),
];

static POLICY: [Key; 5] = [
    key("policy.pipeline", Kind::Name, Default("scm"), "Where pipelines are opened")
        .row("{}")
        .takes(pipeline),
    key("policy.leader", Kind::Name, Default("fewest"), "Who leads a pipeline")
        .row("leaders {}")
        .takes(leader),
    key("policy.choice", Kind::Name, Default("random"), "Which pipeline a block goes to")
        .takes(choice),
    key("policy.volume", Kind::Name, Default("better-of-two"), "Which disk a container goes to")
        .takes(volume),
    key(
        "policy.commit_notice",
        Kind::Choice(&["at-once", "next-entry", "metadata-entry"]),
        Default("at-once"),
        "How followers hear of a commit: at once (Ratis from 1.1, RATIS-1042), with the \
         next entry, or by an entry of its own unless the last committed is one (before)",
    )
    .source("RATIS-1042"),
];

static WORKLOAD: [Key; 9] = [
    key("workload.clients", Kind::count(1, 100_000), Assumed("64"), "Writers").row("{} clients"),
    key("workload.gateways", Kind::count(1, 1_000), Default("8"), "S3 gateways that they share"),
    key("workload.objects", Kind::count(1, 100_000_000), Default("10000"), "Objects, all together"),
    key("workload.object_bytes", Kind::Amount, Default("100kB"), "Size of an object, or the least"),
    key("workload.largest_bytes", Kind::Amount, Nothing, "The largest: sizes are log-uniform"),
    key(
        "workload.rate",
        Kind::Number,
        Nothing,
        "Objects a second, whoever waits; else each client \
         writes the next when one is done",
    ),
    key("workload.burst", Kind::count(1, 10_000), Default("1"), "Objects that arrive at once"),
    key("workload.limit", Kind::Time { zero: false }, Default("1h"), "The run ends then"),
    key(
        "om.time",
        Kind::Time { zero: true },
        Assumed("0.5ms"),
        "OM is busy with each of a write's two requests",
    ),
];

static FAULT: [Key; 4] = [
    key(
        "fault.kind",
        Kind::Choice(&["none", "crash", "slow"]),
        Default("none"),
        "What befalls a node: its process falls, and its connections are reset; or its disks are \
         slow",
    ),
    key("fault.node", Kind::count(0, 9_999), Default("0"), "Which node"),
    key("fault.at", Kind::Time { zero: true }, Default("10s"), "When"),
    key(
        "fault.factor",
        Kind::count(1, 10_000),
        Default("10"),
        "So many times slower are its disks",
    ),
];

/// Old names that Ozone still reads (`OzoneConfiguration.addDeprecatedKeys`), and their new ones.
const RENAMED: [(&str, &str); 3] = [
    ("ozone.datanode.pipeline.limit", "ozone.scm.datanode.pipeline.limit"),
    ("dfs.container.chunk.write.sync", "hdds.container.chunk.write.sync"),
    (
        "dfs.ratis.leader.election.minimum.timeout.duration",
        "hdds.ratis.leader.election.minimum.timeout.duration",
    ),
];

/// The name that a key has today.
fn renamed(name: &str) -> String {
    let old = name.strip_prefix("ozone-site.");
    match RENAMED.iter().find(|(from, _)| Some(*from) == old) {
        Some((_, to)) => format!("ozone-site.{to}"),
        None => name.to_string(),
    }
}

/// The keys of Ozone.
pub static OZONE: Vocabulary = Vocabulary {
    renamed,
    ..Vocabulary::plain(
        "ozone",
        &[
            &CLUSTER,
            &shared::CLUSTER,
            &HARDWARE,
            &SITES,
            &POLICY,
            &WORKLOAD,
            &FAULT,
            &shared::SYSTEM,
            &shared::RUN,
            &shared::VARIANT,
        ],
        |v| match v.text("policy.pipeline") {
            "single-raft" | "one" | "as-imported" => v.text("policy.pipeline").to_string(),
            _ => format!("limit {}", v.text("ozone-site.ozone.scm.datanode.pipeline.limit")),
        },
    )
};
