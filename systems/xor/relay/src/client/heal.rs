//! Repair of lost nodes, and scrubbing of what is there.
use super::findings::Findings;
use super::healed::{Course, Damage, Healed, Scrubbed, healed_of};
use super::liars::{broken_equations, by_node};
use super::reader::{Reader, Want};
use super::survey::{Found, Survey};
use super::writer::{Job, Writer};
use super::{Client, Error, Watch};
use crate::digest::of_zeros;
use crate::transport::Transport;
use crate::wire::{Message, Mode, Settling};
use std::collections::BTreeMap;
use std::ops::Range;
use xor_protocol::commit::Held;
use xor_protocol::object::Shape;
use xor_protocol::schedule::Kind;
use xor_protocol::{Cell, Layout};

/// Stripes of one patch session, at most.
const PATCH: usize = 4096;
/// Bytes that one node verifies at a time.
const VERIFY: u64 = 4 << 20;

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
    /// The list is not the cluster's; another operator is at work; one of the nodes does not
    /// answer; or an object is out of reach without them, and nobody has given it up: then nothing
    /// is changed, so that a disk that is found again still helps.
    pub fn repair(&mut self, lost: &[usize], watch: Watch<'_>) -> Result<Healed, Error> {
        let addresses: Vec<&str> = lost.iter().map(|&node| self.address(node)).collect();
        let what = format!("repair --lost {}", addresses.join(","));
        self.locked(&what, |client| client.repair_locked(lost, watch))
    }

    fn repair_locked(&mut self, lost: &[usize], watch: Watch<'_>) -> Result<Healed, Error> {
        self.check_repair(lost)?;
        let given_up = self.begin_filling(lost)?;
        let mut healed = Healed { given_up, ..self.make_again(lost, watch)? };
        if self.changes_list(lost) && healed.is_whole() {
            self.tell_epoch();
            healed.add(self.make_again(lost, watch)?)
        }
        self.end_filling(lost, &healed)?;
        Ok(healed)
    }

    /// What a repair finds, and would change; it changes nothing.
    ///
    /// # Errors
    /// The list is not the cluster's, or one of the nodes does not answer.
    pub fn look_before_repairing(&mut self, lost: &[usize]) -> Result<Findings, Error> {
        self.check_repair(lost)?;
        self.look(lost)
    }

    fn check_repair(&mut self, lost: &[usize]) -> Result<(), Error> {
        self.will_fill(lost);
        self.identify_again()?;
        self.check_order()?;
        self.check_lost(lost)?;
        self.need_lost(lost)
    }

    fn need_lost(&self, lost: &[usize]) -> Result<(), Error> {
        let Some(node) = lost.iter().find(|&&node| !self.is_up(node)) else { return Ok(()) };
        let (address, why) = (&self.peers[*node].address, &self.peers[*node].why);
        Err(self.lacking(format!("cannot repair: node {node} ({address}): {why}")))
    }

    /// From here on these nodes are filled, and used by nobody else. Records that cannot be read
    /// are restored before. Returns what was given up.
    pub(super) fn begin_filling(&mut self, lost: &[usize]) -> Result<Vec<String>, Error> {
        self.enter(lost)?;
        let survey = self.settled()?;
        let out = survey.out_of_reach();
        if let Some(refusal) = self.refusal(&out, lost)
            && !self.accepts_loss
        {
            return Err(refusal);
        }
        self.tell(lost, false);
        self.need_lost(lost)?;
        self.copies.extend(lost);
        match self.accepts_loss {
            true => self.take_loss(&survey, lost),
            false => Ok(Vec::new()),
        }
    }

    /// Discards versions that cannot come back; returns their objects' names.
    fn take_loss(&mut self, survey: &Survey, lost: &[usize]) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        for (name, versions) in survey.given_up(lost) {
            for Found { entry, said, .. } in versions {
                let holds =
                    |(_, held): &(usize, &Held)| **held != Held::Unknown && held.is_something();
                let version = entry.version;
                let message =
                    Message::Settle { name: name.into(), version, how: Settling::Discard };
                let holders = said.iter().enumerate().filter(holds);
                let asks = holders.map(|(node, _)| (node, message.clone())).collect();
                self.ask(asks, self.patience.answer);
            }
            names.push(name.to_string())
        }
        Ok(names)
    }

    /// One pass over all objects.
    pub(super) fn make_again(&mut self, lost: &[usize], watch: Watch<'_>) -> Result<Healed, Error> {
        self.restored.clear();
        let survey = self.settled()?;
        let (all, mut healed) = (survey.whole(), healed_of(&survey));
        healed.restored = std::mem::take(&mut self.restored);
        let mut course = Course::of(&all, watch);
        for found in all {
            let missing = self.lacking_of(&found, lost);
            self.rebuild(&found, &missing, &mut healed, &mut course)?;
            course.end(&found)?
        }
        Ok(healed)
    }

    /// Why nothing is changed: objects are out of reach without these nodes.
    pub(super) fn refusal(&self, out: &[&str], lost: &[usize]) -> Option<Error> {
        let first = out.first()?;
        let what = match out.len() {
            1 => format!("{first:?} is"),
            n => format!("{n} objects, {first:?} first, are"),
        };
        let nodes: Vec<String> = lost.iter().map(usize::to_string).collect();
        let without = match nodes.is_empty() {
            true => String::new(),
            false => format!("without node {} ", nodes.join(" and ")),
        };
        let away: Vec<String> = self.missing().into_iter().map(|(_, why)| why).collect();
        let away = match away.is_empty() {
            true => String::new(),
            false => format!(" ({})", away.join("; ")),
        };
        Some(self.lacking(format!(
            "nothing is changed: {without}{what} out of reach; bring back the nodes that are away\
             {away}, or one of the lost disks as it was, or take the loss: tenbin relay repair \
             --give-up, or rm"
        )))
    }

    /// Verifies every block on every node that answers, and heals what can be healed.
    ///
    /// # Errors
    /// The list is no cluster's, or the watcher stops it.
    pub fn scrub(&mut self, watch: Watch<'_>) -> Result<Scrubbed, Error> {
        self.enter(&[])?;
        self.restored.clear();
        let survey = self.settled()?;
        let all = survey.whole();
        let mut healed = healed_of(&survey);
        healed.restored = std::mem::take(&mut self.restored);
        let unexplained = survey.unexplained.clone();
        let mut scrubbed = Scrubbed { healed, unexplained, ..Scrubbed::default() };
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
        let lacks = |node| Damage { object: name.clone(), node, bad: None, wrong: 0, is_healed };
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
        let (nodes, inconsistent) = (self.all_up(), scrubbed.inconsistent);
        let bad = self.verify(&found, &nodes, scrubbed, course)?;
        let wrong = self.unmask(&found, inconsistent, scrubbed, course)?;
        self.patch(&found, (bad, wrong), scrubbed, course)
    }

    /// Which of these nodes have nothing of an object.
    fn lacking_of(&self, found: &Found, nodes: &[usize]) -> Vec<usize> {
        let lacks = |node: &&usize| {
            self.is_up(**node) && found.said.get(**node).is_some_and(|held| !held.is_readable())
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

    /// Overwrites bad blocks, and such as are wrong although their sums fit.
    fn patch(
        &mut self,
        found: &Found,
        (bad, wrong): (Bad, Bad),
        scrubbed: &mut Scrubbed,
        course: &mut Course<'_>,
    ) -> Result<(), Error> {
        let mut all = bad.clone();
        for (stripe, cells) in &wrong {
            all.entry(*stripe).or_default().extend(cells)
        }
        for node in 0..self.peers.len() {
            let here = |blocks: &Bad| by_node(blocks).get(&node).copied().unwrap_or(0);
            let (bad, wrong) = (here(&bad), here(&wrong));
            if bad + wrong == 0 {
                continue;
            }
            let is_healed = self.patch_node(found, node, &all, &mut scrubbed.healed, course)?;
            let object = found.entry.name.clone();
            scrubbed.damage.push(Damage { object, node, bad: Some(bad), wrong, is_healed })
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
            (0..found.said.len()).filter(|&node| !found.said[node].is_readable()).collect();
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
        let mut writer = self.open_writer(job, &mut || true)?;
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
        let has = |node: &usize| found.said.get(*node).is_some_and(|held| held.is_readable());
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
