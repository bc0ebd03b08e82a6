//! Repair of lost nodes, and scrubbing of what is there.
use super::reader::{Reader, Want};
use super::survey::Found;
use super::writer::{Job, Writer};
use super::{Client, Error, Watch};
use crate::digest::{of_xor, of_zeros};
use crate::node::is_readable;
use crate::transport::Transport;
use crate::wire::{Message, Mode};
use std::collections::BTreeMap;
use std::ops::Range;
use xor_protocol::Cell;
use xor_protocol::commit::Verdict;
use xor_protocol::object::Shape;
use xor_protocol::schedule::Kind;

/// Stripes of one patch session, at most.
const PATCH: usize = 4096;
/// Bytes that one node verifies at a time.
const VERIFY: u64 = 4 << 20;

/// What a repair did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Healed {
    /// Objects that were looked at.
    pub objects: usize,
    /// Nodes' parts of objects that were made anew.
    pub rebuilt: usize,
    /// Bytes written.
    pub bytes: u64,
    /// Objects that could not be healed, with why.
    pub failed: Vec<String>,
}

/// What a scrub found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scrubbed {
    /// Blocks that were read and checked.
    pub blocks: u64,
    /// Those that were bad.
    pub bad: u64,
    /// Parity sums that did not hold although all blocks are as they were written.
    pub inconsistent: u64,
    /// What was done about it.
    pub healed: Healed,
}

/// Bad blocks, by stripe.
type Bad = BTreeMap<u64, Vec<Cell>>;

impl<T: Transport> Client<T> {
    /// Makes anew what these nodes lack of all objects. Doubts are settled first.
    ///
    /// # Errors
    /// One of them does not answer.
    pub fn repair(&mut self, lost: &[usize], watch: Watch<'_>) -> Result<Healed, Error> {
        if let Some(node) = lost.iter().find(|&&node| !self.is_up(node)) {
            return Err(self.failed_at(*node, "cannot repair", &self.peers[*node].why));
        }
        let all = self.settled()?;
        let mut healed = Healed { objects: all.len(), ..Healed::default() };
        let count = all.len() as u64;
        for (done, found) in all.into_iter().enumerate() {
            self.rebuild_missing(&found, lost, &mut healed)?;
            if !watch(done as u64 + 1, count) {
                return Err(Error::Stopped);
            }
        }
        Ok(healed)
    }

    /// Verifies every block on every node that answers, and heals what can be healed.
    ///
    /// # Errors
    /// No node answers, or the watcher stops it.
    pub fn scrub(&mut self, watch: Watch<'_>) -> Result<Scrubbed, Error> {
        let all = self.settled()?;
        let mut scrubbed = Scrubbed::default();
        scrubbed.healed.objects = all.len();
        let count = all.len() as u64;
        for (done, found) in all.into_iter().enumerate() {
            let up = self.all_up();
            self.rebuild_missing(&found, &up, &mut scrubbed.healed)?;
            let found = self.find(&found.entry.name)?;
            let bad = self.verify(&found, &mut scrubbed)?;
            self.patch(&found, &bad, &mut scrubbed.healed)?;
            if !watch(done as u64 + 1, count) {
                return Err(Error::Stopped);
            }
        }
        Ok(scrubbed)
    }

    /// The newest whole version of each name, after all doubts that can be ended are.
    fn settled(&mut self) -> Result<Vec<Found>, Error> {
        for versions in self.survey_all()?.into_values() {
            self.settle_found(&versions)
        }
        let all = self.survey_all()?.into_values();
        let newest = |v: Vec<Found>| v.into_iter().find(|f| f.verdict == Verdict::Whole);
        Ok(all.filter_map(newest).collect())
    }

    fn rebuild_missing(
        &mut self,
        found: &Found,
        nodes: &[usize],
        healed: &mut Healed,
    ) -> Result<(), Error> {
        let lacks = |node: &&usize| !is_readable(found.said[**node]) && self.is_up(**node);
        let missing: Vec<usize> = nodes.iter().filter(lacks).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        match self.heal(found, &missing, Mode::Rebuild, None, &Bad::new()) {
            Ok(bytes) => {
                healed.rebuilt += missing.len();
                healed.bytes += bytes;
                self.settle(&found.entry.name)
            }
            Err(Error::Stopped) => Err(Error::Stopped),
            Err(e) => {
                healed.failed.push(format!("{:?}: {e}", found.entry.name));
                Ok(())
            }
        }
    }

    fn patch(&mut self, found: &Found, bad: &Bad, healed: &mut Healed) -> Result<(), Error> {
        for node in self.all_up() {
            let of_node = |(_, cells): &(&u64, &Vec<Cell>)| cells.iter().any(|c| c.node == node);
            let stripes: Vec<u64> = bad.iter().filter(of_node).map(|(stripe, _)| *stripe).collect();
            for part in stripes.chunks(PATCH) {
                match self.heal(found, &[node], Mode::Patch, Some(part.to_vec()), bad) {
                    Ok(bytes) => healed.bytes += bytes,
                    Err(Error::Stopped) => return Err(Error::Stopped),
                    Err(e) => healed.failed.push(format!("{:?}: {e}", found.entry.name)),
                }
            }
        }
        Ok(())
    }

