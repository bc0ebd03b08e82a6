//! What never changes in a run.
use super::workload::trace::Trace;
use super::workload::{self, Workload, names};
use crate::policy::metadata::Placed;
use cluster::Sheet;
use engine::*;
use ppmds_protocol::message::{Answer, Fate, Message};
use ppmds_protocol::record::Record;
use ppmds_protocol::{
    Doing, Ino, Inode, Key, Kind, List, Name, Options, Outcome, Placement, ROOT, Reads, Row, Store,
    Stored, contention, root,
};
use std::sync::Arc;

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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switching {
    /// For each node and direction: their queues are those of the node.
    Port,
    /// The same in two LPs, the clients' switch and the servers': an event for each message there.
    Lp,
    /// One for each direction, in two LPs: the document's simulator, as its text reads.
    Document,
    Single,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// It is on the disk, by a commit of its own.
    Sync,
    /// It is on the disk, by a commit of several.
    Group,
    /// At once: a crash loses what the disk has not.
    Async,
}

/// What never changes.
pub struct Settings {
    pub servers: u32,
    pub clients: u32,
    pub times: Times,
    pub switching: Switching,
    pub loss: f64,
    pub timeout: Nanos,
    /// Mean time between crashes of a server, how long it is away, and between those of a client;
    /// 0: never.
    pub server_mtbf: Nanos,
    pub down: Nanos,
    pub client_mtbf: Nanos,
    /// Threads and how many writes a commit takes; `None`: the store makes answers late.
    pub store: Option<(u32, u32)>,
    pub durability: Durability,
    pub write: Nanos,
    pub read: Nanos,
    pub each: Nanos,
    pub operations: u64,
    /// Mean time between two operations of a client, and until when they come.
    pub open: Option<(Nanos, Nanos)>,
    /// Names in each directory that all clients use; 0: each has its own.
    pub shared_names: u32,
    /// Mean time that a client thinks between two operations (closed).
    pub think: Nanos,
    pub workload: Workload,
    /// Half of what a barrier of all clients takes.
    pub barrier: Nanos,
    /// Popularity of directories, each with those before it; of one directory empty.
    pub directories: Vec<f64>,
    pub placed: Placed,
    pub options: Options,
    pub patience: Option<u64>,
    /// Operations are kept as their clients saw them.
    pub history: bool,
    /// Servers talk to one another.
    pub talk: bool,
    /// Bytes of a second on a server's link, for rows that move.
    pub server_rate: u64,
    payload: u64,
    pub server_lps: Lps<super::message::Event>,
    pub client_lps: Lps<super::message::Event>,
    /// The clients' and the servers' switch, where they are LPs.
    pub switch_lps: Lps<super::message::Event>,
}

/// An entry that is there when the service begins.
pub struct First {
    pub above: Ino,
    pub name: Name,
    pub ino: Ino,
    pub directory: bool,
}

/// Permissions of what is there when the service begins.
pub const DIRECTORY: u16 = 0o755;
pub const FILE: u16 = 0o644;

/// Groups of LPs that are dealt to threads together.
const GROUPS: u32 = 16;
/// A row that moves, and an entry of a page \[bytes\].
const ROW: u64 = 128;
const LISTED: u64 = 32;

/// Shares of a mix, by their keys.
pub const SHARES: [(&str, Doing); 10] = [
    ("workload.create", Doing::Create),
    ("workload.stat", Doing::Stat),
    ("workload.lookup", Doing::Lookup),
    ("workload.unlink", Doing::Unlink),
    ("workload.readdir", Doing::Readdir),
    ("workload.mkdir", Doing::Mkdir),
    ("workload.rmdir", Doing::Rmdir),
    ("workload.rename", Doing::Rename),
    ("workload.link", Doing::Link),
    ("workload.setattr", Doing::Setattr),
];

