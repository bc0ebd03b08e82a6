//! Reading an object.
use super::liars::{Wrong, by_node};
use super::reader::{Reader, Want};
use super::survey::Found;
use super::{Client, Error, Watch};
use crate::transport::Transport;
use crate::wire::Entry;
use sha2::{Digest, Sha256};
use std::io;
use std::time::Duration;

/// After so long a sink that could take nothing is asked again.
const MOMENT: Duration = Duration::from_millis(20);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Got {
    /// The version that was read.
    pub entry: Entry,
    pub without: Vec<usize>,
    /// Node and count: blocks that were not what was written there, and were made again from the
    /// others on the way. On disk they are as they were.
    pub bypassed: Vec<(usize, u64)>,
    /// Node and count: blocks that were not what was written there although their sums fit them,
    /// as the object's SHA-256 showed. It was read without them; on disk they are as they were.
    pub wrong: Vec<(usize, u64)>,
    /// From the first request to the last block.
    pub took: Duration,
}

/// Takes an object's bytes in order.
pub trait Sink {
    /// The next ones. [`io::ErrorKind::WouldBlock`]: the same a little later again.
    ///
    /// # Errors
    /// They cannot be written.
    fn take(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// What was taken is not the object: whether the sink can forget it, and begins anew.
    ///
    /// # Errors
    /// It could, and failed.
    fn restart(&mut self) -> io::Result<bool> {
        Ok(false)
    }
}

impl<F: FnMut(&[u8]) -> io::Result<()>> Sink for F {
    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        self(bytes)
    }
}

struct Reading {
    sha256: [u8; 32],
    without: Vec<usize>,
    bypassed: Vec<(usize, u64)>,
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
        self.get_into(name, &mut { sink }, watch)
    }

    /// The same. Where nodes hold blocks that are not what was written, a sink that can begin anew
    /// is given the object without them.
    ///
    /// # Errors
    /// As for [`Client::get`]; for a sink that cannot begin anew also that nodes hold such blocks.
    pub fn get_into(
        &mut self,
        name: &str,
        sink: &mut dyn Sink,
        watch: Watch<'_>,
    ) -> Result<Got, Error> {
        let found = self.find(name)?;
        let started = self.transport.now();
        let (mut wrong, mut read) =
            (Wrong::new(), self.read_whole(&found, Wrong::new(), sink, &mut *watch)?);
        if read.sha256 != found.entry.sha256 {
            wrong = self.wrong_blocks(&found, &mut *watch)?;
            if !sink.restart().map_err(cannot_write)? {
                return Err(Error::Failed(format!(
                    "what was given out is not the object: {}; a file is given the right bytes, \
                     and `tenbin relay scrub` heals what lies there",
                    self.told(&wrong)
                )));
            }
            read = self.read_whole(&found, wrong.clone(), sink, watch)?;
            if read.sha256 != found.entry.sha256 {
                return Err(not_as_written());
            }
        }
        let Reading { without, bypassed, .. } = read;
        let wrong: Vec<(usize, u64)> = by_node(&wrong).into_iter().collect();
        let took = self.transport.now() - started;
        Ok(Got { entry: found.entry, without, bypassed, wrong, took })
    }

    /// Blocks that the object is to be read without, as its SHA-256 does not fit.
    fn wrong_blocks(&mut self, found: &Found, watch: Watch<'_>) -> Result<Wrong, Error> {
        match self.find_wrong(found, watch)? {
            Some(wrong) if !wrong.is_empty() => Ok(wrong),
            _ => Err(not_as_written()),
        }
    }

    /// "node 2 (c:7400) holds 3 blocks that are not what was written, although their sums fit".
    fn told(&self, wrong: &Wrong) -> String {
        let one = |(node, count): (usize, u64)| {
            let address = &self.peers[node].address;
            format!("node {node} ({address}) holds {count} blocks that are not what was written")
        };
        by_node(wrong).into_iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Reads all of an object once, without blocks that are known to be wrong.
    fn read_whole(
        &mut self,
        found: &Found,
        wrong: Wrong,
        sink: &mut dyn Sink,
        watch: Watch<'_>,
    ) -> Result<Reading, Error> {
        let mut reader = self.open_whole(found, wrong)?;
        let mut sha = Sha256::new();
        let mut done = 0;
        let result = self.drain(&mut reader, &mut |bytes| {
            let is_taken = match sink.take(bytes) {
                Ok(()) => true,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => false,
                Err(e) => return Err(cannot_write(e)),
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
        result.map(|()| Reading { sha256: sha.finalize().into(), without, bypassed })
    }

    /// Begins to read all of an object.
    fn open_whole(&mut self, found: &Found, bad: Wrong) -> Result<Reader, Error> {
        let lacking = found.said.iter().enumerate();
        let lacking = lacking.filter(|(_, h)| !h.is_readable());
        let without: Vec<usize> = lacking.map(|(node, _)| node).collect();
        let cells = self.layout_of(&found.entry)?.homes().to_vec();
        let want = Want { stripes: None, cells, without, bad };
        self.open_reader(&found.entry, want)
    }

    /// The same, for pieces of any size.
    pub(super) fn open_stream(&mut self, found: &Found) -> Result<Stream, Error> {
        Ok(Stream { reader: self.open_whole(found, Wrong::new())?, data: 0, within: 0 })
    }

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
    pub(super) fn drain(
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

fn cannot_write(e: io::Error) -> Error {
    Error::Failed(format!("cannot write: {e}"))
}

fn not_as_written() -> Error {
    let why = "what was read is not what was written, whichever nodes are left out: run `tenbin \
               relay scrub`";
    Error::Failed(why.into())
}
