//! A DataNode: its disks, its NIC, its logs.
use super::disk::{Disk, Job, Task};
use super::log::{Log, PendingRequest};
use super::message::{Event, HEAD, Record};
use super::settings::{Settings, TimeDistribution};
use crate::policy::Volume;
use crate::raft::{Append, AppendResult, Entry, Kind, NO_LEADER};
use engine::*;
use units::Bytes;

#[derive(Rewind)]
pub(crate) struct DataNode {
    pub(super) settings: Shared<Settings>,
    pub(super) me: u32,
    dead: bool,
    slow: bool,
    ticks: u64,
    /// When the NIC has sent, and received, all queued messages.
    sends_until: Nanos,
    receives_until: Nanos,
    /// Time spent sending, and receiving, since the last tick.
    sent: Nanos,
    received: Nanos,
    disks: Table<u32, Disk>,
    /// By pipeline.
    pub(super) logs: Table<u32, Log>,
    /// Disk of each open container.
    containers: Table<u32, u32>,
    /// Bytes of containers by disk.
    used: Array<u64>,
    placed: u64,
}

impl DataNode {
    pub(crate) fn new(settings: Shared<Settings>, me: u32) -> DataNode {
        let disks = settings.disks;
        let layout = &settings.layout;
        let log = |p: &u32| (*p, Log::new(layout.place(*p, me), layout.led[*p as usize]));
        let logs = layout.of_node[me as usize].iter().map(log).collect();
        let mut used = Array::new();
        used.replace(vec![0; disks as usize]);
        DataNode {
            me,
            dead: false,
            slow: false,
            ticks: 0,
            sends_until: Nanos::ZERO,
            receives_until: Nanos::ZERO,
            sent: Nanos::ZERO,
            received: Nanos::ZERO,
            disks: (0..disks).map(|disk| (disk, Disk::default())).collect(),
            logs,
            containers: Table::new(),
            used,
            placed: 0,
            settings,
        }
    }
}

impl Model for DataNode {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        if self.dead {
            return self.refuse(event, cx);
        }
        match *event {
            Event::Write { bytes, held: None, .. }
            | Event::Append {
                append: Append { entry: Entry { bytes, .. }, .. }, held: None, ..
            } => self.receive(u64::from(bytes) + HEAD, event, cx),
            Event::Write { from, op, bytes, pipeline, container, attempt, round, kind, held } => {
                let zero = Nanos::ZERO;
                let client = PendingRequest {
                    index: 0,
                    from,
                    op,
                    attempt,
                    round,
                    kind,
                    held: held.unwrap_or(zero),
                    arrived: cx.now(),
                    started: zero,
                    flushed: zero,
                    left: [zero; 2],
                    reached: [zero; 2],
                    follower_held: [zero; 2],
                    follower_began: [zero; 2],
                    acked: [Nanos::MAX; 2],
                    committed: Nanos::MAX,
                };
                self.write(pipeline, container, bytes, client, cx)
            }
            Event::Append { pipeline, append, held } => self.take(pipeline, append, held, cx),
            Event::Notice { pipeline, notice } => self.handle_notice(pipeline, notice, cx),
            Event::Acked { pipeline, answer, held, started } => {
                self.handle_reply(pipeline, answer, [held, started], cx)
            }
            Event::Ask { pipeline, ask } => self.handle_vote_request(pipeline, ask, cx),
            Event::Vote { pipeline, vote } => self.handle_vote(pipeline, vote, cx),
            Event::Elect { pipeline } => self.elect(pipeline, cx),
            Event::Disk { disk } => self.through(disk, cx),
            Event::Beat { pipeline } => self.send_heartbeat(pipeline, cx),
            Event::Tick => self.tick(cx),
            Event::Fault => self.fail(cx),
            _ => unreachable!("for others"),
        }
    }
}

impl DataNode {
    /// Slows the disks, or stops the process and resets its connections.
    fn fail(&mut self, cx: &impl Context<Event, Record>) {
        if self.settings.fault_slows {
            return self.slow = true;
        }
        self.dead = true;
        for gateway in self.settings.gates.iter() {
            let down = Event::Down { node: self.me };
            cx.notify(gateway, down)
        }
    }

    /// The node is down: rejects writes.
    fn refuse(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        if let Event::Write { from, op, attempt, round, .. } = *event {
            let no = Event::NotLeader { op, attempt, round, leader: NO_LEADER };
            cx.notify(from, no)
        }
    }

    fn write(
        &mut self,
        pipeline: u32,
        container: u32,
        bytes: u32,
        client: PendingRequest,
        cx: &impl Context<Event, Record>,
    ) {
        let Some(log) = self.logs.get(&pipeline) else { return };
        if !log.raft.leads() {
            let PendingRequest { from, op, attempt, round, .. } = client;
            let no = Event::NotLeader { op, attempt, round, leader: log.raft.leader() };
            return cx.notify(from, no);
        }
        self.append(pipeline, client.kind, container, bytes, Some(client), cx)
    }

