//! Constants of a run.
use super::times::{Times, bandwidth};
use super::workload::{DIRECTORY, FILE, First, SHARES, Workload};
use crate::policy::metadata::Placed;
use cluster::Sheet;
use engine::*;
use ppmds_protocol::message::{Answer, Message, TxState};
use ppmds_protocol::record::Record;
use ppmds_protocol::{
    Inode, Key, Kind, List, OperationKind, Options, Outcome, Placement, ROOT, Reads, Row, Store,
    Stored, contention, root,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switching {
    /// A NIC for each node and direction, with their queues in the node's LP.
    Port,
    /// The same in two LPs, the clients' and the servers' switch: one more event per message and
    /// switch.
    Lp,
    /// One NIC per direction, in two LPs: the simulator of Kirii et al. 2015 as its text reads.
    Document,
    Single,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// Durable, one commit per write.
    Sync,
    /// Durable, one commit for several writes.
    Group,
    /// Answered at once: a crash loses what is not yet on disk.
    Async,
}

pub struct Settings {
    pub servers: u32,
    pub clients: u32,
    pub times: Times,
    pub switching: Switching,
    /// Transmission of a message that an event of its sender begins; `None`: no such event.
    pub reception: Option<Nanos>,
    pub loss: f64,
    pub timeout: Nanos,
    /// Mean time between crashes of a server, its downtime, and mean time to a client's crash. 0:
    /// never.
    pub server_mtbf: Nanos,
    pub down: Nanos,
    pub client_mtbf: Nanos,
    /// Threads and the most writes of a commit; `None`: a fixed delay.
    pub store: Option<(u32, u32)>,
    pub durability: Durability,
    pub write: Nanos,
    pub read: Nanos,
    pub each: Nanos,
    pub workload: Workload,
    /// Half the time of a barrier of all clients.
    pub barrier: Nanos,
    pub placed: Placed,
    pub options: Options,
    pub resend_base_ns: Option<u64>,
    /// Whether clients' views are recorded.
    pub history: bool,
    /// Whether servers send messages to each other.
    pub talk: bool,
    /// A server's link \[bytes/s\], for rows beyond the payload.
    pub server_rate: u64,
    payload: u64,
    pub server_lps: Lps<super::message::Event>,
    pub client_lps: Lps<super::message::Event>,
    /// The clients' and the servers' switch; none with [`Switching::Port`].
    pub switch_lps: Lps<super::message::Event>,
}

/// Groups of LPs; a group is assigned to one thread.
const GROUPS: u32 = 16;
/// A moved row, and an entry of a page \[bytes\].
const ROW: u64 = 128;
const LISTED: u64 = 32;

impl Settings {
    /// The scenario must be checked.
    pub fn of(sheet: &Sheet, topology: &mut Topology, history: bool) -> Settings {
        // Each group has servers and clients, so that threads have equal work.
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
        let by_event = sheet.text("network.reception") == "event";
        let mut settings = Settings {
            servers,
            clients,
            times,
            switching,
            reception: by_event.then(|| times.startup.min(times.server)),
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
            resend_base_ns: None,
            history,
            talk: talk(sheet),
            server_rate: bandwidth(sheet, "network.server_bandwidth"),
            payload: sheet.bytes("network.payload").0,
            server_lps: place(servers),
            client_lps: place(clients),
            switch_lps: place(switches),
        };
        if settings.loss > 0.0 || settings.crashes() {
            settings.resend_base_ns = Some(settings.timeout.0)
        }
        settings.options.resend_base_ns = settings.resend_base_ns;
        settings
    }

    pub fn crashes(&self) -> bool {
        self.server_mtbf > Nanos::ZERO || self.client_mtbf > Nanos::ZERO
    }

    /// Whether a client's messages never wait for each other: closed loop, no loss, no crashes, one
    /// message at a time, `network.switch = "port"`.
    pub fn alone(&self) -> bool {
        let one = self.options.by_server || !self.talk;
        let calm = self.loss == 0.0 && !self.crashes();
        self.workload.open.is_none() && calm && one && self.switching == Switching::Port
    }

    /// Whether the time of each result is known on arrival: nothing is occupied, reads take no time
    /// in the store and all writes the same.
    pub fn in_line(&self) -> bool {
        let group = self.durability == Durability::Group;
        self.store.is_none() && !self.crashes() && !group && self.read == Nanos::ZERO
    }

    /// Whether all work takes the same time in the store, except each client's one fetch of the
    /// root's list.
    pub fn uniform(&self) -> bool {
        let creates = self.workload.is_creates_in_root();
        let no_splits = !self.placed.splits_by_size() && !self.placed.splits_by_load();
        let late = self.in_line() && self.durability == Durability::Sync;
        self.alone() && creates && no_splits && late
    }

    /// Transmission of a message's rows beyond the payload, on a server's link \[ns\].
    pub fn bulk(&self, message: &Message) -> u64 {
        let bytes = match message {
            Message::Opened(opened) => {
                opened.rows.iter().map(|row| row.moved.len() as u64 * ROW).sum()
            }
            Message::Settle(_, state, _) => match &**state {
                TxState::Committed(writes, _) => writes.len() as u64 * ROW,
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

    pub fn is_home_of_root(&self, server: u32) -> bool {
        self.placed.home(ROOT) == server
    }

    pub fn first_store(&self, me: u32) -> Store {
        let mut store = Store::new(me);
        if self.placed.splits_by_size() {
            store = store.counting()
        }
        store.begin(ROOT, &root(&self.placed), self.placed.home(ROOT));
        // Their numbers are in the first server's range.
        let count = if me == 0 { self.workload.first().count() as u64 } else { 0 };
        if count > 0 {
            store.apply(Record::Counts(count, 0, 0))
        }
        for one in self.workload.first() {
            self.put(&mut store, me, &one)
        }
        store
    }

    /// Adds an inode that exists at the start, if this server stores it.
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

/// Whether an operation of the workload or the placement policy involves several servers.
pub fn talk(sheet: &Sheet) -> bool {
    let several =
        |(key, op): &(&str, OperationKind)| op.is_distributed() && sheet.number(key) > 0.0;
    let mix = sheet.text("workload.kind") == "mix" && SHARES.iter().any(several);
    let placed = Placed::of(sheet);
    let any = matches!(sheet.text("workload.kind"), "mdtest" | "trace");
    mix || any || placed.splits_by_size() || placed.splits_by_load()
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
        resend_base_ns: None,
        evidence,
        contents: evidence,
    }
}

/// Half of a barrier: MPI's takes ceil(log2(clients)) rounds of messages.
fn barrier(times: &Times, clients: u32) -> Nanos {
    let rounds = u64::from(u32::BITS - clients.saturating_sub(1).leading_zeros()).max(2);
    Nanos((times.startup * 2 + times.client * 2).0 * rounds.div_ceil(2))
}