impl Settings {
    /// Of a scenario that was checked.
    pub fn of(sheet: &Sheet, topology: &mut Topology, history: bool) -> Settings {
        // Each group has servers and clients, so that threads have like things to do.
        let mut place = |count| topology.place(count, |i| i % GROUPS);
        let servers = sheet.count32("cluster.servers");
        let clients = sheet.count32("cluster.clients");
        let switching = match sheet.text("network.switch") {
            "port" => Switching::Port,
            "lp" => Switching::Lp,
            "document" => Switching::Document,
            _ => Switching::Single,
        };
        let durability = match sheet.text("store.durability") {
            "sync" => Durability::Sync,
            "group" => Durability::Group,
            _ => Durability::Async,
        };
        let switches = if switching == Switching::Port { 0 } else { 2 };
        let threads = sheet.text("store.mode") == "threads";
        let traced = sheet.text("workload.kind") == "trace";
        let gap = Nanos::from_secs(f64::from(clients) / sheet.number("workload.rate"));
        let times = Times::of(sheet);
        let mut settings = Settings {
            servers,
            clients,
            times,
            switching,
            loss: sheet.number("network.loss"),
            timeout: sheet.time("network.timeout"),
            server_mtbf: sheet.time("faults.server_mtbf"),
            down: sheet.time("faults.server_down"),
            client_mtbf: sheet.time("faults.client_mtbf"),
            store: threads.then(|| (sheet.count32("store.threads"), sheet.count32("store.group"))),
            durability,
            write: sheet.time("store.latency"),
            read: sheet.time("store.read_latency"),
            each: sheet.time("store.each"),
            operations: sheet.count("workload.creates_per_client"),
            open: (sheet.text("workload.loop") == "open" && !traced)
                .then(|| (gap, sheet.time("workload.duration"))),
            shared_names: sheet.count32("workload.shared_names"),
            think: sheet.time("workload.think"),
            workload: workload::of(sheet),
            barrier: barrier(&times, clients),
            directories: popularity(
                sheet.count32("workload.directories"),
                sheet.number("workload.skew"),
            ),
            placed: Placed::of(sheet),
            options: options(sheet, history),
            patience: None,
            history,
            talk: talk(sheet),
            server_rate: bandwidth(sheet, "network.server_bandwidth"),
            payload: sheet.bytes("network.payload").0,
            server_lps: place(servers),
            client_lps: place(clients),
            switch_lps: place(switches),
        };
        if settings.loss > 0.0 || settings.crashes() {
            settings.patience = Some(settings.timeout.0)
        }
        settings.options.patience = settings.patience;
        settings
    }

    pub fn crashes(&self) -> bool {
        self.server_mtbf > Nanos::ZERO || self.client_mtbf > Nanos::ZERO
    }

    /// Nothing of a client's meets another thing of its own on the way: closed loops, no loss, one
    /// message at a time.
    pub fn alone(&self) -> bool {
        let one = self.options.by_server || !self.talk;
        let calm = self.loss == 0.0 && !self.crashes();
        self.open.is_none() && calm && one && self.switching == Switching::Port
    }

    /// Reads take no time in the store, writes all the same, and nothing is occupied: what is ready
    /// when is known when it comes.
    pub fn in_line(&self) -> bool {
        let group = self.durability == Durability::Group;
        self.store.is_none() && !self.crashes() && !group && self.read == Nanos::ZERO
    }

    /// All that servers do takes the same time in the store, but for the fetches of the one
    /// directory, one of each client.
    pub fn uniform(&self) -> bool {
        let creates = matches!(self.workload, Workload::Creates) && self.directories.is_empty();
        let no_splits = !self.placed.grows() && !self.placed.heats();
        let late = self.in_line() && self.durability == Durability::Sync;
        self.alone() && creates && no_splits && late
    }

    /// Operations that were recorded, if the workload is such.
    pub fn trace(&self) -> Option<&Arc<Trace>> {
        match &self.workload {
            Workload::Trace(trace) => Some(trace),
            _ => None,
        }
    }

    /// Phases, if the workload is made of them.
    pub fn plan(&self) -> Option<&workload::mdtest::Plan> {
        match &self.workload {
            Workload::Mdtest(plan) => Some(plan),
            _ => None,
        }
    }

    /// Operations that a run has about.
    pub fn expected(&self) -> u64 {
        match &self.workload {
            Workload::Mdtest(plan) => return plan.expected(self.clients),
            Workload::Trace(trace) => return trace.len(),
            _ => {}
        }
        match self.open {
            None => self.operations * u64::from(self.clients),
            Some((gap, duration)) => {
                duration.0 / gap.0.max(1) * u64::from(self.clients) + u64::from(self.clients)
            }
        }
    }

