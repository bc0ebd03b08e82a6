//! A write session on a node: receives blocks in its ring, stores and forwards them.
use super::refusal::{Refusal, busy, refuse};
use super::writes::{Ended, Writes};
use crate::digest::mix;
use crate::disk::{Done, PinnedBlock};
use crate::memory::Ring;
use crate::store::{Staged, Store};
use crate::transport::{Link, Transport, Write};
use crate::wire::{Entry, Message, Mode, imm, kinds, numbered, of_imm};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use xor_protocol::Layout;
use xor_protocol::commit::Version;
use xor_protocol::node_plan::{NodePlan, Progress, RingSlots, StepKind};
use xor_protocol::object::Shape;
use xor_protocol::schedule::Kind;
use xor_protocol::window::Tails;

/// Stripes in a ring.
const MOST_WINDOW: u16 = 1024;
pub(super) struct Parts<'a, T> {
    pub(super) transport: &'a mut T,
    pub(super) store: &'a mut Store,
    pub(super) writes: &'a Arc<Writes>,
    /// Clients that are writing.
    pub(super) writers: u16,
}

/// Makes a version durable; may run on any thread.
pub(super) type Work = Box<dyn FnOnce() -> io::Result<()> + Send>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Writing,
    Preparing,
    Prepared,
    Committed,
}

struct Peer {
    link: Link,
    ring: Ring,
    has_joined: bool,
}

enum Sink {
    Staged(Staged),
    /// Stored nowhere: only the digest is computed.
    Measured(u64),
    Done,
}

impl Sink {
    fn open(
        store: &mut Store,
        mode: Mode,
        entry: &Entry,
        shape: Shape,
        rows: usize,
    ) -> io::Result<Sink> {
        match mode {
            Mode::Put | Mode::Rebuild => store.stage(entry, shape, rows).map(Sink::Staged),
            Mode::Patch => store.patch(entry, shape, rows).map(Sink::Staged),
            Mode::Measure => Ok(Sink::Measured(0)),
        }
    }
}

pub(super) struct Session {
    client: Link,
    mode: Mode,
    pub(super) entry: Entry,
    layout: Layout,
    shape: Shape,
    /// The stripes of a patch.
    stripes: Vec<u64>,
    secret: u128,
    plans: BTreeMap<Kind, NodePlan>,
    ring_slots: Vec<RingSlots>,
    ring: Ring,
    window: u64,
    tails: Tails,
    active: BTreeMap<u64, (Kind, Progress)>,
    peers: BTreeMap<usize, Peer>,
    sink: Sink,
    digest: u64,
    acked: u64,
    phase: Phase,
    /// Number of a request that is answered later.
    pub(super) asked: u32,
}

impl Session {
    /// Checks the request and takes memory and files for it. `taken` bytes of `memory` are in use.
    pub(super) fn begin<T: Transport>(
        parts: &mut Parts<'_, T>,
        (memory, taken): (usize, usize),
        client: Link,
        asked: &Message,
    ) -> Result<Session, Refusal> {
        let Message::Begin { mode, entry, schedules, window, secret, stripes } = asked else {
            return refuse("no begin message");
        };
        let (layout, shape) = entry.geometry().or_else(refuse)?;
        let me = usize::from(entry.index);
        let kinds = kinds(*schedules, layout.nodes());
        if me >= layout.nodes() || kinds.is_empty() || !(1..=MOST_WINDOW).contains(window) {
            return refuse("an invalid node, schedule or window");
        }
        if stripes.iter().any(|s| *s >= shape.stripes()) {
            return refuse("the object has no such stripe");
        }
        let plans: BTreeMap<Kind, NodePlan> =
            kinds.iter().map(|kind| (*kind, NodePlan::of(&kind.schedule(&layout), me))).collect();
        let ring_slots = RingSlots::of_all(&layout, &kinds);
        let slots = usize::from(*window) * (ring_slots[me].blocks_in + ring_slots[me].scratch);
        let bytes = slots.saturating_mul(entry.block as usize);
        if bytes > memory {
            let why =
                format!("a ring of {bytes} bytes exceeds the node's memory for rings ({memory})");
            return refuse(why + ": use smaller blocks");
        }
        if bytes > memory.saturating_sub(taken) {
            let why = format!("{taken} of {memory} bytes of rings are taken");
            return busy(format!("{why}, and this write takes {bytes}"));
        }
        let ring = parts.transport.register(slots, entry.block as usize)?;
        let sink = Sink::open(parts.store, *mode, entry, shape, layout.rows());
        let sink = sink.inspect_err(|_| parts.transport.release(ring))?;
        let tails = Tails::new(1 + layout.nodes(), u64::from(*window));
        Ok(Session {
            client,
            mode: *mode,
            entry: entry.clone(),
            shape,
            stripes: stripes.clone(),
            secret: *secret,
            plans,
            ring,
            window: u64::from(*window),
            tails,
            active: BTreeMap::new(),
            peers: BTreeMap::new(),
            sink,
            digest: 0,
            acked: 0,
            phase: Phase::Writing,
            asked: 0,
            ring_slots,
            layout,
        })
    }

