//! The store: messages wait for a fixed delay, a thread or a group commit.
use super::{Envelopes, Logged, Out, Server, is_stale};
use crate::model::message::{Envelope, Event, Job, Record};
use crate::model::prefetch::soon;
use crate::model::settings::{Durability, Settings};
use engine::*;
use hardware::station::{
    GroupCommit, GroupCommitSpec, Servers, Station, Ticket, Turn, Work as Use,
};
use ppmds_protocol::OperationKind;
use rewind::Queue;
use units::{Bytes, BytesPerSec};

#[derive(Rewind)]
pub struct Stores {
    /// Single entries. Tables, so that a rollback can restore what a crash replaces.
    threads: Table<u32, Station>,
    log: Table<u32, GroupCommit<u64>>,
    /// Writes that the log has accepted, by number.
    jobs: Table<u64, Job>,
    next: u64,
    /// Total time in which the log wrote.
    written: Nanos,
    /// When all logged so far is on disk. With crashes, later results are sent no earlier.
    safe: Nanos,
    /// Outstanding fetches of the root's list, where a run has no other reads.
    fetches: u32,
    /// Results of writes that are not due yet: a read can overtake them in the store.
    pending: Queue<(Nanos, Box<Envelope>)>,
}

impl Stores {
    pub fn new(settings: &Settings, me: u32) -> Stores {
        let fetches = settings.uniform() && !settings.placed.warm && settings.is_home_of_root(me);
        let (threads, log) = idle(settings);
        Stores {
            threads: [(0, threads)].into_iter().collect(),
            log: [(0, log)].into_iter().collect(),
            jobs: Table::new(),
            next: 0,
            written: Nanos::ZERO,
            safe: Nanos::ZERO,
            fetches: if fetches { settings.clients } else { 0 },
            pending: Queue::new(),
        }
    }

    pub fn busy(&self) -> Nanos {
        self.threads.get(&0).map_or(Nanos::ZERO, |threads| threads.busy(Nanos::MAX)) + self.written
    }

    fn submit(&mut self, at: Nanos, time: Nanos) -> Ticket {
        let submit = |threads: &mut Station| threads.submit(at, Use::time(time));
        self.threads.update(&0, submit).expect("there is one")
    }

    pub fn foresee(&self, step: u32) {
        match (self.pending.front(), step) {
            (Some(first), 1) => soon(first),
            (Some((_, envelope)), 2) => soon(&**envelope),
            _ => {}
        }
    }

    pub(super) fn crash(&mut self, settings: &Settings) {
        let (threads, log) = idle(settings);
        self.threads.insert(0, threads);
        self.log.insert(0, log);
        self.jobs.clear();
        self.pending.clear();
        (self.safe, self.fetches) = (Nanos::ZERO, 0)
    }
}

fn idle(settings: &Settings) -> (Station, GroupCommit<u64>) {
    let (threads, group) = settings.store.unwrap_or((1, 1));
    let grouping = GroupCommitSpec {
        most: group,
        delay: Nanos::ZERO,
        startup: settings.write,
        each: settings.each,
        rate: BytesPerSec(1),
    };
    (Station::new(Servers::timed(threads)), GroupCommit::new(grouping))
}

impl Server {
    /// Passes an event's messages and log records through the store.
    pub(super) fn put(
        &mut self,
        op: Option<OperationKind>,
        out: Out,
        cx: &impl Context<Event, Record>,
    ) {
        let Out { envelopes, records, changes, .. } = out;
        let stale = envelopes.iter().next().is_some_and(|envelope| is_stale(&envelope.message));
        let writes = changes || op.is_some_and(OperationKind::writes) && !envelopes.is_empty();
        if stale && !changes || envelopes.is_empty() && !writes {
            return self.at_once(envelopes, Nanos::ZERO, cx);
        }
        let Settings { write, read, durability, .. } = *self.settings;
        let time = if writes { write } else { read };
        if self.settings.in_line() && durability == Durability::Sync {
            return match writes {
                true => self.in_line(envelopes, time, cx),
                false => self.at_once(envelopes, time, cx),
            };
        }
        self.late(envelopes, records, (writes, time), cx)
    }

    /// The general case, with events for threads, group commits and crashes.
    fn late(
        &mut self,
        mut envelopes: Envelopes,
        records: Vec<Logged>,
        (writes, time): (bool, Nanos),
        cx: &impl Context<Event, Record>,
    ) {
        let settings = Shared::clone(&self.settings);
        let start = self.start;
        let wait = self.came - cx.now();
        if writes && settings.durability == Durability::Async {
            // No message waits for the disk; a crash loses writes that are not on disk by then.
            self.at_once(envelopes, Nanos::ZERO, cx);
            if settings.crashes() || settings.store.is_some() {
                let end = self.safe_after(time);
                let job = Box::new(Job { start, envelopes: Vec::new(), records });
                cx.after(end - cx.now(), Event::Ready(job))
            }
            return;
        }
        // With crashes reads wait in the same queue: see `in_order`.
        let group = settings.durability == Durability::Group;
        if group && (writes || settings.crashes()) {
            let job = Box::new(Job { start, envelopes: envelopes.list(), records });
            return cx.after(wait, Event::Write(job));
        }
        let ready = match settings.store {
            Some(_) => {
                let ticket = self.store.submit(self.came, time);
                envelopes.add_store_waits(ticket.queued().0, time.0);
                ticket.end
            }
            None => {
                envelopes.add_store_waits(0, time.0);
                self.came + time
            }
        };
        let last = if settings.crashes() { self.in_order(ready, writes) } else { ready };
        envelopes.add_store_waits((last - ready).0, 0);
        let job = Box::new(Job { start, envelopes: envelopes.list(), records });
        cx.after(last - cx.now(), Event::Ready(job))
    }

