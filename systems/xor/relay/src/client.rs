//! The client that reads and writes objects: sequential code over one transport.
mod admission;
mod blocks;
mod cluster;
mod connect;
mod filling;
mod findings;
mod get;
mod grow;
mod heal;
mod operator;
mod places;
mod put;
mod reader;
mod replace;
mod resolve;
mod status;
mod survey;
mod walk;
mod writer;
mod wrong_blocks;

pub use connect::connect;
pub use findings::Findings;
pub use get::{ReadReport, Sink};
pub use grow::{grow, look_before_growing};
pub use put::{Receipt, Strategy};
pub use replace::{ReplacementReport, look_before_replacing, replace};
pub use status::ClusterStatus;
pub use survey::{Availability, Foreign, FoundVersion, Survey, Unreadable, availability};
pub use walk::{Damage, RepairReport};

pub use crate::error::Error;
use crate::memory::Ring;
use crate::transport::{Connections, Event, Link, Transport};
use crate::wire::{Fault, Message, numbered, unnumbered};
use std::collections::BTreeSet;
use std::time::Duration;
use xor_protocol::Layout;

/// Why the client ignores a node that does not answer.
const SILENT: &str = "no answer";

#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// To establish a connection.
    pub connect: Duration,
    /// For any event while one is due.
    pub answer: Duration,
    /// For a node to make a version durable.
    pub sync: Duration,
    /// For memory on the nodes before a write.
    pub memory: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let seconds = Duration::from_secs;
        Patience {
            connect: seconds(3),
            answer: seconds(15),
            sync: seconds(600),
            memory: seconds(30),
        }
    }
}

/// Called with the bytes done and in all. `false` stops the operation.
pub type Watch<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

struct Peer {
    address: String,
    link: Option<Link>,
    why: String,
    /// The node is of another cluster or another place: the client's list is wrong.
    is_foreign: bool,
    /// The node does not know its cluster yet.
    has_no_cluster: bool,
    /// Other nodes have another address in its place.
    has_other_address: bool,
    versions: u64,
}

impl Peer {
    fn new(address: &str, link: Option<Link>) -> Peer {
        Peer {
            address: address.into(),
            link,
            why: SILENT.into(),
            is_foreign: false,
            has_no_cluster: false,
            has_other_address: false,
            versions: 0,
        }
    }
}

#[derive(Debug)]
enum NodeEvent {
    Message(u32, Message),
    Block { ring: Ring, slot: usize, length: usize, sum: u32 },
    Gone,
}

/// Why a request failed, and who caused it.
type RequestError = (Fault, String);

pub struct Client<T = Connections> {
    transport: T,
    layout: Layout,
    peers: Vec<Peer>,
    patience: Patience,
    /// Number of the last request.
    requests: u32,
    /// 0 before its nodes know it.
    cluster: u128,
    epoch: u32,
    /// Lower bound of the nodes that its objects were written for.
    least: u8,
    /// The list of nodes as the nodes know it.
    known_list: Vec<String>,
    /// Addresses of former nodes.
    former_list: Vec<String>,
    /// Nodes of the cluster are in each other's places: the client changes nothing by this list.
    is_disordered: bool,
    is_identified: bool,
    has_entered: bool,
    /// Nodes that this client fills, as their disks are lost. A missing object there is no evidence
    /// that it is gone.
    fills: BTreeSet<usize>,
    /// Nodes of `fills` that have received copies.
    copies: BTreeSet<usize>,
    /// A repair continues although it will discard objects that too few nodes have.
    accepts_loss: bool,
    /// Rewritten records that nodes could not read: object and node.
    restored: Vec<(String, usize)>,
    /// A put fails if the name has a version.
    replaces_nothing: bool,
}

