//! Modelled settings of Ozone, parsed as Ozone does.
use super::{CLIENTS, DATANODES, DISKS, REOPENED, SCM};
use crate::version;
use cluster::keys::{Candidate, Change, Key, KeyDefault::*, Kind};

const S: u64 = 1_000_000_000;
const SITE: &str = "ozone-default.xml 2.2";

/// A number without unit is in ms in `@Config` annotations and SCM's intervals.
const MILLIS: Kind = Kind::HadoopTime { unit: 1_000_000, zero: false };

const fn site(name: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key::new(name, kind, Default(default), doc).source(SITE)
}

/// `StorageSize.parse`
const fn size(name: &'static str, default: &'static str, doc: &'static str) -> Key {
    site(name, Kind::OzoneSize, default, doc)
}

/// `getTimeDuration`
const fn duration(name: &'static str, default: &'static str, doc: &'static str) -> Key {
    site(name, MILLIS, default, doc)
}

/// `getClass`
const fn class(name: &'static str, doc: &'static str) -> Key {
    Key::new(name, Kind::Name, Nothing, doc).source(SITE)
}

/// The price of a weaker commit: losing two of three nodes loses an acknowledged write.
const TWO: &str = "a write on two of three nodes is acknowledged";

fn watch(_: &str, to: &str) -> Change {
    let costs = if to == "MAJORITY_COMMITTED" { TWO } else { "" };
    Change::Setting { when: CLIENTS, costs }
}

/// The shorter the timeout, the more writes are on only two nodes.
fn watch_timeout(_: &str, _: &str) -> Change {
    Change::Setting { when: CLIENTS, costs: "after this time a write on two nodes is acknowledged" }
}

fn server_watch_timeout(_: &str, _: &str) -> Change {
    Change::Setting {
        when: DATANODES,
        costs: "after this time a write on two nodes is acknowledged",
    }
}

fn sync(_: &str, to: &str) -> Change {
    let costs = match to.eq_ignore_ascii_case("false") {
        true => "chunks are acknowledged before they are on a disk",
        false => "",
    };
    Change::Setting { when: DATANODES, costs }
}

