//! The JobTracker, and the state of all that runs: flows, attempts, nodes.
use super::attempt::{Assignment, ShuffleState, Stage};
use super::disk_reports::DiskReports;
use super::flow::{Flow, Purpose};
use super::jobs::{Job, Output, kind};
use super::machine::{CORE, Kind, nothing};
use super::memory::PageCache;
use super::message::{AttemptEnd, AttemptReport, Event, JobReport, LIMITS, PHASES, Phase, Record};
use super::meter::Meter;
use super::streams::{Access, Streams};
use crate::settings::{Settings, reread};
use engine::*;
use hardware::{FlowId, FlowSpec, Fluid, Holder};
use units::{Bytes, BytesPerSec, rounded_u64};

#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct RunningAttempt {
    pub(super) given: Assignment,
    pub(super) stage: Stage,
    pub(super) fetched: ShuffleState,
    /// Position of the node's page cache when the attempt began to write; `u64::MAX`: not yet.
    pub(super) wrote_at: u64,
}

#[derive(Rewind)]
pub(super) struct Node {
    /// Free slots of maps and reduces that the JobTracker knows.
    pub(super) free: [u32; 2],
    /// Attempts that ended since the last heartbeat.
    pub(super) ended: Queue<u32>,
    /// Counts attempts; the disk of the next output is this modulo the number of disks.
    pub(super) turn: u32,
    pub(super) beats: u64,
    /// Time of the last heartbeat.
    pub(super) last_heartbeat: Nanos,
}

#[derive(Rewind)]
pub(crate) struct Tracker {
    pub(super) settings: Shared<Settings>,
    pub(super) fluid: Fluid,
    pub(super) flows: Table<FlowId, Flow>,
    timer: Option<Timer>,
    pub(super) meters: Array<Meter>,
    pub(super) nodes: Table<u32, Node>,
    /// Unfinished jobs.
    pub(super) jobs: Table<u32, Job>,
    over: u32,
    pub(super) running: Table<u32, RunningAttempt>,
    /// By attempt and phase: time during which each of [`LIMITS`] limited it.
    limited: Table<(u32, u8), [Nanos; LIMITS]>,
    /// Keys (job, attempt) of all running attempts; `reduces_at`: (node, attempt) of reduces.
    pub(super) of_job: Table<(u32, u32), ()>,
    pub(super) reduces_at: Table<(u32, u32), ()>,
    /// Successful attempts that the JobTracker does not know of yet.
    pub(super) well: Table<u32, Assignment>,
    /// Map outputs that a reduce has not requested, as indexes into its job's list.
    pub(super) unasked: Table<u32, Array<u32>>,
    pub(super) attempts: u32,
    pub(super) reported: DiskReports,
    pub(super) cache: PageCache,
    pub(super) streams: Streams,
}

impl Tracker {
    pub(crate) fn new(settings: Shared<Settings>) -> Tracker {
        let fluid = Fluid::new(&settings.resources.capacities);
        let node = |node: u32| {
            let free = [&settings.map_slots, &settings.reduce_slots].map(|all| all[node as usize]);
            let ended = Queue::default();
            (node, Node { free, ended, turn: 0, beats: 0, last_heartbeat: Nanos::ZERO })
        };
        let nodes = (0..settings.nodes).map(node).collect();
        let meters = settings.resources.kinds.iter().map(|_| Meter::default()).collect();
        Tracker {
            fluid,
            flows: Table::new(),
            timer: None,
            meters,
            nodes,
            jobs: Table::new(),
            over: 0,
            running: Table::new(),
            limited: Table::new(),
            of_job: Table::new(),
            reduces_at: Table::new(),
            well: Table::new(),
            unasked: Table::new(),
            attempts: 0,
            reported: DiskReports::default(),
            cache: PageCache::default(),
            streams: Streams::default(),
            settings,
        }
    }

    pub(super) fn node(&self, node: u32) -> &Node {
        self.nodes.get(&node).expect("one of the nodes")
    }

    /// Computes on at most one core.
    pub(super) fn compute(&mut self, attempt: u32, node: u32, nanos: u64, now: Nanos) {
        let path = nothing().via(self.settings.resources.cores(node));
        let spec = FlowSpec { cap: Some(BytesPerSec(CORE)), ..FlowSpec::new(path, Bytes(nanos)) };
        let id = self.fluid.start(now, spec);
        self.flows.insert(id, Flow::new(Purpose::Phase { attempt }, now));
    }

