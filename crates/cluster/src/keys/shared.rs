//! The keys that all systems share.
use super::{Absent::*, Key, Kind};

const fn key(name: &'static str, kind: Kind, absent: super::Absent, doc: &'static str) -> Key {
    Key { name, kind, absent, row: "", doc, source: "" }
}

const S0: &str = "Higai, Takefusa, Nakada, Oguchi 2014";

pub(super) static KEYS: [Key; 42] = [
    key(
        "cluster.import",
        Kind::Path,
        Nothing,
        "Cluster file written by `tenbin import`, relative to this file",
    ),
    key(
        "cluster.name",
        Kind::Text,
        Derived("the imported cluster's name, else the file's"),
        "Short name, for titles",
    ),
    key(
        "cluster.namenode",
        Kind::Name,
        Nothing,
        "The NameNode's RPC address, HOST:PORT: it completes the command that applies a setting",
    ),
    Key {
        row: "{} racks",
        ..key(
            "cluster.racks",
            Kind::count(1, 100_000),
            Required,
            "Synthetic cluster: its racks, /rack1 …; not with `import`",
        )
    },
    Key {
        row: "{} nodes per rack",
        ..key(
            "cluster.nodes_per_rack",
            Kind::count(1, 100_000),
            Required,
            "Synthetic cluster: nodes of each rack, dn-r1-01 …; not with `import`",
        )
    },
    Key {
        source: "catalogue",
        ..key(
            "hardware.disk",
            Kind::Disk,
            Assumed("hdd-7200"),
            "Every disk: a name of `tenbin list hardware`, or a rate that it keeps under any load",
        )
    },
    key(
        "hardware.disks_per_node",
        Kind::count(1, 1_000),
        Assumed("12"),
        "Disks of each node whose disks the import does not tell",
    ),
    key(
        "hardware.disk_channels",
        Kind::Choice(&["shared", "separate"]),
        Default("shared"),
        "Reads and writes share a disk's rate, or have it each",
    ),
    key(
        "hardware.disk_seek",
        Kind::Time { zero: true },
        Derived("the catalogue's; 0s where `hardware.disk` is a rate"),
        "Lost at each switch between concurrent streams of a disk",
    ),
    key(
        "hardware.disk_batch",
        Kind::Amount,
        Derived("the catalogue's; 4MiB where `hardware.disk` is a rate"),
        "Moved between two such switches",
    ),
    Key {
        source: "catalogue",
        ..key(
            "hardware.nic",
            Kind::Rate,
            Assumed("10Gbit/s"),
            "Each node's network interface, each way: a rate, or a name as 10GbE",
        )
    },
    Key {
        source: S0,
        ..key(
            "hardware.nic_latency",
            Kind::Time { zero: false },
            Assumed("0.1ms"),
            "Between two nodes of a rack",
        )
    },
    Key {
        source: "catalogue",
        ..key(
            "hardware.inter_rack",
            Kind::Rate,
            Assumed("40Gbit/s"),
            "Each rack's uplink, each way; with `one-link` the one link",
        )
    },
    Key {
        source: S0,
        ..key(
            "hardware.inter_rack_latency",
            Kind::Time { zero: false },
            Assumed("0.1ms"),
            "Added by the way between racks",
        )
    },
    key(
        "hardware.inter_rack_kind",
        Kind::Choice(&["uplinks", "one-link"]),
        Default("uplinks"),
        "How racks are joined; `one-link` joins two racks, both directions share it",
    ),
    Key {
        row: "{} blocks lost",
        ..key(
            "workload.blocks_on_lost_node",
            Kind::count(1, 100_000_000),
            Required,
            "Synthetic cluster: blocks on the node that events name first (of several at one time \
             that of the least number); not with `import`",
        )
    },
    Key {
        row: "blocks of {}",
        ..key(
            "workload.block_bytes",
            Kind::Amount,
            Derived("dfs.blocksize"),
            "Synthetic cluster: length of each block, and of each internal block of a group (below \
             1 MiB, a cell, the same bytes lie in fewer data blocks)",
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
            "Synthetic cluster: whole replicas, or groups of a policy of `hdfs ec -listPolicies`",
        )
    },
    key(
        "workload.blocks",
        Kind::Choice(&["all", "concerned"]),
        Default("all"),
        "Synthetic cluster: draw all its blocks, or only those with a replica on a node that an \
         event names (large clusters: the others change nothing but free space)",
    ),
    Key {
        row: "{} reads/s",
        ..key(
            "workload.foreground.reads",
            Kind::Number,
            Nothing,
            "Open loop: reads that clients of the whole cluster begin in a second, however long \
             they take",
        )
    },
    Key {
        row: "{} writes/s",
        ..key(
            "workload.foreground.writes",
            Kind::Number,
            Nothing,
            "Open loop: likewise, blocks written",
        )
    },
    Key {
        row: "{} readers",
        ..key(
            "workload.foreground.readers",
            Kind::count(1, 1_000_000),
            Nothing,
            "Closed loop: clients that read one piece after the other",
        )
    },
    Key {
        row: "{} writers",
        ..key(
            "workload.foreground.writers",
            Kind::count(1, 1_000_000),
            Nothing,
            "Closed loop: clients that write one block after the other",
        )
    },
    key(
        "workload.foreground.start",
        Kind::Time { zero: true },
        Derived("0s"),
        "When clients begin; what they wait is compared before the loss is declared and after",
    ),
    key(
        "workload.foreground.think",
        Kind::Time { zero: true },
        Derived("0s"),
        "Closed loop: mean pause of a client between two requests, exponential",
    ),
    key(
        "workload.foreground.read_bytes",
        Kind::Amount,
        Derived("dfs.blocksize"),
        "Length of a read",
    ),
    key(
        "workload.foreground.write_bytes",
        Kind::Amount,
        Derived("dfs.blocksize"),
        "Length of a write; it goes to dfs.replication nodes",
    ),
    key(
        "workload.foreground.local",
        Kind::Share,
        Derived("0"),
        "Part of the reads whose client stands on a node with a replica",
    ),
    key(
        "workload.foreground.shares",
        Kind::Path,
        Nothing,
        "Table `node,reads,writes` (CSV): how much of them each node serves; without it a node \
         serves as it holds",
    ),
    Key {
        row: "{}",
        source: "`tenbin list policies`",
        ..key(
            "policy.rereplication",
            Kind::Name,
            Default("default"),
            "Who copies a lost replica to whom",
        )
    },
    Key {
        row: "{} pacing",
        ..key(
            "policy.pacing",
            Kind::Choice(&["event-driven", "hdfs1", "hdfs3"]),
            Default("hdfs3"),
            "When work is handed out: at once, as Hadoop 1.x, as Hadoop 3.x",
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
    key(
        "model.sharing",
        Kind::Choice(&["fluid", "queue"]),
        Default("fluid"),
        "A resource is shared max-min fair, or first come first served in chunks",
    ),
    key("model.chunk", Kind::Amount, Default("256KiB"), "Queue: what stands in line as one"),
    Key {
        source: "SimGrid's CM02",
        ..key(
            "model.latency_weights",
            Kind::Flag,
            Default("false"),
            "Fluid: a flow's weight is 1/latency instead of 1",
        )
    },
    Key {
        row: "lost at {}",
        ..key("event.at", Kind::Time { zero: true }, Required, "When it happens")
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
            "What happens: a node falls silent, or is back with what it held; all nodes of a \
             rack fall silent; a disk fails; a node is to be emptied, or to go away for a while; \
             a disk or a link serves at no more than `rate` from then on",
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
    key(
        "run.until",
        Kind::Until,
        Default("redundant"),
        "Ends when every block that can be repaired is (redundant), or at a time",
    ),
    key("run.seeds", Kind::count(1, 10_000), Default("10"), "A comparison runs seeds 1 to this"),
    key(
        "variant.name",
        Kind::Name,
        Required,
        "What a row of `tenbin compare` is called; `set = { \"TABLE.KEY\" = VALUE }` says what is \
         different",
    ),
];
