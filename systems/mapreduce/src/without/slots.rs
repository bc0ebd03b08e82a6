//! Slots of nodes and tasks of jobs: what a heartbeat frees, and what it is given.
use super::blocks::{Replicas, blocks};
use super::dice::Dice;
use super::done_task::DoneTask;
use super::shuffle::Output;
use crate::policy::{Job as Seen, ORDERS};
use crate::settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use units::Nanos;

#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment {
    pub(super) job: u32,
    pub(super) task: u32,
    pub(super) map: bool,
    pub(super) node: u32,
    /// Disk of the node for spills and map output.
    pub(super) disk: u32,
    /// Disk of the node for the job's output.
    pub(super) out: u32,
    /// Node and disk of a map's block.
    pub(super) source: (u32, u32),
}

impl Assignment {
    pub(super) fn output(&self) -> Output {
        (self.node, self.disk)
    }
}

/// Index of maps (0) or reduces (1) in pairs.
fn kind(map: bool) -> usize {
    usize::from(!map)
}

/// A job with tasks that are not known to be done.
#[derive(Default)]
struct Job {
    arrived: Nanos,
    left: usize,
    waiting: [BTreeSet<u32>; 2],
    running: [u32; 2],
    outputs: Vec<Output>,
}

pub(super) struct Slots<'a> {
    settings: &'a Settings,
    dice: Dice,
    blocks: BTreeMap<(u32, u32), Replicas>,
    jobs: BTreeMap<u32, Job>,
    free: [Vec<u32>; 2],
    /// By node: attempts that ended since its last heartbeat.
    ended: Vec<Vec<Assignment>>,
    /// By node: number of tasks; selects disks round-robin.
    turns: Vec<u32>,
}

impl<'a> Slots<'a> {
    pub(super) fn new(settings: &'a Settings, all: &[DoneTask], dice: Dice) -> Slots<'a> {
        let mut jobs: BTreeMap<u32, Job> = BTreeMap::new();
        for did in all {
            let job = jobs.entry(did.job).or_default();
            job.arrived = settings.arrival * u64::from(did.job);
            job.left += usize::from(job.waiting[kind(did.map)].insert(did.task))
        }
        let nodes = units::usize_of(settings.nodes.into());
        Slots {
            settings,
            dice,
            blocks: blocks(settings, all, dice),
            jobs,
            free: [settings.map_slots.clone(), settings.reduce_slots.clone()],
            ended: vec![Vec::new(); nodes],
            turns: vec![0; nodes],
        }
    }

    pub(super) fn are_done(&self) -> bool {
        self.jobs.is_empty()
    }

    pub(super) fn outputs(&self, job: u32) -> &[Output] {
        self.jobs.get(&job).map_or(&[], |job| &job.outputs)
    }

    /// The task has ended; the node reports it at its next heartbeat.
    pub(super) fn end_task(&mut self, given: Assignment) {
        self.ended[given.node as usize].push(given)
    }

    /// Attempts that the node reports; frees their slots.
    pub(super) fn report_ended(&mut self, node: u32) -> Vec<Assignment> {
        let ended = std::mem::take(&mut self.ended[node as usize]);
        for given in &ended {
            self.free[kind(given.map)][node as usize] += 1;
            let Some(job) = self.jobs.get_mut(&given.job) else { continue };
            job.running[kind(given.map)] -= 1;
            job.left -= 1;
            if given.map {
                job.outputs.push(given.output())
            }
            if job.left == 0 {
                self.jobs.remove(&given.job);
            }
        }
        ended
    }

    pub(super) fn assign_tasks(&mut self, node: u32, now: Nanos) -> Vec<Assignment> {
        let [maps, reduces] = self.settings.a_heartbeat;
        let mut given = Vec::new();
        for (map, most) in [(true, maps), (false, reduces)] {
            let most = most.min(self.free[kind(map)][node as usize]);
            given.extend((0..most).map_while(|_| self.next(map, node, now)))
        }
        given
    }

    fn next(&mut self, map: bool, node: u32, now: Nanos) -> Option<Assignment> {
        let number = self.whose_turn(map, now)?;
        let (task, source) = self.chosen(number, map, node)?;
        let job = self.jobs.get_mut(&number)?;
        job.waiting[kind(map)].remove(&task);
        job.running[kind(map)] += 1;
        self.free[kind(map)][node as usize] -= 1;
        let turn = &mut self.turns[node as usize];
        *turn += 1;
        let disks = self.settings.resources.disks[node as usize];
        let (disk, out) = (self.dice.local_dir(number, task, map, disks), *turn % disks);
        Some(Assignment { job: number, task, map, node, disk, out, source })
    }

    /// The first job in the policy's order with a pending task.
    fn whose_turn(&self, map: bool, now: Nanos) -> Option<u32> {
        let order = ORDERS[self.settings.scheduling.order];
        let here = self.jobs.iter().take_while(|(_, job)| job.arrived <= now);
        let has = |job: &Job| !job.waiting[kind(map)].is_empty() && (map || self.may_reduce(job));
        here.filter(|(_, job)| has(job))
            .map(|(number, job)| Seen { number: *number, running: job.running[kind(map)] })
            .min_by_key(|seen| (order.rank(seen), seen.number))
            .map(|seen| seen.number)
    }

    fn may_reduce(&self, job: &Job) -> bool {
        job.outputs.len() as f64 >= self.settings.slow_start * f64::from(self.settings.maps)
    }

    /// The first map with a local block, else the first map; node and disk of its block.
    fn chosen(&self, number: u32, map: bool, node: u32) -> Option<(u32, (u32, u32))> {
        let waiting = &self.jobs.get(&number)?.waiting[kind(map)];
        let first = *waiting.first()?;
        if !map {
            return Some((first, (node, 0)));
        }
        let at_hand = |map: &u32| {
            let replica = self.blocks[&(number, *map)].iter().find(|(at, _)| *at == node)?;
            Some((*map, *replica))
        };
        let from_afar = || {
            let replicas = &self.blocks[&(number, first)];
            Some((first, *self.dice.replica(number, first).pick(replicas)?))
        };
        waiting.iter().find_map(at_hand).or_else(from_afar)
    }
}
