//! Scenario keys of Ozone.
mod names;
mod site;
use crate::policy::classes;
use crate::version;
use cluster::Values;
use cluster::keys::{Candidate, Change, Key, KeyDefault::*, Kind, Rule, Vocabulary, shared};
pub use names::{is_of_ozone, is_own};

const SCM: &str = "after a restart of the SCM";
const DATANODES: &str = "after a restart of the DataNodes";
const CLIENTS: &str = "with the clients' next start (ozone-site.xml of clients and gateways)";

const fn key(
    name: &'static str,
    kind: Kind,
    absent: cluster::keys::KeyDefault,
    doc: &'static str,
) -> Key {
    Key::new(name, kind, absent, doc)
}

/// Closing all pipelines makes SCM reopen them on all nodes.
fn pipeline(_: &str, to: &str) -> Change {
    match to {
        "scm-reopened" => Change::Setting {
            when: "once all pipelines are closed: ozone admin pipeline close --all --type RATIS \
                   --replication THREE",
            costs: "writes stop for seconds while pipelines close",
        },
        _ => shipped("policy.pipeline", to),
    }
}

/// Each log disk is a further directory in the DataNodes' `ozone-site.xml`.
fn log_disks(_: &str, _: &str) -> Change {
    Change::setting(
        "after a restart of the DataNodes, with a directory on each of these disks in \
         hdds.container.ratis.datanode.storage.dir",
    )
}

/// Changes take effect only for new pipelines.
const REOPENED: &[(&str, &str)] = &[("policy.pipeline", "scm-reopened")];

/// Bottlenecks that more pipelines or more log disks may relieve.
const DISKS: &[&str] = &["Disk", "outstanding.appends"];

fn logs(values: &Values, _: &str) -> Vec<String> {
    let disks = values.count("hardware.disks_per_node");
    let disks = if values.flag("hardware.log_apart") { disks.saturating_sub(1) } else { disks };
    let mut all = vec![1, 2, 4, disks / 2, disks];
    all.retain(|&n| n > 0 && n <= disks);
    all.sort_unstable();
    all.dedup();
    all.iter().map(ToString::to_string).collect()
}

fn leader(_: &str, to: &str) -> Change {
    shipped("policy.leader", to)
}

fn choice(_: &str, to: &str) -> Change {
    shipped("policy.choice", to)
}

fn volume(_: &str, to: &str) -> Change {
    shipped("policy.volume", to)
}

/// A setting if Ozone has a class for the policy, else research.
fn shipped(policy: &str, to: &str) -> Change {
    classes::of(policy, to).map_or(Change::Research, |class| Change::setting(class.set))
}

static CLUSTER: [Key; 6] = [
    key("cluster.nodes", Kind::count(3, 10_000), Required, "DataNodes").row("{} nodes"),
    key("cluster.racks", Kind::count(1, 1_000), Default("1"), "Racks, filled round-robin"),
    key(
        "cluster.rack_of",
        Kind::Text,
        Nothing,
        "The rack of each node, by number, separated by blanks",
    ),
    key("cluster.hosts", Kind::Text, Nothing, "Names of the nodes, separated by blanks"),
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
        "Open EC pipelines of each node, by number, separated by blanks: such a node is not idle, \
         and their writes are not modelled",
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
    .row("{} log disks")
    .takes(log_disks)
    .tries_by(logs)
    .candidate(Candidate::relieves(DISKS).with(REOPENED)),
    key("hardware.log_apart", Kind::Flag, Default("false"), "Log disks hold no containers"),
    key(
        "hardware.disk",
        Kind::Disk,
        Assumed("150MB/s"),
        "Each disk: its rate, or a name of `tenbin list hardware`",
    ),
    key(
        "hardware.disk_seek",
        Kind::Time { zero: true },
        AssumedBy("8ms", shared::SEEK_OF_DISK),
        "Before each chunk that is written back; a named disk has its own",
    ),
    key(
        "hardware.flush_time",
        Kind::Time { zero: false },
        AssumedBy("15ms", shared::FLUSH_OF_DISK),
        "Mean of one fsync; a named disk has its own",
    ),
    key(
        "hardware.flush_shape",
        Kind::Choice(&["uniform", "exponential", "fixed"]),
        Default("uniform"),
        "Spread of fsync times: 0.7–1.3 of the mean, exponential, or none",
    ),
    key(
        "hardware.flush_first",
        Kind::Flag,
        Default("false"),
        "An fsync overtakes write-back in its disk's queue",
    ),
    key("hardware.page_cache", Kind::Amount, Assumed("10GB"), "Dirty bytes that a node may hold"),
    key("hardware.nic", Kind::Rate, Assumed("10Gbit/s"), "Of each node, in each direction"),
    key("hardware.nic_latency", Kind::Time { zero: false }, Assumed("0.1ms"), "Of each message"),
];