pub static SITES: [Key; 22] = [
    site(
        "ozone-site.ozone.scm.datanode.pipeline.limit",
        Kind::HadoopCount { min: 0, max: 1_000 },
        "2",
        "Pipelines that a node may be in; 0: as many as its log disks × per.metadata.disk",
    )
    .row("limit {}")
    .setting(SCM)
    // More than ten pipelines never gained in any run.
    .tries(&["1", "2", "3", "4", "5", "7", "10"])
    .candidate(Candidate::relieves(DISKS).with(REOPENED)),
    site(
        "ozone-site.ozone.scm.ratis.pipeline.limit",
        Kind::HadoopCount { min: 0, max: 1_000_000 },
        "0",
        "Most pipelines of three in the whole cluster, for any limit of a node; 0: no limit. \
         According to HDDS-13579 the lower of both applies; SCM's code up to 2.2 uses it only if \
         the limit of a node is 0",
    )
    .row("at most {} pipelines")
    .setting(SCM),
    site(
        "ozone-site.ozone.scm.pipeline.per.metadata.disk",
        Kind::HadoopCount { min: 1, max: 1_000 },
        "2",
        "Pipelines a log disk, if the limit is 0",
    )
    .setting(SCM),
    site(
        "ozone-site.ozone.scm.pipeline.owner.container.count",
        Kind::HadoopCount { min: 1, max: 1_000 },
        "3",
        "Open containers of a pipeline",
    )
    .setting(SCM),
    size("ozone-site.ozone.scm.container.size", "5GB", "Of one container").setting(SCM),
    size("ozone-site.ozone.scm.block.size", "256MB", "Of one block").setting(SCM),
    size("ozone-site.ozone.scm.chunk.size", "4MB", "Of one chunk").setting(CLIENTS),
    site(
        "ozone-site.hdds.ratis.client.request.watch.type",
        Kind::Choice(&["ALL_COMMITTED", "MAJORITY_COMMITTED"]),
        "ALL_COMMITTED",
        "Nodes that must know of a commit before the client continues; a key of Ozone 2.0 and \
         later: clients of 1.x wait for all",
    )
    .takes(watch),
    duration(
        "ozone-site.hdds.ratis.client.request.write.timeout",
        "5m",
        "After this time a client abandons a write and writes the block elsewhere",
    )
    .setting(CLIENTS),
    duration(
        "ozone-site.hdds.ratis.client.request.watch.timeout",
        "3m",
        "A client that waits for all three replicas continues with two of them after this time, or \
         at the leader's answer (hdds.ratis.raft.server.watch.timeout), whichever is first",
    )
    .takes(watch_timeout)
    // A third copy later than 20 s is as good as lost; half of the default does not help.
    .tries(&["20s", "60s"]),
    Key::new(
        "ozone-site.hdds.ratis.raft.server.watch.timeout",
        MILLIS,
        DefaultBy("30s", |v, _| Some(version::of(v).server_watch.into())),
        "The leader answers a client that waits for all three replicas after this time: 30s from \
         Ozone 2.0 on, 180s before",
    )
    .source("DatanodeRatisServerConfig")
    .takes(server_watch_timeout)
    .tries(&["10s", "20s"]),
    site(
        "ozone-site.hdds.ratis.client.multilinear.random.retry.policy",
        Kind::Text,
        "5s, 5, 10s, 5, 15s, 5, 20s, 5, 25s, 5, 60s, 10",
        "Time and number of a client's waits before it tries the next node for a leader",
    )
    .setting(CLIENTS)
    .tries(&["1s, 10, 5s, 5, 10s, 5, 15s, 5, 20s, 5, 25s, 5, 60s, 10"]),
    Key::new(
        "ozone-site.hdds.ratis.raft.grpc.server.leader.outstanding.appends.max",
        Kind::HadoopCount { min: 1, max: 100_000 },
        DefaultBy("8", |v, _| Some(version::of(v).appends.into())),
        "Most entries in transit to a follower, each answered when on disk: 8 from Ratis 3.0 on, \
         128 before; an append carries one (hdds.container.ratis.log.appender.queue.num-elements)",
    )
    .source("Ratis 3.1, GrpcConfigKeys")
    .setting(DATANODES)
    .tries(&["32", "128"]),
    duration(
        "ozone-site.ozone.scm.pipeline.creation.interval",
        "120s",
        "Interval at which SCM checks whether it may open pipelines",
    )
    .setting(SCM),
    duration(
        "ozone-site.hdds.ratis.client.exponential.backoff.base.sleep",
        "4s",
        "Wait of a client before its first retry; doubles each time",
    )
    .setting(CLIENTS),
    site(
        "ozone-site.hdds.ratis.leader.election.minimum.timeout.duration",
        // XceiverServerRatis: a number without unit is in the unit of its default.
        Kind::HadoopTime { unit: S, zero: false },
        "5s",
        "A follower stands for election after this time without a message, and up to 200 ms more; \
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
    duration(
        "ozone-site.ozone.scm.stale.node.interval",
        "5m",
        "Silence of a node until SCM marks it stale",
    )
    .setting(SCM),
    class(
        "ozone-site.hdds.datanode.volume.choosing.policy",
        "Class of the volume choosing policy: policy.volume follows from it",
    ),
    class(
        "ozone-site.hdds.scm.pipeline.choose.policy.impl",
        "Class of the pipeline choosing policy: policy.choice follows from it",
    ),
    class(
        "ozone-site.ozone.scm.pipeline.leader-choose.policy",
        "Class of the leader choosing policy: policy.leader follows from it",
    ),
    class(
        "ozone-site.ozone.scm.pipeline.placement.impl",
        "Class that places pipelines: policy.pipeline follows from it",
    ),
];
