//! A node's heartbeat: its report, and tasks assigned to it.
use super::attempt::{Assignment, NONE, ShuffleState, Stage};
use super::jobs::kind;
use super::message::{Event, Record};
use super::tracker::{RunningAttempt, Tracker};
use crate::policy::{Candidate, Job as Seen, ORDERS, Report};
use engine::*;

/// Minimum age of a task for speculation.
const OLD: Nanos = Nanos::secs(60);
/// Interval at which a job's tasks are compared.
const LOOK: Nanos = Nanos::secs(1);
/// A task lags if its progress is this far behind its job's mean.
const BEHIND: f64 = 0.2;

/// A task to assign, and node and disk of its block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    job: u32,
    task: u32,
    source: (u32, u32),
}

pub(super) enum TaskSearch {
    Task(Choice),
    /// A task was available, but this rule withheld it.
    Withheld(usize),
    Nothing,
}

impl Tracker {
    pub(super) fn heartbeat(&mut self, node: u32, cx: &impl Context<Event, Record>) {
        while let Some(attempt) = self.nodes.update(&node, |node| node.ended.pop_front()).flatten()
        {
            let map = self.kind_of_ended(attempt);
            self.nodes.update(&node, |node| node.free[kind(map)] += 1);
            self.handle_success(attempt, cx)
        }
        let mut report = self.report(node, cx.now());
        let since = self.node(node).last_heartbeat;
        self.count_waits(cx.now());
        if self.settings.master > Nanos::ZERO {
            self.give_containers(node, &mut report, since, cx)
        } else {
            self.give_all(true, node, &mut report, since, cx);
            self.give_all(false, node, &mut report, since, cx)
        }
        self.nodes.update(&node, |node| {
            node.last_heartbeat = cx.now();
            node.beats += 1
        });
        cx.after(self.settings.heartbeat, Event::Heartbeat { node })
    }

    /// At each heartbeat, before tasks are assigned.
    fn count_waits(&mut self, now: Nanos) {
        let last = self.nodes.iter().map(|(_, node)| node.last_heartbeat).max();
        let since = now - last.unwrap_or(now);
        let passed_over = self.jobs.iter().filter(|(_, job)| job.locality.is_passed_over());
        let numbers: Vec<u32> = passed_over.map(|(number, _)| *number).collect();
        for number in numbers {
            self.jobs.update(&number, |job| job.locality.count(since));
        }
    }

    /// Attempts of maps have even numbers.
    fn kind_of_ended(&self, attempt: u32) -> bool {
        attempt.is_multiple_of(2)
    }

    fn report(&mut self, node: u32, now: Nanos) -> Report {
        let settings = Shared::clone(&self.settings);
        let machine = &settings.resources;
        let mut read = |resource: hardware::ResourceId| {
            self.meters.update(resource.at(), |meter| (meter.read(now), meter.is_busy()))
        };
        let ((receive_rate, _), _) = read(machine.nic_in(node));
        let mut busy = |place: u32| match read(machine.disk(node, place)) {
            (_, busy) if settings.moment => f64::from(u8::from(busy)),
            ((_, mean), _) => mean,
        };
        let disks = (0..machine.disks[node as usize]).map(&mut busy).collect();
        let here = self.reduces_at.range((node, 0)..=(node, u32::MAX));
        let reduces = here.filter_map(|(&(_, attempt), ())| self.running.get(&attempt));
        let (mut fetching, mut outstanding) = (0, 0);
        for reduce in reduces {
            fetching += reduce.fetched.fetching;
            let known = self.jobs.get(&reduce.given.job).map_or(0, |job| job.outputs.len() as u64);
            let left = known.saturating_sub(reduce.fetched.maps.into());
            outstanding += left * settings.partition()
        }
        let mut report = Report { receive_rate, fetching, outstanding, disks, ..Report::default() };
        if settings.scheduling.is_relative() {
            report.mean_disk_rate = self.reported.mean_with(node, report.disk_rate())
        }
        report
    }

    /// Assigns tasks of a kind up to the free slots and the limit per heartbeat.
    fn give_all(
        &mut self,
        map: bool,
        node: u32,
        report: &mut Report,
        since: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        let (which, most) = (kind(map), self.settings.a_heartbeat[kind(map)]);
        let (mut given, least) = (0, self.kept_free(map, node, cx.now()));
        while given < most && self.node(node).free[which] > least {
            match self.find(map, node, report, cx) {
                TaskSearch::Task(choice) => {
                    self.assign_task(choice, map, false, node, cx);
                    given += 1;
                    report.given += u32::from(map)
                }
                TaskSearch::Withheld(rule) => {
                    let (rule, free) = (units::u32_of(rule), self.node(node).free[which]);
                    let slots = (free - least).min(most - given);
                    return cx.record(Record::Withheld { rule, map, slots, since });
                }
                TaskSearch::Nothing => return self.speculate(map, node, cx),
            }
        }
    }

