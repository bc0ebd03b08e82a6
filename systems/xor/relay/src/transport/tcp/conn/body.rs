//! The body of a frame during its reception.
use crate::memory::{Ring, Rings};
use crate::transport::tcp::disconnect::Disconnect;
use crate::transport::{Event, Link};
use crate::wire::{HEAD, Head, MOST_BLOCKS};
use std::collections::VecDeque;
use std::io::IoSliceMut;

/// Bytes skipped in one read.
const SKIPPED: usize = 4096;

/// Destinations of one read: the parts of the body, and the next head.
pub(super) type Places<'p> = [IoSliceMut<'p>; MOST_BLOCKS + 1];

pub(super) enum Body {
    /// The head is incomplete.
    None,
    /// With the expected checksum.
    Message(Vec<u8>, u32),
    RdmaMessage(Vec<u8>),
    /// The heads of several blocks.
    Heads(Vec<u8>),
    /// Blocks for a released ring.
    Skip(usize),
    /// Into slots of one ring.
    Blocks(Ring, VecDeque<Block>),
}

#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) slot: u32,
    pub(super) length: usize,
    pub(super) imm: u32,
}

impl Body {
    pub(super) fn length(&self) -> usize {
        match self {
            Body::None => 0,
            Body::Message(bytes, _) | Body::RdmaMessage(bytes) | Body::Heads(bytes) => bytes.len(),
            Body::Skip(length) => *length,
            Body::Blocks(_, blocks) => blocks.iter().map(|block| block.length).sum(),
        }
    }

    /// Destinations of the next bytes, after `filled` ones. The next head is included if the body
    /// fits into this read.
    pub(super) fn places<'p>(
        &'p mut self,
        filled: usize,
        head: &'p mut [u8],
        (rings, nowhere): (&'p mut Rings, &'p mut [u8; SKIPPED]),
    ) -> Places<'p> {
        let mut places = std::array::from_fn(|_| IoSliceMut::new(&mut []));
        let mut is_whole = true;
        match self {
            Body::None => {}
            Body::Message(bytes, _) | Body::RdmaMessage(bytes) => {
                places[0] = IoSliceMut::new(&mut bytes[filled..])
            }
            Body::Heads(bytes) => {
                places[0] = IoSliceMut::new(&mut bytes[filled..]);
                is_whole = false
            }
            Body::Skip(length) => {
                let rest = *length - filled;
                is_whole = rest <= SKIPPED;
                places[0] = IoSliceMut::new(&mut nowhere[..rest.min(SKIPPED)])
            }
            Body::Blocks(ring, blocks) => {
                let memory = rings.find_mut(*ring).expect("skipped where it is no more");
                let wanted = blocks.iter().map(|block| (block.slot as usize, block.length));
                let slots: [&mut [u8]; MOST_BLOCKS] = memory.several_mut(wanted);
                for (place, slot) in places.iter_mut().zip(slots) {
                    *place = IoSliceMut::new(slot)
                }
                places[0].advance(filled)
            }
        }
        if is_whole {
            places[MOST_BLOCKS] = IoSliceMut::new(head)
        }
        places
    }

    /// Removes complete blocks; returns the number of remaining bytes.
    pub(super) fn take_blocks(
        &mut self,
        mut filled: usize,
        link: Link,
        events: &mut VecDeque<Event>,
    ) -> usize {
        let Body::Blocks(ring, blocks) = self else { return filled };
        let ring = *ring;
        while let Some(Block { slot, length, imm }) = blocks.front().copied()
            && filled >= length
        {
            filled -= length;
            blocks.pop_front();
            events.push_back(Event::Arrived { link, ring, slot, length, imm })
        }
        filled
    }
}

/// Parses heads that came together: all for one ring, each for another slot.
pub(super) fn together(heads: &[u8]) -> Result<(Ring, VecDeque<Block>), Disconnect> {
    let no_frame = || Disconnect("sent an invalid frame".into());
    let (mut to, mut blocks) = (None, VecDeque::<Block>::new());
    for head in heads.as_chunks::<HEAD>().0 {
        let Some(Head::Block { length, ring, slot, imm }) = Head::from_bytes(head) else {
            return Err(no_frame());
        };
        if *to.get_or_insert(ring) != ring || blocks.iter().any(|block| block.slot == slot) {
            return Err(Disconnect("sent unrelated blocks together".into()));
        }
        blocks.push_back(Block { slot, length: length as usize, imm })
    }
    Ok((to.ok_or_else(no_frame)?, blocks))
}
