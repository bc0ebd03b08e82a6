use super::{
    Change, ChangeRule, Key, KeyDefault::*, Kind, Vocabulary, balancer, deprecated, hdfs_site,
    shared,
};
use cluster::Values;

pub static HDFS: Vocabulary = Vocabulary {
    system: "hdfs",
    tables: &[
        &shared::CLUSTER,
        &NAMENODE,
        &shared::RACKS,
        &shared::HARDWARE,
        &WORKLOAD,
        &POLICY,
        &shared::SYSTEM,
        &shared::SHARING,
        &EVENT,
        &UNTIL,
        &shared::RUN,
        &shared::VARIANT,
        &balancer::KEYS,
        &hdfs_site::KEYS,
        &balancer::SITE,
    ],
    renamed: deprecated::renamed,
    unmodelled_keys: &hdfs_site::ELSEWHERE,
    is_own: |_| true,
    is_read: |values, key| {
        values.find(balancer::START).is_some() || !balancer::is_balancers(key.name)
    },
    now: |values| values.text("policy.rereplication").to_string(),
};

const fn key(name: &'static str, kind: Kind, absent: super::KeyDefault, doc: &'static str) -> Key {
    Key::new(name, kind, absent, doc)
}

const S0: &str = "Higai, Takefusa, Nakada, Oguchi 2014";

fn blocksize(values: &Values) -> String {
    values.bytes("hdfs-site.dfs.blocksize").to_string()
}

/// `text` if the scenario has a foreground load.
fn of_load(values: &Values, text: impl FnOnce(&Values) -> String) -> Option<String> {
    crate::scenario::foreground_is_given(values).then(|| text(values))
}

pub(super) static NAMENODE: [Key; 1] = [key(
    "cluster.namenode",
    Kind::Name,
    Nothing,
    "The NameNode's RPC address, HOST:PORT, for commands that apply settings",
)];

pub(super) static WORKLOAD: [Key; 14] = [
    Key {
        row: "{} blocks lost",
        ..key(
            "workload.blocks_on_lost_node",
            Kind::count(1, 100_000_000),
            Required,
            "Synthetic cluster: blocks on the node that events name first (of several at one time, \
             the lowest number); not with `import`",
        )
    },
    Key {
        row: "blocks of {}",
        ..key(
            "workload.block_bytes",
            Kind::Amount,
            Derived("dfs.blocksize", |values, given| (!given.imported).then(|| blocksize(values))),
            "Synthetic cluster: length of each block, and of each internal block of a group (below \
             1 MiB, a cell, the same bytes are in fewer data blocks)",
        )
    },
    Key {
        row: "{}",
        ..key(
            "workload.redundancy",
            Kind::Choice(&[
                "replicated",
                "RS-3-2-1024k",
                "RS-6-3-1024k",
                "RS-10-4-1024k",
                "XOR-2-1-1024k",
            ]),
            Default("replicated"),
            "Synthetic cluster: replicated, or groups of a policy of `hdfs ec -listPolicies`",
        )
    },
    key(
        "workload.blocks",
        Kind::Choice(&["all", "concerned"]),
        Default("all"),
        "Synthetic cluster: draw all blocks, or only those with a replica on a node of an event \
         (for large clusters: other blocks affect only free space)",
    ),
    Key {
        row: "{} reads/s",
        ..key(
            "workload.foreground.reads",
            Kind::Number,
            Nothing,
            "Open loop: reads that clients of the whole cluster begin in a second, of any duration",
        )
    },
    Key {
        row: "{} writes/s",
        ..key("workload.foreground.writes", Kind::Number, Nothing, "Open loop: blocks written")
    },
    Key {
        row: "{} readers",
        ..key(
            "workload.foreground.readers",
            Kind::count(1, 1_000_000),
            Nothing,
            "Closed loop: clients that read block parts one by one",
        )
    },
    Key {
        row: "{} writers",
        ..key(
            "workload.foreground.writers",
            Kind::count(1, 1_000_000),
            Nothing,
            "Closed loop: clients that write blocks one by one",
        )
    },
    key(
        "workload.foreground.start",
        Kind::Time { zero: true },
        Derived("0s", |values, _| of_load(values, |_| "0s".into())),
        "Begin of clients' load; latencies before the declared loss are compared with later ones",
    ),
    key(
        "workload.foreground.think",
        Kind::Time { zero: true },
        Derived("0s", |values, _| of_load(values, |_| "0s".into())),
        "Closed loop: mean pause of a client between two requests, exponential",
    ),
    key(
        "workload.foreground.read_bytes",
        Kind::Amount,
        Derived("dfs.blocksize", |values, _| of_load(values, blocksize)),
        "Length of a read",
    ),
    key(
        "workload.foreground.write_bytes",
        Kind::Amount,
        Derived("dfs.blocksize", |values, _| of_load(values, blocksize)),
        "Length of a write, to dfs.replication nodes",
    ),
    key(
        "workload.foreground.local",
        Kind::Share,
        Derived("0", |values, _| of_load(values, |_| "0".into())),
        "Part of the reads whose client is on a node with a replica",
    ),
    key(
        "workload.foreground.shares",
        Kind::Path,
        Nothing,
        "Table `node,reads,writes` (CSV): each node's share; without it, by the replicas that a \
         node holds",
    ),
];

