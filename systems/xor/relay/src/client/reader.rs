//! Reads stripes from the available nodes, several at a time, and returns them in order.
use super::blocks::Blocks;
use super::{Client, Error, NodeEvent, SILENT};
use crate::memory::Ring;
use crate::transport::Transport;
use crate::wire::{Entry, Message};
use std::collections::{BTreeMap, VecDeque};
use xor_protocol::object::Shape;
use xor_protocol::plan::{self, Plan};
use xor_protocol::{Cell, Layout};

/// Requested data, about \[bytes\].
const IN_FLIGHT: u64 = 8 << 20;

pub(super) struct Want {
    /// In order; `None`: all.
    pub stripes: Option<Vec<u64>>,
    /// Cells wanted of each stripe.
    pub cells: Vec<Cell>,
    /// Nodes not to use.
    pub without: Vec<usize>,
    /// Known bad blocks, by stripe.
    pub bad: Blocks,
}

struct Coming {
    stripe: u64,
    bad: Vec<Cell>,
    plan: Plan,
    asked: Vec<bool>,
    have: Vec<bool>,
    is_done: bool,
}

impl Coming {
    /// Some requested cells have not arrived: their slots are in use.
    fn is_waiting(&self) -> bool {
        self.asked.iter().zip(&self.have).any(|(asked, have)| *asked && !have)
    }
}

pub(super) struct Reader {
    pub(super) layout: Layout,
    pub(super) shape: Shape,
    pub(super) ring: Ring,
    id: u128,
    want: Want,
    /// Cached plan of these lost nodes, for stripes without bad blocks.
    plan: Option<(Vec<usize>, Plan)>,
    lost: Vec<usize>,
    /// By node: damaged blocks that were rebuilt from others.
    bypassed: BTreeMap<usize, u64>,
    coming: VecDeque<Coming>,
    /// Number of the first stripe of `coming`.
    first: u64,
    /// Data blocks of the first stripe already returned.
    given: usize,
    size: u64,
}

impl Reader {
    fn total(&self) -> u64 {
        self.want.stripes.as_ref().map_or(self.shape.stripes(), |s| s.len() as u64)
    }

    /// The object's stripe with number `at` in this read.
    fn stripe(&self, at: u64) -> u64 {
        self.want.stripes.as_ref().map_or(at, |s| s[at as usize])
    }

    /// The slot of a cell of stripe number `at`.
    pub(super) fn slot(&self, at: u64, cell: Cell) -> usize {
        let cells = self.layout.nodes() * self.layout.rows();
        (at % self.size) as usize * cells + self.layout.index(cell)
    }

    /// The next stripe in order if it is complete: its number in the read, and in the object.
    pub(super) fn ready(&self) -> Option<(u64, u64)> {
        let front = self.coming.front()?;
        front.is_done.then_some((self.first, front.stripe))
    }

    /// Like `ready`, for the stripe after `skip` stripes that are still in use.
    pub(super) fn ready_after(&self, skip: u64) -> Option<(u64, u64)> {
        let coming = self.coming.get(skip as usize)?;
        coming.is_done.then_some((self.first + skip, coming.stripe))
    }

    pub(super) fn release(&mut self) {
        if self.coming.pop_front().is_some() {
            self.first += 1
        }
    }

    /// The next data block in order if it is ready: its slot, and its bytes that belong to the
    /// object. Frees the slots of finished stripes.
    pub(super) fn next_block(&mut self) -> Option<(usize, usize)> {
        loop {
            let (at, stripe) = self.ready()?;
            if let Some(&home) = self.layout.homes().get(self.given) {
                let (_, bytes) = self.shape.data_at(stripe, self.given);
                self.given += 1;
                return Some((self.slot(at, home), bytes as usize));
            }
            self.given = 0;
            self.release()
        }
    }

    pub(super) fn lost(&self) -> &[usize] {
        &self.lost
    }

    /// By node: number of bad blocks.
    pub(super) fn bypassed(&self) -> &BTreeMap<usize, u64> {
        &self.bypassed
    }

    pub(super) fn is_over(&self) -> bool {
        self.first == self.total()
    }
}