    /// With crashes, no message may show what the log could still lose: each waits for all writes
    /// before it.
    fn in_order(&mut self, ready: Nanos, writes: bool) -> Nanos {
        let last = ready.max(self.store.safe);
        if writes {
            self.store.safe = last
        }
        last
    }

    /// When an asynchronous write is on disk.
    fn safe_after(&mut self, time: Nanos) -> Nanos {
        let end = match self.settings.store {
            Some(_) => self.store.submit(self.came, time).end,
            None => self.came + time,
        };
        self.store.safe = self.store.safe.max(end);
        self.store.safe
    }

    /// Sends after `time` without occupying the store.
    fn at_once(&mut self, envelopes: Envelopes, time: Nanos, cx: &impl Context<Event, Record>) {
        if envelopes.is_empty() {
            return;
        }
        if self.settings.in_line() {
            return self.soon(envelopes, self.came + time, cx);
        }
        let (start, envelopes, records) = (self.start, envelopes.list(), Vec::new());
        let wait = self.came - cx.now() + time;
        cx.after(wait, Event::Ready(Box::new(Job { start, envelopes, records })))
    }

    /// Sends at once what takes no time in the store. Pending results due by then leave first; all
    /// others leave later.
    fn soon(&mut self, envelopes: Envelopes, ready: Nanos, cx: &impl Context<Event, Record>) {
        self.release(ready, cx);
        let lists = self.store.fetches > 0 && envelopes.iter().any(is_list);
        for envelope in envelopes.each() {
            self.send(envelope, ready, cx)
        }
        if lists {
            self.fetched(cx)
        }
    }

    /// Queues the results of a write. All writes take the same time, so the queue is FIFO. They
    /// leave at once if no more reads come.
    fn in_line(&mut self, mut envelopes: Envelopes, time: Nanos, cx: &impl Context<Event, Record>) {
        let ready = self.came + time;
        envelopes.add_store_waits(0, time.0);
        if self.settings.uniform() && self.store.fetches == 0 {
            return self.soon(envelopes, ready, cx);
        }
        let none = envelopes.is_empty();
        for envelope in envelopes.each() {
            self.store.pending.push_back((ready, envelope))
        }
        if !none {
            cx.after(ready - cx.now(), Event::Pending)
        }
    }

    /// Logs a finished job and sends its messages.
    pub(super) fn leave(&mut self, job: &Job, now: Nanos, cx: &impl Context<Event, Record>) {
        if !job.records.is_empty() {
            self.log.push_back(job.records.clone())
        }
        for envelope in job.envelopes.iter().cloned() {
            self.send(Box::new(envelope), now, cx)
        }
    }

    /// Counts an answered fetch. After the last no read can overtake a write any more.
    fn fetched(&mut self, cx: &impl Context<Event, Record>) {
        self.store.fetches -= 1;
        if self.store.fetches == 0 {
            self.release(Nanos::MAX, cx)
        }
    }

    pub(super) fn release(&mut self, upto: Nanos, cx: &impl Context<Event, Record>) {
        while self.store.pending.front().is_some_and(|(ready, _)| *ready <= upto) {
            let Some((ready, envelope)) = self.store.pending.pop_front() else { return };
            self.send(envelope, ready, cx)
        }
    }

    pub(super) fn write(&mut self, job: &Job, cx: &impl Context<Event, Record>) {
        let number = self.store.next;
        self.store.next += 1;
        self.store.jobs.insert(number, job.clone());
        let now = cx.now();
        let turn = self.store.log.update(&0, |log| log.arrive(now, Bytes(0), number)).flatten();
        self.turn(turn, cx)
    }

    fn turn(&mut self, turn: Option<Turn>, cx: &impl Context<Event, Record>) {
        if let Some(Turn::Flush(flush)) = turn {
            self.store.written += flush.takes;
            cx.after(flush.takes, Event::Flushed(self.start))
        }
    }

    pub(super) fn flushed(&mut self, cx: &impl Context<Event, Record>) {
        let now = cx.now();
        let mut done = Vec::new();
        let flushed = |log: &mut GroupCommit<u64>| log.flushed(now, |written| done.push(written));
        let turn = self.store.log.update(&0, flushed).flatten();
        for written in done {
            let Some(mut job) = self.store.jobs.remove(&written.writer) else { continue };
            let queued = (written.start - written.arrival).0;
            add_store_waits(&mut job.envelopes, queued, (now - written.start).0);
            self.leave(&job, now, cx)
        }
        self.turn(turn, cx)
    }
}

fn add_store_waits(envelopes: &mut [Envelope], queued: u64, time: u64) {
    for envelope in envelopes {
        envelope.waits.store_queue += queued;
        envelope.waits.store += time
    }
}

fn is_list(envelope: &Envelope) -> bool {
    use ppmds_protocol::Outcome;
    use ppmds_protocol::message::Message;
    matches!(&envelope.message, Message::Answer(a) if matches!(a.outcome, Outcome::List(_)))
}
