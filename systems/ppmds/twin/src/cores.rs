//! Servers and clients of the service in one thread: state machines and stores, no sockets.
use ppmds::commands::meta::failure;
use ppmds_protocol::message::{Message, Peer};
use ppmds_protocol::{
    Attributes, Client, Key, Name, Net, Operation, OperationKind, Options, ROOT, Rules, Timer,
    TwoPaths,
};
use ppmds_service::clock::{nanoseconds, now, wall_ns};
use ppmds_service::cluster::{Cluster, Places};
use ppmds_service::core::{Core, Now};
use ppmds_service::disk::{Disk, Journaled};
use ppmds_service::folder::Folder;
use ppmds_service::wire::{Body, put_frame};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use system::Failure;

pub struct Cores {
    servers: Vec<(Core, Journaled)>,
    clients: Vec<Client>,
    options: Options,
    placement: Places,
    began: Instant,
    /// Names that each client has used.
    names: u32,
}

/// Messages of one round of operations, and CPU time of the state machines (`stepped`) and of the
/// stores (`committed`).
#[derive(Clone, Copy, Default)]
pub struct Effort {
    pub stepped: Duration,
    pub committed: Duration,
    pub received: u32,
    pub messages: u32,
    /// Frames of all messages \[bytes\].
    pub bytes: usize,
}

impl Effort {
    pub fn seconds(&self) -> f64 {
        (self.stepped + self.committed).as_secs_f64()
    }
}

#[derive(Default)]
struct Outbox(Vec<(Peer, Message)>);

impl Net for Outbox {
    fn send(&mut self, to: Peer, message: Message) {
        self.0.push((to, message))
    }
    fn later(&mut self, _: u64, _: Timer) {}
    fn now(&self) -> u64 {
        wall_ns()
    }
}

impl Cores {
    /// Stores below `folder`; clients know the servers of the root.
    pub fn new(folder: &Path, servers: u32, clients: u32) -> Result<Cores, Failure> {
        let addresses = (1..=servers).map(|server| format!("127.0.0.1:{server}")).collect();
        let cluster = Cluster::new(addresses).map_err(failure)?;
        let layout = cluster.layout();
        let open = |me: u32| {
            let folder = Folder::open(&folder.join(me.to_string()), &layout, me)?;
            let mut disk = Journaled::open(folder, false)?;
            let first = Core::first_rows(&layout, me);
            disk.commit(&first, true)?;
            let rows = first.0.into_iter().filter_map(|(key, value)| Some((key, value?)));
            Ok((Core::open(cluster.placement(), cluster.options(), me, rows)?, disk))
        };
        let opened: Result<_, ppmds_service::Error> = (0..servers).map(open).collect();
        let mut cores = Cores {
            servers: opened.map_err(failure)?,
            clients: (0..clients).map(Client::new).collect(),
            options: cluster.options(),
            placement: cluster.placement(),
            began: now(),
            names: 0,
        };
        let at = cores.now();
        cores.servers.iter_mut().for_each(|(core, _)| drop(core.start(at)));
        cores.round(OperationKind::Create, clients, false)?;
        Ok(cores)
    }

    fn now(&self) -> Now {
        Now { monotonic: nanoseconds(self.began.elapsed()), wall: wall_ns() }
    }

    /// One operation of each of the first clients, all at once: a create of a new name, a stat of
    /// the last name, or a rename of the last name to a new one.
    pub fn round(
        &mut self,
        kind: OperationKind,
        clients: u32,
        is_durable: bool,
    ) -> Result<Effort, Failure> {
        let (options, placement) = (self.options, self.placement.clone());
        let rules = Rules { options: &options, placement: &placement };
        let (mut out, mut effort) = (Outbox::default(), Effort::default());
        let name = |client: u32, n: u32| {
            let name = Name::new(format!("file.{client}.{n}").as_bytes());
            Key::entry(ROOT, &name.expect("letters, digits and dots"))
        };
        let last = self.names;
        for (number, client) in (0..clients).zip(&mut self.clients) {
            let operation = match kind {
                OperationKind::Stat => Operation::Stat(name(number, last)),
                OperationKind::Rename => {
                    let (from, to) = (name(number, last), name(number, last + 1));
                    Operation::Rename(Box::new(TwoPaths { from, to }))
                }
                _ => Operation::Create(name(number, last + 1), Attributes::default()),
            };
            client.begin(operation, &rules, &mut out);
        }
        self.names += u32::from(kind != OperationKind::Stat);
        while !out.0.is_empty() {
            let mut inboxes: BTreeMap<u32, Vec<Message>> = BTreeMap::new();
            for (to, message) in std::mem::take(&mut out.0) {
                let mut frame = Vec::new();
                put_frame(&mut frame, &Body::Message(message.clone()));
                effort.messages += 1;
                effort.bytes += frame.len();
                match to {
                    Peer::Server(server) => inboxes.entry(server).or_default().push(message),
                    Peer::Client(client) => {
                        let client = &mut self.clients[client as usize];
                        client.handle_message(message, &rules, &mut out);
                    }
                }
            }
            for (server, messages) in inboxes {
                let (at, began) = (self.now(), now());
                let (core, disk) = &mut self.servers[server as usize];
                let effects = core.step(at, &messages);
                let stepped = began.elapsed();
                if !effects.changes.is_empty() {
                    disk.commit(&effects.changes, is_durable).map_err(failure)?
                }
                effort.stepped += stepped;
                effort.committed += began.elapsed() - stepped;
                effort.received += units::u32_of(messages.len());
                out.0.extend(effects.sends)
            }
        }
        Ok(effort)
    }
}
