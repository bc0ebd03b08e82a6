//! Repair of lost nodes, and scrubs.
use super::blocks::{Blocks, broken_equations, by_node, parts};
use super::findings::Findings;
use super::reader::{Reader, Want};
use super::survey::{FoundVersion, Survey};
use super::walk::{Course, Damage, RepairReport};
use super::writer::{Job, Writer};
use super::{Client, Error, Watch};
use crate::digest::of_zeros;
use crate::transport::Transport;
use crate::wire::{Message, Mode, Resolution};
use xor_protocol::Cell;
use xor_protocol::schedule::Kind;

/// Stripes of one patch session.
const PATCH: usize = 4096;

impl<T: Transport> Client<T> {
    /// Lets [`Client::repair`] proceed although too few nodes have some object, which is then lost.
    pub fn accept_loss(&mut self) {
        self.accepts_loss = true
    }

    /// Rebuilds all objects on these nodes, after resolving undecided versions. Other clients
    /// ignore the nodes until they are complete. After a failure, repeating the call resumes.
    ///
    /// # Errors
    /// The list is not the cluster's, another operator is at work, or one of the nodes does not
    /// answer. Also an object out of reach without a loss accepted: then nothing changes, since a
    /// recovered disk may still help.
    pub fn repair(&mut self, lost: &[usize], watch: Watch<'_>) -> Result<RepairReport, Error> {
        let addresses: Vec<&str> = lost.iter().map(|&node| self.address(node)).collect();
        let what = format!("repair --lost {}", addresses.join(","));
        self.locked(&what, |client| client.repair_locked(lost, watch))
    }

    fn repair_locked(&mut self, lost: &[usize], watch: Watch<'_>) -> Result<RepairReport, Error> {
        self.check_repair(lost)?;
        let given_up = self.begin_filling(lost)?;
        let mut healed = RepairReport { given_up, ..self.rebuild_missing(lost, watch)? };
        if self.changes_list(lost) && healed.is_complete() {
            self.tell_epoch();
            healed.add(self.rebuild_missing(lost, watch)?)
        }
        self.end_filling(lost, &healed)?;
        Ok(healed)
    }

