//! The keys of a PPMDS scenario.
use cluster::Values;
use cluster::catalogue;
use cluster::keys::{Candidate, Change, Key, KeyDefault::*, Kind, Rule, Vocabulary, shared};

const S4: &str = "Kirii, Tatebe, Ross 2015, table 2";
const GIGA: &str = "Patil, Gibson 2011";

const fn key(
    name: &'static str,
    kind: Kind,
    absent: cluster::keys::KeyDefault,
    doc: &'static str,
) -> Key {
    Key::new(name, kind, absent, doc)
}

/// The price of another `store.durability`: only `async` has one.
fn durability(_: &str, to: &str) -> Change {
    let costs = if to == "async" { "a crash loses acknowledged writes" } else { "" };
    Change::Setting { when: "after a restart", costs }
}

/// A directory's list names the servers of its entries; PPMDS has no code that changes it later.
fn metadata(_: &str, to: &str) -> Change {
    match to {
        "hash" | "hash-k" | "directory" => Change::setting("with new directories"),
        _ => Change::Research,
    }
}

fn more(_: &Values, now: &str) -> Vec<String> {
    let now: u64 = now.parse().unwrap_or(1);
    [2, 4].map(|times| (times * now).to_string()).into()
}

/// Whether the placement of several directories matters.
fn has_directories(values: &Values) -> bool {
    values.text("workload.kind") != "create" || values.count("workload.directories") > 1
}

/// Whether the workload has transactions over several rows.
fn has_transactions(values: &Values) -> bool {
    values.text("workload.kind") != "create"
}

const SERVERS: &[&str] = &["Server NIC", "Server's switch port", "Store"];

static CLUSTER: [Key; 2] = [
    key("cluster.servers", Kind::count(1, 4_096), Required, "Metadata servers")
        .row("{} servers")
        .bought()
        .tries_by(more)
        .candidate(Candidate::relieves(SERVERS)),
    key("cluster.clients", Kind::count(1, 1_000_000), Required, "Clients, a node each")
        .row("{} clients"),
];

static NETWORK: [Key; 11] = [
    key(
        "network.startup",
        Kind::Time { zero: false },
        Default("32us"),
        "Time of the sender's NIC for each packet, one by one",
    )
    .source(S4)
    .row("start-up {}"),
    key("network.client_bandwidth", Kind::Rate, Default("125MB/s"), "Client to its switch")
        .source(S4),
    key("network.server_bandwidth", Kind::Rate, Default("1250MB/s"), "Server to its switch")
        .source(S4),
    key("network.switch_bandwidth", Kind::Rate, Default("1250MB/s"), "Between the switches")
        .source(S4),
    key(
        "network.megabyte",
        Kind::Choice(&["binary", "decimal"]),
        Default("binary"),
        "CODES' simple-net takes a MB of a bandwidth as 2^20 bytes; decimal: 10^6",
    )
    .source("CODES, simplenet-upd.c"),
    key("network.packet", Kind::Amount, Default("1500B"), "Largest packet").source(S4),
    key("network.payload", Kind::Amount, Default("512B"), "Bytes of each message").source(S4),
    key("network.loss", Kind::Share, Default("0"), "Part of the messages that are lost"),
    key(
        "network.timeout",
        Kind::Time { zero: false },
        Assumed("200ms"),
        "A client without an answer resends after this time, and each time waits twice as long, up \
         to 64 times (with loss or crashes)",
    )
    .source("Linux TCP's least RTO"),
    key(
        "network.switch",
        Kind::Choice(&["port", "lp", "document", "single"]),
        Default("port"),
        "A switch has a NIC for each node and direction, computed with the node (port) or in an LP \
         (lp); one for each direction, as in the text of Kirii 2015; or one (single)",
    )
    .row("switch {}"),
    key(
        "network.reception",
        Kind::Choice(&["head", "event"]),
        Default("head"),
        "A message's head arrives by one event, two start-ups after its send (head), or an event \
         of the sender begins the transmission, as in simple-net (event): the same times, but \
         parallel runs can look ahead by the transmission only",
    )
    .source("CODES, simplenet-upd.c"),
];

