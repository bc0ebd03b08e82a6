//! A write session on several nodes: credits, and blocks from any of the client's rings.
use super::{Client, Error, NodeEvent, random};
use crate::digest::Expected;
use crate::memory::Ring;
use crate::transport::{Transport, Write};
use crate::wire::{Entry, Fault, Message, Mode, imm, kinds};
use std::time::Duration;
use xor_protocol::Layout;
use xor_protocol::node_plan::RingSlots;
use xor_protocol::object::Shape;
use xor_protocol::schedule::Kind;
use xor_protocol::window::Window;

/// Data in transit, about \[bytes\].
const IN_FLIGHT: u64 = 3 << 20;
/// Largest ring of a node for one session \[bytes\].
const MOST_RING: u64 = 64 << 20;

/// Time for a node that another one misses to report the cause itself.
const ROOT_CAUSE: Duration = Duration::from_millis(300);

pub(super) struct Job {
    pub mode: Mode,
    pub entry: Entry,
    /// Bits as in [`Message::Begin`].
    pub schedules: u8,
    pub nodes: Vec<usize>,
    pub stripes: Vec<u64>,
}

pub(super) struct Writer {
    pub(super) shape: Shape,
    pub(super) window: Window,
    pub(super) size: u64,
    /// Clients that write to the same nodes, as these report.
    pub(super) writers: usize,
    pub(super) expected: Expected,
    nodes: Vec<usize>,
    rings: Vec<u32>,
    ring_slots: Vec<RingSlots>,
}

/// Stripes in the rings: enough to fill the links, within [`MOST_RING`].
fn window(layout: &Layout, shape: &Shape, ring_slots: &[RingSlots]) -> Result<u64, Error> {
    let stripe = layout.data() as u64 * shape.block();
    let slots = ring_slots.iter().map(|r| r.blocks_in + r.scratch).max().unwrap_or(1) as u64;
    let most = MOST_RING / (slots * shape.block());
    if most < 2 {
        let fits = MOST_RING / (2 * slots) / 64 * 64;
        let (nodes, block) = (layout.nodes(), shape.block());
        return Err(Error::BadInput(format!(
            "blocks of {block} bytes are too large for {nodes} nodes: at most {fits}"
        )));
    }
    Ok((IN_FLIGHT / stripe).clamp(4, 128).min(most))
}

impl<T: Transport> Client<T> {
    /// Begins a session on all nodes of the job. Waits for memory on them while `watch` returns
    /// true.
    pub(super) fn open_writer(
        &mut self,
        job: &Job,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Writer, Error> {
        let (layout, shape) = job.entry.geometry().map_err(Error::BadInput)?;
        let ring_slots = RingSlots::of_all(&layout, &kinds(job.schedules, layout.nodes()));
        let size = window(&layout, &shape, &ring_slots)?;
        let secret = random()?;
        let begin = |node: usize| {
            let entry = Entry { index: node as u8, ..job.entry.clone() };
            let (mode, schedules, stripes) = (job.mode, job.schedules, job.stripes.clone());
            Message::Begin { mode, entry, schedules, window: size as u16, secret, stripes }
        };
        let rings = self.begin_on(&job.nodes, layout.nodes(), &begin, watch)?;
        // With naive stripes only, nodes do not send to each other.
        let nodes = match job.schedules & !1 {
            0 => Vec::new(),
            _ => self.peers.iter().zip(&rings).map(|(p, r)| (p.address.clone(), *r)).collect(),
        };
        let peers = Message::Peers { nodes };
        self.query_all(&job.nodes, "cannot begin", &peers, &Message::Ready {})?;
        Ok(Writer {
            shape,
            window: Window::new(job.nodes.len(), size),
            size,
            writers: 1,
            expected: Expected::new(layout.nodes()),
            nodes: job.nodes.clone(),
            rings,
            ring_slots,
        })
    }

    /// Sends a block of a stripe. The slot must not change until the stripe is done.
    pub(super) fn write_block(
        &mut self,
        writer: &Writer,
        (at, kind): (u64, Kind),
        (to, block): (usize, usize),
        from: (Ring, usize),
        length: usize,
    ) {
        let Some(link) = self.peers[to].link else { return };
        let slot = (at % writer.size) as usize * writer.ring_slots[to].blocks_in + block;
        let (ring, slot, imm) = (writer.rings[to], slot as u32, imm(kind, at));
        self.transport.write_imm(link, Write { from, length, ring, slot, imm, token: at })
    }

    /// Handles a message or loss of a node.
    pub(super) fn handle_writer_event(
        &mut self,
        writer: &mut Writer,
        node: usize,
        event: &NodeEvent,
    ) -> Result<(), Error> {
        let what = "cannot write";
        match event {
            NodeEvent::Message(_, Message::Done { upto, writers }) => {
                writer.writers = usize::from(*writers).max(1);
                let Some(at) = writer.nodes.iter().position(|n| *n == node) else { return Ok(()) };
                let done = writer.window.ack(at, *upto);
                done.map_err(|e| self.failed_at(node, what, &e.to_string()))
            }
            NodeEvent::Message(_, Message::Failed { fault: Fault::Other, why }) => {
                let (node, why) = self.root_cause().unwrap_or((node, why.clone()));
                Err(self.failed_at(node, what, &why))
            }
            NodeEvent::Message(_, Message::Failed { why, .. }) => {
                Err(self.failed_at(node, what, why))
            }
            NodeEvent::Gone if writer.nodes.contains(&node) => {
                Err(self.failed_at(node, what, &self.peers[node].why))
            }
            _ => Ok(()),
        }
    }

    /// After a node reports another one gone: the cause that the other one reports, if any.
    fn root_cause(&mut self) -> Option<(usize, String)> {
        for _ in 0..2 * self.layout.nodes() {
            match self.next(ROOT_CAUSE)? {
                (node, NodeEvent::Message(_, Message::Failed { fault, why }))
                    if fault != Fault::Other =>
                {
                    return Some((node, why));
                }
                (node, NodeEvent::Gone) => return Some((node, self.peers[node].why.clone())),
                _ => {}
            }
        }
        None
    }

    /// Makes the version durable on all nodes and compares their digests with the expected ones.
    pub(super) fn prepare(&mut self, writer: &Writer, sha256: [u8; 32]) -> Result<(), Error> {
        let prepare = Message::Prepare { sha256 };
        let what = "cannot be made durable";
        for (node, answer) in self.query_each(writer.nodes.clone(), &prepare, self.patience.sync) {
            match answer {
                Ok(Message::Prepared { digest }) if digest == writer.expected.of(node) => {}
                Ok(_) => {
                    let why = "the stored data differs from the data sent: the connection or the \
                               disk corrupts data";
                    return Err(self.failed_at(node, what, why));
                }
                Err(why) => return Err(self.failed_at(node, what, &why)),
            }
        }
        Ok(())
    }

    /// Makes the version visible on all nodes, then drops older ones.
    pub(super) fn commit(&mut self, writer: &Writer) -> Result<(), Error> {
        let what = "may not be visible";
        self.query_all(&writer.nodes, what, &Message::Commit {}, &Message::Committed {})?;
        // The next write or scrub drops what this cannot.
        self.query_each(writer.nodes.clone(), &Message::Finish {}, self.patience.answer);
        Ok(())
    }

    /// Ends sessions; what is not durable is discarded.
    pub(super) fn abort(&mut self, nodes: Vec<usize>) {
        self.query_each(nodes, &Message::Abort {}, self.patience.answer);
    }
}