    /// Computes rates, and sets the timer for the next flow to end.
    fn settle(&mut self, cx: &impl Context<Event, Record>) {
        self.settle_now(cx);
        if let Some(timer) = self.timer.take() {
            cx.cancel(timer);
        }
        let next = self.fluid.next_completion().filter(|(at, _)| *at < Nanos::MAX);
        self.timer = next.map(|(at, _)| cx.timer(at.saturating_sub(cx.now()), Event::Flows))
    }

    fn flows_end(&mut self, cx: &impl Context<Event, Record>) {
        self.timer = None;
        while let Some((_, id)) = self.fluid.next_completion().filter(|(at, _)| *at <= cx.now()) {
            self.charge(id, cx.now());
            self.fluid.finish(cx.now(), id);
            self.stream_ends(id, cx.now());
            let flow = self.flows.remove(&id).expect("a flow has a purpose");
            match flow.purpose {
                Purpose::Phase { attempt } => self.next_phase(attempt, cx),
                Purpose::Copy { attempt, from, began } => {
                    self.handle_copied(attempt, from, began, cx)
                }
                Purpose::Spill { attempt, bytes } => self.handle_spilled(attempt, bytes, cx),
                Purpose::Output { attempt, bytes } => self.is_received(attempt, bytes, cx),
                Purpose::WriteBack { node, bytes } => self.cache.is_written_back(node, bytes),
                Purpose::Foreign => {}
            }
            self.settle_now(cx)
        }
    }

    fn settle_now(&mut self, cx: &impl Context<Event, Record>) {
        let changes = self.fluid.settle().clone();
        for id in changes.flows {
            self.charge(id, cx.now());
            let limit = self.limit(id);
            self.flows.update(&id, |flow| flow.limit = limit);
        }
        for resource in changes.resources {
            let (rate, streams) = (self.fluid.used(resource), self.fluid.streams(resource));
            self.meters.update(resource.at(), |meter| meter.set_rate(cx.now(), rate, streams));
        }
    }

    /// Index in `LIMITS` of the flow's current limit.
    fn limit(&self, id: FlowId) -> u8 {
        match self.fluid.bottleneck(id) {
            Holder::OwnCap => 0,
            Holder::Resource(resource) => match self.settings.resources.kinds[resource.at()] {
                Kind::Disk { .. } => 1,
                Kind::NicIn { .. } | Kind::NicOut { .. } => 2,
                Kind::UplinkIn { .. } | Kind::UplinkOut { .. } => 3,
                Kind::Cores { .. } => 4,
            },
        }
    }

    /// Adds the time since the last call to the attempt's phase, by the flow's limit.
    fn charge(&mut self, id: FlowId, now: Nanos) {
        let found = self.flows.update(&id, |flow| {
            let before = *flow;
            flow.since = now;
            before
        });
        let Some(Flow { purpose, limit, since }) = found else { return };
        let Some(attempt) = purpose.attempt() else { return };
        let copies = matches!(purpose, Purpose::Copy { .. } | Purpose::Spill { .. });
        let Some(phase) = self.running.get(&attempt).map(|running| running.stage.phase) else {
            return;
        };
        let (key, passed) = ((attempt, if copies { 1 } else { phase }), now - since);
        if passed > Nanos::ZERO && !self.limited.contains(&key) {
            self.limited.insert(key, [Nanos::ZERO; LIMITS]);
        }
        self.limited.update(&key, |limited| limited[usize::from(limit)] += passed);
    }

    /// Ends the phase, and starts the next one that has something to do.
    pub(super) fn next_phase(&mut self, attempt: u32, cx: &impl Context<Event, Record>) {
        loop {
            let now = cx.now();
            let Some(RunningAttempt { given, stage, .. }) =
                self.running.update(&attempt, |running| {
                    running.stage.end(now);
                    *running
                })
            else {
                return;
            };
            if usize::from(stage.phase) == Phase::ALL.len() {
                return self.succeeds(attempt, cx);
            }
            let begun = match given.map {
                true => self.map_phase(attempt, &given, stage.now(), cx),
                false => self.reduce_phase(attempt, &given, stage.now(), cx),
            };
            if begun {
                return;
            }
        }
    }

