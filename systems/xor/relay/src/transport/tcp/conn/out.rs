//! Data that wait to be sent on a connection.
use crate::memory::{Memory, Ring, Rings};
use crate::transport::Write;
use crate::transport::tcp::channel::Channel;
use crate::transport::tcp::disconnect::{Disconnect, failed};
use crate::wire::{HEAD, Head, MAX_MESSAGE, MOST_BLOCKS};
use std::collections::VecDeque;
use std::io::{ErrorKind, IoSlice};

/// Limit of waiting messages and heads \[bytes\]. A peer beyond it does not read.
const MOST_WAITING: usize = 8 << 20;
/// Frames of one system call, if there are enough.
const FRAMES: usize = 24;

/// A block stays in its slot until it is sent.
enum Frame {
    Bytes(Vec<u8>),
    Block(Write),
}

impl Frame {
    fn length(&self) -> usize {
        match self {
            Frame::Bytes(bytes) => bytes.len(),
            Frame::Block(write) => write.length,
        }
    }

    fn is_from(&self, ring: Ring) -> bool {
        matches!(self, Frame::Block(write) if write.from.0 == ring)
    }
}

pub(super) struct Out {
    /// Not passed to the socket yet; blocks have no heads yet.
    later: VecDeque<Frame>,
    /// In sending; the first may be partly sent.
    going: VecDeque<Frame>,
    /// Sent bytes of the first frame.
    done: usize,
    /// Bytes of waiting messages and heads.
    waiting: usize,
}

impl Out {
    pub(super) fn new(first: Head) -> Out {
        let going = VecDeque::from([Frame::Bytes(first.to_bytes().to_vec())]);
        Out { later: VecDeque::new(), going, done: 0, waiting: HEAD }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.going.is_empty() && self.later.is_empty()
    }

    pub(super) fn push_block(&mut self, write: Write) {
        self.later.push_back(Frame::Block(write))
    }

    pub(super) fn push_message(&mut self, message: &[u8]) -> Result<(), Disconnect> {
        assert!(message.len() <= MAX_MESSAGE, "a message of {} bytes", message.len());
        self.push(Head::of_message(message), message)
    }

    pub(super) fn push(&mut self, head: Head, bytes: &[u8]) -> Result<(), Disconnect> {
        self.waiting += HEAD + bytes.len();
        self.later.push_back(Frame::Bytes([&head.to_bytes()[..], bytes].concat()));
        match self.waiting > MOST_WAITING {
            true => Err(Disconnect("does not read its messages".into())),
            false => Ok(()),
        }
    }

    /// Drops blocks of a ring. If a block's head was sent, the block is copied, to keep the stream
    /// valid.
    pub(super) fn forget(&mut self, ring: Ring, memory: &Memory) {
        self.later.retain(|frame| !frame.is_from(ring));
        for frame in self.going.iter_mut().filter(|frame| frame.is_from(ring)) {
            let Frame::Block(write) = frame else { continue };
            let bytes = memory.get(write.from.1, write.length).to_vec();
            self.waiting += bytes.len();
            *frame = Frame::Bytes(bytes)
        }
    }

    /// Sends as much as the socket takes; reports the token of each sent block.
    pub(super) fn flush(
        &mut self,
        stream: &mut Channel,
        rings: &Rings,
        tell: &mut dyn FnMut(u64),
    ) -> Result<(), Disconnect> {
        while !self.is_empty() {
            self.line_up();
            let mut slices = self.slices(rings)?;
            let mut rest = &mut slices[..];
            IoSlice::advance_slices(&mut rest, self.done);
            let wanted: usize = rest.iter().map(|s| s.len()).sum();
            match stream.write_vectored(rest) {
                Ok(sent) => {
                    self.sent(sent, tell);
                    if sent < wanted {
                        return Ok(());
                    }
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(failed(e)),
            }
        }
        Ok(())
    }

    /// Adds heads to frames until a system call has enough. Consecutive blocks for one ring have
    /// their heads together.
    fn line_up(&mut self) {
        while self.going.len() < FRAMES
            && let Some(first) = self.later.pop_front()
        {
            let Frame::Block(first) = first else {
                self.going.push_back(first);
                continue;
            };
            let mut blocks = vec![first];
            while blocks.len() < MOST_BLOCKS
                && let Some(Frame::Block(next)) = self.later.front()
                && blocks.iter().all(|block| next.ring == block.ring && next.slot != block.slot)
            {
                blocks.push(*next);
                self.later.pop_front();
            }
            let heads = heads(&blocks);
            self.waiting += heads.len();
            self.going.push_back(Frame::Bytes(heads));
            self.going.extend(blocks.into_iter().map(Frame::Block))
        }
    }

    fn slices<'a>(&'a self, rings: &'a Rings) -> Result<Vec<IoSlice<'a>>, Disconnect> {
        let slice = |frame: &'a Frame| match frame {
            Frame::Bytes(bytes) => Ok(IoSlice::new(bytes)),
            Frame::Block(write) => {
                let released = || Disconnect("cannot send a block from a released ring".into());
                let memory = rings.find(write.from.0).ok_or_else(released)?;
                Ok(IoSlice::new(memory.get(write.from.1, write.length)))
            }
        };
        self.going.iter().map(slice).collect()
    }

    fn sent(&mut self, bytes: usize, tell: &mut dyn FnMut(u64)) {
        self.done += bytes;
        while let Some(first) = self.going.front()
            && self.done >= first.length()
        {
            self.done -= first.length();
            match self.going.pop_front() {
                Some(Frame::Block(write)) => tell(write.token),
                Some(Frame::Bytes(bytes)) => self.waiting -= bytes.len(),
                None => {}
            }
        }
    }
}

/// The head of one block; for several, their number and all heads.
fn heads(blocks: &[Write]) -> Vec<u8> {
    let count = match blocks.len() {
        1 => None,
        many => Some(Head::Blocks { count: many as u32 }),
    };
    let head = |write: &Write| {
        let Write { length, ring, slot, imm, .. } = *write;
        Head::Block { length: length as u32, ring, slot, imm }
    };
    count.into_iter().chain(blocks.iter().map(head)).flat_map(Head::to_bytes).collect()
}
