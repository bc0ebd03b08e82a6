use super::survey::FoundVersion;
use super::writer::{Job, Writer};
use super::{Client, Error, Watch, random};
use crate::memory::Ring;
use crate::transport::Transport;
use crate::wire::{Entry, Mode, bits, check_name};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;
use xor_protocol::Layout;
use xor_protocol::commit::{ReplicaState, Version};
use xor_protocol::schedule::{Kind, Mix, Party, Schedule, Share, Source};
pub use xor_protocol::strategy::Strategy;

/// Interval of calls to `watch` without progress.
pub(super) const LOOK: Duration = Duration::from_millis(250);

struct Schedules {
    strategy: Strategy,
    mix: Mix,
    made: BTreeMap<Kind, Schedule>,
}

impl Schedules {
    /// `first`: the first pivot.
    fn new(strategy: Strategy, nodes: usize, first: usize) -> Schedules {
        Schedules { strategy, mix: Mix::new(nodes, Share::NONE, first), made: BTreeMap::new() }
    }

    fn deal(&mut self, layout: &Layout, writers: usize) -> Kind {
        let kind = self.strategy.deal(&mut self.mix, layout, writers);
        self.made.entry(kind).or_insert_with(|| kind.schedule(layout));
        kind
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    pub name: String,
    pub version: Version,
    /// In bytes.
    pub length: u64,
    pub sha256: [u8; 32],
    /// From the first block to the last acknowledgement.
    pub took: Duration,
    /// Losses that it survives.
    pub losses: usize,
}

/// Slots of the client's own ring: data and, in naive stripes, parities.
struct Places {
    ring: Ring,
    per_stripe: usize,
}

/// Fills a slice with the object's bytes from an offset.
type Feed<'a> = &'a mut dyn FnMut(u64, &mut [u8]) -> io::Result<()>;

/// Source of an object's bytes, in order.
pub(super) trait Content {
    /// Announces the next `length` bytes, before `fill` calls. The ring is not borrowed during this
    /// call.
    fn fetch(&mut self, _length: usize) -> Result<(), Error> {
        Ok(())
    }
    fn fill(&mut self, offset: u64, to: &mut [u8]) -> io::Result<()>;
    /// All is written but not durable: the last chance to refuse.
    fn check(&mut self, _sha256: [u8; 32]) -> Result<(), Error> {
        Ok(())
    }
}

impl<F: FnMut(u64, &mut [u8]) -> io::Result<()>> Content for F {
    fn fill(&mut self, offset: u64, to: &mut [u8]) -> io::Result<()> {
        self(offset, to)
    }
}

struct Hashed<'a> {
    content: &'a mut dyn Content,
    sha: Sha256,
}

impl Content for Hashed<'_> {
    fn fetch(&mut self, length: usize) -> Result<(), Error> {
        self.content.fetch(length)
    }
    fn fill(&mut self, offset: u64, to: &mut [u8]) -> io::Result<()> {
        self.content.fill(offset, to)?;
        self.sha.update(&*to);
        Ok(())
    }
}

impl<T: Transport> Client<T> {
    /// Lets [`Client::put`] fail with bad input if the name exists, even if it is written
    /// meanwhile.
    pub fn replace_nothing(&mut self) {
        self.replaces_nothing = true
    }

    /// Writes an object of `length` bytes, which `feed` supplies in order. On success, the object
    /// is durable and visible on all nodes. On failure, the name is unchanged, or will be once the
    /// version is resolved.
    ///
    /// # Errors
    /// A node does not answer or fails, the feed fails, or the name or the block size is invalid.
    pub fn put(
        &mut self,
        name: &str,
        length: u64,
        block: u32,
        strategy: Strategy,
        feed: Feed<'_>,
        watch: Watch<'_>,
    ) -> Result<Receipt, Error> {
        check_name(name).map_err(Error::BadInput)?;
        let what = "a write needs all nodes";
        self.identify()?;
        self.need_all(what)?;
        self.enter(&[])?;
        self.need_all(what)?;
        let versions = self.survey(name)?;
        self.resolve_versions(&versions);
        let generation = versions.iter().map(|f| f.entry.version.generation).max().unwrap_or(0);
        let version = Version { generation: generation + 1, id: random()? };
        let entry = Entry::new(name, version, &self.layout, length, block);
        self.write(entry, strategy, &mut { feed }, watch)
    }