impl<T: Transport> Client<T> {
    /// Connects to all nodes, in the layout's order. Missing nodes are no error yet.
    pub fn connect(
        transport: T,
        layout: Layout,
        addresses: &[String],
        patience: Patience,
    ) -> Result<Client<T>, Error> {
        if addresses.len() != layout.nodes() {
            let (given, needed) = (addresses.len(), layout.nodes());
            return Err(Error::BadInput(format!("{given} addresses for {needed} nodes")));
        }
        let mut client = Client {
            transport,
            layout,
            peers: Vec::new(),
            patience,
            requests: 0,
            cluster: 0,
            epoch: 0,
            least: addresses.len() as u8,
            known_list: Vec::new(),
            former_list: Vec::new(),
            is_disordered: false,
            is_identified: false,
            has_entered: false,
            fills: BTreeSet::new(),
            copies: BTreeSet::new(),
            accepts_loss: false,
            restored: Vec::new(),
            replaces_nothing: false,
        };
        for (node, address) in addresses.iter().enumerate() {
            let link = client.transport.connect(address, node);
            client.peers.push(Peer::new(address, Some(link)))
        }
        let until = client.transport.now() + client.patience.connect;
        let open = client.peers.iter().filter_map(|p| p.link).collect();
        client.wait_until_connected(open, until);
        Ok(client)
    }