impl<T: Transport> Client<T> {
    pub(super) fn open_reader(&mut self, entry: &Entry, want: Want) -> Result<Reader, Error> {
        let (layout, shape) = entry.geometry().map_err(Error::BadInput)?;
        let cells = layout.nodes() * layout.rows();
        let stripe = shape.block() * want.cells.len().max(1) as u64;
        let size = (IN_FLIGHT / stripe).clamp(2, 64);
        let ring = self.transport.register(cells * size as usize, shape.block() as usize);
        let ring = ring.map_err(|e| Error::Failed(e.to_string()))?;
        for peer in &self.peers {
            if let Some(link) = peer.link {
                self.transport.allow(link, ring, cells * size as usize)
            }
        }
        let gone = |node: &usize| !self.is_up(*node) || want.without.contains(node);
        let lost = (0..layout.nodes()).filter(gone).collect();
        let mut reader = Reader {
            layout,
            shape,
            ring,
            id: entry.version.id,
            want,
            plan: None,
            lost,
            bypassed: BTreeMap::new(),
            coming: VecDeque::new(),
            first: 0,
            given: 0,
            size,
        };
        self.ask_for_more(&mut reader)?;
        Ok(reader)
    }

    pub(super) fn close_reader(&mut self, reader: Reader) {
        self.transport.release(reader.ring)
    }

    pub(super) fn ask_for_more(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let cells = reader.layout.nodes() * reader.layout.rows();
        while (reader.coming.len() as u64) < reader.size {
            let at = reader.first + reader.coming.len() as u64;
            if at >= reader.total() {
                break;
            }
            let stripe = reader.stripe(at);
            let bad = reader.want.bad.get(&stripe).cloned().unwrap_or_default();
            let (asked, have) = (vec![false; cells], vec![false; cells]);
            let plan = Plan::default();
            reader.coming.push_back(Coming { stripe, bad, plan, asked, have, is_done: false });
            self.plan(reader, at)?
        }
        Ok(())
    }

    /// Plans a stripe for the current losses and requests missing blocks.
    fn plan(&mut self, reader: &mut Reader, at: u64) -> Result<(), Error> {
        let index = (at - reader.first) as usize;
        let bad = reader.coming[index].bad.clone();
        let plan = match &reader.plan {
            Some((lost, plan)) if bad.is_empty() && *lost == reader.lost => plan.clone(),
            _ => {
                let nodes = reader.lost.iter().flat_map(|&node| reader.layout.cells_of(node));
                let lost: Vec<Cell> = nodes.chain(bad.iter().copied()).collect();
                let plan = plan::plan(&reader.layout, &lost, &reader.want.cells);
                plan.map_err(|e| self.beyond_repair(reader, &e))?
            }
        };
        if bad.is_empty() {
            reader.plan = Some((reader.lost.clone(), plan.clone()))
        }
        let mut requests: BTreeMap<usize, Vec<(u16, u32)>> = BTreeMap::new();
        for &cell in &plan.reads {
            let slot = reader.slot(at, cell) as u32;
            let asked = &mut reader.coming[index].asked[reader.layout.index(cell)];
            if !std::mem::replace(asked, true) {
                requests.entry(cell.node).or_default().push((cell.row as u16, slot))
            }
        }
        reader.coming[index].plan = plan;
        let (id, ring, stripe) = (reader.id, reader.ring, reader.coming[index].stripe);
        for (node, rows) in requests {
            self.send(node, &Message::Read { id, stripe, ring, rows });
        }
        self.complete(reader, at);
        Ok(())
    }

    fn beyond_repair(&self, reader: &Reader, e: &plan::Unrecoverable) -> Error {
        let lost: Vec<String> = reader.lost.iter().map(usize::to_string).collect();
        let nodes = match &lost[..] {
            [] => String::new(),
            _ => format!(" without node {}", lost.join(", ")),
        };
        Error::Failed(format!("cannot be read{nodes}: {e}"))
    }

    /// Handles a message, block or loss of a node.
    pub(super) fn handle_reader_event(
        &mut self,
        reader: &mut Reader,
        node: usize,
        event: &NodeEvent,
    ) -> Result<(), Error> {
        match event {
            NodeEvent::Block { ring, slot, length, sum } if *ring == reader.ring => {
                self.block_came(reader, node, *slot, *length, *sum)
            }
            NodeEvent::Message(_, Message::Unreadable { id, stripe, rows }) if *id == reader.id => {
                let of_it = |c: &Coming| c.stripe == *stripe;
                let Some(at) = reader.coming.iter().position(of_it) else { return Ok(()) };
                let cells = rows.iter().map(|&row| Cell { node, row: usize::from(row) });
                self.bad_blocks(reader, reader.first + at as u64, cells.collect())
            }
            NodeEvent::Message(_, Message::Failed { why, .. }) => {
                self.give_up(node, why);
                self.node_lost(reader, node)
            }
            NodeEvent::Gone => self.node_lost(reader, node),
            _ => Ok(()),
        }
    }

