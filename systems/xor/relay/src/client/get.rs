//! Reading an object.
use super::blocks::{Blocks, by_node};
use super::reader::{Reader, Want};
use super::survey::Found;
use super::{Client, Error, Watch};
use crate::transport::Transport;
use crate::wire::Entry;
use sha2::{Digest, Sha256};
use std::io;
use std::ops::Range;
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
    fn take(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// What was taken is not the object: whether the sink can forget it, and begins anew.
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
    /// The block at hand, and the bytes of it that are to be read.
    slot: usize,
    left: Range<usize>,
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
            (Blocks::new(), self.read_whole(&found, Blocks::new(), sink, &mut *watch)?);
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
    fn wrong_blocks(&mut self, found: &Found, watch: Watch<'_>) -> Result<Blocks, Error> {
        match self.find_wrong(found, watch)? {
            Some(wrong) if !wrong.is_empty() => Ok(wrong),
            _ => Err(not_as_written()),
        }
    }

    /// "node 2 (c:7400) holds 3 blocks that are not what was written, although their sums fit".
    fn told(&self, wrong: &Blocks) -> String {
        let one = |(node, count): (usize, u64)| {
            format!("{} holds {count} blocks that are not what was written", self.named(node))
        };
        by_node(wrong).into_iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Reads all of an object once, without blocks that are known to be wrong.
    fn read_whole(
        &mut self,
        found: &Found,
        wrong: Blocks,
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
    fn open_whole(&mut self, found: &Found, bad: Blocks) -> Result<Reader, Error> {
        let cells = found.entry.layout().map_err(Error::BadInput)?.homes().to_vec();
        let without = found.nodes(|held| !held.is_readable());
        let want = Want { stripes: None, cells, without, bad };
        self.open_reader(&found.entry, want)
    }

    /// The same, for pieces of any size.
    pub(super) fn open_stream(&mut self, found: &Found) -> Result<Stream, Error> {
        Ok(Stream { reader: self.open_whole(found, Blocks::new())?, slot: 0, left: 0..0 })
    }

    pub(super) fn close_stream(&mut self, stream: Stream) {
        self.close_reader(stream.reader)
    }

    pub(super) fn read_on(&mut self, stream: &mut Stream, mut to: &mut [u8]) -> Result<(), Error> {
        while !to.is_empty() {
            if stream.left.is_empty() {
                let next = self.next_block(&mut stream.reader)?;
                let (slot, bytes) =
                    next.ok_or_else(|| Error::Failed("the object ends too early".into()))?;
                (stream.slot, stream.left) = (slot, 0..bytes);
                continue;
            }
            let memory = self.transport.memory(stream.reader.ring);
            let left = &memory.get(stream.slot, stream.left.end)[stream.left.start..];
            let part = left.len().min(to.len());
            let (here, rest) = to.split_at_mut(part);
            here.copy_from_slice(&left[..part]);
            stream.left.start += part;
            to = rest
        }
        Ok(())
    }

    /// The object's next block, which stays until the one after it is asked for: its slot, and how
    /// many of its bytes are the object's.
    fn next_block(&mut self, reader: &mut Reader) -> Result<Option<(usize, usize)>, Error> {
        loop {
            if let Some(next) = reader.next_block() {
                return Ok(Some(next));
            }
            self.ask_for_more(reader)?;
            if reader.is_over() {
                return Ok(None);
            }
            if reader.ready().is_none() {
                match self.next(self.patience.answer) {
                    Some((node, said)) => self.read_heard(reader, node, &said)?,
                    None => self.give_up_silent(reader)?,
                }
            }
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
        while let Some((slot, bytes)) = self.next_block(reader)? {
            while !take(self.transport.memory(reader.ring).get(slot, bytes))? {
                self.hear_meanwhile(reader)?
            }
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