/// The flush time of the disk that `store.disk` names.
const FLUSH: Rule = |values, _| {
    let disk = catalogue::disk(&values.find("store.disk")?.text)?;
    Some(disk.flush.to_string())
};

static STORE: [Key; 8] = [
    key(
        "store.disk",
        Kind::Choice(&["hdd-7200", "ssd-sata", "ssd-sata-fast", "ssd-nvme", "ssd-nvme-gen4"]),
        Nothing,
        "The disk under the store, by its name in `tenbin list hardware`: a write takes its flush",
    )
    .row("{}"),
    key(
        "store.mode",
        Kind::Choice(&["delay", "threads"]),
        Default("delay"),
        "The store delays the answer and occupies nothing (Kirii 2015), or a thread is busy",
    )
    .source(S4)
    .row("store: {}"),
    key(
        "store.latency",
        Kind::Time { zero: true },
        DefaultBy("0.5ms", FLUSH),
        "A write's time in the store",
    )
    .source(S4)
    .row("store {}"),
    key(
        "store.read_latency",
        Kind::Time { zero: true },
        Default("0ms"),
        "A read's time in the store",
    )
    .source("Kirii 2015: GET_INODE has none; redb 3: 2 us"),
    key("store.threads", Kind::count(1, 1_024), Default("16"), "Threads (mode threads)")
        .row("{} threads"),
    key(
        "store.durability",
        Kind::Choice(&["sync", "group", "async"]),
        Default("sync"),
        "Answer of a write: when its own commit is on the disk (sync), or one of several writes \
         (group, mode threads); or at once, and a crash loses writes that are not on the disk \
         (async)",
    )
    .takes(durability)
    .tries(&["group"])
    .candidate(
        Candidate::relieves(&["Store"]).applies(|values| values.text("store.mode") == "threads"),
    )
    .row("{}"),
    key(
        "store.group",
        Kind::count(1, 4_096),
        Default("64"),
        "Writes that one commit takes together (durability group)",
    )
    .row("groups of {}"),
    key(
        "store.each",
        Kind::Time { zero: true },
        Assumed("17us"),
        "Time of each write in a group, added to `store.latency` of the group",
    )
    .source("redb 3, 1 M rows: cargo bench -p ppmds --bench store; LevelDB states 3 us"),
];