    fn block_came(
        &mut self,
        reader: &mut Reader,
        node: usize,
        slot: usize,
        length: usize,
        sum: u32,
    ) -> Result<(), Error> {
        let cells = reader.layout.nodes() * reader.layout.rows();
        let cell = reader.layout.cell(slot % cells);
        let place = (slot / cells) as u64;
        let at = reader.first + (place + reader.size - reader.first % reader.size) % reader.size;
        let index = (at - reader.first) as usize;
        let Some(coming) = reader.coming.get_mut(index) else { return Ok(()) };
        let number = reader.layout.index(cell);
        if cell.node != node || !coming.asked[number] || coming.have[number] {
            return Err(self.failed_at(node, "cannot read", "sent a block that was not requested"));
        }
        let is_right = length as u64 == reader.shape.block_of(coming.stripe)
            && crc32c::crc32c(self.transport.memory(reader.ring).get(slot, length)) == sum;
        if !is_right {
            return self.bad_blocks(reader, at, vec![cell]);
        }
        coming.have[number] = true;
        self.complete(reader, at);
        Ok(())
    }

    fn bad_blocks(&mut self, reader: &mut Reader, at: u64, cells: Vec<Cell>) -> Result<(), Error> {
        let coming = &mut reader.coming[(at - reader.first) as usize];
        for &cell in cells.iter().filter(|c| c.row < reader.layout.rows()) {
            coming.asked[reader.layout.index(cell)] = false;
        }
        for cell in &cells {
            *reader.bypassed.entry(cell.node).or_default() += 1
        }
        coming.bad.extend(cells);
        self.plan(reader, at)
    }

    fn node_lost(&mut self, reader: &mut Reader, node: usize) -> Result<(), Error> {
        // The layout of an old object may have fewer nodes than the cluster.
        if reader.lost.contains(&node) || node >= reader.layout.nodes() {
            return Ok(());
        }
        reader.lost.push(node);
        reader.lost.sort();
        for index in 0..reader.coming.len() {
            let coming = &mut reader.coming[index];
            if coming.is_done {
                continue;
            }
            for cell in reader.layout.cells_of(node).map(|c| reader.layout.index(c)) {
                coming.asked[cell] = false;
                coming.have[cell] = false;
            }
            self.plan(reader, reader.first + index as u64)?
        }
        Ok(())
    }

    /// After a long silence: gives up the nodes that owe a block.
    pub(super) fn give_up_silent(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let rows = reader.layout.rows();
        let owes = |node: usize| {
            let cells = node * rows..(node + 1) * rows;
            reader.coming.iter().any(|c| cells.clone().any(|i| c.asked[i] && !c.have[i]))
        };
        let silent: Vec<usize> = (0..reader.layout.nodes()).filter(|&node| owes(node)).collect();
        if silent.is_empty() {
            return Err(Error::Failed("no progress, although no node owes a block".into()));
        }
        for node in silent {
            self.give_up(node, SILENT);
            self.node_lost(reader, node)?
        }
        Ok(())
    }

    /// Rebuilds lost cells once all reads have arrived.
    fn complete(&mut self, reader: &mut Reader, at: u64) {
        let coming = &reader.coming[(at - reader.first) as usize];
        let have = |c: &Cell| coming.have[reader.layout.index(*c)];
        if coming.is_done || coming.is_waiting() || !coming.plan.reads.iter().all(have) {
            return;
        }
        let length = reader.shape.block_of(coming.stripe) as usize;
        for step in &coming.plan.steps {
            let target = reader.slot(at, step.cell);
            let sources: Vec<usize> = step.from.iter().map(|c| reader.slot(at, *c)).collect();
            self.transport.memory(reader.ring).xor(target, &sources, length)
        }
        reader.coming[(at - reader.first) as usize].is_done = true
    }
}