    /// All blocks have arrived and left: other nodes are not needed any more.
    pub(super) fn is_written(&self) -> bool {
        self.tails.low() == self.total()
    }

    /// The ring, and the number of its slots that others may write into.
    pub(super) fn ring(&self) -> (Ring, usize) {
        let slots = self.ring_slots[usize::from(self.entry.index)].blocks_in * self.window as usize;
        (self.ring, slots)
    }

    pub(super) fn secret(&self) -> u128 {
        self.secret
    }

    pub(super) fn is_writer(&self) -> bool {
        matches!(self.mode, Mode::Put | Mode::Measure)
    }

    /// The session would restore what a removal up to `upto` takes: that version, or its content
    /// for another layout.
    pub(super) fn brings_back(&self, name: &str, upto: Version) -> bool {
        let of_it = match self.mode {
            Mode::Put => self.entry.version.generation == upto.generation,
            Mode::Rebuild => self.entry.version <= upto,
            Mode::Patch | Mode::Measure => false,
        };
        self.entry.name == name && of_it
    }

    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    pub(super) fn nodes(&self) -> usize {
        self.layout.nodes()
    }

    pub(super) fn add_peer(&mut self, node: usize, link: Link, ring: Ring) {
        self.peers.insert(node, Peer { link, ring, has_joined: false });
    }

    /// Sent when the link to another node is established.
    pub(super) fn join(&self) -> Message {
        Message::Join { secret: self.secret, index: self.entry.index }
    }

    /// A peer is ready. Returns whether all are.
    pub(super) fn peer_joined(&mut self, node: usize) -> bool {
        if let Some(peer) = self.peers.get_mut(&node) {
            peer.has_joined = true
        }
        self.peers.values().all(|p| p.has_joined)
    }

    fn total(&self) -> u64 {
        match self.mode {
            Mode::Patch => self.stripes.len() as u64,
            _ => self.shape.stripes(),
        }
    }

    /// The object's stripe with number `at` in this session.
    fn stripe(&self, at: u64) -> u64 {
        self.stripes.get(at as usize).copied().unwrap_or(at)
    }

    /// A block has arrived in the ring: performs all steps that it enables.
    pub(super) fn arrived<T: Transport>(
        &mut self,
        parts: &mut Parts<'_, T>,
        ring: Ring,
        slot: usize,
        length: usize,
        imm: u32,
    ) -> Result<(), Refusal> {
        let me = usize::from(self.entry.index);
        let blocks_in = self.ring_slots[me].blocks_in;
        let (place, block) = (slot / blocks_in, slot % blocks_in);
        let Some((kind, at)) = of_imm(imm, self.layout.nodes(), self.tails.low()) else {
            return refuse("a block of an unknown schedule");
        };
        let fits = at < self.total()
            && place as u64 == at % self.window
            && self.shape.block_of(self.stripe(at)) == length as u64;
        if ring != self.ring || !fits || self.phase != Phase::Writing {
            return refuse(format!("block {block} of stripe {at} does not belong to this node"));
        }
        self.tails.admit(at).or_else(|e| refuse(e.to_string()))?;
        let mut ready = Vec::new();
        self.progress(at, kind, block, &mut ready)?;
        for step in ready {
            self.perform(parts, at, kind, step, length)?
        }
        self.acknowledge(parts);
        Ok(())
    }

    fn progress(
        &mut self,
        at: u64,
        kind: Kind,
        block: usize,
        ready: &mut Vec<usize>,
    ) -> Result<(), Refusal> {
        let Some(plan) = self.plans.get(&kind) else {
            return refuse("a block of a schedule that was not announced");
        };
        let nodes = self.layout.nodes();
        let (begun, progress) = self.active.entry(at).or_insert_with(|| {
            let consumers = std::iter::once(None).chain((0..nodes).map(Some));
            self.tails.begin(at, consumers.map(|consumer| plan.uses(consumer)));
            (kind, Progress::new(plan))
        });
        if *begun != kind {
            return refuse(format!("stripe {at} uses two schedules"));
        }
        progress.arrive(plan, block, ready).or_else(|e| refuse(e.to_string()))
    }

