//! What waits to be sent on a connection.
use super::{Gone, failed, released};
use crate::memory::{Memory, Ring, Rings};
use crate::transport::Write;
use crate::transport::tcp::channel::Channel;
use crate::wire::{HEAD, Head, MAX_MESSAGE};
use std::collections::VecDeque;
use std::io::{ErrorKind, IoSlice};

/// Messages that wait \[bytes\]: a peer that lets more pile up does not read.
const MOST_WAITING: usize = 8 << 20;
/// Frames of one system call.
const FRAMES: usize = 24;

/// A block stays in its slot until it goes out.
enum Frame {
    Bytes(Vec<u8>),
    Block([u8; HEAD], Write),
}

impl Frame {
    fn length(&self) -> usize {
        match self {
            Frame::Bytes(bytes) => bytes.len(),
            Frame::Block(head, write) => head.len() + write.length,
        }
    }
}

/// Frames in order, the first perhaps half gone.
pub(super) struct Out {
    frames: VecDeque<Frame>,
    /// Bytes of the first frame that are gone.
    done: usize,
    /// Bytes of messages.
    waiting: usize,
}

impl Out {
    pub(super) fn new(first: Head) -> Out {
        let frames = VecDeque::from([Frame::Bytes(first.to_bytes().to_vec())]);
        Out { frames, done: 0, waiting: HEAD }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(super) fn push_block(&mut self, write: Write) {
        let Write { length, ring, slot, imm, .. } = write;
        let head = Head::Block { length: length as u32, ring, slot, imm }.to_bytes();
        self.frames.push_back(Frame::Block(head, write))
    }

    pub(super) fn push_message(&mut self, message: &[u8]) -> Result<(), Gone> {
        assert!(message.len() <= MAX_MESSAGE, "a message of {} bytes", message.len());
        self.push(Head::Message { length: message.len() as u32 }, message)
    }

    /// A frame of a head and bytes.
    pub(super) fn push(&mut self, head: Head, bytes: &[u8]) -> Result<(), Gone> {
        self.waiting += HEAD + bytes.len();
        self.frames.push_back(Frame::Bytes([&head.to_bytes()[..], bytes].concat()));
        match self.waiting > MOST_WAITING {
            true => Err(Gone("it does not read what it is sent".into())),
            false => Ok(()),
        }
    }

    /// Drops blocks of a ring; one that is half sent is copied, so that the stream goes on.
    pub(super) fn forget(&mut self, ring: Ring, memory: &Memory) {
        if let Some(first) = self.frames.front_mut()
            && let Frame::Block(head, write) = first
            && write.from.0 == ring
            && self.done > 0
        {
            let bytes = [&head[..], memory.get(write.from.1, write.length)].concat();
            self.waiting += bytes.len();
            *first = Frame::Bytes(bytes)
        }
        self.frames.retain(|frame| !matches!(frame, Frame::Block(_, w) if w.from.0 == ring))
    }

    /// Sends as much as the socket takes; tells the token of each block that is gone.
    pub(super) fn flush(
        &mut self,
        stream: &mut Channel,
        rings: &Rings,
        tell: &mut dyn FnMut(u64),
    ) -> Result<(), Gone> {
        while !self.frames.is_empty() {
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

    fn slices<'a>(&'a self, rings: &'a Rings) -> Result<Vec<IoSlice<'a>>, Gone> {
        let mut slices = Vec::with_capacity(2 * FRAMES);
        for frame in self.frames.iter().take(FRAMES) {
            match frame {
                Frame::Bytes(bytes) => slices.push(IoSlice::new(bytes)),
                Frame::Block(head, write) => {
                    let memory = rings.find(write.from.0).ok_or_else(released)?;
                    slices.push(IoSlice::new(head));
                    slices.push(IoSlice::new(memory.get(write.from.1, write.length)));
                }
            }
        }
        Ok(slices)
    }

    fn sent(&mut self, bytes: usize, tell: &mut dyn FnMut(u64)) {
        self.done += bytes;
        while let Some(first) = self.frames.front()
            && self.done >= first.length()
        {
            self.done -= first.length();
            match self.frames.pop_front() {
                Some(Frame::Block(_, write)) => tell(write.token),
                Some(Frame::Bytes(bytes)) => self.waiting -= bytes.len(),
                None => {}
            }
        }
    }
}