    pub(super) fn append(
        &mut self,
        pipeline: u32,
        kind: Kind,
        container: u32,
        bytes: u32,
        client: Option<PendingRequest>,
        cx: &impl Context<Event, Record>,
    ) {
        let added = self.logs.update(&pipeline, |log| {
            let index = log.raft.append(kind, bytes, container);
            if kind == Kind::CommitIndex {
                log.commit_entries.push_back(index)
            }
            if let Some(client) = client {
                log.waiting.push_back(PendingRequest { index, ..client })
            }
            index
        });
        let Some(index) = added else { return };
        self.send_on(pipeline, cx);
        self.store(pipeline, index, cx)
    }

    /// Sends entries within the followers' windows.
    pub(super) fn send_on(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let window = self.settings.window;
        let places = self.logs.get(&pipeline).map(|log| log.raft.places());
        for (slot, place) in places.into_iter().flatten().enumerate() {
            while let Some(Some(append)) =
                self.logs.update(&pipeline, |log| log.raft.next_for(place, window))
            {
                let Append { index, entry, .. } = append;
                let to = self.settings.member(pipeline, place);
                let delay = self.sends(u64::from(entry.bytes) + HEAD, cx);
                let there = cx.now() + self.settings.latency + delay;
                self.logs.update(&pipeline, |log| log.sent(slot, index, cx.now(), there));
                let delay = Delay::link(cx.link(to)).plus(delay);
                cx.send(to, delay, Event::Append { pipeline, append, held: None })
            }
        }
    }

    /// Time that a message waits for the NIC and is sent.
    fn sends(&mut self, bytes: u64, cx: &impl Context<Event, Record>) -> Nanos {
        let begin = self.sends_until.max(cx.now());
        let took = self.settings.nic.time_for(Bytes(bytes));
        (self.sends_until, self.sent) = (begin + took, self.sent + took);
        self.sends_until - cx.now()
    }

    /// The message's last byte has left its sender's NIC. Handles it when this NIC has received it,
    /// which is now unless other senders occupy the NIC.
    fn receive(&mut self, bytes: u64, event: &Event, cx: &impl Context<Event, Record>) {
        let took = self.settings.nic.time_for(Bytes(bytes));
        let begin = self.receives_until.max(cx.now().saturating_sub(took));
        (self.receives_until, self.received) = (begin + took, self.received + took);
        let held = self.receives_until - cx.now();
        let event = event.received(held);
        match held {
            Nanos::ZERO => self.handle(&event, cx),
            _ => cx.after(held, event),
        }
    }

    /// Handles an entry from the leader.
    fn take(
        &mut self,
        pipeline: u32,
        append: Append,
        held: Option<Nanos>,
        cx: &impl Context<Event, Record>,
    ) {
        let result = self.logs.update(&pipeline, |log| {
            log.held = held.unwrap_or(Nanos::ZERO);
            let result = log.raft.on_append(append);
            if result != AppendResult::Stale {
                log.last_leader_contact = cx.now()
            }
            result
        });
        let Some(result) = result else { return };
        self.step_down(pipeline, cx);
        match result {
            AppendResult::New => self.store(pipeline, append.index, cx),
            // A new entry is answered after its flush.
            AppendResult::Known | AppendResult::Gap | AppendResult::Stale => {
                let gap = result == AppendResult::Gap;
                self.answer(pipeline, append.notice.leader, gap, Nanos::ZERO, cx)
            }
        }
    }

    /// Stores an entry's data in its container, and starts a flush if one is due.
    fn store(&mut self, pipeline: u32, index: u64, cx: &impl Context<Event, Record>) {
        let entry = self.logs.get(&pipeline).and_then(|log| log.raft.entry(index));
        if let Some(Entry { term, kind: Kind::Chunk, bytes, container }) = entry {
            let bytes = u64::from(bytes);
            let disk = self.disk_of(container, bytes, cx);
            let (sync, room) = (self.settings.sync, self.settings.room);
            let task = if sync { Task::Sync } else { Task::Back };
            let job = Job { task, pipeline, index, term, bytes };
            let stored = self.disks.update(&disk, |d| match sync {
                true => {
                    d.push(job, false);
                    false
                }
                false => d.store(job, room),
            });
            if stored == Some(true) {
                self.logs.update(&pipeline, |log| log.raft.mark_stored(index, term));
            }
            self.begin(disk, cx)
        }
        self.flush(pipeline, cx)
    }