    pub(super) fn write(
        &mut self,
        entry: Entry,
        strategy: Strategy,
        content: &mut dyn Content,
        watch: Watch<'_>,
    ) -> Result<Receipt, Error> {
        let (name, version, length) = (entry.name.clone(), entry.version, entry.length);
        let started = self.transport.now();
        match self.write_in_session(entry, strategy, content, watch) {
            Ok(sha256) => {
                let (took, losses) = (self.transport.now() - started, self.layout.losses());
                Ok(Receipt { name, version, length, sha256, took, losses })
            }
            Err(e) => {
                self.abort(self.all_up());
                // If this fails too, the next client of the name resolves it.
                let _ = self.resolve(&name);
                Err(e)
            }
        }
    }

    /// Like `write`, but a failure leaves sessions and an undecided version. Returns the content's
    /// SHA-256.
    fn write_in_session(
        &mut self,
        entry: Entry,
        strategy: Strategy,
        content: &mut dyn Content,
        watch: Watch<'_>,
    ) -> Result<[u8; 32], Error> {
        let (name, version, length) = (entry.name.clone(), entry.version, entry.length);
        let mut hashed = Hashed { content: &mut *content, sha: Sha256::new() };
        let writer = self.stream(Mode::Put, entry, strategy, &mut hashed, &mut *watch)?;
        let sha256 = hashed.sha.finalize().into();
        content.check(sha256)?;
        if !watch(length, length) {
            return Err(Error::Stopped);
        }
        self.prepare(&writer, sha256)?;
        self.refuse_others(&name, version)?;
        self.commit(&writer)?;
        Ok(sha256)
    }

    /// Fails if nothing may be replaced and another client has written or prepared the name. If two
    /// clients have prepared it, both check, and the higher version proceeds.
    fn refuse_others(&mut self, name: &str, own: Version) -> Result<(), Error> {
        if !self.replaces_nothing {
            return Ok(());
        }
        let is_first = |found: &FoundVersion| {
            let prepared =
                |held: &ReplicaState| matches!(held, ReplicaState::Prepared { is_attended: true });
            let is_near = found.entry.version > own && found.states.iter().any(prepared);
            found.entry.version != own
                && (found.states.contains(&ReplicaState::Committed) || is_near)
        };
        match self.survey(name)?.iter().any(is_first) {
            true => Err(Error::BadInput(format!(
                "another client wrote {name:?} at the same time: --force replaces it"
            ))),
            false => Ok(()),
        }
    }

    /// Sends `length` bytes without storing them, or fewer if `watch` stops.
    pub fn measure(
        &mut self,
        length: u64,
        block: u32,
        strategy: Strategy,
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        self.need_all("a measurement needs all nodes")?;
        let version = Version { generation: 1, id: random()? };
        let entry = Entry::new("measured", version, &self.layout, length, block);
        let nothing = &mut |_: u64, _: &mut [u8]| Ok(());
        match self.stream(Mode::Measure, entry, strategy, nothing, watch) {
            Ok(writer) => self.prepare(&writer, [0; 32]),
            Err(e) => {
                self.abort(self.all_up());
                if e == Error::Stopped { Ok(()) } else { Err(e) }
            }
        }
    }

    pub(super) fn need_all(&self, what: &str) -> Result<(), Error> {
        match self.why_missing() {
            none if none.is_empty() => Ok(()),
            missing => Err(self.lacking(format!("{what}: {missing}"))),
        }
    }

    /// Sends all stripes and waits until all nodes have finished them.
    fn stream(
        &mut self,
        mode: Mode,
        entry: Entry,
        strategy: Strategy,
        content: &mut dyn Content,
        watch: Watch<'_>,
    ) -> Result<Writer, Error> {
        let nodes = (0..self.layout.nodes()).collect();
        let (schedules, length) = (bits(strategy), entry.length);
        let job = Job { mode, entry, schedules, nodes, stripes: Vec::new() };
        let first = (random()? % self.layout.nodes() as u128) as usize;
        let mut dealt = Schedules::new(strategy, self.layout.nodes(), first);
        let mut writer = self.open_writer(&job, &mut || watch(0, length))?;
        let per_stripe = self.layout.nodes() * self.layout.rows();
        let slots = per_stripe * writer.size as usize;
        let ring = self.transport.register(slots, writer.shape.block() as usize);
        let ring = ring.map_err(|e| Error::Failed(e.to_string()))?;
        let places = Places { ring, per_stripe };
        let result =
            self.send_all(&mut writer, &places, &mut dealt, content, &mut |stripes, shape| {
                let whole = shape.block() * shape.data();
                watch((stripes * whole).min(length), length)
            });
        self.transport.release(ring);
        result.map(|()| writer)
    }