    /// Starts a phase of a map; false if it has nothing to do.
    fn map_phase(
        &mut self,
        attempt: u32,
        given: &Assignment,
        phase: Phase,
        cx: &impl Context<Event, Record>,
    ) -> bool {
        let settings = Shared::clone(&self.settings);
        let (machine, now) = (&settings.resources, cx.now());
        let out = settings.map_output();
        let own = nothing().via(machine.disk(given.node, given.disk));
        let purpose = Purpose::Phase { attempt };
        let entity = u64::from(given.job) << 32 | u64::from(given.task);
        let mut add = |kind: usize, bytes: u64| {
            self.running.update(&attempt, |running| running.stage.bytes[kind] += bytes);
        };
        match phase {
            Phase::Startup => false,
            Phase::Input => {
                add(0, settings.input);
                let (node, disk) = given.source;
                let path = nothing().via(machine.disk(node, disk));
                self.start(
                    machine.add_network(path, node, given.node),
                    Bytes(settings.input),
                    Access::READ,
                    purpose,
                    now,
                );
                true
            }
            Phase::Middle => {
                let mut draw = cx.draw("fails", entity, u64::from(given.number));
                if draw.chance(settings.failures) {
                    self.breaks_off(attempt, AttemptEnd::Failed, cx);
                    return true;
                }
                let nanos = rounded_u64(settings.input as f64 * settings.profile.map_cpu);
                self.compute(attempt, given.node, nanos, now);
                nanos > 0
            }
            Phase::Spill if out > 0 && settings.reduces > 0 => {
                add(1, out);
                self.begins_to_write(attempt, given.node);
                self.write(own, out, purpose, now)
            }
            // A single spill is renamed; several are read and written once per merge pass.
            Phase::Merge if out > settings.sort_bytes && settings.reduces > 0 => {
                let passes = settings.passes(out.div_ceil(settings.sort_bytes));
                add(1, out * passes);
                let read = reread(out, self.cached_of(attempt, given.node));
                if read == 0 {
                    return self.write(own, out * passes, purpose, now);
                }
                let written = settings.written(out).0;
                let access = Access::mixed(read, written);
                self.start(own, Bytes((read + written) * passes), access, purpose, now);
                true
            }
            Phase::Output if settings.reduces == 0 && out > 0 => {
                add(3, out);
                self.write_output(attempt, given, out, cx)
            }
            _ => false,
        }
    }

    fn runs_no_more(&mut self, attempt: u32) -> Option<RunningAttempt> {
        let running = self.running.remove(&attempt)?;
        self.unasked.discard(&attempt);
        self.of_job.discard(&(running.given.job, attempt));
        self.reduces_at.discard(&(running.given.node, attempt));
        Some(running)
    }

    pub(super) fn running_of(&self, job: u32) -> impl Iterator<Item = (u32, &RunningAttempt)> {
        let all = self.of_job.range((job, 0)..=(job, u32::MAX));
        all.filter_map(|(&(_, attempt), ())| Some((attempt, self.running.get(&attempt)?)))
    }

    /// The attempt succeeded; its node reports it with the next heartbeat.
    fn succeeds(&mut self, attempt: u32, cx: &impl Context<Event, Record>) {
        let Some(running) = self.runs_no_more(attempt) else { return };
        let given = running.given;
        self.nodes.update(&given.node, |node| node.ended.push_back(attempt));
        self.well.insert(attempt, given);
        self.send_event(attempt, &running, AttemptEnd::Succeeded, cx)
    }

    pub(super) fn breaks_off(
        &mut self,
        attempt: u32,
        how: AttemptEnd,
        cx: &impl Context<Event, Record>,
    ) {
        let Some(mut running) = self.runs_no_more(attempt) else { return };
        let of_it = self.flows.iter().filter(|(_, flow)| flow.purpose.attempt() == Some(attempt));
        let flows: Vec<FlowId> = of_it.map(|(id, _)| *id).collect();
        for id in flows {
            self.fluid.cancel(cx.now(), id);
            self.stream_ends(id, cx.now());
            self.flows.discard(&id);
        }
        running.stage.break_off(cx.now());
        let given = running.given;
        self.nodes.update(&given.node, |node| node.ended.push_back(attempt));
        if how == AttemptEnd::Failed {
            self.fails(&given, cx)
        }
        self.jobs.update(&given.job, |job| job.running[kind(given.map)] -= 1);
        self.send_event(attempt, &running, how, cx)
    }