static WORKLOAD: [Key; 21] = [
    key(
        "workload.kind",
        Kind::Choice(&["create", "mix", "mdtest", "trace"]),
        Default("create"),
        "Creates only, operations by their shares, mdtest's phases ([mdtest]), or recorded \
         operations (workload.trace)",
    ),
    key(
        "workload.trace",
        Kind::Text,
        Default(""),
        "File of operations, relative to this one: JSON lines {\"client\":0, \"op\":\"create\", \
         \"path\":\"/a/b\"}, with \"to\" of a rename or a link, and \"invoked_ns\" for open loops \
         (trace)",
    ),
    key(
        "workload.creates_per_client",
        Kind::count(1, 10_000_000),
        Default("1000"),
        "Operations of each client (closed loops)",
    ),
    key("workload.directories", Kind::count(1, 1_000_000), Default("1"), "Directories")
        .row("{} directories"),
    key(
        "workload.skew",
        Kind::Share,
        Default("0"),
        "Zipf's exponent of the directories' popularity, 0 to 1; 0: all alike",
    ),
    key(
        "workload.loop",
        Kind::Choice(&["closed", "open"]),
        Default("closed"),
        "A client waits for its answer, or operations arrive independently of answers (trace: at \
         their times, or once the client has its answer)",
    ),
    key("workload.rate", Kind::Number, Default("10000"), "Operations/s of all clients (open)"),
    key("workload.duration", Kind::Time { zero: false }, Default("1s"), "Length of an open loop"),
    key(
        "workload.start",
        Kind::Choice(&["cold", "warm"]),
        Default("cold"),
        "Clients fetch each directory's inode at first, or have them all, as after a long time",
    )
    .row("{} start"),
    key("workload.create", Kind::Share, Default("0.25"), "Share of creates (mix)"),
    key("workload.stat", Kind::Share, Default("0.5"), "Share of stats (mix)"),
    key("workload.lookup", Kind::Share, Default("0.2"), "Share of lookups (mix)"),
    key("workload.unlink", Kind::Share, Default("0.05"), "Share of unlinks (mix)"),
    key("workload.readdir", Kind::Share, Default("0"), "Share of readdirs (mix)"),
    key("workload.mkdir", Kind::Share, Default("0"), "Share of mkdirs (mix)"),
    key(
        "workload.rmdir",
        Kind::Share,
        Default("0"),
        "Share of rmdirs, each of the client's oldest directory; a mkdir if it has none (mix)",
    ),
    key(
        "workload.rename",
        Kind::Share,
        Default("0"),
        "Share of renames of an own name to a new one (mix)",
    ),
    key("workload.link", Kind::Share, Default("0"), "Share of links to an own file (mix)"),
    key("workload.setattr", Kind::Share, Default("0"), "Share of setattrs (mix)"),
    key(
        "workload.shared_names",
        Kind::count(0, 1_000_000),
        Default("0"),
        "Names in each directory that all clients use (mix); 0: each client has its own names",
    ),
    key(
        "workload.think",
        Kind::Time { zero: true },
        Default("0s"),
        "Mean pause of a client between two operations, exponential (closed loops)",
    ),
];

const MDTEST_OF: &str = "mdtest, IOR 4.0";
/// Limit on items per client.
const MANY: u64 = u32::MAX as u64;

static MDTEST: [Key; 16] = [
    key(
        "mdtest.items",
        Kind::count(1, MANY),
        Default("1000"),
        "-n: items of each client, or fewer if mdtest.stonewall ends their creation",
    )
    .source(MDTEST_OF),
    key(
        "mdtest.items_are",
        Kind::Choice(&["both", "files", "directories"]),
        Default("both"),
        "Only files (-F), only directories (-D), or both",
    )
    .source(MDTEST_OF),
    key(
        "mdtest.stride",
        Kind::count(0, 1_000_000),
        Default("0"),
        "-N: clients stat the items of the client this many numbers later, read those of twice as \
         many, remove those of three times as many",
    )
    .source(MDTEST_OF),
    key("mdtest.unique", Kind::Flag, Default("false"), "-u: each client has its own tree")
        .source(MDTEST_OF),
    key(
        "mdtest.depth",
        Kind::count(0, 1_000),
        Default("0"),
        "-z: levels of the tree below its top",
    )
    .source(MDTEST_OF),
    key(
        "mdtest.branch",
        Kind::count(1, 10_000_000),
        Default("1"),
        "-b: directories in each directory",
    )
    .source(MDTEST_OF),
    key("mdtest.leaves", Kind::Flag, Default("false"), "-L: items in the lowest level only")
        .source(MDTEST_OF),
    key(
        "mdtest.items_per_directory",
        Kind::count(0, MANY),
        Default("0"),
        "-I: items in each directory; 0: items are distributed evenly over all directories",
    )
    .source(MDTEST_OF),
    key("mdtest.create", Kind::Flag, Default("true"), "-C: create items").source(MDTEST_OF),
    key("mdtest.stat", Kind::Flag, Default("true"), "-T: stat items").source(MDTEST_OF),
    key("mdtest.read", Kind::Flag, Default("true"), "-E: open files").source(MDTEST_OF),
    key("mdtest.rename", Kind::Flag, Default("false"), "-U: rename directories").source(MDTEST_OF),
    key("mdtest.remove", Kind::Flag, Default("true"), "-r: remove items").source(MDTEST_OF),
    key("mdtest.iterations", Kind::count(1, 1_000_000), Default("1"), "-i: number of repetitions")
        .source(MDTEST_OF),
    key(
        "mdtest.stonewall",
        Kind::Time { zero: true },
        Default("0s"),
        "-W: time of creates; then each client creates as many as the fastest has; 0: all",
    )
    .source(MDTEST_OF),
    key(
        "mdtest.measured",
        Kind::Text,
        Default(""),
        "Rates that mdtest measured, for comparison on the page: \"File creation 13000, File stat \
         85000\" (`tenbin import mdtest` reads them from its output)",
    )
    .source(MDTEST_OF),
];

