//! A finished job gone through once more: when would it have ended, had some attempts worked less,
//! or had there been more containers?
//!
//! Attempts take containers in the order in which they really started, whichever is free first; a
//! container comes free again after a handover, the median of those that were seen. A reduce that
//! started before the last map was done ends as long after that map as it really did.
use super::job::{Attempt, Job};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Seconds of work of an attempt: of a reduce after the last map, of a map all; `None`: the attempt
/// is not made.
pub(super) type Work<'w> = dyn Fn(&Attempt, f64) -> Option<f64> + 'w;

pub struct Change<'c> {
    pub work: &'c Work<'c>,
    /// Containers at once, from the first on, for either kind; `None`: as many as there were.
    pub containers: Option<usize>,
}

/// A job to be replayed. Times are nanoseconds since the job's submission.
#[derive(Clone, Debug, Default)]
pub struct Replay<'j> {
    maps: Vec<Piece<'j>>,
    reduces: Vec<Piece<'j>>,
    map_slots: Slots,
    reduce_slots: Slots,
    last_map: u64,
    after: u64,
}

#[derive(Clone, Copy, Debug)]
struct Piece<'j> {
    attempt: &'j Attempt,
    work: u64,
}

/// Containers: since when each was there, and the time from one attempt to the next.
#[derive(Clone, Debug, Default)]
struct Slots {
    since: Vec<u64>,
    handover: u64,
}

impl<'j> Replay<'j> {
    /// Of a job as it ran.
    pub fn of(job: &'j Job) -> Replay<'j> {
        let at = |seconds: f64| ns(seconds - job.begun);
        let ran = |kind: &str| {
            let kind = |a: &&Attempt| a.kind == kind;
            let mut all: Vec<(&Attempt, u64, u64)> = (job.attempts().filter(kind))
                .filter_map(|a| a.run.map(|(from, to)| (a, at(from), at(to))))
                .collect();
            all.sort_by_key(|(a, from, _)| (*from, a.task));
            all
        };
        let (maps, reduces) = (ran("MAP"), ran("REDUCE"));
        let good = |a: &Attempt| a.outcome == trace::Outcome::Ok;
        let last_map = maps.iter().filter(|(a, ..)| good(a)).map(|(.., to)| *to).max();
        let last_map = last_map.unwrap_or(0);
        let last = maps.iter().chain(&reduces).map(|(.., to)| *to).max().unwrap_or(0);
        let piece = |(attempt, from, to): &(&'j Attempt, u64, u64)| {
            let since = if attempt.kind == "REDUCE" { (*from).max(last_map) } else { *from };
            Piece { attempt, work: to.saturating_sub(since) }
        };
        Replay {
            map_slots: Slots::of(&maps),
            reduce_slots: Slots::of(&reduces),
            maps: maps.iter().map(piece).collect(),
            reduces: reduces.iter().map(piece).collect(),
            last_map,
            after: at(job.end).saturating_sub(last),
        }
    }

    /// By how much sooner the job would have ended \[s\], at least 0: two replays, with the change
    /// and without, so that what a replay does not know falls out.
    pub fn gain(&self, change: &Change<'_>) -> f64 {
        let now = Change { work: &|_, work| Some(work), containers: None };
        seconds(self.end(&now).saturating_sub(self.end(change)))
    }

    /// When the job would have ended, since its submission \[s\].
    pub fn end_s(&self, change: &Change<'_>) -> f64 {
        seconds(self.end(change))
    }

    /// Likewise when its last map would have ended.
    pub fn last_map_s(&self, change: &Change<'_>) -> f64 {
        seconds(self.mapped(change))
    }

    fn mapped(&self, change: &Change<'_>) -> u64 {
        let slots = self.map_slots.with(change.containers);
        run(&self.maps, &slots, change, |_, free, work| free + work)
    }

    fn end(&self, change: &Change<'_>) -> u64 {
        let mapped = if self.maps.is_empty() { self.last_map } else { self.mapped(change) };
        // Containers that came after the last map come as long after it as they did.
        let mut slots = self.reduce_slots.with(change.containers);
        for since in &mut slots.since {
            *since = match since.checked_sub(self.last_map) {
                Some(after) if change.containers.is_none() => mapped + after,
                _ => mapped.min(*since),
            }
        }
        let reduced = run(&self.reduces, &slots, change, |_, free, work| free.max(mapped) + work);
        mapped.max(reduced) + self.after
    }
}

/// Gives each piece the container that is free first; returns when the last one ends. The second
/// attempt of a task does not begin before the first ends.
fn run(
    pieces: &[Piece<'_>],
    slots: &Slots,
    change: &Change<'_>,
    ends: impl Fn(&Piece<'_>, u64, u64) -> u64,
) -> u64 {
    let mut free: BinaryHeap<Reverse<u64>> = slots.since.iter().copied().map(Reverse).collect();
    let mut of_task: BTreeMap<usize, u64> = BTreeMap::new();
    let mut last = 0;
    for piece in pieces {
        let Some(work) = (change.work)(piece.attempt, seconds(piece.work)) else { continue };
        let Some(Reverse(slot)) = free.pop() else { break };
        let ready = of_task.get(&piece.attempt.task).copied().unwrap_or(0);
        let speculative = piece.attempt.speculative;
        let begins = if speculative { slot } else { slot.max(ready) };
        let end = ends(piece, begins, ns(work));
        of_task.insert(piece.attempt.task, end);
        last = last.max(end);
        free.push(Reverse(end + slots.handover));
    }
    last
}

impl Slots {
    /// So many from the first on, and no fewer than there were; `None`: as they were.
    fn with(&self, containers: Option<usize>) -> Slots {
        let mut slots = self.clone();
        if let (Some(most), Some(first)) = (containers, slots.since.first().copied()) {
            slots.since.resize(most.max(slots.since.len()), first);
            slots.since.fill(first)
        }
        slots
    }

    /// Of attempts in the order of their starts: each took the container that had been free for
    /// the shortest time, or a new one.
    fn of(all: &[(&Attempt, u64, u64)]) -> Slots {
        let mut busy: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
        let mut free: Vec<u64> = Vec::new();
        let (mut since, mut gaps) = (Vec::new(), Vec::new());
        for (_, from, to) in all {
            while busy.peek().is_some_and(|Reverse(end)| end <= from) {
                free.extend(busy.pop().map(|Reverse(end)| end))
            }
            match free.pop() {
                Some(end) => gaps.push(from - end),
                None => since.push(*from),
            }
            busy.push(Reverse(*to))
        }
        // What a replay makes sooner, no slot waits for.
        since.sort_unstable();
        gaps.sort_unstable();
        let handover = gaps.get(gaps.len() / 2).copied().unwrap_or(0);
        Slots { since, handover }
    }
}

fn ns(seconds: f64) -> u64 {
    units::rounded_u64((1e9 * seconds).max(0.0))
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}
