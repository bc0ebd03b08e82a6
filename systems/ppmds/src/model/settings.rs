//! What never changes in a run.
use crate::policy::metadata::{ALL, Placed, View};
use cluster::Sheet;
use engine::*;
use ppmds_protocol::Op;

/// How long things take on an idle network, of one message.
///
/// A message goes out by a *send*: start-up, then transmission while the receiver takes it in; its
/// head is at the receiver's side a start-up after the send began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// Start-up, of all packets of a message.
    pub startup: Nanos,
    /// Transmission between client and switch, switch and switch, server and switch.
    pub client: Nanos,
    pub switch: Nanos,
    pub server: Nanos,
}

/// How switches have NICs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switching {
    /// For each node and direction: their queues are those of the node.
    Port,
    /// The same in two LPs, the clients' switch and the servers': an event for each message there.
    Lp,
    /// One for each direction.
    Direction,
    /// One.
    Single,
}

/// What never changes.
pub struct Settings {
    pub servers: u32,
    pub clients: u32,
    pub times: Times,
    pub switching: Switching,
    pub loss: f64,
    pub timeout: Nanos,
    /// Threads and how many writes a commit takes; `None`: the store makes answers late.
    pub store: Option<(u32, u32)>,
    pub write: Nanos,
    pub read: Nanos,
    pub each: Nanos,
    pub operations: u64,
    /// Mean time between two operations of a client, and until when they come.
    pub open: Option<(Nanos, Nanos)>,
    /// Shares of operations, each with those before it; `None`: creates alone.
    pub mix: Option<Vec<(f64, Op)>>,
    /// Popularity of directories, each with those before it; of one directory empty.
    pub directories: Vec<f64>,
    pub placed: Placed,
    /// Bytes of a second on a server's link, for rows that move.
    pub server_rate: u64,
    pub server_lps: Lps<super::message::Event>,
    pub client_lps: Lps<super::message::Event>,
    /// The clients' and the servers' switch, where they are LPs.
    pub switch_lps: Lps<super::message::Event>,
}

/// Groups of LPs that are dealt to threads together.
const GROUPS: u32 = 16;

/// Shares of a mix, by their keys.
pub const SHARES: [(&str, Op); 5] = [
    ("workload.create", Op::Create),
    ("workload.stat", Op::Stat),
    ("workload.lookup", Op::Lookup),
    ("workload.unlink", Op::Unlink),
    ("workload.readdir", Op::List),
];

impl Settings {
    /// Of a scenario that was checked.
    pub fn of(sheet: &Sheet, topology: &mut Topology) -> Settings {
        // Each group has servers and clients, so that threads have like things to do.
        let mut place = |count| topology.place(count, |i| i % GROUPS);
        let servers = sheet.count32("cluster.servers");
        let clients = sheet.count32("cluster.clients");
        let switching = match sheet.text("network.switch") {
            "port" => Switching::Port,
            "lp" => Switching::Lp,
            "direction" => Switching::Direction,
            _ => Switching::Single,
        };
        let switches = if switching == Switching::Port { 0 } else { 2 };
        let spread = sheet.count32("policy.servers_per_directory").min(servers);
        let view = View { servers, spread, split: sheet.count32("policy.split_entries") };
        let named = |policy: &&&dyn crate::policy::metadata::Metadata| {
            policy.name() == sheet.text("policy.metadata")
        };
        let policy = *ALL.iter().find(named).expect("checked");
        let threads = sheet.text("store.mode") == "threads";
        let rate = sheet.number("workload.rate");
        let gap = Nanos::from_secs(f64::from(clients) / rate);
        Settings {
            servers,
            clients,
            times: Times::of(sheet),
            switching,
            loss: sheet.number("network.loss"),
            timeout: sheet.time("network.timeout"),
            store: threads.then(|| (sheet.count32("store.threads"), sheet.count32("store.group"))),
            write: sheet.time("store.latency"),
            read: sheet.time("store.read_latency"),
            each: sheet.time("store.each"),
            operations: sheet.count("workload.creates_per_client"),
            open: (sheet.text("workload.loop") == "open")
                .then(|| (gap, sheet.time("workload.duration"))),
            mix: (sheet.text("workload.kind") == "mix").then(|| mix(sheet)),
            directories: popularity(
                sheet.count32("workload.directories"),
                sheet.number("workload.skew"),
            ),
            placed: Placed { policy, view, warm: sheet.text("workload.start") == "warm" },
            server_rate: bandwidth(sheet, "network.server_bandwidth"),
            server_lps: place(servers),
            client_lps: place(clients),
            switch_lps: place(switches),
        }
    }

