//! A DataNode: its disks, its sending side, its logs.
use super::disk::{Disk, Job, Task};
use super::message::{Event, HEAD, Kind, Record};
use super::raft::{Entry, Other, Replica, Waiting};
use super::settings::{Notice, Settings, Spread};
use crate::policy::Volume;
use engine::*;
use units::Bytes;

/// A DataNode.
#[derive(Rewind)]
pub(crate) struct DataNode {
    settings: Shared<Settings>,
    me: u32,
    dead: bool,
    slow: bool,
    ticks: u64,
    /// When its sending side is through with what it was given.
    nic: Nanos,
    disks: Table<u32, Disk>,
    replicas: Table<u32, Replica>,
    /// The disk of each container that is open here.
    containers: Table<u32, u32>,
    /// Bytes of all containers, of each disk.
    used: Array<u64>,
    /// Containers so far.
    placed: u64,
}

impl DataNode {
    pub(crate) fn new(settings: Shared<Settings>, me: u32) -> DataNode {
        let disks = settings.disks;
        let replica = |p: &u32| {
            let leads = settings.layout.leader_of(*p) == me;
            (*p, if leads { Replica::leading() } else { Replica::default() })
        };
        let replicas = settings.layout.of_node[me as usize].iter().map(replica).collect();
        let mut used = Array::new();
        used.replace(vec![0; disks as usize]);
        DataNode {
            me,
            dead: false,
            slow: false,
            ticks: 0,
            nic: Nanos::ZERO,
            disks: (0..disks).map(|disk| (disk, Disk::default())).collect(),
            replicas,
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
            return;
        }
        match *event {
            Event::Write { from, op, bytes, pipeline, container, attempt, kind } => {
                let zero = Nanos::ZERO;
                let client = Waiting {
                    index: 0,
                    from,
                    op,
                    attempt,
                    kind,
                    came: cx.now(),
                    began: zero,
                    flushed: zero,
                    reached: [zero; 2],
                    follower_began: [zero; 2],
                    acked: [Nanos::MAX; 2],
                    committed: Nanos::MAX,
                };
                self.append(pipeline, container, u64::from(bytes), kind, Some(client), cx)
            }
            Event::Append { pipeline, index, commit, bytes, container, kind } => {
                self.replicas.update(&pipeline, |log| {
                    log.commit = log.commit.max(commit);
                    log.last = index
                });
                self.take(pipeline, index, container, u64::from(bytes), kind, cx)
            }
            Event::Notice { pipeline, commit } => self.hear(pipeline, commit, cx),
            Event::Acked { pipeline, slot, flushed, commit, began } => {
                self.acked(pipeline, slot, Other { flushed, commit }, began, cx)
            }
            Event::Disk { disk } => self.through(disk, cx),
            Event::Beat { pipeline } => self.beat(pipeline, cx),
            Event::Tick => self.tick(cx),
            Event::Fault => match self.settings.fault_slows {
                true => self.slow = true,
                false => self.dead = true,
            },
            _ => unreachable!("for others"),
        }
    }
}

impl DataNode {
    /// A leader appends an entry, and sends it to both followers.
    fn append(
        &mut self,
        pipeline: u32,
        container: u32,
        bytes: u64,
        kind: Kind,
        client: Option<Waiting>,
        cx: &impl Context<Event, Record>,
    ) {
        let found = self.replicas.update(&pipeline, |log| {
            log.last += 1;
            log.said = cx.now();
            if kind == Kind::Told {
                log.told.push_back(log.last)
            }
            (log.last, log.known())
        });
        let Some((index, commit)) = found else { return };
        let commit = commit.max(self.replicas.get(&pipeline).map_or(0, |log| log.commit));
        let mut reached = [Nanos::ZERO; 2];
        for (slot, to) in self.settings.layout.followers(pipeline).into_iter().enumerate() {
            let delay = self.sends(to, bytes + HEAD, cx);
            reached[slot] = cx.now() + self.settings.latency + delay;
            let small = u32::try_from(bytes).unwrap_or(u32::MAX);
            let entry = Event::Append { pipeline, index, commit, bytes: small, container, kind };
            cx.send(
                self.settings.data(to),
                Delay::link(cx.link(self.settings.data(to))).plus(delay),
                entry,
            )
        }
        if let Some(client) = client {
            let waiting = Waiting { index, reached, ..client };
            self.replicas.update(&pipeline, |log| log.waiting.push_back(waiting));
        }
        self.take(pipeline, index, container, bytes, kind, cx)
    }

    /// How long a message waits for the sending side and is on it.
    fn sends(&mut self, _to: u32, bytes: u64, cx: &impl Context<Event, Record>) -> Nanos {
        let begin = self.nic.max(cx.now());
        self.nic = begin + self.settings.nic.time_for(Bytes(bytes));
        self.nic - cx.now()
    }

