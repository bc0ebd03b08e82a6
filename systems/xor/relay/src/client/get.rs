//! Reading an object.
use super::reader::{Reader, Want};
use super::survey::Found;
use super::{Client, Error, Watch};
use crate::transport::Transport;
use crate::wire::Entry;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

/// After so long a sink that could take nothing is asked again.
const MOMENT: Duration = Duration::from_millis(20);

/// What a get came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Got {
    /// The version that was read.
    pub entry: Entry,
    /// Nodes that were lacking.
    pub without: Vec<usize>,
    /// Node and count: blocks that were not what was written there, and were made again from the
    /// others on the way. On disk they are as they were.
    pub bypassed: Vec<(usize, u64)>,
    /// From the first request to the last block.
    pub took: Duration,
}

/// An object that is read piece by piece.
pub(super) struct Stream {
    reader: Reader,
    /// Of the stripe at hand: which data block is next, and bytes of it that are read.
    data: usize,
    within: usize,
}

impl<T: Transport> Client<T> {
    /// Reads an object with whatever nodes are left; `sink` gets its bytes in order. What it got is
    /// the object only if this returns without an error: the checksum is held against the receipt's
    /// at the end. A sink that answers [`io::ErrorKind::WouldBlock`] is given the same bytes a
    /// little later again; nodes are heard meanwhile, so that none takes this client for dead.
    ///
    /// # Errors
    /// There is no such object, too few nodes are left, or the sink fails.
    pub fn get(
        &mut self,
        name: &str,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
        watch: Watch<'_>,
    ) -> Result<Got, Error> {
        let found = self.find(name)?;
        let started = self.transport.now();
        let mut reader = self.open_whole(&found)?;
        let mut sha = Sha256::new();
        let mut done = 0;
        let result = self.drain(&mut reader, &mut |bytes| {
            let is_taken = match sink(bytes) {
                Ok(()) => true,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => false,
                Err(e) => return Err(Error::Failed(format!("cannot write: {e}"))),
            };
            if is_taken {
                sha.update(bytes);
                done += bytes.len() as u64
            }
            match watch(done, found.entry.length) {
                true => Ok(is_taken),
                false => Err(Error::Stopped),
            }
        });
        let without = reader.lost().to_vec();
        let bypassed = reader.bypassed().iter().map(|(node, count)| (*node, *count)).collect();
        self.close_reader(reader);
        result?;
        if <[u8; 32]>::from(sha.finalize()) != found.entry.sha256 {
            let why = "what was read is not what was written: run `tenbin relay scrub`";
            return Err(Error::Failed(why.into()));
        }
        Ok(Got { entry: found.entry, without, bypassed, took: self.transport.now() - started })
    }

    /// Begins to read all of an object.
    fn open_whole(&mut self, found: &Found) -> Result<Reader, Error> {
        let lacking = found.said.iter().enumerate();
        let lacking = lacking.filter(|(_, h)| !crate::node::is_readable(**h));
        let without: Vec<usize> = lacking.map(|(node, _)| node).collect();
        let cells = self.layout_of(&found.entry)?.homes().to_vec();
        let want = Want { stripes: None, cells, without, bad: BTreeMap::new() };
        self.open_reader(&found.entry, want)
    }

    /// The same, for pieces of any size.
    pub(super) fn open_stream(&mut self, found: &Found) -> Result<Stream, Error> {
        Ok(Stream { reader: self.open_whole(found)?, data: 0, within: 0 })
    }

    /// Gives the memory back.
    pub(super) fn close_stream(&mut self, stream: Stream) {
        self.close_reader(stream.reader)
    }

    /// The object's next bytes.
    pub(super) fn read_on(&mut self, stream: &mut Stream, mut to: &mut [u8]) -> Result<(), Error> {
        while !to.is_empty() {
            let Some((at, stripe)) = stream.reader.ready() else {
                self.wait_for_more(&mut stream.reader)?;
                continue;
            };
            let reader = &stream.reader;
            let Some(&home) = reader.layout.homes().get(stream.data) else {
                stream.reader.release();
                (stream.data, stream.within) = (0, 0);
                self.ask_for_more(&mut stream.reader)?;
                continue;
            };
            let (_, bytes) = reader.shape.data_at(stripe, stream.data);
            let slot = reader.slot(at, home);
            let memory = self.transport.memory(reader.ring);
            let left = &memory.get(slot, bytes as usize)[stream.within..];
            let part = left.len().min(to.len());
            let (here, rest) = to.split_at_mut(part);
            here.copy_from_slice(&left[..part]);
            to = rest;
            match part == left.len() {
                true => (stream.data, stream.within) = (stream.data + 1, 0),
                false => stream.within += part,
            }
        }
        Ok(())
    }

    /// Takes what a node says next.
    fn wait_for_more(&mut self, reader: &mut Reader) -> Result<(), Error> {
        if reader.is_over() {
            return Err(Error::Failed("the object ends too early".into()));
        }
        match self.next(self.patience.answer) {
            Some((node, said)) => self.read_heard(reader, node, &said),
            None => self.give_up_silent(reader),
        }
    }

    /// Takes what nodes say while nothing can be handed on.
    fn hear_meanwhile(&mut self, reader: &mut Reader) -> Result<(), Error> {
        match self.next(MOMENT) {
            Some((node, said)) => self.read_heard(reader, node, &said),
            None => Ok(()),
        }
    }

    /// Hands on the data of all stripes, in order; what is not taken yet is offered again.
    fn drain(
        &mut self,
        reader: &mut Reader,
        take: &mut dyn FnMut(&[u8]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        while !reader.is_over() {
            while let Some((at, stripe)) = reader.ready() {
                for data in 0..reader.layout.homes().len() {
                    let slot = reader.slot(at, reader.layout.homes()[data]);
                    let (_, bytes) = reader.shape.data_at(stripe, data);
                    while !take(self.transport.memory(reader.ring).get(slot, bytes as usize))? {
                        self.hear_meanwhile(reader)?
                    }
                }
                reader.release();
            }
            self.ask_for_more(reader)?;
            if reader.is_over() {
                break;
            }
            self.wait_for_more(reader)?
        }
        Ok(())
    }
}