    /// Nothing of a client's meets another thing of its own on the way: closed loops, no loss.
    pub fn alone(&self) -> bool {
        self.open.is_none() && self.loss == 0.0 && self.switching == Switching::Port
    }

    /// All that servers do takes the same time in the store, but for the fetches of the one
    /// directory, one of each client.
    pub fn uniform(&self) -> bool {
        let creates = self.mix.is_none() && self.directories.is_empty();
        let no_splits = !self.placed.policy.splits();
        self.alone() && creates && no_splits && self.store.is_none()
    }

    /// How long an operation is in the store.
    pub fn stored(&self, op: Op) -> Nanos {
        if op.writes() { self.write } else { self.read }
    }

    /// Operations that a run has about.
    pub fn expected(&self) -> u64 {
        match self.open {
            None => self.operations * u64::from(self.clients),
            Some((gap, duration)) => {
                duration.0 / gap.0.max(1) * u64::from(self.clients) + u64::from(self.clients)
            }
        }
    }
}

impl Times {
    /// Of a scenario.
    pub fn of(sheet: &Sheet) -> Times {
        let payload = sheet.bytes("network.payload").0;
        let packets = payload.div_ceil(sheet.bytes("network.packet").0);
        let time = |key: &str| {
            let rate = u128::from(bandwidth(sheet, key));
            let ns = (u128::from(payload) * 1_000_000_000).div_ceil(rate.max(1));
            Nanos(u64::try_from(ns).unwrap_or(u64::MAX / 1_000))
        };
        Times {
            startup: Nanos(sheet.time("network.startup").0.saturating_mul(packets)),
            client: time("network.client_bandwidth"),
            switch: time("network.switch_bandwidth"),
            server: time("network.server_bandwidth"),
        }
    }

    /// A server's NIC, or its switch's port towards it, is busy with a message for so long.
    pub fn at_server(&self) -> Nanos {
        self.startup + self.server
    }

    /// From a client's goal to the answer where nobody else is, without the store.
    pub fn round_trip(&self) -> Nanos {
        self.startup * 6 + (self.client + self.switch + self.server) * 2
    }
}

/// Bytes a second, as the network takes them.
pub fn bandwidth(sheet: &Sheet, key: &str) -> u64 {
    let rate = sheet.rate(key).0;
    match sheet.text("network.megabyte") {
        "binary" => units::narrow::<u64>(u128::from(rate) * 1_048_576 / 1_000_000),
        _ => rate,
    }
}

fn mix(sheet: &Sheet) -> Vec<(f64, Op)> {
    let total: f64 = SHARES.iter().map(|(key, _)| sheet.number(key)).sum();
    let mut sum = 0.0;
    let of = |(key, op): (&str, Op)| {
        sum += sheet.number(key) / total;
        (sum, op)
    };
    SHARES.into_iter().map(of).collect()
}

/// Zipf's law: the r-th directory is asked for in proportion to r^−skew.
fn popularity(directories: u32, skew: f64) -> Vec<f64> {
    if directories == 1 {
        return Vec::new();
    }
    let weight = |rank: u32| libm::pow(f64::from(rank), -skew);
    let total: f64 = (1..=directories).map(weight).sum();
    let mut sum = 0.0;
    let of = |rank| {
        sum += weight(rank) / total;
        sum
    };
    (1..=directories).map(of).collect()
}