    /// An entry is here: its data goes to its container, then it may be flushed.
    fn take(
        &mut self,
        pipeline: u32,
        index: u64,
        container: u32,
        bytes: u64,
        kind: Kind,
        cx: &impl Context<Event, Record>,
    ) {
        let entry = Entry { index, bytes: HEAD, ready: kind != Kind::Chunk };
        self.replicas.update(&pipeline, |log| log.entries.push_back(entry));
        if kind == Kind::Chunk {
            let disk = self.disk_of(container, bytes, cx);
            let (sync, room) = (self.settings.sync, self.settings.room);
            let task = if sync { Task::Sync } else { Task::Back };
            let job = Job { task, pipeline, index, bytes };
            let stored = self.disks.update(&disk, |d| match sync {
                true => {
                    d.push(job, false);
                    false
                }
                false => d.store(job, room),
            });
            if stored == Some(true) {
                self.replicas.update(&pipeline, |log| log.ready(index));
            }
            self.begin(disk, cx)
        }
        self.flush(pipeline, cx)
    }

    /// The disk of a container; a new one is placed.
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
        // The container of the same slot before this one is full.
        let pipelines = self.settings.slots;
        if let Some(before) = container.checked_sub(pipelines) {
            self.containers.discard(&before);
        }
        self.containers.insert(container, disk);
        self.used.update(disk as usize, |used| *used += bytes);
        disk
    }

    /// A log's flush gets in line, if one is due.
    fn flush(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let Some(Some((index, bytes))) = self.replicas.update(&pipeline, Replica::next_flush)
        else {
            return;
        };
        let disk = self.settings.layout.log_disk(self.me, pipeline);
        let (job, first) =
            (Job { task: Task::Flush, pipeline, index, bytes }, self.settings.flush_first);
        self.disks.update(&disk, |d| d.push(job, first));
        self.begin(disk, cx)
    }

    /// A free disk begins with the next job.
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
                    Spread::Fixed => s.flush_time,
                    Spread::Uniform => {
                        Nanos(s.flush_time.0 * 7 / 10 + draw.below(s.flush_time.0 * 6 / 10 + 1))
                    }
                    Spread::Exponential => draw.exponential(s.flush_time),
                }
            }
            Task::Sync => took += s.flush_time,
            // A chunk is a file, or a piece of one among others.
            Task::Back => took += s.seek * job.index,
        }
        if self.slow {
            took = took * s.fault_factor
        }
        cx.after(took, Event::Disk { disk })
    }

    /// A disk is through with a job.
    fn through(&mut self, disk: u32, cx: &impl Context<Event, Record>) {
        let Some((job, began)) = self.disks.update(&disk, |d| d.end(cx.now())) else { return };
        let Job { task, pipeline, index, .. } = job;
        match task {
            Task::Flush => self.flushed(pipeline, index, began, cx),
            Task::Sync => {
                self.replicas.update(&pipeline, |log| log.ready(index));
                self.flush(pipeline, cx)
            }
            Task::Back => {
                let room = self.settings.room;
                while let Some(Some(job)) = self.disks.update(&disk, |d| d.unblock(room)) {
                    self.replicas.update(&job.pipeline, |log| log.ready(job.index));
                    self.flush(job.pipeline, cx)
                }
            }
        }
        self.begin(disk, cx)
    }

    /// A log is on disk up to an entry.
    fn flushed(&mut self, pipeline: u32, to: u64, began: Nanos, cx: &impl Context<Event, Record>) {
        let leads = self.settings.layout.leader_of(pipeline) == self.me;
        self.replicas.update(&pipeline, |log| {
            log.end_flush(to);
            if leads {
                let open = usize::try_from(log.open).expect("few");
                let due: Vec<usize> = (open..log.waiting.len())
                    .take_while(|&i| log.waiting.get(i).is_some_and(|w| w.index <= to))
                    .collect();
                for place in due {
                    log.waiting
                        .update(place, |w| (w.began, w.flushed) = (began.max(w.came), cx.now()));
                }
            }
        });
        match leads {
            true => self.advance(pipeline, cx),
            false => self.answer(pipeline, began, cx),
        }
        self.flush(pipeline, cx)
    }

    /// A follower says how far it is.
    fn answer(&mut self, pipeline: u32, began: Nanos, cx: &impl Context<Event, Record>) {
        let Some(log) = self.replicas.get(&pipeline) else { return };
        let (flushed, commit) = (log.flushed, log.known());
        let layout = &self.settings.layout;
        let (leader, slot) = (layout.leader_of(pipeline), layout.slot(pipeline, self.me));
        let leader = self.settings.data(leader);
        let acked = Event::Acked { pipeline, slot, flushed, commit, began };
        cx.send(leader, Delay::link(cx.link(leader)), acked)
    }

    /// A follower hears of a commit.
    fn hear(&mut self, pipeline: u32, commit: u64, cx: &impl Context<Event, Record>) {
        self.replicas.update(&pipeline, |log| log.commit = log.commit.max(commit));
        self.answer(pipeline, Nanos::ZERO, cx)
    }

    /// A leader hears of a follower.
    fn acked(
        &mut self,
        pipeline: u32,
        slot: u8,
        other: Other,
        began: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        let slot = usize::from(slot);
        self.replicas.update(&pipeline, |log| {
            let before = log.others[slot];
            log.others.set(
                slot,
                Other {
                    flushed: before.flushed.max(other.flushed),
                    commit: before.commit.max(other.commit),
                },
            );
            let first = log.waiting.iter().position(|w| w.index > before.flushed);
            let Some(first) = first.filter(|_| other.flushed > before.flushed) else { return };
            for place in first..log.waiting.len() {
                if log.waiting.get(place).is_none_or(|w| w.index > other.flushed) {
                    break;
                }
                log.waiting.update(place, |w| {
                    w.acked[slot] = cx.now();
                    w.follower_began[slot] = began.max(w.reached[slot])
                });
            }
        });
        self.advance(pipeline, cx)
    }

    /// A leader commits what a majority has, tells it, and answers who waits.
    fn advance(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let notice = self.settings.notice;
        let told = self.replicas.update(&pipeline, |log| {
            let majority = log.majority();
            if majority <= log.commit {
                return false;
            }
            let from = log.commit;
            log.commit = majority;
            let holds = |flushed: u64| u8::from(flushed >= majority);
            let holders =
                holds(log.flushed) + holds(log.others[0].flushed) + holds(log.others[1].flushed);
            cx.record(Record::Commit { pipeline, from, to: majority, holders });
            let mut last_is_told = false;
            while log.told.front().is_some_and(|&index| index <= majority) {
                last_is_told = log.told.pop_front() == Some(majority)
            }
            while let Some(index) = log.waiting.get(units::usize_of(log.open)).map(|w| w.index)
                && index <= majority
            {
                log.waiting.update(units::usize_of(log.open), |w| w.committed = cx.now());
                log.open += 1
            }
            !last_is_told
        });
        if told.is_some_and(|_| true) {
            match (told, notice) {
                (Some(true), Notice::MetadataEntry) => {
                    self.append(pipeline, 0, 0, Kind::Told, None, cx)
                }
                (Some(true), Notice::AtOnce) => self.notify(pipeline, cx),
                _ => {}
            }
        }
        self.reply(pipeline, cx)
    }

    /// A leader tells both followers how far it has committed.
    fn notify(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let commit = self.replicas.update(&pipeline, |log| {
            log.said = cx.now();
            log.commit
        });
        let Some(commit) = commit else { return };
        for to in self.settings.layout.followers(pipeline) {
            let to = self.settings.data(to);
            cx.send(to, Delay::link(cx.link(to)), Event::Notice { pipeline, commit })
        }
    }

    /// Clients whose entry enough know of are answered; those of chunks when it is committed.
    fn reply(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let watch_all = self.settings.watch_all;
        loop {
            let done = self.replicas.update(&pipeline, |log| {
                let first = *log.waiting.front().filter(|_| log.open > 0)?;
                let [a, b] = [log.others[0].commit, log.others[1].commit];
                let known = if watch_all { a.min(b) } else { a.max(b) };
                if first.kind == Kind::Put && known < first.index {
                    return None;
                }
                log.open -= 1;
                log.waiting.pop_front()
            });
            let Some(Some(done)) = done else { return };
            let Waiting { from, op, attempt, .. } = done;
            match done.kind {
                Kind::Put => {
                    // The client hears of the commit, asks to watch it, and is answered then.
                    let round = done.committed + self.settings.latency * 2;
                    let wait = round.saturating_sub(cx.now());
                    let block = done.block(pipeline, cx.now() + wait);
                    cx.record(Record::Block(Box::new(block)));
                    let delay = Delay::link(cx.link(from)).plus(wait);
                    cx.send(from, delay, Event::Written { op, attempt })
                }
                _ => cx.send(from, Delay::link(cx.link(from)), Event::Taken { op, attempt }),
            }
        }
    }

    /// A leader that has said nothing for half of the election's timeout says so.
    fn beat(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let said = self.replicas.get(&pipeline).map_or(Nanos::ZERO, |log| log.said);
        let due = said + self.settings.heartbeat;
        if due <= cx.now() {
            self.notify(pipeline, cx);
            return cx.after(self.settings.heartbeat, Event::Beat { pipeline });
        }
        cx.after(due - cx.now(), Event::Beat { pipeline })
    }

    /// Each second the use of disks is reported; now and then dirty pages are written.
    fn tick(&mut self, cx: &impl Context<Event, Record>) {
        self.ticks += 1;
        let back = self.ticks.is_multiple_of(5);
        for disk in 0..self.settings.disks {
            let busy = self.disks.update(&disk, |d| {
                if back {
                    d.write_back()
                }
                d.worked(cx.now())
            });
            if let Some(busy) = busy.filter(|busy| busy.0 > 0) {
                cx.record(Record::Busy { node: self.me, disk, busy })
            }
            if back {
                self.begin(disk, cx)
            }
        }
        cx.after(Nanos::secs(1), Event::Tick)
    }
}
