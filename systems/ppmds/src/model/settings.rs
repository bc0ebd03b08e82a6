//! What never changes in a run.
use super::times::{Times, bandwidth};
use super::workload::{DIRECTORY, FILE, First, SHARES, Workload};
use crate::policy::metadata::Placed;
use cluster::Sheet;
use engine::*;
use ppmds_protocol::message::{Answer, Fate, Message};
use ppmds_protocol::record::Record;
use ppmds_protocol::{
    Doing, Inode, Key, Kind, List, Options, Outcome, Placement, ROOT, Reads, Row, Store, Stored,
    contention, root,
};

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
    pub workload: Workload,
    /// Half of what a barrier of all clients takes.
    pub barrier: Nanos,
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

/// Groups of LPs that are dealt to threads together.
const GROUPS: u32 = 16;
/// A row that moves, and an entry of a page \[bytes\].
const ROW: u64 = 128;
const LISTED: u64 = 32;

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
            workload: Workload::of(sheet),
            barrier: barrier(&times, clients),
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
        self.workload.open.is_none() && calm && one && self.switching == Switching::Port
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
        let creates = self.workload.is_creates_in_root();
        let no_splits = !self.placed.grows() && !self.placed.heats();
        let late = self.in_line() && self.durability == Durability::Sync;
        self.alone() && creates && no_splits && late
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
        let count = if me == 0 { self.workload.first().count() as u64 } else { 0 };
        if count > 0 {
            store.apply(Record::Counts(count, 0, 0))
        }
        for one in self.workload.first() {
            self.put(&mut store, me, &one)
        }
        store
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
