//! Phases of a reduce: copies map outputs, merges, computes, writes.
use super::attempt::{Assignment, ShuffleState};
use super::flow::Purpose;
use super::machine::nothing;
use super::message::{Event, Phase, Record};
use super::streams::Access;
use super::tracker::Tracker;
use crate::settings::{beyond, reread};
use engine::*;
use units::{Bytes, rounded_u64};

impl Tracker {
    /// Starts a phase; false if it has nothing to do.
    pub(super) fn reduce_phase(
        &mut self,
        attempt: u32,
        given: &Assignment,
        phase: Phase,
        cx: &impl Context<Event, Record>,
    ) -> bool {
        let settings = Shared::clone(&self.settings);
        let now = cx.now();
        let Some(on_disk) = self.running.get(&attempt).map(|r| r.fetched.on_disk) else {
            return true;
        };
        let got = settings.partition() * u64::from(settings.maps);
        let out = rounded_u64(got as f64 * settings.profile.reduce_out);
        let own = nothing().via(settings.resources.disk(given.node, given.disk));
        let purpose = Purpose::Phase { attempt };
        let cached = self.cached_of(attempt, given.node);
        match phase {
            Phase::Startup => false,
            Phase::Input => {
                let known = self.jobs.get(&given.job).map_or(0, |job| job.outputs.len());
                let all = (0..units::u32_of(known)).collect();
                self.unasked.insert(attempt, all);
                self.copy_on(attempt, cx);
                true
            }
            // Writes the buffer to disk, except what may stay in memory. Merges files first if they
            // are more than one merge takes.
            Phase::Middle => {
                self.begins_to_write(attempt, given.node);
                let rest = self.empty_buffer(attempt);
                let all = on_disk + rest;
                let files = all.div_ceil(settings.buffer.max(1));
                let more = settings.passes(files).saturating_sub(1);
                let read = more * reread(all, cached);
                if read == 0 && rest + more * all > 0 {
                    return self.write(own, rest + more * all, purpose, now);
                }
                let written = settings.written(rest).0 + more * settings.written(all).0;
                if read + written > 0 {
                    let access = Access::mixed(read, written);
                    self.start(own, Bytes(read + written), access, purpose, now)
                }
                read + written > 0
            }
            Phase::Spill => {
                let bytes = reread(on_disk, cached);
                if bytes > 0 {
                    self.start(own, Bytes(bytes), Access::READ, purpose, now)
                }
                bytes > 0
            }
            Phase::Merge => {
                let nanos = rounded_u64(got as f64 * settings.profile.reduce_cpu);
                if nanos > 0 {
                    self.compute(attempt, given.node, nanos, now)
                }
                nanos > 0
            }
            Phase::Output => {
                self.running.update(&attempt, |running| running.stage.bytes[3] += out);
                out > 0 && self.write_output(attempt, given, out, cx)
            }
        }
    }

    pub(super) fn notify_reduces(&mut self, job: u32, cx: &impl Context<Event, Record>) {
        let Some(place) = self.jobs.get(&job).map(|job| units::u32_of(job.outputs.len()) - 1)
        else {
            return;
        };
        let of_it = self.running_of(job).map(|(attempt, _)| attempt);
        let copying: Vec<u32> = of_it.filter(|attempt| self.unasked.contains(attempt)).collect();
        for attempt in copying {
            self.unasked.update(&attempt, |unasked| unasked.push(place));
            self.running.update(&attempt, |running| running.fetched.notified_at = cx.now());
            self.copy_on(attempt, cx)
        }
    }

    /// Requests outputs while there are free copiers and buffer.
    fn copy_on(&mut self, attempt: u32, cx: &impl Context<Event, Record>) {
        let settings = Shared::clone(&self.settings);
        let part = settings.partition();
        loop {
            let Some(fetched) = self.running.get(&attempt).map(|r| r.fetched) else { return };
            let left = self.unasked.get(&attempt).map_or(0, |unasked| unasked.len() as u64);
            if left == 0 || fetched.copies >= settings.copies {
                break;
            }
            let taken = fetched.in_memory + fetched.fetching + fetched.writing;
            if taken + part > settings.buffer {
                if fetched.copies > 0 || fetched.writing > 0 {
                    break;
                }
                // Nothing in progress will free the buffer.
                if fetched.in_memory > 0 {
                    self.spill(attempt, cx);
                    continue;
                }
            }
            self.copy(attempt, left, &fetched, cx)
        }
        self.shuffled(attempt, cx)
    }

