//! Repair of lost nodes, and scrubbing of what is there.
use super::healed::{Course, Damage, Healed, Scrubbed, healed_of};
use super::reader::{Reader, Want};
use super::survey::{Found, Survey};
use super::writer::{Job, Writer};
use super::{Client, Error, Watch};
use crate::digest::{of_xor, of_zeros};
use crate::node::is_readable;
use crate::transport::Transport;
use crate::wire::{Message, Mode};
use std::collections::BTreeMap;
use std::ops::Range;
use xor_protocol::commit::{Held, Verdict};
use xor_protocol::object::Shape;
use xor_protocol::schedule::Kind;
use xor_protocol::{Cell, Layout};

/// Stripes of one patch session, at most.
const PATCH: usize = 4096;
/// Bytes that one node verifies at a time.
const VERIFY: u64 = 4 << 20;

/// Bad blocks, by stripe.
type Bad = BTreeMap<u64, Vec<Cell>>;

impl<T: Transport> Client<T> {
    /// From now on [`Client::repair`] goes on where too few nodes have an object: it is lost for
    /// good.
    pub fn accept_loss(&mut self) {
        self.accepts_loss = true
    }

    /// Makes again what these nodes lack of all objects. Doubts are settled first. Until nothing is
    /// left out they are used by nobody else; repeated after a failure it goes on.
    ///
    /// # Errors
    /// One of them does not answer; or an object is out of reach without them, and nobody has given
    /// it up: then nothing is changed, so that a disk that is found again still helps.
    pub fn repair(&mut self, lost: &[usize], watch: Watch<'_>) -> Result<Healed, Error> {
        self.begin_repair(lost)?;
        let mut healed = self.make_again(lost, watch)?;
        if self.changes_list(lost) && healed.is_whole() {
            self.tell_epoch();
            healed.add(self.make_again(lost, watch)?)
        }
        self.end_filling(lost, &healed)?;
        Ok(healed)
    }

    /// From here on these nodes are filled, and used by nobody else.
    pub(super) fn begin_repair(&mut self, lost: &[usize]) -> Result<(), Error> {
        self.will_fill(lost);
        if !self.accepts_loss {
            self.refuse_loss(lost)?
        }
        self.enter(lost)?;
        let Some(node) = lost.iter().find(|&&node| !self.is_up(node)) else { return Ok(()) };
        let (address, why) = (&self.peers[*node].address, &self.peers[*node].why);
        Err(self.lacking(format!("cannot repair: node {node} ({address}): {why}")))
    }

    /// One pass over all objects.
    pub(super) fn make_again(&mut self, lost: &[usize], watch: Watch<'_>) -> Result<Healed, Error> {
        let survey = self.settled()?;
        let (all, mut healed) = (survey.whole(), healed_of(&survey));
        let mut course = Course::of(&all, watch);
        for found in all {
            let missing = self.lacking_of(&found, lost);
            self.rebuild(&found, &missing, &mut healed, &mut course)?;
            course.end(&found)?
        }
        Ok(healed)
    }

    /// An error if a repair would discard an object that may have been acknowledged: too few nodes
    /// besides the lost ones have it. An object of which any other node has nothing does not count:
    /// it was never acknowledged, or it is removed.
    fn refuse_loss(&mut self, lost: &[usize]) -> Result<(), Error> {
        let survey = self.survey_all()?;
        let out = survey.out_of_reach();
        let Some(first) = out.first() else { return Ok(()) };
        let what = match out.len() {
            1 => format!("{first:?} is"),
            n => format!("{n} objects, {first:?} first, are"),
        };
        let nodes: Vec<String> = lost.iter().map(usize::to_string).collect();
        Err(self.lacking(format!(
            "nothing is changed: without node {} {what} out of reach; bring one of the lost disks \
             back as it was, or take the loss: tenbin relay repair --give-up",
            nodes.join(" and ")
        )))
    }

    /// Verifies every block on every node that answers, and heals what can be healed.
    ///
    /// # Errors
    /// The list is no cluster's, or the watcher stops it.
    pub fn scrub(&mut self, watch: Watch<'_>) -> Result<Scrubbed, Error> {
        self.enter(&[])?;
        let survey = self.settled()?;
        let all = survey.whole();
        let mut scrubbed = Scrubbed { healed: healed_of(&survey), ..Scrubbed::default() };
        let mut course = Course::of(&all, watch);
        for found in all {
            self.scrub_one(&found, &mut scrubbed, &mut course)?;
            course.end(&found)?
        }
        scrubbed.unverified.extend((0..self.peers.len()).filter(|&node| !self.is_up(node)));
        Ok(scrubbed)
    }