    fn send_all(
        &mut self,
        writer: &mut Writer,
        places: &Places,
        dealt: &mut Schedules,
        content: &mut dyn Content,
        watch: &mut dyn FnMut(u64, &xor_protocol::object::Shape) -> bool,
    ) -> Result<(), Error> {
        let total = writer.shape.stripes();
        let (mut reported, mut silent) = (0, Duration::ZERO);
        loop {
            while writer.window.next() < total
                && let Some(stripe) = writer.window.begin()
            {
                let kind = dealt.deal(&self.layout, writer.writers);
                self.fill(writer, places, stripe, content)?;
                self.send_stripe(writer, places, stripe, kind, &dealt.made[&kind]);
            }
            let low = writer.window.all_done_before();
            if low == total {
                return Ok(());
            }
            if low > reported && !watch(low, &writer.shape) {
                return Err(Error::Stopped);
            }
            reported = low;
            match self.next(LOOK) {
                Some((node, event)) => {
                    silent = Duration::ZERO;
                    self.handle_writer_event(writer, node, &event)?
                }
                None if silent >= self.patience.answer => {
                    return Err(Error::Failed(self.who_is_silent(writer)));
                }
                None if !watch(low, &writer.shape) => return Err(Error::Stopped),
                None => silent += LOOK,
            }
        }
    }

    fn who_is_silent(&self, writer: &Writer) -> String {
        let low = writer.window.all_done_before();
        let waited = self.patience.answer.as_secs();
        format!("no progress for {waited} s: a node does not acknowledge stripe {low}")
    }

    /// Fills a stripe's data slots, with zeros after the object's end, and records the checksums.
    fn fill(
        &mut self,
        writer: &mut Writer,
        places: &Places,
        stripe: u64,
        content: &mut dyn Content,
    ) -> Result<(), Error> {
        let base = (stripe % writer.size) as usize * places.per_stripe;
        let length = writer.shape.block_of(stripe) as usize;
        let pieces = (0..self.layout.data()).map(|data| writer.shape.data_at(stripe, data).1);
        content.fetch(pieces.sum::<u64>() as usize)?;
        let mut memory = self.transport.memory(places.ring);
        let mut sums = Vec::with_capacity(self.layout.data());
        for data in 0..self.layout.data() {
            let (offset, bytes) = writer.shape.data_at(stripe, data);
            let place = memory.get_mut(base + data, length);
            let (piece, rest) = place.split_at_mut(bytes as usize);
            if !piece.is_empty() {
                let filled = content.fill(offset, piece);
                filled.map_err(|e| Error::Failed(format!("cannot read: {e}")))?
            }
            rest.fill(0);
            sums.push(crc32c::crc32c(place));
        }
        writer.expected.stripe(&self.layout, stripe, length, &sums);
        Ok(())
    }

    /// Performs the client's steps of a schedule. Parities are computed into slots after the data.
    fn send_stripe(
        &mut self,
        writer: &Writer,
        places: &Places,
        stripe: u64,
        kind: Kind,
        schedule: &Schedule,
    ) {
        let base = (stripe % writer.size) as usize * places.per_stripe;
        let length = writer.shape.block_of(stripe) as usize;
        let mut sum = base + self.layout.data();
        for step in schedule.steps.iter().filter(|s| s.from == Party::Client) {
            let slot = |source: &Source| match source {
                Source::Data(data) => base + data,
                Source::Block(_) => unreachable!("the client receives no messages"),
            };
            let from = match &step.xor[..] {
                [one] => slot(one),
                many => {
                    let sources: Vec<usize> = many.iter().map(slot).collect();
                    self.transport.memory(places.ring).xor(sum, &sources, length);
                    sum += 1;
                    sum - 1
                }
            };
            let to = (step.to, step.block);
            self.write_block(writer, (stripe, kind), to, (places.ring, from), length)
        }
    }
}