    /// Disk of a container; a new container is placed by the volume policy.
    fn disk_of(&mut self, container: u32, bytes: u64, cx: &impl Context<Event, Record>) -> u32 {
        let first = self.settings.first_data_disk;
        if let Some(&disk) = self.containers.get(&container) {
            self.used.update(disk as usize, |used| *used += bytes);
            return disk;
        }
        let mut draw = cx.draw("volume", u64::from(self.me), self.placed);
        let bits = [draw.bits(), draw.bits()];
        let data = &self.used[first as usize..];
        let place = Volume::next(self.settings.volume, data, self.placed, bits);
        let disk = first + u32::try_from(place).expect("few disks");
        self.placed += 1;
        // The preceding container of this slot is full.
        let pipelines = self.settings.slots;
        if let Some(before) = container.checked_sub(pipelines) {
            self.containers.discard(&before);
        }
        self.containers.insert(container, disk);
        self.used.update(disk as usize, |used| *used += bytes);
        disk
    }

    /// Queues a flush of the log if one is due.
    fn flush(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let Some(Some((index, count))) = self.logs.update(&pipeline, |log| log.raft.next_flush())
        else {
            return;
        };
        let disk = self.settings.layout.log_disk(self.me, pipeline);
        let job = Job { task: Task::Flush, pipeline, index, term: 0, bytes: count * HEAD };
        let first = self.settings.flush_first;
        self.disks.update(&disk, |d| d.push(job, first));
        self.begin(disk, cx)
    }

    /// Starts the next job on a free disk.
    fn begin(&mut self, disk: u32, cx: &impl Context<Event, Record>) {
        let Some(Some((job, flushes))) = self.disks.update(&disk, |d| d.begin(cx.now())) else {
            return;
        };
        let s = &self.settings;
        let bytes = Bytes(job.bytes);
        let mut took = s.rate.time_for(bytes);
        match job.task {
            Task::Flush => {
                let entity = u64::from(self.me) * 1_000 + u64::from(disk);
                let mut draw = cx.draw("flush", entity, flushes);
                took += match s.flush_shape {
                    TimeDistribution::Fixed => s.flush_time,
                    TimeDistribution::Uniform => {
                        Nanos(s.flush_time.0 * 7 / 10 + draw.below(s.flush_time.0 * 6 / 10 + 1))
                    }
                    TimeDistribution::Exponential => draw.exponential(s.flush_time),
                }
            }
            Task::Sync => took += s.flush_time,
            // One seek per chunk: a chunk is its own file, or a part of one.
            Task::Back => took += s.seek * job.index,
        }
        if self.slow {
            took = took * s.fault_factor
        }
        cx.after(took, Event::Disk { disk })
    }

    fn through(&mut self, disk: u32, cx: &impl Context<Event, Record>) {
        let Some((job, began)) = self.disks.update(&disk, |d| d.end(cx.now())) else { return };
        let Job { task, pipeline, index, term, .. } = job;
        match task {
            Task::Flush => self.flushed(pipeline, began, cx),
            Task::Sync => {
                self.logs.update(&pipeline, |log| log.raft.mark_stored(index, term));
                self.flush(pipeline, cx)
            }
            Task::Back => {
                let room = self.settings.room;
                while let Some(Some(job)) = self.disks.update(&disk, |d| d.unblock(room)) {
                    self.logs
                        .update(&job.pipeline, |log| log.raft.mark_stored(job.index, job.term));
                    self.flush(job.pipeline, cx)
                }
            }
        }
        self.begin(disk, cx)
    }

    fn flushed(&mut self, pipeline: u32, began: Nanos, cx: &impl Context<Event, Record>) {
        let leader = self.logs.update(&pipeline, |log| {
            let from = log.raft.flushed();
            log.raft.end_flush();
            let to = log.raft.flushed();
            if log.raft.leads() {
                log.flushed(from, to, began, cx.now())
            }
            log.raft.leader()
        });
        let leads = self.logs.get(&pipeline).is_some_and(|log| log.raft.leads());
        match leader {
            _ if leads => self.advance(pipeline, cx),
            Some(leader) if leader != NO_LEADER => self.answer(pipeline, leader, false, began, cx),
            _ => {}
        }
        self.flush(pipeline, cx)
    }

    /// Reports the use of disks every second, and writes dirty pages every five seconds.
    fn tick(&mut self, cx: &impl Context<Event, Record>) {
        self.ticks += 1;
        let back = self.ticks.is_multiple_of(5);
        for disk in 0..self.settings.disks {
            let busy = self.disks.update(&disk, |d| {
                if back {
                    d.write_back()
                }
                d.take_busy_time(cx.now())
            });
            if let Some(busy) = busy.filter(|busy| busy.0 > 0) {
                cx.record(Record::Busy { node: self.me, disk, busy })
            }
            if back {
                self.begin(disk, cx)
            }
        }
        let busy = std::mem::take(&mut self.sent).max(std::mem::take(&mut self.received));
        if busy.0 > 0 {
            cx.record(Record::Nic { node: self.me, busy })
        }
        cx.after(Nanos::secs(1), Event::Tick)
    }
}