    pub(super) fn scrub_one(
        &mut self,
        found: &Found,
        scrubbed: &mut Scrubbed,
        course: &mut Course<'_>,
    ) -> Result<(), Error> {
        let name = &found.entry.name;
        let missing = self.lacking_of(found, &self.all_up());
        let is_healed = self.rebuild(found, &missing, &mut scrubbed.healed, course)?;
        let lacks = |node| Damage { object: name.clone(), node, bad: None, is_healed };
        scrubbed.damage.extend(missing.into_iter().map(lacks));
        let found = match self.find(name) {
            Ok(found) => found,
            // Nodes have gone meanwhile, or somebody has removed it.
            Err(Error::Failed(why)) => {
                scrubbed.healed.failed.push(format!("{name:?}: {why}"));
                return Ok(());
            }
            Err(Error::BadInput(_)) => return Ok(()),
            Err(Error::Stopped) => return Err(Error::Stopped),
        };
        let nodes = self.all_up();
        let bad = self.verify(&found, &nodes, scrubbed, course)?;
        self.patch(&found, &bad, scrubbed, course)
    }

    /// What all nodes have, after all doubts that can be ended are. Nodes are asked one after the
    /// other, while others write: only what they say twice is a doubt.
    pub(super) fn settled(&mut self) -> Result<Survey, Error> {
        for (name, before) in self.survey_all()?.objects {
            if before.len() > 1 || before.iter().any(is_doubtful) {
                let mut versions = self.survey(&name)?;
                versions.retain(|found| before.contains(found));
                self.settle_found(&versions)
            }
        }
        self.survey_all()
    }

    /// Which of these nodes have nothing of an object.
    fn lacking_of(&self, found: &Found, nodes: &[usize]) -> Vec<usize> {
        let lacks = |node: &&usize| {
            self.is_up(**node) && found.said.get(**node).is_some_and(|held| !is_readable(*held))
        };
        nodes.iter().filter(lacks).copied().collect()
    }

    /// Makes an object again on these nodes; whether that worked.
    fn rebuild(
        &mut self,
        found: &Found,
        missing: &[usize],
        healed: &mut Healed,
        course: &mut Course<'_>,
    ) -> Result<bool, Error> {
        if missing.is_empty() {
            return Ok(true);
        }
        match self.heal(found, (missing, None), &Bad::new(), course) {
            Ok(bytes) => {
                healed.rebuilt += missing.len();
                healed.bytes += bytes;
                self.settle(&found.entry.name).map(|()| true)
            }
            Err(Error::Stopped) => Err(Error::Stopped),
            Err(e) => {
                healed.failed.push(format!("{:?}: {e}", found.entry.name));
                Ok(false)
            }
        }
    }

    fn patch(
        &mut self,
        found: &Found,
        bad: &Bad,
        scrubbed: &mut Scrubbed,
        course: &mut Course<'_>,
    ) -> Result<(), Error> {
        for node in 0..self.peers.len() {
            let here = |cells: &Vec<Cell>| cells.iter().filter(|c| c.node == node).count() as u64;
            let count: u64 = bad.values().map(here).sum();
            if count == 0 {
                continue;
            }
            let is_healed = self.patch_node(found, node, bad, &mut scrubbed.healed, course)?;
            let object = found.entry.name.clone();
            scrubbed.damage.push(Damage { object, node, bad: Some(count), is_healed })
        }
        Ok(())
    }

    /// Overwrites a node's bad blocks; whether that worked.
    fn patch_node(
        &mut self,
        found: &Found,
        node: usize,
        bad: &Bad,
        healed: &mut Healed,
        course: &mut Course<'_>,
    ) -> Result<bool, Error> {
        let of_node = |(_, cells): &(&u64, &Vec<Cell>)| cells.iter().any(|c| c.node == node);
        let stripes: Vec<u64> = bad.iter().filter(of_node).map(|(stripe, _)| *stripe).collect();
        let mut is_healed = true;
        for part in stripes.chunks(PATCH) {
            match self.heal(found, (&[node], Some(part.to_vec())), bad, course) {
                Ok(bytes) => healed.bytes += bytes,
                Err(Error::Stopped) => return Err(Error::Stopped),
                Err(e) => {
                    is_healed = false;
                    let (name, address) = (&found.entry.name, &self.peers[node].address);
                    healed.failed.push(format!("{name:?} on node {node} ({address}): {e}"))
                }
            }
        }
        Ok(is_healed)
    }

    /// Reads stripes, rebuilds the cells of the target nodes, and writes them there: of a whole
    /// object, or some stripes in place. Returns the bytes written.
    fn heal(
        &mut self,
        found: &Found,
        (targets, stripes): (&[usize], Option<Vec<u64>>),
        bad: &Bad,
        course: &mut Course<'_>,
    ) -> Result<u64, Error> {
        let mode = if stripes.is_some() { Mode::Patch } else { Mode::Rebuild };
        let without: Vec<usize> =
            (0..found.said.len()).filter(|&node| !is_readable(found.said[node])).collect();
        let layout = self.layout_of(&found.entry)?;
        let cells: Vec<Cell> = targets.iter().flat_map(|&node| layout.cells_of(node)).collect();
        let job = Job {
            mode,
            layout,
            entry: found.entry.clone(),
            schedules: 1,
            nodes: targets.to_vec(),
            stripes: stripes.clone().unwrap_or_default(),
        };
        let want = Want { stripes, cells, without, bad: bad.clone() };
        let result = self.heal_in_session(&job, want, course);
        if result.is_err() {
            self.abort(targets)
        }
        result
    }