    /// Stores or forwards a complete block; first computes a sum.
    fn perform<T: Transport>(
        &mut self,
        parts: &mut Parts<'_, T>,
        at: u64,
        kind: Kind,
        step: usize,
        length: usize,
    ) -> Result<(), Refusal> {
        let step = &self.plans[&kind].steps()[step];
        let slots = self.ring_slots[usize::from(self.entry.index)];
        let place = (at % self.window) as usize;
        let sources: Vec<usize> = step.from.iter().map(|b| place * slots.blocks_in + b).collect();
        let from = match step.scratch {
            None => sources[0],
            Some(scratch) => {
                let sums = self.window as usize * slots.blocks_in;
                let target = sums + place * slots.scratch + scratch;
                parts.transport.memory(self.ring).xor(target, &sources, length);
                target
            }
        };
        match step.kind {
            StepKind::Keep { row } => {
                // SAFETY: the slot is used again when the stripe is done, so after this write; and
                // `end` waits for writes before it gives the ring back.
                let block =
                    unsafe { PinnedBlock::of(parts.transport.memory(self.ring).get(from, length)) };
                let stripe = self.stripe(at);
                let (writes, session) = (parts.writes.clone(), self.client);
                let id = self.entry.version.id;
                let done = move |result| writes.end(Ended { session, id, at, result });
                if store(&mut self.sink, stripe, row, block, Box::new(done))?.is_some() {
                    self.tails.complete_step(0, at)
                }
            }
            StepKind::Forward { to, block } => {
                let Some(peer) = self.peers.get(&to) else {
                    return refuse(format!("the address of node {to} is unknown"));
                };
                let slot = (place * self.ring_slots[to].blocks_in + block) as u32;
                let (ring, imm) = (peer.ring, imm(kind, at));
                let write = Write { from: (self.ring, from), length, ring, slot, imm, token: at };
                parts.transport.write_imm(peer.link, write);
            }
        }
        Ok(())
    }

    pub(super) fn written<T: Transport>(
        &mut self,
        parts: &mut Parts<'_, T>,
        at: u64,
        result: io::Result<()>,
    ) -> Result<(), Refusal> {
        result?;
        self.tails.complete_step(0, at);
        self.acknowledge(parts);
        Ok(())
    }

    pub(super) fn sent<T: Transport>(&mut self, parts: &mut Parts<'_, T>, to: usize, at: u64) {
        self.tails.complete_step(1 + to, at);
        self.acknowledge(parts)
    }

    /// Reports the lowest tail to the client, at most four times a window.
    fn acknowledge<T: Transport>(&mut self, parts: &mut Parts<'_, T>) {
        let low = self.tails.low();
        let step = (self.window / 4).max(1);
        if low >= self.acked + step || low == self.total() && low > self.acked {
            self.acked = low;
            self.active = self.active.split_off(&low);
            let done = Message::Done { upto: low, writers: parts.writers };
            parts.transport.send(self.client, numbered(0, &done))
        }
    }

    /// All blocks are written: returns the work that makes them durable, or `None` if nothing is
    /// stored.
    pub(super) fn prepare<T: Transport>(
        &mut self,
        parts: &mut Parts<'_, T>,
        sha256: [u8; 32],
    ) -> Result<Option<Work>, Refusal> {
        if self.phase != Phase::Writing || self.tails.low() != self.total() {
            return refuse("the write is incomplete");
        }
        self.phase = Phase::Preparing;
        self.entry.sha256 = sha256;
        match std::mem::replace(&mut self.sink, Sink::Done) {
            Sink::Staged(staged)
                if staged.written() == self.total() * self.layout.rows() as u64 =>
            {
                self.digest = staged.digest();
                if self.mode == Mode::Patch {
                    return Ok(Some(Box::new(move || staged.sync())));
                }
                let work = parts.store.preparation(&self.entry);
                Ok(Some(Box::new(move || work(&staged))))
            }
            Sink::Measured(digest) => {
                self.digest = digest;
                self.phase = Phase::Prepared;
                Ok(None)
            }
            _ => refuse("the write is incomplete"),
        }
    }

    pub(super) fn prepared<T: Transport>(&mut self, parts: &mut Parts<'_, T>) {
        self.phase = Phase::Prepared;
        if matches!(self.mode, Mode::Put | Mode::Rebuild) {
            parts.store.prepared(self.entry.clone())
        }
    }

    pub(super) fn commit<T: Transport>(&mut self, parts: &mut Parts<'_, T>) -> Result<(), Refusal> {
        if self.phase != Phase::Prepared {
            return refuse("no prepared version");
        }
        if matches!(self.mode, Mode::Put | Mode::Rebuild) {
            parts.store.commit(self.entry.version.id)?
        }
        self.phase = Phase::Committed;
        Ok(())
    }

    pub(super) fn end<T: Transport>(self, transport: &mut T, store: &mut Store) {
        if let Sink::Staged(staged) = &self.sink {
            staged.wait()
        }
        transport.release(self.ring);
        if !matches!(self.mode, Mode::Put | Mode::Rebuild) {
            return;
        }
        let id = self.entry.version.id;
        match self.phase {
            // `Node::synced` then finds no session.
            Phase::Preparing => {}
            Phase::Writing => drop(store.unstage(id)),
            Phase::Prepared | Phase::Committed => store.unattended(id),
        }
    }
}

/// Returns `done` if the block is stored already.
fn store(
    sink: &mut Sink,
    stripe: u64,
    row: usize,
    block: PinnedBlock,
    done: Done,
) -> Result<Option<Done>, Refusal> {
    match sink {
        Sink::Staged(staged) => Ok(staged.write(stripe, row, block, done)?),
        Sink::Measured(digest) => {
            *digest = digest.wrapping_add(mix(stripe, row, crc32c::crc32c(block.bytes())));
            Ok(Some(done))
        }
        Sink::Done => refuse("a block after the last one"),
    }
}
