//! Blocks that a client reads: from disk into a ring here, and from there into the client's.
use super::refusal::{Refusal, refuse};
use crate::memory::Ring;
use crate::store::{Opened, Store};
use crate::transport::{Link, Transport, Write};
use crate::wire::{Message, numbered};
use std::collections::VecDeque;
use std::io;

/// Size of the ring, about \[bytes\].
const RING: usize = 2 << 20;
const MOST_WAITING: usize = 1 << 16;

struct Wanted {
    stripe: u64,
    row: u16,
    ring: Ring,
    slot: u32,
}

pub(super) struct Reads {
    id: u128,
    opened: Opened,
    ring: Ring,
    free: Vec<usize>,
    waiting: VecDeque<Wanted>,
}

impl Reads {
    /// Registers a ring, smaller if little is left of `memory`.
    pub(super) fn new<T: Transport>(
        transport: &mut T,
        id: u128,
        opened: Opened,
        memory: usize,
    ) -> io::Result<Reads> {
        let block = opened.shape().block() as usize;
        let left = memory.saturating_sub(transport.registered());
        let slots = (RING.min(left / 8) / block).clamp(2, 256);
        let ring = transport.register(slots, block)?;
        Ok(Reads { id, opened, ring, free: (0..slots).collect(), waiting: VecDeque::new() })
    }

    pub(super) fn id(&self) -> u128 {
        self.id
    }

    /// Queues blocks to read. False if too many wait.
    pub(super) fn ask<T: Transport>(
        &mut self,
        transport: &mut T,
        link: Link,
        (stripe, ring): (u64, Ring),
        rows: &[(u16, u32)],
    ) -> bool {
        let wanted = rows.iter().map(|&(row, slot)| Wanted { stripe, row, ring, slot });
        self.waiting.extend(wanted);
        self.serve(transport, link);
        self.waiting.len() <= MOST_WAITING
    }

    pub(super) fn sent<T: Transport>(&mut self, transport: &mut T, link: Link, slot: usize) {
        self.free.push(slot);
        self.serve(transport, link)
    }

    fn serve<T: Transport>(&mut self, transport: &mut T, link: Link) {
        while let Some(&slot) = self.free.last()
            && let Some(wanted) = self.waiting.pop_front()
        {
            let Wanted { stripe, row, ring, slot: to } = wanted;
            let Some(sum) = self.read(transport, stripe, row, slot) else {
                let unreadable = Message::Unreadable { id: self.id, stripe, rows: vec![row] };
                transport.send(link, numbered(0, &unreadable));
                continue;
            };
            self.free.pop();
            let length = self.opened.shape().block_of(stripe) as usize;
            let (from, token) = ((self.ring, slot), slot as u64);
            transport.write_imm(link, Write { from, length, ring, slot: to, imm: sum, token })
        }
    }

    /// The block's checksum; `None` if the block is missing or damaged.
    fn read<T: Transport>(
        &self,
        transport: &mut T,
        stripe: u64,
        row: u16,
        slot: usize,
    ) -> Option<u32> {
        let (shape, row) = (self.opened.shape(), usize::from(row));
        if stripe >= shape.stripes() || row >= self.opened.rows() {
            return None;
        }
        let mut memory = transport.memory(self.ring);
        let bytes = memory.get_mut(slot, shape.block_of(stripe) as usize);
        match self.opened.block(stripe, row, bytes) {
            Ok((sum, true)) => Some(sum),
            _ => None,
        }
    }

    pub(super) fn end<T: Transport>(&mut self, transport: &mut T) {
        transport.release(self.ring)
    }
}

pub(super) fn open(store: &Store, id: u128) -> Result<Opened, Refusal> {
    let Some(entry) = store.find(id) else { return refuse("this version does not exist") };
    let (layout, shape) = entry.geometry().or_else(refuse)?;
    Ok(store.read(id, shape, layout.rows())?)
}
