//! Replays a finished job with less work of some attempts, or with more containers.
//!
//! Attempts take the container that is free first, in the order of their real starts. A container
//! is free again after a handover: the median of those observed. A reduce that started before the
//! end of the last map ends as long after it as it really did.
use super::job::{Attempt, Job};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// New work of an attempt, from its real work \[s\]; for a reduce only the time after the last map.
/// `None`: the attempt does not run.
pub(super) type Work<'w> = dyn Fn(&Attempt, f64) -> Option<f64> + 'w;

pub struct WhatIf<'c> {
    pub work: &'c Work<'c>,
    /// Concurrent containers for maps, and for reduces, from the start; `None`: as in the real job.
    pub containers: Option<usize>,
}

/// Times are in ns since the job's submission.
#[derive(Clone, Debug, Default)]
pub struct Replay<'j> {
    maps: Vec<ReplayTask<'j>>,
    reduces: Vec<ReplayTask<'j>>,
    map_slots: Slots,
    reduce_slots: Slots,
    last_map: u64,
    after: u64,
}

#[derive(Clone, Copy, Debug)]
struct ReplayTask<'j> {
    attempt: &'j Attempt,
    work: u64,
}

/// When each container was first used, and the time from one attempt to the next.
#[derive(Clone, Debug, Default)]
struct Slots {
    since: Vec<u64>,
    handover: u64,
}

impl<'j> Replay<'j> {
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
            ReplayTask { attempt, work: to.saturating_sub(since) }
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

    /// Reduction of job time \[s\], at least 0. The difference of two replays, so that errors
    /// common to both cancel out.
    pub fn gain(&self, change: &WhatIf<'_>) -> f64 {
        let now = WhatIf { work: &|_, work| Some(work), containers: None };
        seconds(self.end(&now).saturating_sub(self.end(change)))
    }

    /// Job time after the change \[s\].
    pub fn end_s(&self, change: &WhatIf<'_>) -> f64 {
        seconds(self.end(change))
    }

    /// End of the last map after the change, since submission \[s\].
    pub fn last_map_s(&self, change: &WhatIf<'_>) -> f64 {
        seconds(self.mapped(change))
    }

    fn mapped(&self, change: &WhatIf<'_>) -> u64 {
        let slots = self.map_slots.with(change.containers);
        run(&self.maps, &slots, change, |_, free, work| free + work)
    }

    fn end(&self, change: &WhatIf<'_>) -> u64 {
        let mapped = if self.maps.is_empty() { self.last_map } else { self.mapped(change) };
        // Containers that came after the last map come as long after its new end.
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

/// Assigns the first free container to each piece; returns the last end. A second attempt starts
/// after the first, unless it is speculative.
fn run(
    pieces: &[ReplayTask<'_>],
    slots: &Slots,
    change: &WhatIf<'_>,
    ends: impl Fn(&ReplayTask<'_>, u64, u64) -> u64,
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
    /// `containers` from the start, or more if the job had more; `None`: unchanged.
    fn with(&self, containers: Option<usize>) -> Slots {
        let mut slots = self.clone();
        if let (Some(most), Some(first)) = (containers, slots.since.first().copied()) {
            slots.since.resize(most.max(slots.since.len()), first);
            slots.since.fill(first)
        }
        slots
    }

    /// Derived from attempts in order of start: each takes the container freed last, or a new one.
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
        // Sorted, since a replay may need containers earlier than the job did.
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
