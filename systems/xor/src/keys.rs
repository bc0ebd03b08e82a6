//! The keys of a scenario of redundant writes.
use cluster::keys::{Candidate, Change, Key, KeyDefault::*, Kind, Vocabulary, shared};

const TIME: Kind = Kind::Time { zero: true };

/// `tenbin relay` has all schedules except copies.
fn schedule(_: &str, to: &str) -> Change {
    match to.starts_with("copies") {
        true => Change::Research,
        false => Change::setting("with the next file"),
    }
}

static CLUSTER: [Key; 3] = [
    Key::new("cluster.nodes", Kind::count(3, 10_000), Required, "Storage nodes").row("{} nodes"),
    Key::new("cluster.clients", Kind::count(1, 100_000), Default("1"), "Clients that write")
        .row("{} clients"),
    Key::new(
        "layout.nodes",
        Kind::count(3, 26),
        DefaultBy("5", |values, _| {
            let nodes = values.count("cluster.nodes");
            Some(nodes.min(26).to_string())
        }),
        "Nodes of a file: the layout's n, at most `cluster.nodes`",
    )
    .row("n = {}"),
];

static NETWORK: [Key; 4] = [
    Key::new("network.rate", Kind::Rate, Default("1Gbit/s"), "Each link, each way").row("{}"),
    Key::new("network.client_rate", Kind::Rate, Nothing, "Each client's link; else `network.rate`")
        .row("clients {}"),
    Key::new(
        "network.latency",
        Kind::Time { zero: false },
        Assumed("50us"),
        "From one host to another",
    ),
    Key::new(
        "network.mtu",
        Kind::Amount,
        Default("1500B"),
        "Largest packet; each has 52 bytes of IP and TCP and 14 of Ethernet beyond its data",
    )
    .source("RFC 894, RFC 7323"),
];

static NODE: [Key; 3] = [
    Key::new(
        "node.xor_rate",
        Kind::Rate,
        Assumed("6000MB/s"),
        "Bytes that one core sums in a second",
    )
    .source("Otsuji 2013; here: cargo bench -p xor-relay --bench xor"),
    Key::new("node.block_time", TIME, Assumed("3us"), "Additional time of one core for each block")
        .source("tcp of 4 KB blocks: cargo bench -p xor-relay --bench tcp"),
    Key::new(
        "node.disk",
        Kind::Disk,
        Nothing,
        "Blocks are appended to a disk: its rate, or a name of `tenbin list hardware`; else they \
         go to memory",
    )
    .row("disk {}"),
];

static WORKLOAD: [Key; 3] = [
    Key::new("workload.bytes", Kind::Amount, Default("200MB"), "Data of each client").row("{}"),
    Key::new("workload.block", Kind::Amount, Default("16kB"), "A block")
        .row("blocks of {}")
        .setting("with the next file")
        .candidate(Candidate::relieves(&["Core", "CPU"])),
    Key::new(
        "workload.in_flight",
        Kind::Amount,
        Default("3MiB"),
        "Data of unfinished stripes: this many stripes, at least 4, at most 128",
    )
    .source("systems/xor/relay/src/client/writer.rs")
    .setting("with the next write")
    .candidate(Candidate::relieves(&[])),
];

static POLICY: [Key; 1] =
    [Key::new("policy.schedule", Kind::Name, Default("auto"), "Place of the parity's computation")
        .row("{}")
        .takes(schedule)
        .tries(&["auto", "chain", "pivot", "naive"])
        .candidate(Candidate::relieves(&["NIC", "link", "Link"]))];

pub static XOR: Vocabulary = Vocabulary::plain(
    "xor",
    &[
        &CLUSTER,
        &NETWORK,
        &NODE,
        &WORKLOAD,
        &POLICY,
        &shared::SYSTEM,
        &shared::RUN,
        &shared::VARIANT,
    ],
    |v| format!("{}, {} clients", v.text("policy.schedule"), v.text("cluster.clients")),
);