    /// Requests one known output at random.
    fn copy(
        &mut self,
        attempt: u32,
        left: u64,
        fetched: &ShuffleState,
        cx: &impl Context<Event, Record>,
    ) {
        let settings = Shared::clone(&self.settings);
        let (machine, part) = (&settings.resources, settings.partition());
        let Some(given) = self.running.get(&attempt).map(|r| r.given) else { return };
        let entity = u64::from(given.job) << 32 | u64::from(given.task);
        let mut draw = cx.draw(
            "copy",
            entity,
            u64::from(fetched.requested_maps) << 8 | u64::from(given.number),
        );
        let any = units::usize_of(draw.below(left));
        let place = self.unasked.update(&attempt, |unasked| {
            let place = unasked[any];
            let last = unasked[unasked.len() - 1];
            unasked.set(any, last);
            unasked.pop();
            place
        });
        let Some(place) = place else { return };
        let Some(output) = self.jobs.get(&given.job).map(|job| job.outputs[place as usize]) else {
            return;
        };
        self.running.update(&attempt, |running| {
            running.fetched.requested_maps += 1;
            running.fetched.copies += 1;
            running.fetched.fetching += part;
            running.stage.bytes[2] += part
        });
        let path = match draw.chance(self.cached_at(output.node, output.at)) {
            true => nothing(),
            false => nothing().via(machine.disk(output.node, output.disk)),
        };
        let path = machine.add_network(path, output.node, given.node);
        match path.is_empty() || part == 0 {
            true => self.arrived(attempt, output.node, cx.now(), cx),
            false => {
                let (from, began) = (output.node, cx.now());
                let purpose = Purpose::Copy { attempt, from, began };
                self.start(path, Bytes(part), Access::READ, purpose, began)
            }
        }
    }

    pub(super) fn handle_copied(
        &mut self,
        attempt: u32,
        from: u32,
        began: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        self.arrived(attempt, from, began, cx);
        self.copy_on(attempt, cx)
    }

    fn arrived(&mut self, attempt: u32, from: u32, began: Nanos, cx: &impl Context<Event, Record>) {
        let part = self.settings.partition();
        if let Some(running) = self.running.get(&attempt) {
            cx.record(Record::Fetched { job: running.given.job, from, took: cx.now() - began })
        }
        let full = self.running.update(&attempt, |running| {
            let fetched = &mut running.fetched;
            fetched.copies -= 1;
            fetched.maps += 1;
            fetched.fetching -= part;
            fetched.in_memory += part;
            fetched.in_memory
        });
        if full.is_some_and(|full| full * 3 >= self.settings.buffer * 2) {
            self.spill(attempt, cx)
        }
    }

    fn spill(&mut self, attempt: u32, cx: &impl Context<Event, Record>) {
        let settings = Shared::clone(&self.settings);
        let found = self.running.update(&attempt, |running| {
            let bytes = std::mem::take(&mut running.fetched.in_memory);
            running.fetched.writing += bytes;
            running.stage.bytes[1] += bytes;
            (bytes, running.given)
        });
        let Some((bytes, given)) = found else { return };
        let path = nothing().via(settings.resources.disk(given.node, given.disk));
        let purpose = Purpose::Spill { attempt, bytes };
        self.begins_to_write(attempt, given.node);
        if !self.write(path, bytes, purpose, cx.now()) {
            self.end_spill(attempt, bytes)
        }
    }

    fn end_spill(&mut self, attempt: u32, bytes: u64) {
        self.running.update(&attempt, |running| {
            running.fetched.writing -= bytes;
            running.fetched.on_disk += bytes
        });
    }

    /// Bytes that the buffer writes to disk when all outputs have arrived (`finalMerge` of Hadoop's
    /// `MergeManagerImpl`).
    fn empty_buffer(&mut self, attempt: u32) -> u64 {
        let (kept, part) = (self.settings.kept, self.settings.partition());
        let rest = self.running.update(&attempt, |running| {
            let ShuffleState { in_memory, .. } = running.fetched;
            let rest = beyond(in_memory, kept, part);
            running.fetched.in_memory -= rest;
            running.fetched.on_disk += rest;
            running.stage.bytes[1] += rest;
            rest
        });
        rest.unwrap_or(0)
    }

    pub(super) fn handle_spilled(
        &mut self,
        attempt: u32,
        bytes: u64,
        cx: &impl Context<Event, Record>,
    ) {
        self.end_spill(attempt, bytes);
        self.copy_on(attempt, cx)
    }

    /// Starts the next phase if all outputs have arrived.
    fn shuffled(&mut self, attempt: u32, cx: &impl Context<Event, Record>) {
        let all = self.settings.maps;
        let Some(running) = self.running.get(&attempt) else { return };
        let ShuffleState { maps, writing, .. } = running.fetched;
        if maps == all && writing == 0 && running.stage.phase == 1 {
            self.unasked.discard(&attempt);
            self.next_phase(attempt, cx)
        }
    }
}