    /// Slots of a node that stay free with `policy.even_load`.
    fn kept_free(&self, map: bool, node: u32, now: Nanos) -> u32 {
        let (which, settings) = (kind(map), &self.settings);
        if !settings.even_load {
            return 0;
        }
        let of_job = |job: &super::jobs::Job| {
            let requested = job.requested_at[which] <= now;
            let pending = if requested { job.pending.of(map).len() as u64 } else { 0 };
            u64::from(job.running[which]) + pending
        };
        let demand = self.jobs.iter().map(|(_, job)| of_job(job)).sum();
        let all = if map { &settings.map_slots } else { &settings.reduce_slots };
        let slots = all[node as usize];
        slots - settings.even_share(map, slots, demand)
    }

    /// Jobs with pending tasks of a kind, in the order of the policy.
    fn in_order(&self, map: bool, now: Nanos) -> Vec<u32> {
        let which = kind(map);
        let has = |job: &super::jobs::Job| {
            !job.pending.of(map).is_empty() && job.requested_at[which] <= now
        };
        let seen =
            |number: u32, job: &super::jobs::Job| Seen { number, running: job.running[which] };
        let order = ORDERS[self.settings.scheduling.order];
        let jobs = self.jobs.iter().filter(|(_, job)| has(job));
        let mut all: Vec<_> = jobs.map(|(n, job)| (order.rank(&seen(*n, job)), *n)).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, number)| number).collect()
    }

    fn find(
        &mut self,
        map: bool,
        node: u32,
        report: &Report,
        cx: &impl Context<Event, Record>,
    ) -> TaskSearch {
        let mut found = TaskSearch::Nothing;
        for number in self.in_order(map, cx.now()) {
            let of_job = match map {
                true => self.map_of(number, node, report, cx),
                false => self.reduce_of(number, node, report, cx),
            };
            match of_job {
                TaskSearch::Task(choice) => return TaskSearch::Task(choice),
                // A rule that limits the node's load is the reason, if there is one.
                TaskSearch::Withheld(rule) => match found {
                    TaskSearch::Withheld(known) if crate::policy::rule(known).is_lifted() => {}
                    _ => found = TaskSearch::Withheld(rule),
                },
                TaskSearch::Nothing => {}
            }
        }
        found
    }

    /// A map of a job for a node, data-local if possible.
    pub(super) fn map_of(
        &mut self,
        number: u32,
        node: u32,
        report: &Report,
        cx: &impl Context<Event, Record>,
    ) -> TaskSearch {
        let settings = Shared::clone(&self.settings);
        let Some(job) = self.jobs.get(&number) else { return TaskSearch::Nothing };
        let here = |task: &u32| {
            let all = job.replicas(*task, &settings);
            all.iter().find(|(at, _)| *at == node).map(|source| (*task, *source))
        };
        let local = job.pending.of(true).keys().find_map(here);
        let any = || {
            let task = *job.pending.of(true).keys().next()?;
            let all = job.replicas(task, &settings);
            let beat = self.node(node).beats;
            let entity = u64::from(number) << 32 | u64::from(task);
            let mut draw = cx.draw("replica", entity, beat);
            Some((task, all[units::usize_of(draw.below(all.len() as u64))]))
        };
        let Some((task, source)) = local.or_else(any) else { return TaskSearch::Nothing };
        let candidate = Candidate {
            map: true,
            local: local.is_some(),
            disk: local.map(|(_, (_, disk))| disk),
            waited: job.locality.waited(),
            dice: self.dice(number, node, cx),
            ..Candidate::default()
        };
        let Some(rule) = self.withheld(number, report, &candidate, cx) else {
            return TaskSearch::Task(Choice { job: number, task, source });
        };
        self.jobs.update(&number, |job| {
            job.withheld[0] = units::u32_of(rule);
            if job.given[0] < cx.now() {
                job.locality.pass_over()
            }
        });
        TaskSearch::Withheld(rule)
    }

    pub(super) fn reduce_of(
        &mut self,
        number: u32,
        node: u32,
        report: &Report,
        cx: &impl Context<Event, Record>,
    ) -> TaskSearch {
        let first = self.jobs.get(&number).and_then(|job| job.pending.of(false).keys().next());
        let Some(task) = first.copied() else { return TaskSearch::Nothing };
        let dice = self.dice(number, node, cx);
        let early = self.early(number, cx.now());
        let ready_elsewhere = early.is_some() && self.is_ready_elsewhere(number);
        let early = early.unwrap_or(0.0);
        let candidate = Candidate { early, ready_elsewhere, dice, ..Candidate::default() };
        let Some(rule) = self.withheld(number, report, &candidate, cx) else {
            return TaskSearch::Task(Choice { job: number, task, source: (node, 0) });
        };
        self.jobs.update(&number, |job| job.withheld[1] = units::u32_of(rule));
        TaskSearch::Withheld(rule)
    }

    /// The rule that withholds a task. A job that got no task of the kind for
    /// `policy.withhold_limit` is exempt until it gets one.
    fn withheld(
        &self,
        job: u32,
        report: &Report,
        task: &Candidate,
        cx: &impl Context<Event, Record>,
    ) -> Option<usize> {
        let given = self.jobs.get(&job).map_or(cx.now(), |job| job.given[kind(task.map)]);
        let lifted = self.settings.withhold_limit.is_some_and(|limit| cx.now() - given >= limit);
        self.settings.scheduling.withheld(report, task, &self.settings.limits, lifted)
    }

    fn dice(&self, job: u32, node: u32, cx: &impl Context<Event, Record>) -> f64 {
        let entity = u64::from(job) << 32 | u64::from(node);
        cx.draw("dice", entity, self.node(node).beats).unit()
    }

    pub(super) fn assign_task(
        &mut self,
        choice: Choice,
        map: bool,
        speculative: bool,
        node: u32,
        cx: &impl Context<Event, Record>,
    ) {
        let Choice { job: number, task, source } = choice;
        let (which, settings) = (kind(map), Shared::clone(&self.settings));
        let attempt = 2 * self.attempts + u32::from(!map);
        self.attempts += 1;
        let turn = self.nodes.update(&node, |node| {
            node.free[which] -= 1;
            node.turn += 1;
            node.turn
        });
        let disks = settings.resources.disks[node as usize];
        let mut draw = cx.draw("local-dir", attempt.into(), 0);
        let Some((begun, wanted, withheld, failures)) = self.jobs.update(&number, |job| {
            let withheld = std::mem::replace(&mut job.withheld[which], NONE);
            let wanted = job.given[which];
            job.pending.take(map, task);
            job.running[which] += 1;
            job.given[which] = cx.now();
            if map {
                job.locality.start_map(source.0 == node)
            }
            let failures = job.failures.get(&(map, task)).copied().unwrap_or(0);
            (job.master.next(cx.now()), wanted, withheld, failures)
        }) else {
            return;
        };
        let given = Assignment {
            job: number,
            task,
            map,
            number: failures + u32::from(speculative),
            node,
            source,
            speculative,
            requested_at: wanted,
            withheld,
            started_at: begun,
            disk: units::narrow(draw.below(disks.into())),
            out: turn.unwrap_or(0) % disks,
        };
        let fetched = ShuffleState::default();
        let running = RunningAttempt { given, stage: Stage::new(), fetched, wrote_at: u64::MAX };
        self.running.insert(attempt, running);
        self.of_job.insert((number, attempt), ());
        if !map {
            self.reduces_at.insert((node, attempt), ());
        }
        cx.after(begun - cx.now() + settings.startup, Event::Started { attempt })
    }

    /// Starts a speculative attempt if there is nothing else to assign. As in Hadoop 1.x: a task 20
    /// % behind the mean, a minute old, without another attempt.
    pub(super) fn speculate(&mut self, map: bool, node: u32, cx: &impl Context<Event, Record>) {
        if !self.settings.speculation || self.node(node).free[kind(map)] == 0 {
            return;
        }
        let due = |job: &super::jobs::Job| job.looked[kind(map)] + LOOK <= cx.now();
        let jobs = self.jobs.iter().filter(|(_, job)| due(job)).map(|(number, _)| *number);
        let numbers: Vec<u32> = jobs.collect();
        for number in &numbers {
            self.jobs.update(number, |job| job.looked[kind(map)] = cx.now());
        }
        let chosen = numbers.into_iter().find_map(|number| self.lagging(number, map, node, cx));
        if let Some(choice) = chosen {
            self.assign_task(choice, map, true, node, cx)
        }
    }

    fn lagging(
        &self,
        number: u32,
        map: bool,
        node: u32,
        cx: &impl Context<Event, Record>,
    ) -> Option<Choice> {
        let job = self.jobs.get(&number)?;
        let mine = || self.running_of(number).map(|(_, r)| r).filter(move |r| r.given.map == map);
        let done = job.done.of(map).len() as f64;
        let (sum, count) =
            mine().fold((done, done), |(sum, n), r| (sum + self.progress(r), n + 1.0));
        let mean = sum / f64::max(count, 1.0);
        let twins = |task: u32| mine().filter(|other| other.given.task == task).count();
        let lags = |r: &&RunningAttempt| {
            cx.now().saturating_sub(r.given.started_at) >= OLD
                && self.progress(r) < mean - BEHIND
                && r.given.node != node
                && twins(r.given.task) == 1
        };
        let slow = mine().find(lags)?;
        let task = slow.given.task;
        let source = match map {
            true => {
                let all = job.replicas(task, &self.settings);
                *all.iter().find(|(at, _)| *at == node).unwrap_or(&all[0])
            }
            false => (node, 0),
        };
        Some(Choice { job: number, task, source })
    }

    /// Progress of an attempt, 0–1; a reduce's copying counts by map outputs.
    fn progress(&self, running: &RunningAttempt) -> f64 {
        let phase = f64::from(running.stage.phase);
        if running.given.map || running.stage.phase > 1 {
            return phase / 6.0;
        }
        let copied = f64::from(running.fetched.maps) / f64::from(self.settings.maps.max(1));
        copied / 3.0
    }
}