    /// Waits for these connections and gives up those that are not established in time.
    fn wait_until_connected(&mut self, mut open: Vec<Link>, until: Duration) {
        while !open.is_empty() && self.transport.now() < until {
            let left = until.saturating_sub(self.transport.now());
            match self.transport.poll(left) {
                Some(Event::Up(up)) => open.retain(|link| *link != up),
                Some(Event::Down { link, why }) => {
                    open.retain(|l| *l != link);
                    self.lose(link, why);
                }
                _ => {}
            }
        }
        for link in open {
            self.transport.close(link);
            self.lose(link, SILENT.into());
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn address(&self, node: usize) -> &str {
        &self.peers[node].address
    }

    /// Nodes without a connection, with the reason: no answer, or another cluster.
    pub fn missing(&self) -> Vec<(usize, String)> {
        let gone = self.peers.iter().enumerate().filter(|(_, p)| p.link.is_none());
        gone.map(|(node, p)| (node, format!("{}: {}", self.named(node), p.why))).collect()
    }

    /// [`Client::missing`] as one text; empty if no node is missing.
    fn why_missing(&self) -> String {
        let all: Vec<String> = self.missing().into_iter().map(|(_, why)| why).collect();
        all.join("; ")
    }

    pub fn named(&self, node: usize) -> String {
        format!("node {node} ({})", self.peers[node].address)
    }

    fn is_up(&self, node: usize) -> bool {
        self.peers[node].link.is_some()
    }

    fn all_up(&self) -> Vec<usize> {
        (0..self.peers.len()).filter(|&node| self.is_up(node)).collect()
    }

    fn lose(&mut self, link: Link, why: String) -> Option<usize> {
        let node = self.peers.iter().position(|p| p.link == Some(link))?;
        self.peers[node].link = None;
        self.peers[node].why = why;
        Some(node)
    }

    /// Closes the connection to a node.
    fn give_up(&mut self, node: usize, why: &str) {
        if let Some(link) = self.peers[node].link {
            self.transport.close(link);
            self.lose(link, why.into());
        }
    }

    /// Sends a request; returns its number.
    fn send(&mut self, node: usize, message: &Message) -> u32 {
        self.requests = self.requests.wrapping_add(1).max(1);
        if let Some(link) = self.peers[node].link {
            self.transport.send(link, numbered(self.requests, message))
        }
        self.requests
    }

    /// The next message, block or loss of a node. `None` after `wait` without any.
    fn next(&mut self, wait: Duration) -> Option<(usize, NodeEvent)> {
        let until = self.transport.now() + wait;
        loop {
            let left = until.saturating_sub(self.transport.now());
            let event = self.transport.poll(left);
            let of = |link: Link| self.peers.iter().position(|p| p.link == Some(link));
            match event {
                None if self.transport.now() >= until => return None,
                Some(Event::Message { link, bytes }) => {
                    let Some(node) = of(link) else { continue };
                    match unnumbered(&bytes) {
                        Some((number, message)) => {
                            return Some((node, NodeEvent::Message(number, message)));
                        }
                        None => {
                            self.give_up(node, "sent an invalid message");
                            return Some((node, NodeEvent::Gone));
                        }
                    }
                }
                Some(Event::Arrived { link, ring, slot, length, imm }) => {
                    let Some(node) = of(link) else { continue };
                    let slot = slot as usize;
                    return Some((node, NodeEvent::Block { ring, slot, length, sum: imm }));
                }
                Some(Event::Down { link, why }) => {
                    if let Some(node) = self.lose(link, why) {
                        return Some((node, NodeEvent::Gone));
                    }
                }
                _ => {}
            }
        }
    }

    /// Queries nodes and returns one answer each, or the reason why none came. A silent node is
    /// given up when `wait` is over. If `wait` is longer than [`Patience::answer`], it is given up
    /// earlier if it does not answer [`Message::GetMembership`] either.
    fn query(
        &mut self,
        requests: Vec<(usize, Message)>,
        wait: Duration,
    ) -> Vec<(usize, Result<Message, String>)> {
        let answers = self.query_with_fault(requests, wait).into_iter();
        answers.map(|(node, answer)| (node, answer.map_err(|(_, why)| why))).collect()
    }

    fn query_each(
        &mut self,
        nodes: Vec<usize>,
        message: &Message,
        wait: Duration,
    ) -> Vec<(usize, Result<Message, String>)> {
        self.query(nodes.into_iter().map(|node| (node, message.clone())).collect(), wait)
    }

    fn query_one(&mut self, node: usize, message: Message) -> Result<Message, String> {
        let answers = self.query(vec![(node, message)], self.patience.answer);
        answers.into_iter().next().expect("each that is asked has an answer, or why not").1
    }

    /// Like `query`, with the cause of each failure.
    fn query_with_fault(
        &mut self,
        requests: Vec<(usize, Message)>,
        wait: Duration,
    ) -> Vec<(usize, Result<Message, RequestError>)> {
        let mut answers: Vec<(usize, Result<Message, RequestError>)> = Vec::new();
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (node, message) in requests {
            match self.is_up(node) {
                true => open.push((node, self.send(node, &message))),
                false => answers.push((node, Err((Fault::Own, self.peers[node].why.clone())))),
            }
        }
        let step = wait.min(self.patience.answer);
        let mut waited = Duration::ZERO;
        let mut probed = BTreeSet::new();
        while let Some(&(first, _)) = open.first() {
            let (node, event) = match self.next(step) {
                Some(event) => event,
                None => {
                    waited += step;
                    let nodes = open.iter().map(|(node, _)| *node).collect::<Vec<_>>();
                    let gone = nodes.iter().find(|node| probed.contains(*node)).copied();
                    match gone.or_else(|| (waited >= wait).then_some(first)) {
                        Some(node) => {
                            self.give_up(node, SILENT);
                            (node, NodeEvent::Gone)
                        }
                        None => {
                            for node in nodes {
                                self.send(node, &Message::GetMembership {});
                                probed.insert(node);
                            }
                            continue;
                        }
                    }
                }
            };
            probed.remove(&node);
            let Some(at) = open.iter().position(|(n, _)| *n == node) else { continue };
            let answer = match event {
                NodeEvent::Gone => Err((Fault::Own, self.peers[node].why.clone())),
                // A session may fail at any time; then the number is 0.
                NodeEvent::Message(number, Message::Failed { fault, why })
                    if number == open[at].1 || number == 0 =>
                {
                    Err((fault, why))
                }
                NodeEvent::Message(number, message) if number == open[at].1 => Ok(message),
                // Of a request that was given up or a session that has ended.
                NodeEvent::Message(..) | NodeEvent::Block { .. } => continue,
            };
            open.remove(at);
            answers.push((node, answer))
        }
        answers.sort_by_key(|(node, _)| *node);
        answers
    }

    fn query_all(
        &mut self,
        nodes: &[usize],
        what: &str,
        message: &Message,
        expected: &Message,
    ) -> Result<(), Error> {
        for (node, answer) in self.query_each(nodes.to_vec(), message, self.patience.answer) {
            match answer {
                Ok(answer) if answer == *expected => {}
                Ok(_) => return Err(self.failed_at(node, what, "unexpected answer")),
                Err(why) => return Err(self.failed_at(node, what, &why)),
            }
        }
        Ok(())
    }

    fn failed_at(&self, node: usize, what: &str, why: &str) -> Error {
        Error::Failed(format!("{what}: {}: {why}", self.named(node)))
    }
}

fn random() -> Result<u128, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| Error::Failed(format!("no random numbers: {e}")))?;
    Ok(u128::from_le_bytes(bytes))
}