    /// How long the rows of a message take on a server's link that do not fit its payload \[ns\].
    pub fn bulk(&self, said: &Message) -> u64 {
        let bytes = match said {
            Message::Opened(opened) => {
                opened.got.iter().map(|got| got.moved.len() as u64 * ROW).sum()
            }
            Message::Settle(_, fate, _) => match &**fate {
                Fate::Committed(writes, _) => writes.len() as u64 * ROW,
                _ => 0,
            },
            Message::Answer(Answer { outcome: Outcome::Page(page), .. }) => {
                u64::from(page.count) * LISTED
            }
            _ => 0,
        };
        let more = u128::from(bytes.saturating_sub(self.payload));
        units::narrow(more * 1_000_000_000 / u128::from(self.server_rate.max(1)))
    }

    /// Whether a server has the root's own row.
    pub fn is_home_of_root(&self, server: u32) -> bool {
        self.placed.home(ROOT) == server
    }

    /// What a server keeps when the service begins: its directories.
    pub fn first_store(&self, me: u32) -> Store {
        let mut store = Store::new(me);
        if self.placed.grows() {
            store = store.counting()
        }
        store.begin(ROOT, &root(&self.placed), self.placed.home(ROOT));
        // Their numbers are of the first server's range.
        let count = if me == 0 { self.first().count() as u64 } else { 0 };
        if count > 0 {
            store.apply(Record::Counts(count, 0, 0))
        }
        for one in self.first() {
            self.put(&mut store, me, &one)
        }
        store
    }

    /// Entries that are there when the service begins.
    pub fn first(&self) -> Box<dyn Iterator<Item = First> + '_> {
        match &self.workload {
            Workload::Trace(trace) => return Box::new(trace.paths.first()),
            Workload::Mdtest(plan) => return Box::new(plan.before(self.clients)),
            _ => {}
        }
        let of = move |n| {
            let key = names::of_directory(n);
            let (above, name) = (key.ino, key.name);
            First { above, name, ino: names::directory(self, n), directory: true }
        };
        Box::new((0..).take(self.directories.len()).map(of))
    }

    /// Puts one in a server's store, if it is there.
    fn put(&self, store: &mut Store, me: u32, first: &First) {
        let First { above, ref name, ino, directory } = *first;
        let mut version = self.placed.list(above).born;
        if directory {
            let list = List { parent: above, ..self.placed.list(ino) };
            store.begin(ino, &list, self.placed.home(ino));
            version = list.born
        }
        if self.placed.list(above).owner(above, name) == me {
            let (owner, group, size, links, modified, changed) = (0, 0, 0, 1, 0, 0);
            let (kind, mode) = match directory {
                true => (Kind::Directory, DIRECTORY),
                false => (Kind::File, FILE),
            };
            let inode = Inode { ino, kind, mode, links, owner, group, size, modified, changed };
            let stored = Stored { version, row: Row::Inode(inode) };
            store.apply(Record::Row(Key::entry(above, name), Some(stored)))
        }
    }
}

/// Whether an operation of a workload takes several servers, or a policy makes servers talk.
pub fn talk(sheet: &Sheet) -> bool {
    let several = |(key, op): &(&str, Doing)| op.several() && sheet.number(key) > 0.0;
    let mix = sheet.text("workload.kind") == "mix" && SHARES.iter().any(several);
    let placed = Placed::of(sheet);
    let any = matches!(sheet.text("workload.kind"), "mdtest" | "trace");
    mix || any || placed.grows() || placed.heats()
}

fn options(sheet: &Sheet, evidence: bool) -> Options {
    let reads = sheet.text("transactions.reads");
    let contention = sheet.text("transactions.contention");
    let named = |policy: &&&dyn contention::Contention| policy.name() == contention;
    Options {
        by_server: sheet.text("transactions.run_by") == "server",
        reads: Reads::ALL.iter().find(|(name, _)| *name == reads).expect("checked").1,
        contention: *contention::ALL.iter().find(named).expect("checked"),
        wait: sheet.time("transactions.wait").0,
        patience: None,
        evidence,
        contents: evidence,
    }
}

/// A barrier as MPI makes it: as many messages one after the other as the clients' number has
/// bits. Half of it, for its two halves here.
fn barrier(times: &Times, clients: u32) -> Nanos {
    let rounds = u64::from(u32::BITS - clients.saturating_sub(1).leading_zeros()).max(2);
    Nanos((times.startup * 2 + times.client * 2).0 * rounds.div_ceil(2))
}

impl Times {
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
