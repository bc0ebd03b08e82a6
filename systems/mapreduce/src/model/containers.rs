//! What a node is given by YARN's FairScheduler, where jobs have masters.
//!
//! A container is a container: the job with the fewest of all kinds is next. A job's requests are
//! looked at by priority, and a reduce comes before a map (`RMContainerAllocator`); the first that
//! the node could have at all ends the look (`FSAppAttempt.assignContainer`). So a job gets no map
//! from a node that has no room for the reduce that it asks for, too. A request that a rule
//! withholds from a node is passed over, room or not, as the plug-in says there that nothing is
//! asked for: the job has maps from that node which else wait behind its reduce. A master whose
//! maps hang for too long takes its requests for reduces back; that it then also kills a reduce to
//! make room is not modelled: slots of maps are free.
use super::beat::{Choice, Found};
use super::jobs::kind;
use super::message::{BEHIND_REDUCE, Event, Record};
use super::tracker::Tracker;
use crate::policy::{Job as Seen, ORDERS, Report};
use engine::*;

/// Maps may wait so long behind their job's reduces
/// (`mapreduce.job.reducer.unconditional-preempt.delay.sec`).
const HANGS: Nanos = Nanos::secs(300);

/// Of maps and of reduces, the rule that withheld one.
type Withheld = [Option<usize>; 2];

impl Tracker {
    /// Gives a node all that it has room for.
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
                    self.give(choice, map, false, node, cx);
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

    /// The next task for a node that has room for maps, for reduces; whether it is a map.
    fn container(
        &mut self,
        node: u32,
        report: &Report,
        room: [bool; 2],
        cx: &impl Context<Event, Record>,
    ) -> Result<(bool, Choice), Withheld> {
        let mut withheld = [None; 2];
        for number in self.by_containers() {
            if self.asks(number, false, cx.now()) && !self.hangs(number, cx.now()) {
                match self.reduce_of(number, node, report, cx) {
                    Found::Task(choice) if room[1] => return Ok((false, choice)),
                    Found::Task(_) => {
                        if room[0] && self.asks(number, true, cx.now()) {
                            self.behind_its_reduce(number)
                        }
                        continue;
                    }
                    Found::Withheld(rule) if room[1] => withheld[1] = Some(rule),
                    // Passed over, also where there was no room for it.
                    Found::Withheld(_) | Found::Nothing => {}
                }
            }
            if room[0] && self.asks(number, true, cx.now()) {
                match self.map_of(number, node, report, cx) {
                    Found::Task(choice) => return Ok((true, choice)),
                    Found::Withheld(rule) => withheld[0] = Some(rule),
                    Found::Nothing => {}
                }
            }
        }
        Err(withheld)
    }

    /// A job's maps wait for room for the reduce that it asks for.
    fn behind_its_reduce(&mut self, number: u32) {
        self.jobs.update(&number, |job| job.withheld[0] = BEHIND_REDUCE);
    }

    /// Whether a job asks for a task of a kind.
    fn asks(&self, number: u32, map: bool, now: Nanos) -> bool {
        let asks =
            |job: &super::jobs::Job| !job.pending.of(map).is_empty() && job.asked[kind(map)] <= now;
        self.jobs.get(&number).is_some_and(asks)
    }

    /// Whether a job asks for maps, and got none for too long.
    fn hangs(&self, number: u32, now: Nanos) -> bool {
        let given = self.jobs.get(&number).map_or(now, |job| job.given[0]);
        self.asks(number, true, now) && now.saturating_sub(given) >= HANGS
    }

    /// All jobs in the order of the policy, by what they have of both kinds.
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