/// HDFS has its own default policy and tenbin-hdfs.jar has some others; the rest have no Java code.
fn policy(_: &str, then: &str) -> Change {
    match then {
        "default" => Change::setting(hdfs_site::NAMENODE),
        jar if jar.ends_with("+jar") => Change::Setting {
            when: hdfs_site::NAMENODE,
            costs: "a plug-in in each NameNode (systems/hdfs/hadoop/README.md)",
        },
        _ => Change::Research,
    }
}

pub(super) static POLICY: [Key; 4] = [
    Key {
        row: "{}",
        source: "`tenbin list policies`",
        takes: ChangeRule::By(policy),
        ..key(
            "policy.rereplication",
            Kind::Name,
            Default("default"),
            "Sources and targets of copies",
        )
    },
    Key {
        row: "{} pacing",
        ..key(
            "policy.pacing",
            Kind::Choice(&["event-driven", "hdfs1", "hdfs3"]),
            Default("hdfs3"),
            "Dispatch of work: at once, as Hadoop 1.x, as Hadoop 3.x",
        )
    },
    Key {
        row: "{} streams",
        source: S0,
        ..key(
            "policy.streams_per_source",
            Kind::count(1, 1_000),
            Default("2"),
            "Event-driven pacing: outgoing copies of one source at a time",
        )
    },
    Key {
        row: "sources chosen {}",
        source: S0,
        ..key(
            "policy.sources_chosen",
            Kind::Choice(&["at-start", "before"]),
            Default("at-start"),
            "Event-driven pacing: source and target of a copy are chosen when it starts, or all of \
             a loss's before the first starts; each source then sends its list",
        )
    },
];

pub(super) static EVENT: [Key; 4] = [
    Key {
        row: "lost at {}",
        ..key("event.at", Kind::Time { zero: true }, Required, "Time of the event")
    },
    Key {
        row: "{}",
        ..key(
            "event.kind",
            Kind::Choice(&[
                "node-lost",
                "node-back",
                "rack-lost",
                "disk-lost",
                "decommission",
                "maintenance",
                "slow-disk",
                "slow-link",
            ]),
            Required,
            "The event: a node falls silent, or is back with its replicas; all nodes of a rack \
             fall silent; a disk fails; a node is to be emptied, or to leave for a while; a disk \
             or a link serves at no more than `rate` from then on",
        )
    },
    Key {
        row: "{} lost",
        ..key(
            "event.target",
            Kind::Name,
            Required,
            "A node by host name, host:port, ip:port or a unique prefix; a disk as NODE/0; a \
             rack, or its uplink, as /RACK",
        )
    },
    key("event.rate", Kind::Rate, Nothing, "slow-disk, slow-link: at most this from then on"),
];

pub(super) static UNTIL: [Key; 1] = [key(
    "run.until",
    Kind::Until,
    Default("redundant"),
    "Ends when every block that can be repaired is (redundant), or at a time",
)];