    /// The findings of a repair; changes nothing.
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
        let why = &self.peers[*node].why;
        Err(self.lacking(format!("cannot repair: {}: {why}", self.named(*node))))
    }

    /// Begins to fill these nodes, after restoring unreadable records: other clients ignore them
    /// from now on. Returns the names of lost objects.
    pub(super) fn begin_filling(&mut self, lost: &[usize]) -> Result<Vec<String>, Error> {
        self.enter(lost)?;
        let survey = self.resolve_all()?;
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

    /// Discards versions that cannot be recovered; returns the names of their objects.
    fn take_loss(&mut self, survey: &Survey, lost: &[usize]) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        for (name, versions) in survey.given_up(lost) {
            for found in versions {
                let (version, how) = (found.entry.version, Resolution::Discard);
                let discard = Message::Resolve { name: name.into(), version, how };
                self.query_each(found.holders(), &discard, self.patience.answer);
            }
            names.push(name.to_string())
        }
        Ok(names)
    }

    /// Rebuilds missing parts in one pass over all objects.
    pub(super) fn rebuild_missing(
        &mut self,
        lost: &[usize],
        watch: Watch<'_>,
    ) -> Result<RepairReport, Error> {
        self.walk(
            watch,
            |_| true,
            |client, found, healed, course| {
                let missing = client.lacking_of(found, lost);
                client.rebuild(found, &missing, healed, course).map(drop)
            },
        )
    }

    /// The error while objects are out of reach without these nodes; `None` if there are none.
    pub(super) fn refusal(&self, out: &[String], lost: &[usize]) -> Option<Error> {
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
        let away = match self.why_missing() {
            none if none.is_empty() => none,
            away => format!(" ({away})"),
        };
        Some(self.lacking(format!(
            "no changes were made: {without}{what} out of reach; bring back the absent \
             nodes{away}, or a lost disk with its data, or accept the loss: tenbin relay repair \
             --give-up, or rm"
        )))
    }

    /// Verifies every block on all nodes that answer, and repairs what it can.
    ///
    /// # Errors
    /// The list is not a cluster's, or `watch` stops.
    pub fn scrub(&mut self, watch: Watch<'_>) -> Result<RepairReport, Error> {
        self.enter(&[])?;
        let mut scrubbed = self.walk(watch, |_| true, Client::scrub_one)?;
        scrubbed.unverified.extend((0..self.peers.len()).filter(|&node| !self.is_up(node)));
        Ok(scrubbed)
    }

    fn scrub_one(
        &mut self,
        found: &FoundVersion,
        scrubbed: &mut RepairReport,
        course: &mut Course<'_>,
    ) -> Result<(), Error> {
        let name = &found.entry.name;
        let missing = self.lacking_of(found, &self.all_up());
        let is_healed = self.rebuild(found, &missing, scrubbed, course)?;
        let lacks = |node| Damage {
            object: name.clone(),
            node,
            bad: None,
            wrong_with_valid_checksum: 0,
            is_healed,
        };
        scrubbed.damage.extend(missing.into_iter().map(lacks));
        let found = match self.find(name) {
            // Another client has removed it.
            Err(Error::BadInput(_)) => return Ok(()),
            // Nodes may have gone meanwhile.
            found => scrubbed.note(format!("{name:?}"), found)?,
        };
        let Some(found) = found else { return Ok(()) };
        let (nodes, inconsistent) = (self.all_up(), scrubbed.inconsistent);
        let bad = self.verify(&found, &nodes, scrubbed, course)?;
        let wrong = self.locate_wrong_blocks(&found, inconsistent, scrubbed, course)?;
        self.patch(&found, (bad, wrong), scrubbed, course)
    }

    fn lacking_of(&self, found: &FoundVersion, nodes: &[usize]) -> Vec<usize> {
        let lacks = |node: &&usize| {
            self.is_up(**node) && found.states.get(**node).is_some_and(|held| !held.is_readable())
        };
        nodes.iter().filter(lacks).copied().collect()
    }

    /// Rebuilds an object on these nodes. Returns whether that succeeded.
    fn rebuild(
        &mut self,
        found: &FoundVersion,
        missing: &[usize],
        healed: &mut RepairReport,
        course: &mut Course<'_>,
    ) -> Result<bool, Error> {
        if missing.is_empty() {
            return Ok(true);
        }
        let name = &found.entry.name;
        let result = self.heal(found, (missing, None), &Blocks::new(), course);
        let Some(bytes) = healed.note(format!("{name:?}"), result)? else { return Ok(false) };
        healed.rebuilt += missing.len();
        healed.bytes += bytes;
        self.resolve(name).map(|()| true)
    }

    /// Overwrites damaged blocks and wrong ones with valid checksums.
    fn patch(
        &mut self,
        found: &FoundVersion,
        (bad, wrong): (Blocks, Blocks),
        scrubbed: &mut RepairReport,
        course: &mut Course<'_>,
    ) -> Result<(), Error> {
        let mut all = bad.clone();
        for (stripe, cells) in &wrong {
            all.entry(*stripe).or_default().extend(cells)
        }
        for node in 0..self.peers.len() {
            let here = |blocks: &Blocks| by_node(blocks).get(&node).copied().unwrap_or(0);
            let (bad, wrong) = (here(&bad), here(&wrong));
            if bad + wrong == 0 {
                continue;
            }
            let is_healed = self.patch_node(found, node, &all, scrubbed, course)?;
            let object = found.entry.name.clone();
            scrubbed.damage.push(Damage {
                object,
                node,
                bad: Some(bad),
                wrong_with_valid_checksum: wrong,
                is_healed,
            })
        }
        Ok(())
    }

    fn patch_node(
        &mut self,
        found: &FoundVersion,
        node: usize,
        bad: &Blocks,
        healed: &mut RepairReport,
        course: &mut Course<'_>,
    ) -> Result<bool, Error> {
        let of_node = |(_, cells): &(&u64, &Vec<Cell>)| cells.iter().any(|c| c.node == node);
        let stripes: Vec<u64> = bad.iter().filter(of_node).map(|(stripe, _)| *stripe).collect();
        let mut is_healed = true;
        for part in stripes.chunks(PATCH) {
            let result = self.heal(found, (&[node], Some(part.to_vec())), bad, course);
            let what = format!("{:?} on {}", found.entry.name, self.named(node));
            match healed.note(what, result)? {
                Some(bytes) => healed.bytes += bytes,
                None => is_healed = false,
            }
        }
        Ok(is_healed)
    }

    /// Reads stripes, rebuilds the cells of the target nodes, and writes them: a whole object, or
    /// some stripes in place. Returns the bytes written.
    fn heal(
        &mut self,
        found: &FoundVersion,
        (targets, stripes): (&[usize], Option<Vec<u64>>),
        bad: &Blocks,
        course: &mut Course<'_>,
    ) -> Result<u64, Error> {
        let mode = if stripes.is_some() { Mode::Patch } else { Mode::Rebuild };
        let without = found.nodes(|held| !held.is_readable());
        let layout = found.entry.layout().map_err(Error::BadInput)?;
        let cells: Vec<Cell> = targets.iter().flat_map(|&node| layout.cells_of(node)).collect();
        let job = Job {
            mode,
            entry: found.entry.clone(),
            schedules: 1,
            nodes: targets.to_vec(),
            stripes: stripes.clone().unwrap_or_default(),
        };
        let want = Want { stripes, cells, without, bad: bad.clone() };
        let result = self.heal_in_session(&job, want, course);
        if result.is_err() {
            self.abort(targets.to_vec())
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

    /// Sends blocks from the reader's slots to the targets. A slot is free when all targets have
    /// finished its stripe.
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
            while released < writer.window.all_done_before() {
                reader.release();
                released += 1
            }
            self.ask_for_more(reader)?;
            if reader.is_over() {
                break;
            }
            match self.next(self.patience.answer) {
                Some((node, event)) => {
                    self.handle_writer_event(writer, node, &event)?;
                    self.handle_reader_event(reader, node, &event)?
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

    /// Lets these nodes check their blocks, then checks the parities by the checksums alone.
    pub(super) fn verify(
        &mut self,
        found: &FoundVersion,
        nodes: &[usize],
        healed: &mut RepairReport,
        course: &mut Course<'_>,
    ) -> Result<Blocks, Error> {
        let (layout, shape) = found.entry.geometry().map_err(Error::BadInput)?;
        let mut bad = Blocks::new();
        for part in parts(&layout, shape) {
            course.at(part.start * shape.block() * shape.data())?;
            let mut checked = self.check_blocks(found, &layout, nodes, part.clone());
            healed.blocks += checked.blocks;
            healed.bad += by_node(&checked.bad).values().sum::<u64>();
            healed.unverified.extend(checked.unverified);
            for (stripe, sums) in part.zip(&checked.sums) {
                let zeros = of_zeros(shape.block_of(stripe) as usize);
                healed.inconsistent += broken_equations(&layout, sums, zeros)
            }
            bad.append(&mut checked.bad)
        }
        Ok(bad)
    }
}