    /// Retries the task, or fails its job after too many failed attempts.
    fn fails(&mut self, given: &Assignment, cx: &impl Context<Event, Record>) {
        let most = self.settings.attempts;
        let twin = self.runs_elsewhere(given);
        let lost = self.jobs.update(&given.job, |job| {
            let key = (given.map, given.task);
            let failures = job.failures.get(&key).copied().unwrap_or(0) + 1;
            job.failures.discard(&key);
            job.failures.insert(key, failures);
            if !twin {
                job.pending.add(given.map, given.task);
            }
            job.failed |= failures >= most;
            job.failed
        });
        if lost == Some(true) {
            self.end_job(given.job, cx)
        }
    }

    fn runs_elsewhere(&self, given: &Assignment) -> bool {
        self.running_of(given.job)
            .any(|(_, other)| (other.given.task, other.given.map) == (given.task, given.map))
    }

    fn send_event(
        &mut self,
        attempt: u32,
        running: &RunningAttempt,
        how: AttemptEnd,
        cx: &impl Context<Event, Record>,
    ) {
        let RunningAttempt { given, stage, .. } = *running;
        let mut limited = [[Nanos::ZERO; LIMITS]; PHASES];
        for (place, limits) in (0u8..).zip(&mut limited) {
            *limits = self.limited.remove(&(attempt, place)).unwrap_or(*limits)
        }
        let ended = AttemptReport {
            job: given.job,
            task: given.task,
            map: given.map,
            number: given.number,
            node: given.node,
            local: given.map && given.source.0 == given.node,
            speculative: given.speculative,
            end: how,
            requested_at: given.requested_at,
            withheld: given.withheld,
            started_at: given.started_at.min(cx.now()),
            notified_at: running.fetched.notified_at,
            ends: stage.ends,
            limited,
            bytes: stage.bytes,
        };
        cx.record(Record::Ended(Box::new(ended)))
    }

    /// The JobTracker receives that an attempt succeeded.
    pub(super) fn handle_success(&mut self, attempt: u32, cx: &impl Context<Event, Record>) {
        let Some(given) = self.well.remove(&attempt) else { return };
        let (which, settings) = (kind(given.map), Shared::clone(&self.settings));
        let at = self.position(given.node);
        let first = self.jobs.update(&given.job, |job| {
            job.running[which] -= 1;
            let first = job.done.add(given.map, given.task);
            job.pending.take(given.map, given.task);
            if first && given.map {
                job.outputs.push(Output { node: given.node, disk: given.disk, at });
                job.ask_for_reduces(&settings, cx.now())
            }
            first
        });
        if first != Some(true) {
            return;
        }
        self.kill_twins(&given, cx);
        if given.map {
            self.notify_reduces(given.job, cx)
        }
        if self.jobs.get(&given.job).is_some_and(|job| job.is_over(&settings)) {
            self.end_job(given.job, cx)
        }
    }

    fn kill_twins(&mut self, given: &Assignment, cx: &impl Context<Event, Record>) {
        let same = |other: &Assignment| (other.task, other.map) == (given.task, given.map);
        let twins = self.running_of(given.job).filter(|(_, other)| same(&other.given));
        let twins: Vec<u32> = twins.map(|(id, _)| id).collect();
        twins.into_iter().for_each(|twin| self.breaks_off(twin, AttemptEnd::Killed, cx))
    }

    /// Ends a job, and kills its running attempts.
    fn end_job(&mut self, number: u32, cx: &impl Context<Event, Record>) {
        let left: Vec<u32> = self.running_of(number).map(|(id, _)| id).collect();
        left.into_iter().for_each(|attempt| self.breaks_off(attempt, AttemptEnd::Killed, cx));
        let about = |job: &Job| (job.submitted, job.failed);
        let Some((submitted, failed)) = self.jobs.get(&number).map(about) else { return };
        self.jobs.discard(&number);
        let finished = JobReport { job: number, submitted, failed };
        cx.record(Record::Finished(Box::new(finished)));
        self.over += 1;
        if self.over == self.settings.jobs {
            cx.stop(cx.now() + Nanos::millis(1))
        }
    }
}

impl Model for Tracker {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Submit { job } => {
                if job == 0 {
                    self.foreign(cx.now())
                }
                let settings = Shared::clone(&self.settings);
                self.jobs.insert(job, Job::new(job, &settings, cx));
                if job + 1 < settings.jobs {
                    cx.after(settings.arrival, Event::Submit { job: job + 1 })
                }
            }
            Event::Heartbeat { node } => self.heartbeat(node, cx),
            Event::Started { attempt } => self.next_phase(attempt, cx),
            Event::Flows => self.flows_end(cx),
        }
        self.settle(cx)
    }
}