const DSTM: &str = "Herlihy and others, PODC 2003";

static TRANSACTIONS: [Key; 4] = [
    key(
        "transactions.run_by",
        Kind::Choice(&["server", "client"]),
        Default("server"),
        "Coordinator of operations over several servers: the first row's server, or the client",
    )
    .setting("after a restart")
    .candidate(Candidate::relieves(&["Other servers"]).applies(has_transactions)),
    key(
        "transactions.reads",
        Kind::Choice(&["exclusive", "validated", "shared"]),
        Default("shared"),
        "Rows that are only read are held like written ones, checked again before the commit, or \
         held by many readers",
    )
    .source(DSTM)
    .setting("after a restart")
    .tries(&["shared", "validated"])
    .candidate(Candidate::relieves(&["transactions."]).applies(has_transactions)),
    key(
        "transactions.contention",
        Kind::Name,
        Default("polite"),
        "Loser of a conflict: a name of `tenbin list policies`",
    )
    .source(DSTM)
    .setting("after a restart")
    .tries(&["polite", "timestamp", "karma"])
    .candidate(Candidate::relieves(&[]).applies(has_transactions)),
    key(
        "transactions.wait",
        Kind::Time { zero: false },
        Assumed("1ms"),
        "First wait for a conflicting transaction; later waits are longer",
    ),
];

static FAULTS: [Key; 3] = [
    key(
        "faults.server_mtbf",
        Kind::Time { zero: true },
        Default("0s"),
        "Mean time between crashes of each server; 0: none",
    ),
    key(
        "faults.server_down",
        Kind::Time { zero: false },
        Default("100ms"),
        "A crashed server returns after this time, with the state of its log",
    ),
    key(
        "faults.client_mtbf",
        Kind::Time { zero: true },
        Default("0s"),
        "Mean time after which a client stops for good; 0: never",
    ),
];

static POLICY: [Key; 4] = [
    key(
        "policy.metadata",
        Kind::Name,
        Default("hash"),
        "Servers of entries: a name of `tenbin list policies`",
    )
    .row("{}")
    .takes(metadata)
    .tries(&["hash", "directory", "hash-k"])
    .candidate(
        Candidate::relieves(&["Other servers", "Server NIC", "Server's switch port"])
            .applies(has_directories),
    ),
    key("policy.servers_per_directory", Kind::count(1, 4_096), Default("4"), "k of hash-k")
        .row("k = {}"),
    key(
        "policy.split_entries",
        Kind::count(1, 100_000_000),
        Default("8000"),
        "giga+, range: most entries of a directory on one server; beyond, the directory is split",
    )
    .source(GIGA),
    key(
        "policy.hot_operations",
        Kind::count(1, 1_000_000_000),
        Default("20000"),
        "load: most operations/s of a server; beyond, it moves a part of its hottest directory",
    )
    .source("two thirds of a server NIC's capacity"),
];

pub static PPMDS: Vocabulary = Vocabulary::plain(
    "ppmds",
    &[
        &CLUSTER,
        &NETWORK,
        &STORE,
        &WORKLOAD,
        &MDTEST,
        &TRANSACTIONS,
        &FAULTS,
        &POLICY,
        &shared::SYSTEM,
        &shared::RUN,
        &shared::VARIANT,
    ],
    |v| format!("{} servers, {} clients", v.text("cluster.servers"), v.text("cluster.clients")),
);
