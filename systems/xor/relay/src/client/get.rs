use super::blocks::{Blocks, by_node};
use super::reader::{Reader, Want};
use super::survey::FoundVersion;
use super::{Client, Error, Watch};
use crate::transport::Transport;
use crate::wire::Entry;
use sha2::{Digest, Sha256};
use std::io;
use std::ops::Range;
use std::time::Duration;

/// After this time a sink that was full is offered the bytes again.
const MOMENT: Duration = Duration::from_millis(20);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadReport {
    pub entry: Entry,
    pub without: Vec<usize>,
    /// By node: damaged blocks that were rebuilt from others during the read. The disk still has
    /// them.
    pub bypassed: Vec<(usize, u64)>,
    /// By node: wrong blocks with valid checksums, revealed by the object's SHA-256. The read
    /// excluded them; the disk still has them.
    pub wrong_with_valid_checksum: Vec<(usize, u64)>,
    /// From the first request to the last block.
    pub took: Duration,
}

pub trait Sink {
    /// Takes the next bytes. After [`io::ErrorKind::WouldBlock`] the same bytes follow again a
    /// little later.
    fn take(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// The bytes so far are wrong. Returns true if the sink discards them and starts over.
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

/// An object that is read in pieces of any size.
pub(super) struct Stream {
    reader: Reader,
    /// The current block, and its bytes not yet read.
    slot: usize,
    left: Range<usize>,
}

impl<T: Transport> Client<T> {
    /// Reads an object from the available nodes; `sink` receives its bytes in order. The bytes are
    /// valid only if this returns without an error: the SHA-256 is checked at the end. A sink that
    /// returns [`io::ErrorKind::WouldBlock`] receives the same bytes again a little later.
    /// Meanwhile the client handles messages, so that nodes keep its connections.
    ///
    /// # Errors
    /// There is no such object, too few nodes answer, or the sink fails.
    pub fn get(
        &mut self,
        name: &str,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
        watch: Watch<'_>,
    ) -> Result<ReadReport, Error> {
        self.get_into(name, &mut { sink }, watch)
    }

    /// Like [`Client::get`]. If nodes have wrong blocks, a sink that can start over receives the
    /// object without them.
    ///
    /// # Errors
    /// As for [`Client::get`]; also wrong blocks if the sink cannot start over.
    pub fn get_into(
        &mut self,
        name: &str,
        sink: &mut dyn Sink,
        watch: Watch<'_>,
    ) -> Result<ReadReport, Error> {
        let found = self.find(name)?;
        let started = self.transport.now();
        let (mut wrong, mut read) =
            (Blocks::new(), self.read_whole(&found, Blocks::new(), sink, &mut *watch)?);
        if read.sha256 != found.entry.sha256 {
            wrong = self.wrong_blocks(&found, &mut *watch)?;
            if !sink.restart().map_err(cannot_write)? {
                return Err(Error::Failed(format!(
                    "the data that was output is not the object: {}; a file receives the right \
                     bytes, and `tenbin relay scrub` repairs the stored blocks",
                    self.describe_wrong(&wrong)
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
        Ok(ReadReport {
            entry: found.entry,
            without,
            bypassed,
            wrong_with_valid_checksum: wrong,
            took,
        })
    }

    fn wrong_blocks(&mut self, found: &FoundVersion, watch: Watch<'_>) -> Result<Blocks, Error> {
        match self.find_wrong(found, watch)? {
            Some(wrong) if !wrong.is_empty() => Ok(wrong),
            _ => Err(not_as_written()),
        }
    }

    fn describe_wrong(&self, wrong: &Blocks) -> String {
        let one = |(node, count): (usize, u64)| {
            format!("{} holds {count} wrong blocks", self.named(node))
        };
        by_node(wrong).into_iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn read_whole(
        &mut self,
        found: &FoundVersion,
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

    fn open_whole(&mut self, found: &FoundVersion, bad: Blocks) -> Result<Reader, Error> {
        let cells = found.entry.layout().map_err(Error::BadInput)?.homes().to_vec();
        let without = found.nodes(|held| !held.is_readable());
        let want = Want { stripes: None, cells, without, bad };
        self.open_reader(&found.entry, want)
    }

    pub(super) fn open_stream(&mut self, found: &FoundVersion) -> Result<Stream, Error> {
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

    /// The object's next block: its slot, and its bytes that belong to the object. The slot stays
    /// valid until the next call.
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
                    Some((node, event)) => self.handle_reader_event(reader, node, &event)?,
                    None => self.give_up_silent(reader)?,
                }
            }
        }
    }

    /// Handles messages while the sink is full.
    fn poll_while_full(&mut self, reader: &mut Reader) -> Result<(), Error> {
        match self.next(MOMENT) {
            Some((node, event)) => self.handle_reader_event(reader, node, &event),
            None => Ok(()),
        }
    }

    /// Passes on the data of all stripes in order. Refused blocks are offered again.
    pub(super) fn drain(
        &mut self,
        reader: &mut Reader,
        take: &mut dyn FnMut(&[u8]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        while let Some((slot, bytes)) = self.next_block(reader)? {
            while !take(self.transport.memory(reader.ring).get(slot, bytes))? {
                self.poll_while_full(reader)?
            }
        }
        Ok(())
    }
}

fn cannot_write(e: io::Error) -> Error {
    Error::Failed(format!("cannot write: {e}"))
}

fn not_as_written() -> Error {
    let why = "the data differs from what was written, whichever nodes are excluded: run `tenbin \
               relay scrub`";
    Error::Failed(why.into())
}