static VERSION: [Key; 1] = [key(
    version::KEY,
    Kind::Name,
    Default(version::LATEST),
    "Version whose defaults apply: \"1.0\" to \"2.2\" (systems/ozone/docs/keys.md)",
)];

/// The policy of the class in the site file, else of the version.
const PIPELINE: Rule = |v, _| classes::of_site(v, "policy.pipeline").map(str::to_string);
const CHOICE: Rule = |v, _| classes::of_site(v, "policy.choice").map(str::to_string);
const LEADER: Rule =
    |v, _| Some(classes::of_site(v, "policy.leader").unwrap_or(version::of(v).leader).into());
const VOLUME: Rule =
    |v, _| Some(classes::of_site(v, "policy.volume").unwrap_or(version::of(v).volume).into());

static POLICY: [Key; 5] = [
    key("policy.pipeline", Kind::Name, DefaultBy("scm", PIPELINE), "Placement of pipelines")
        .row("{}")
        .takes(pipeline)
        .tries(&["scm-reopened"])
        .candidate(Candidate::relieves(DISKS)),
    key("policy.leader", Kind::Name, DefaultBy("fewest", LEADER), "Leader of a pipeline")
        .row("leaders {}")
        .takes(leader)
        .tries(&["fewest", "as-elected"])
        .candidate(Candidate::relieves(&["NIC"]).with(REOPENED)),
    key("policy.choice", Kind::Name, DefaultBy("random", CHOICE), "Pipeline of a block")
        .takes(choice)
        .tries(&["random", "round-robin"])
        .candidate(Candidate::relieves(&[])),
    key("policy.volume", Kind::Name, DefaultBy("better-of-two", VOLUME), "Disk of a container")
        .takes(volume)
        .tries(&["better-of-two", "round-robin"])
        .candidate(Candidate::relieves(&["Disk"])),
    key(
        "policy.commit_notice",
        Kind::Choice(&["at-once", "next-entry", "metadata-entry"]),
        DefaultBy("at-once", |v, _| Some(version::of(v).notice.into())),
        "Notice of a commit to followers: at once (Ratis from 1.1, RATIS-1042), with the next \
         entry, or by an entry of its own unless the last committed is one (before)",
    )
    .source("RATIS-1042"),
];

static WORKLOAD: [Key; 9] = [
    key("workload.clients", Kind::count(1, 100_000), Assumed("64"), "Writers").row("{} clients"),
    key("workload.gateways", Kind::count(1, 1_000), Default("8"), "S3 gateways that they share"),
    key("workload.objects", Kind::count(1, 100_000_000), Default("10000"), "Objects in total"),
    key("workload.object_bytes", Kind::Amount, Default("100kB"), "Size of an object, or the least"),
    key("workload.largest_bytes", Kind::Amount, Nothing, "The largest: sizes are log-uniform"),
    key(
        "workload.rate",
        Kind::Number,
        Nothing,
        "Objects a second (open loop); else each client writes its next object after the last",
    ),
    key("workload.burst", Kind::count(1, 10_000), Default("1"), "Objects that arrive together"),
    key("workload.limit", Kind::Time { zero: false }, Default("1h"), "The run ends at this time"),
    key(
        "om.time",
        Kind::Time { zero: true },
        Assumed("0.5ms"),
        "Time of OM for each of a write's two requests",
    ),
];

static FAULT: [Key; 4] = [
    key(
        "fault.kind",
        Kind::Choice(&["none", "crash", "slow"]),
        Default("none"),
        "Fault of a node: its process ends, and its connections are reset; or its disks are slow",
    ),
    key("fault.node", Kind::count(0, 9_999), Default("0"), "The node with the fault"),
    key("fault.at", Kind::Time { zero: true }, Default("10s"), "When"),
    key(
        "fault.factor",
        Kind::count(1, 10_000),
        Default("10"),
        "Factor by which its disks are slower",
    ),
];

/// False for a class that is not modelled, and for a key that the version lacks.
fn is_read(values: &Values, key: &Key) -> bool {
    match key.name.strip_prefix("ozone-site.") {
        Some(WATCH_TYPE) => version::of(values).has_watch_type,
        Some(site) if classes::decides(site).is_some() => {
            values.find(key.name).is_some_and(|slot| classes::named(site, &slot.text).is_some())
        }
        _ => true,
    }
}

/// Replicas that must commit before the client continues; since Ozone 2.0.
pub const WATCH_TYPE: &str = "hdds.ratis.client.request.watch.type";

pub static OZONE: Vocabulary = Vocabulary {
    renamed: names::renamed,
    unmodelled_keys: &[
        "hdds.ratis.client.exponential.backoff.max.sleep",
        "hdds.scm.ec.pipeline.choose.policy.impl",
    ],
    is_own,
    is_read,
    ..Vocabulary::plain(
        "ozone",
        &[
            &CLUSTER,
            &shared::CLUSTER,
            &HARDWARE,
            &VERSION,
            &site::SITES,
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