    /// Reads stripes, rebuilds the cells of the target nodes, and writes them there. Returns the
    /// bytes written.
    fn heal(
        &mut self,
        found: &Found,
        targets: &[usize],
        mode: Mode,
        stripes: Option<Vec<u64>>,
        bad: &Bad,
    ) -> Result<u64, Error> {
        let without: Vec<usize> =
            (0..found.said.len()).filter(|&node| !is_readable(found.said[node])).collect();
        let cells: Vec<Cell> =
            targets.iter().flat_map(|&node| self.layout.cells_of(node)).collect();
        let job = Job {
            mode,
            entry: found.entry.clone(),
            schedules: 1,
            nodes: targets.to_vec(),
            stripes: stripes.clone().unwrap_or_default(),
        };
        let want = Want { stripes, cells, without, bad: bad.clone() };
        let result = self.heal_in_session(&job, want);
        if result.is_err() {
            self.abort(targets)
        }
        result
    }

    fn heal_in_session(&mut self, job: &Job, want: Want) -> Result<u64, Error> {
        let cells = want.cells.clone();
        let mut writer = self.open_writer(job)?;
        let mut reader = self.open_reader(&job.entry, want)?;
        let result = self.carry(&mut reader, &mut writer, &cells);
        self.close_reader(reader);
        let bytes = result?;
        self.prepare(&writer, job.entry.sha256)?;
        self.commit(&writer)?;
        Ok(bytes)
    }

    /// From the reader's slots straight to the targets; a slot is free when they are done with it.
    fn carry(
        &mut self,
        reader: &mut Reader,
        writer: &mut Writer,
        cells: &[Cell],
    ) -> Result<u64, Error> {
        let (mut bytes, mut released) = (0, 0);
        while !reader.is_over() {
            while let Some((at, stripe)) = reader.ready_after(writer.window.next() - released)
                && writer.window.begin().is_some()
            {
                bytes += self.forward(reader, writer, cells, (at, stripe))
            }
            while released < writer.window.low() {
                reader.release();
                released += 1
            }
            self.ask_for_more(reader)?;
            if reader.is_over() {
                break;
            }
            match self.next(self.patience.answer) {
                Some((node, said)) => {
                    self.heard(writer, node, &said)?;
                    self.read_heard(reader, node, &said)?
                }
                None => self.give_up_silent(reader)?,
            }
        }
        Ok(bytes)
    }

    fn forward(
        &mut self,
        reader: &Reader,
        writer: &mut Writer,
        cells: &[Cell],
        (at, stripe): (u64, u64),
    ) -> u64 {
        let length = reader.shape.block_of(stripe) as usize;
        for &cell in cells {
            let slot = reader.slot(&self.layout, at, cell);
            let sum = crc32c::crc32c(self.transport.memory(reader.ring).get(slot, length));
            writer.expected.block(stripe, cell, sum);
            let (to, from) = ((cell.node, cell.row), (reader.ring, slot));
            self.write_block(writer, (at, Kind::Naive), to, from, length)
        }
        (cells.len() * length) as u64
    }

    /// Has every node check its blocks; then checks the parities by the blocks' sums alone.
    fn verify(&mut self, found: &Found, scrubbed: &mut Scrubbed) -> Result<Bad, Error> {
        let (length, block) = (found.entry.length, u64::from(found.entry.block));
        let shape = Shape::new(&self.layout, length, block);
        let shape = shape.map_err(|e| Error::BadInput(e.to_string()))?;
        let step = (VERIFY / block / self.layout.rows() as u64).clamp(1, 1024);
        let mut bad = Bad::new();
        for first in (0..shape.stripes()).step_by(step as usize) {
            let count = step.min(shape.stripes() - first);
            let sums = self.verify_some(found, first..first + count, &mut bad, scrubbed);
            for (stripe, sums) in (first..).zip(sums) {
                let zeros = of_zeros(shape.block_of(stripe) as usize);
                scrubbed.inconsistent += self.broken_equations(&sums, zeros)
            }
        }
        Ok(bad)
    }

    /// By stripe and cell: the sum, of blocks that are as they were written.
    fn verify_some(
        &mut self,
        found: &Found,
        stripes: Range<u64>,
        bad: &mut Bad,
        scrubbed: &mut Scrubbed,
    ) -> Vec<Vec<Option<u32>>> {
        let (rows, count) = (self.layout.rows(), stripes.end - stripes.start);
        let (id, stripe) = (found.entry.version.id, stripes.start);
        let ask = Message::Verify { id, stripe, count: count as u32 };
        let holders = self.all_up().into_iter().filter(|&node| is_readable(found.said[node]));
        let asks = holders.map(|node| (node, ask.clone())).collect();
        let mut sums = vec![vec![None; self.layout.nodes() * rows]; count as usize];
        for (node, answer) in self.ask(asks, self.patience.sync) {
            let Ok(Message::Verified { blocks }) = answer else { continue };
            for (at, (sum, is_right)) in blocks.into_iter().take(count as usize * rows).enumerate()
            {
                let cell = Cell { node, row: at % rows };
                scrubbed.blocks += 1;
                if is_right {
                    sums[at / rows][self.layout.index(cell)] = Some(sum)
                } else {
                    scrubbed.bad += 1;
                    bad.entry(stripe + (at / rows) as u64).or_default().push(cell)
                }
            }
        }
        sums
    }

    /// Equations whose blocks are all there and whose sums do not add up.
    fn broken_equations(&self, sums: &[Option<u32>], zeros: u32) -> u64 {
        let is_broken = |cells: &&Vec<Cell>| {
            let all: Option<Vec<u32>> = cells.iter().map(|c| sums[self.layout.index(*c)]).collect();
            all.is_some_and(|mut all| {
                let parity = all.remove(0);
                of_xor(all, zeros) != parity
            })
        };
        self.layout.equations().iter().filter(is_broken).count() as u64
    }
}
