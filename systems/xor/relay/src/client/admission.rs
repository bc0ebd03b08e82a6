//! Waiting for memory on the nodes, without deadlock.
//!
//! A write begins on all its nodes at once. If one is full, the client releases all and then begins
//! node by node, in the list's order; a full node queues it. A waiting client holds rings only on
//! earlier nodes. So one of the waiting clients waits for none of the others.
use super::put::LOOK;
use super::{Client, Error, NodeEvent};
use crate::transport::Transport;
use crate::wire::{Fault, Message, NodeStatus};
use std::time::Duration;

const WHAT: &str = "cannot begin";

impl<T: Transport> Client<T> {
    /// Sets how long a write waits for memory on the nodes; the default is 30 s.
    pub fn wait_for_memory(&mut self, wait: Duration) {
        self.patience.memory = wait
    }

    /// Waits for nodes that do not answer or are being filled, such as restarting ones. It does not
    /// wait if more nodes are away than may be lost, nor for nodes of another cluster.
    ///
    /// # Errors
    /// The list is not a cluster's, or `watch` stops.
    pub fn wait_for_nodes(
        &mut self,
        wait: Duration,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let until = self.transport.now() + wait;
        loop {
            self.identify()?;
            let is_away = |node: &usize| !self.is_up(*node);
            let away: Vec<usize> = (0..self.peers.len()).filter(is_away).collect();
            let is_hopeless = away.iter().any(|&node| self.peers[node].is_foreign)
                || away.len() > self.layout.losses();
            if away.is_empty() || is_hopeless || self.transport.now() >= until {
                return Ok(());
            }
            self.next(LOOK);
            if !watch() {
                return Err(Error::Stopped);
            }
            self.connect_again(&away, until)
        }
    }

    fn connect_again(&mut self, nodes: &[usize], until: Duration) {
        let mut links = Vec::new();
        for &node in nodes {
            let link = self.transport.connect(&self.peers[node].address, node);
            self.peers[node].link = Some(link);
            links.push(link)
        }
        let most = self.transport.now() + self.patience.connect;
        self.wait_until_connected(links, most.min(until.max(self.transport.now() + LOOK)));
        (self.is_identified, self.has_entered) = (false, false)
    }

    /// Begins a session on `nodes`. Returns their rings, indexed by node from 0 to `all` − 1.
    pub(super) fn begin_on(
        &mut self,
        nodes: &[usize],
        all: usize,
        begin: &dyn Fn(usize) -> Message,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<u32>, Error> {
        let requests = nodes.iter().map(|&node| (node, begin(node))).collect();
        let (mut rings, mut is_busy) = (vec![0; all], false);
        for (node, answer) in self.query_with_fault(requests, self.patience.answer) {
            match answer {
                Ok(Message::SessionOpened { ring }) => rings[node] = ring,
                Ok(_) => return Err(self.failed_at(node, WHAT, "unexpected answer")),
                Err((Fault::Busy, _)) if !self.patience.memory.is_zero() => is_busy = true,
                Err((_, why)) => return Err(self.failed_at(node, WHAT, &why)),
            }
        }
        if !is_busy {
            return Ok(rings);
        }
        self.abort(nodes.to_vec());
        let mut in_order = nodes.to_vec();
        in_order.sort();
        let until = self.transport.now() + self.patience.memory;
        for node in in_order {
            self.send(node, &Message::Wait {});
            let number = self.send(node, &begin(node));
            rings[node] = self.wait_for_turn((node, number), nodes, until, &mut *watch)?
        }
        Ok(rings)
    }

    /// Waits until a node has memory. A failure of any of the session's nodes ends the wait.
    fn wait_for_turn(
        &mut self,
        (node, asked): (usize, u32),
        nodes: &[usize],
        until: Duration,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<u32, Error> {
        loop {
            let left = until.saturating_sub(self.transport.now());
            if left.is_zero() {
                return Err(self.no_memory(node));
            }
            match self.next(left.min(LOOK)) {
                Some((from, NodeEvent::Message(number, Message::SessionOpened { ring })))
                    if (from, number) == (node, asked) =>
                {
                    return Ok(ring);
                }
                Some((from, NodeEvent::Message(number, Message::Failed { why, .. })))
                    if nodes.contains(&from) && (number == asked || number == 0) =>
                {
                    return Err(self.failed_at(from, WHAT, &why));
                }
                Some((from, NodeEvent::Gone)) if nodes.contains(&from) => {
                    return Err(self.failed_at(from, WHAT, &self.peers[from].why));
                }
                _ if !watch() => return Err(Error::Stopped),
                _ => {}
            }
        }
    }

    fn no_memory(&mut self, node: usize) -> Error {
        let full = match self.query_one(node, Message::GetStatus {}) {
            Ok(Message::Status { status }) => format!(": {}", taken(&status)),
            _ => String::new(),
        };
        let why = format!(
            "no memory for this write for {} s{full}: use smaller blocks (--block), or wait longer \
             (--wait)",
            self.patience.memory.as_secs()
        );
        self.failed_at(node, WHAT, &why)
    }
}

fn taken(status: &NodeStatus) -> String {
    let NodeStatus { rings, most_rings, writers, most_writers, readers, waiting, .. } = status;
    let (rings, most_rings) = (rings.div_ceil(1 << 20), most_rings >> 20);
    format!(
        "{rings} of {most_rings} MiB of rings are taken, by {writers} of at most {most_writers} \
         writers and {readers} readers; {waiting} writers wait"
    )
}
