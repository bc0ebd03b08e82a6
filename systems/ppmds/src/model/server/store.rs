//! What a server's messages wait for: nothing, a latency, a thread, a commit of a group.
use super::{Logged, Out, Parcels, Server, is_stale};
use crate::model::message::{Event, Job, Parcel, Record};
use crate::model::prefetch::soon;
use crate::model::settings::{Durability, Settings};
use engine::*;
use hardware::station::{GroupCommit, Grouping, Servers, Station, Ticket, Turn, Work as Use};
use ppmds_protocol::Doing;
use rewind::Queue;
use units::{Bytes, BytesPerSec};

#[derive(Rewind)]
pub struct Stores {
    /// One each: tables, for what a crash replaces can come back.
    threads: Table<u32, Station>,
    log: Table<u32, GroupCommit<u64>>,
    /// What the log is to write, by number.
    jobs: Table<u64, Job>,
    next: u64,
    /// The log has written for so long.
    written: Nanos,
    /// All that the log was given is on the disk then: what was done behind it may not be seen
    /// before (crashes only).
    safe: Nanos,
    /// Fetches of the one directory that are still to be answered here, where nothing else is read.
    fetches: u32,
    /// What was written and waits for its time, since a read may overtake it in the store.
    pending: Queue<(Nanos, Box<Parcel>)>,
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

    /// A thread is busy from then on for so long; when it is through.
    fn submit(&mut self, at: Nanos, time: Nanos) -> Ticket {
        let submit = |threads: &mut Station| threads.submit(at, Use::time(time));
        self.threads.update(&0, submit).expect("there is one")
    }

    /// Asks for the first of those that are pending, before it is sent.
    pub fn foresee(&self, step: u32) {
        match (self.pending.front(), step) {
            (Some(first), 1) => soon(first),
            (Some((_, parcel)), 2) => soon(&**parcel),
            _ => {}
        }
    }

    /// All that was under way is lost.
    pub(super) fn crash(&mut self, settings: &Settings) {
        let (threads, log) = idle(settings);
        self.threads.insert(0, threads);
        self.log.insert(0, log);
        self.jobs.clear();
        self.pending.clear();
        (self.safe, self.fetches) = (Nanos::ZERO, 0)
    }
}

/// Threads and a log that have nothing to do.
fn idle(settings: &Settings) -> (Station, GroupCommit<u64>) {
    let (threads, group) = settings.store.unwrap_or((1, 1));
    let grouping = Grouping {
        most: group,
        delay: Nanos::ZERO,
        startup: settings.write,
        each: settings.each,
        rate: BytesPerSec(1),
    };
    (Station::new(Servers::timed(threads)), GroupCommit::new(grouping))
}

impl Server {
    /// What was done and said goes through the store.
    pub(super) fn put(&mut self, op: Option<Doing>, out: Out, cx: &impl Context<Event, Record>) {
        let Out { parcels, records, changes, .. } = out;
        let stale = parcels.iter().next().is_some_and(|parcel| is_stale(&parcel.said));
        let writes = changes || op.is_some_and(Doing::writes) && !parcels.is_empty();
        if stale && !changes || parcels.is_empty() && !writes {
            return self.at_once(parcels, Nanos::ZERO, cx);
        }
        let Settings { write, read, durability, .. } = *self.settings;
        let time = if writes { write } else { read };
        if self.settings.in_line() && durability == Durability::Sync {
            return match writes {
                true => self.in_line(parcels, time, cx),
                false => self.at_once(parcels, time, cx),
            };
        }
        self.late(parcels, records, (writes, time), cx)
    }

    /// What is occupied, written together, or lost in crashes, takes events of its own.
    fn late(
        &mut self,
        mut parcels: Parcels,
        records: Vec<Logged>,
        (writes, time): (bool, Nanos),
        cx: &impl Context<Event, Record>,
    ) {
        let settings = Shared::clone(&self.settings);
        let start = self.start;
        let wait = self.came - cx.now();
        if writes && settings.durability == Durability::Async {
            // Nothing waits for the disk; a crash loses what it had not written by then.
            self.at_once(parcels, Nanos::ZERO, cx);
            if settings.crashes() || settings.store.is_some() {
                let end = self.safe_after(time);
                let job = Box::new(Job { start, parcels: Vec::new(), records });
                cx.after(end - cx.now(), Event::Ready(job))
            }
            return;
        }
        // Where servers crash, reads wait in the same line: see `in_order`.
        let group = settings.durability == Durability::Group;
        if group && (writes || settings.crashes()) {
            let job = Box::new(Job { start, parcels: parcels.list(), records });
            return cx.after(wait, Event::Write(job));
        }
        let ready = match settings.store {
            Some(_) => {
                let ticket = self.store.submit(self.came, time);
                parcels.held(ticket.queued().0, time.0);
                ticket.end
            }
            None => {
                parcels.held(0, time.0);
                self.came + time
            }
        };
        let last = if settings.crashes() { self.in_order(ready, writes) } else { ready };
        parcels.held((last - ready).0, 0);
        let job = Box::new(Job { start, parcels: parcels.list(), records });
        cx.after(last - cx.now(), Event::Ready(job))
    }