    fn heal_in_session(
        &mut self,
        job: &Job,
        want: Want,
        course: &mut Course<'_>,
    ) -> Result<u64, Error> {
        let cells = want.cells.clone();
        let mut writer = self.open_writer(job)?;
        let mut reader = self.open_reader(&job.entry, want)?;
        let result = self.carry(&mut reader, &mut writer, &cells, course);
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
        course: &mut Course<'_>,
    ) -> Result<u64, Error> {
        let (mut bytes, mut released) = (0, 0);
        let whole = reader.shape.block() * reader.shape.data();
        while !reader.is_over() {
            course.at(released * whole)?;
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
            let slot = reader.slot(at, cell);
            let sum = crc32c::crc32c(self.transport.memory(reader.ring).get(slot, length));
            writer.expected.block(stripe, cell, sum);
            let (to, from) = ((cell.node, cell.row), (reader.ring, slot));
            self.write_block(writer, (at, Kind::Naive), to, from, length)
        }
        (cells.len() * length) as u64
    }

    /// Has these nodes check their blocks; then checks the parities by the blocks' sums alone.
    pub(super) fn verify(
        &mut self,
        found: &Found,
        nodes: &[usize],
        scrubbed: &mut Scrubbed,
        course: &mut Course<'_>,
    ) -> Result<Bad, Error> {
        let (length, block) = (found.entry.length, u64::from(found.entry.block));
        let layout = self.layout_of(&found.entry)?;
        let shape = Shape::new(&layout, length, block);
        let shape = shape.map_err(|e| Error::BadInput(e.to_string()))?;
        let step = (VERIFY / block / layout.rows() as u64).clamp(1, 1024);
        let mut bad = Bad::new();
        for first in (0..shape.stripes()).step_by(step as usize) {
            course.at(first * shape.block() * shape.data())?;
            let count = step.min(shape.stripes() - first);
            let part = first..first + count;
            let sums = self.verify_some(found, (&layout, nodes), part, &mut bad, scrubbed);
            for (stripe, sums) in (first..).zip(sums) {
                let zeros = of_zeros(shape.block_of(stripe) as usize);
                scrubbed.inconsistent += broken_equations(&layout, &sums, zeros)
            }
        }
        Ok(bad)
    }

    /// By stripe and cell: the sum, of blocks that are as they were written.
    fn verify_some(
        &mut self,
        found: &Found,
        (layout, nodes): (&Layout, &[usize]),
        stripes: Range<u64>,
        bad: &mut Bad,
        scrubbed: &mut Scrubbed,
    ) -> Vec<Vec<Option<u32>>> {
        let (rows, count) = (layout.rows(), stripes.end - stripes.start);
        let (id, stripe) = (found.entry.version.id, stripes.start);
        let ask = Message::Verify { id, stripe, count: count as u32 };
        let has = |node: &usize| found.said.get(*node).is_some_and(|held| is_readable(*held));
        let holders = nodes.iter().copied().filter(|node| self.is_up(*node)).filter(has);
        let asks = holders.map(|node| (node, ask.clone())).collect();
        let mut sums = vec![vec![None; layout.nodes() * rows]; count as usize];
        for (node, answer) in self.ask(asks, self.patience.sync) {
            let Ok(Message::Verified { blocks }) = answer else {
                scrubbed.unverified.insert(node);
                continue;
            };
            for (at, (sum, is_right)) in blocks.into_iter().take(count as usize * rows).enumerate()
            {
                let cell = Cell { node, row: at % rows };
                scrubbed.blocks += 1;
                if is_right {
                    sums[at / rows][layout.index(cell)] = Some(sum)
                } else {
                    scrubbed.bad += 1;
                    bad.entry(stripe + (at / rows) as u64).or_default().push(cell)
                }
            }
        }
        sums
    }
}

/// Whether a version is to be completed, or what is left of it to be discarded.
fn is_doubtful(found: &Found) -> bool {
    let is_prepared = |held: &Held| matches!(held, Held::Prepared { .. });
    found.verdict == Verdict::Absent || found.said.iter().any(is_prepared)
}

/// Equations whose blocks are all there and whose sums do not add up.
fn broken_equations(layout: &Layout, sums: &[Option<u32>], zeros: u32) -> u64 {
    let is_broken = |cells: &&Vec<Cell>| {
        let all: Option<Vec<u32>> = cells.iter().map(|c| sums[layout.index(*c)]).collect();
        all.is_some_and(|mut all| {
            let parity = all.remove(0);
            of_xor(all, zeros) != parity
        })
    };
    layout.equations().iter().filter(is_broken).count() as u64
}
