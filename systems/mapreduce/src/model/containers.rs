//! Assigns containers as YARN's FairScheduler does, if jobs have AMs.
//!
//! The job with the fewest containers of both kinds is next. Its requests are checked by priority,
//! reduces before maps (`RMContainerAllocator`). The first request that may run on the node ends
//! the check (`FSAppAttempt.assignContainer`), so a job gets no map from a node without a slot for
//! its requested reduce.
//!
//! A request withheld by a rule is skipped, with or without a slot: the plug-in reports no request
//! for that node. So the job gets maps there that would otherwise wait behind its reduce. An AM
//! whose maps hang too long withdraws its reduce requests. It would also kill a reduce for maps;
//! that is not modelled, since maps have slots of their own.
use super::beat::{Choice, TaskSearch};
use super::jobs::kind;
use super::message::{BEHIND_REDUCE, Event, Record};
use super::tracker::Tracker;
use crate::policy::{Job as Seen, ORDERS, Report};
use engine::*;

/// After this time maps no longer wait behind their job's reduces
/// (`mapreduce.job.reducer.unconditional-preempt.delay.sec`).
const HANGS: Nanos = Nanos::secs(300);

/// The rule that withheld a map, and the one that withheld a reduce.
type WithheldRules = [Option<usize>; 2];

impl Tracker {
    pub(super) fn give_containers(
        &mut self,
        node: u32,
        report: &mut Report,
        since: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        let most = self.settings.a_heartbeat;
        let mut given = [0; 2];
        let withheld = loop {
            let free = self.node(node).free;
            let room = [0, 1].map(|kind| free[kind] > 0 && given[kind] < most[kind]);
            match self.container(node, report, room, cx) {
                Ok((map, choice)) => {
                    self.assign_task(choice, map, false, node, cx);
                    given[kind(map)] += 1;
                    report.given += u32::from(map)
                }
                Err(withheld) => break withheld,
            }
        };
        for map in [true, false] {
            let which = kind(map);
            let slots = self.node(node).free[which].min(most[which] - given[which]);
            match withheld[which].map(units::u32_of) {
                Some(rule) => cx.record(Record::Withheld { rule, map, slots, since }),
                None => self.speculate(map, node, cx),
            }
        }
    }

    /// The next task for a node, and whether it is a map; `room`: free slots for maps and reduces.
    fn container(
        &mut self,
        node: u32,
        report: &Report,
        room: [bool; 2],
        cx: &impl Context<Event, Record>,
    ) -> Result<(bool, Choice), WithheldRules> {
        let mut withheld = [None; 2];
        for number in self.by_containers() {
            if self.asks(number, false, cx.now()) && !self.hangs(number, cx.now()) {
                match self.reduce_of(number, node, report, cx) {
                    TaskSearch::Task(choice) if room[1] => return Ok((false, choice)),
                    TaskSearch::Task(_) => {
                        if room[0] && self.asks(number, true, cx.now()) {
                            self.behind_its_reduce(number)
                        }
                        continue;
                    }
                    TaskSearch::Withheld(rule) if room[1] => withheld[1] = Some(rule),
                    // Skipped, even without a slot for it.
                    TaskSearch::Withheld(_) | TaskSearch::Nothing => {}
                }
            }
            if room[0] && self.asks(number, true, cx.now()) {
                match self.map_of(number, node, report, cx) {
                    TaskSearch::Task(choice) => return Ok((true, choice)),
                    TaskSearch::Withheld(rule) => withheld[0] = Some(rule),
                    TaskSearch::Nothing => {}
                }
            }
        }
        Err(withheld)
    }

    /// Records that a job's maps wait for a slot for its requested reduce.
    fn behind_its_reduce(&mut self, number: u32) {
        self.jobs.update(&number, |job| job.withheld[0] = BEHIND_REDUCE);
    }

    fn asks(&self, number: u32, map: bool, now: Nanos) -> bool {
        let asks = |job: &super::jobs::Job| {
            !job.pending.of(map).is_empty() && job.requested_at[kind(map)] <= now
        };
        self.jobs.get(&number).is_some_and(asks)
    }

    /// The job requested maps and got none for `HANGS`.
    fn hangs(&self, number: u32, now: Nanos) -> bool {
        let given = self.jobs.get(&number).map_or(now, |job| job.given[0]);
        self.asks(number, true, now) && now.saturating_sub(given) >= HANGS
    }

    /// Jobs in the order of the policy, by running tasks of both kinds.
    fn by_containers(&self) -> Vec<u32> {
        let order = ORDERS[self.settings.scheduling.order];
        let rank = |(number, job): (&u32, &super::jobs::Job)| {
            let running = job.running.iter().sum();
            (order.rank(&Seen { number: *number, running }), *number)
        };
        let mut all: Vec<_> = self.jobs.iter().map(rank).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, number)| number).collect()
    }
}