    /// Where servers crash, nothing is shown that the log might still lose: all that is sent waits
    /// for what was done before it.
    fn in_order(&mut self, ready: Nanos, writes: bool) -> Nanos {
        let last = ready.max(self.store.safe);
        if writes {
            self.store.safe = last
        }
        last
    }

    /// When the disk has what nobody waits for.
    fn safe_after(&mut self, time: Nanos) -> Nanos {
        let end = match self.settings.store {
            Some(_) => self.store.submit(self.came, time).end,
            None => self.came + time,
        };
        self.store.safe = self.store.safe.max(end);
        self.store.safe
    }

    /// Nothing of the store's is needed.
    fn at_once(&mut self, parcels: Parcels, time: Nanos, cx: &impl Context<Event, Record>) {
        if parcels.is_empty() {
            return;
        }
        if self.settings.in_line() {
            return self.soon(parcels, self.came + time, cx);
        }
        let (start, parcels, records) = (self.start, parcels.list(), Vec::new());
        let wait = self.came - cx.now() + time;
        cx.after(wait, Event::Ready(Box::new(Job { start, parcels, records })))
    }

    /// What takes no time in the store leaves before all that is not ready by then, and before all
    /// that comes later: its way is computed at once.
    fn soon(&mut self, parcels: Parcels, ready: Nanos, cx: &impl Context<Event, Record>) {
        self.let_go(ready, cx);
        let lists = self.store.fetches > 0 && parcels.iter().any(is_list);
        for parcel in parcels.each() {
            self.send(parcel, ready, cx)
        }
        if lists {
            self.fetched(cx)
        }
    }

    /// All writes take the same time, so they are ready one after the other: a read may overtake
    /// them, unless there is none any more.
    fn in_line(&mut self, mut parcels: Parcels, time: Nanos, cx: &impl Context<Event, Record>) {
        let ready = self.came + time;
        parcels.held(0, time.0);
        if self.settings.uniform() && self.store.fetches == 0 {
            return self.soon(parcels, ready, cx);
        }
        let none = parcels.is_empty();
        for parcel in parcels.each() {
            self.store.pending.push_back((ready, parcel))
        }
        if !none {
            cx.after(ready - cx.now(), Event::Pending)
        }
    }

    /// What was ready leaves, and is in the log.
    pub(super) fn leave(&mut self, job: &Job, now: Nanos, cx: &impl Context<Event, Record>) {
        if !job.records.is_empty() {
            self.log.push_back(job.records.clone())
        }
        for parcel in job.parcels.iter().cloned() {
            self.send(Box::new(parcel), now, cx)
        }
    }

    /// A fetch is answered; after the last nothing overtakes anything any more.
    fn fetched(&mut self, cx: &impl Context<Event, Record>) {
        self.store.fetches -= 1;
        if self.store.fetches == 0 {
            self.let_go(Nanos::MAX, cx)
        }
    }

    /// Those that are ready by `upto` go.
    pub(super) fn let_go(&mut self, upto: Nanos, cx: &impl Context<Event, Record>) {
        while self.store.pending.front().is_some_and(|(ready, _)| *ready <= upto) {
            let Some((ready, parcel)) = self.store.pending.pop_front() else { return };
            self.send(parcel, ready, cx)
        }
    }

    /// A write comes to the log.
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
            let Some(mut job) = self.store.jobs.remove(&written.who) else { continue };
            let queued = (written.start - written.arrival).0;
            held(&mut job.parcels, queued, (now - written.start).0);
            self.leave(&job, now, cx)
        }
        self.turn(turn, cx)
    }
}

/// The store held parcels up.
fn held(parcels: &mut [Parcel], queued: u64, time: u64) {
    for parcel in parcels {
        parcel.held.store_queue += queued;
        parcel.held.store += time
    }
}

fn is_list(parcel: &Parcel) -> bool {
    use ppmds_protocol::Outcome;
    use ppmds_protocol::message::Message;
    matches!(&parcel.said, Message::Answer(answer) if matches!(answer.outcome, Outcome::List(_)))
}
