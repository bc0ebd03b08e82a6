//! What a scenario of PPMDS may say.
use cluster::keys::{Absent::*, Change, Key, Kind, Vocabulary, shared};

const S4: &str = "Kirii, Tatebe, Ross 2015, table 2";
const GIGA: &str = "Patil, Gibson 2011";

const fn key(
    name: &'static str,
    kind: Kind,
    absent: cluster::keys::Absent,
    doc: &'static str,
) -> Key {
    Key::new(name, kind, absent, doc)
}

/// PPMDS places entries by the hash of their names, and has no code for another way.
fn metadata(_: &str, to: &str) -> Change {
    match to {
        "hash" => Change::setting("with new directories"),
        _ => Change::Research,
    }
}

static CLUSTER: [Key; 2] = [
    key("cluster.servers", Kind::count(1, 4_096), Required, "Metadata servers")
        .row("{} servers")
        .bought(),
    key("cluster.clients", Kind::count(1, 1_000_000), Required, "Clients, a node each")
        .row("{} clients"),
];

static NETWORK: [Key; 10] = [
    key(
        "network.startup",
        Kind::Time { zero: false },
        Default("32us"),
        "Charged at the sender's NIC for each packet, one after the other",
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
    key("network.loss", Kind::Share, Default("0"), "Part of the messages that is lost"),
    key(
        "network.timeout",
        Kind::Time { zero: false },
        Assumed("200ms"),
        "A client asks again after this (with loss only)",
    )
    .source("Linux TCP's least RTO"),
    key(
        "network.switch",
        Kind::Choice(&["port", "lp", "direction", "single"]),
        Default("port"),
        "A switch has a NIC for each node and direction, computed with the node (port) or in an LP \
         as the document's (lp); one for each direction; or one",
    )
    .row("switch {}"),
];

static STORE: [Key; 6] = [
    key(
        "store.mode",
        Kind::Choice(&["delay", "threads"]),
        Default("delay"),
        "The store makes the answer late and occupies nothing (the document), or a thread is busy",
    )
    .source(S4)
    .row("store: {}"),
    key(
        "store.latency",
        Kind::Time { zero: true },
        Default("0.5ms"),
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
    .source("the document's GET_INODE has none; redb 3: 2 us"),
    key("store.threads", Kind::count(1, 1_024), Default("16"), "Threads (mode threads)")
        .row("{} threads"),
    key(
        "store.group",
        Kind::count(1, 4_096),
        Default("1"),
        "Writes that one commit takes together (mode threads); 1: each has a thread of its own",
    )
    .row("groups of {}"),
    key(
        "store.each",
        Kind::Time { zero: true },
        Assumed("17us"),
        "Of each write in a group, besides `store.latency` of the group",
    )
    .source("redb 3, 1 M rows: cargo bench -p ppmds --bench store; LevelDB says 3 us"),
];

static WORKLOAD: [Key; 13] = [
    key(
        "workload.kind",
        Kind::Choice(&["create", "mix"]),
        Default("create"),
        "Creates alone, or operations by their shares",
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
        "A client waits for its answer, or operations come whatever the answers do",
    ),
    key("workload.rate", Kind::Number, Default("10000"), "Operations/s of all clients (open)"),
    key("workload.duration", Kind::Time { zero: false }, Default("1s"), "For so long (open)"),
    key(
        "workload.start",
        Kind::Choice(&["cold", "warm"]),
        Default("cold"),
        "Clients fetch each directory's inode at first, or have them all: a service long at work",
    )
    .row("{} start"),
    key("workload.create", Kind::Share, Default("0.25"), "Share of creates (mix)"),
    key("workload.stat", Kind::Share, Default("0.5"), "Share of stats (mix)"),
    key("workload.lookup", Kind::Share, Default("0.2"), "Share of lookups (mix)"),
    key("workload.unlink", Kind::Share, Default("0.05"), "Share of unlinks (mix)"),
    key("workload.readdir", Kind::Share, Default("0"), "Share of readdirs (mix)"),
];

static POLICY: [Key; 3] = [
    key(
        "policy.metadata",
        Kind::Name,
        Default("hash"),
        "Where entries lie: a name of `tenbin list policies`",
    )
    .row("{}")
    .takes(metadata),
    key("policy.servers_per_directory", Kind::count(1, 4_096), Default("4"), "k of hash-k")
        .row("k = {}"),
    key(
        "policy.split_entries",
        Kind::count(1, 100_000_000),
        Default("8000"),
        "giga+: entries of a partition beyond which it is split",
    )
    .source(GIGA),
];

/// The keys of PPMDS.
pub static PPMDS: Vocabulary = Vocabulary::plain(
    "ppmds",
    &[
        &CLUSTER,
        &NETWORK,
        &STORE,
        &WORKLOAD,
        &POLICY,
        &shared::SYSTEM,
        &shared::RUN,
        &shared::VARIANT,
    ],
    |v| format!("{} servers, {} clients", v.text("cluster.servers"), v.text("cluster.clients")),
);
