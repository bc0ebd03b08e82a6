//! Conservative: no thread goes further than up to where nobody can send it anything any more.
//!
//! ```text
//!               next events          limits                       next round
//!   thread 0    ──■────────────      ──■■■■■■■■|                  ──────────■──
//!   thread 1    ────■──────────  ►   ────■■■■|          ► meet    ────────■────
//!                 └ 30 ns ┘          nobody's event sends here sooner
//! ```
//!
//! Threads have LPs of their own, with their events in ladders of their own. They work in rounds:
//! all say when their next event is; from these, and the least delays between threads, each knows
//! how far it can go (Lubachevsky's bounded lag, 1989); it goes there, and posts what it sent to
//! others. One meeting a round, no locks in between. What is committed is the same set of events as
//! in a sequential run, in the same order at each LP.
use crate::{
    Message, Model,
    outcome::{Tally, Verdict},
    parallel::{
        crew::{Crew, all_go},
        mail::{Mail, Outgoing, Parcel},
        merge::Outlet,
        partition::{MOST_THREADS, Partition},
        slots::Slots,
    },
    pending::Pending,
    worker::{Post, Worker},
    world::{Ended, Start},
};
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::atomic::Ordering::Relaxed,
};

/// Events of a thread in a round at most, so that progress is told and a run can be broken off.
const MOST: u64 = 1 << 16;

/// How far the run is, for the thread that leads.
pub(crate) struct Lead {
    /// All events before it are done [ns].
    pub(crate) frontier: u64,
    /// How many these are, and a few more.
    pub(crate) events: u64,
    /// The end as known so far [ns].
    pub(crate) stop: u64,
}

/// Messages for the LPs of other threads.
struct Out<'a, E> {
    me: usize,
    partition: &'a Partition,
    outgoing: Outgoing<E>,
}

impl<E> Post<E> for Out<'_, E> {
    #[inline(always)]
    fn is_here(&self, lp: u32) -> bool {
        self.partition.owner(lp) == self.me
    }
    #[inline(always)]
    fn send(&mut self, t: u64, tie: u64, dst: u32, event: E) {
        self.outgoing.put(self.partition.owner(dst), Parcel { t, tie, dst, event })
    }
}

/// A handler that panicked: the key of its event, and what it said.
type Fault = (u128, Box<dyn Any + Send>);

struct Member<'a, M: Model, O> {
    me: usize,
    worker: Worker<'a, M, Out<'a, M::Event>>,
    crew: &'a Crew,
    mail: &'a Mail<M::Event>,
    outlet: O,
    round: u64,
    quit: bool,
    fault: Option<Fault>,
}

impl<'a, M: Model, O: Outlet<M::Record>> Member<'a, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    /// Round after round, until nobody has an event before the end. The first thread leads.
    fn go(mut self, mut lead: impl FnMut(Lead) -> Verdict) -> Self {
        let _seat = self.crew.join(self.me);
        loop {
            self.round += 1;
            self.post();
            self.crew.meet(self.me, self.round);
            let known = self.crew.known(self.round);
            let (frontier, events, stop) = (known.first, known.events, known.stop);
            let so_far = Lead { frontier: frontier.min(stop), events, stop };
            match panic::catch_unwind(AssertUnwindSafe(|| lead(so_far))) {
                Ok(verdict) => self.quit |= verdict.is_break(),
                Err(said) => (self.quit, self.fault) = (true, Some((0, said))),
            }
            if known.quit || frontier >= known.stop {
                self.worker.deeds().stop = known.stop;
                return self;
            }
            self.fetch();
            let partition = self.worker.deeds().post.partition;
            let limit = partition.limit(self.me, |i| known.next[i]);
            self.work(limit.min(known.stop))
        }
    }

    /// Hands over what was sent, and says how far this thread is.
    fn post(&mut self) {
        let (me, round, fault) = (self.me, self.round, self.fault.is_some());
        let notes = self.crew.notes(me, round);
        let deeds = self.worker.deeds();
        deeds.post.outgoing.post(me, round, self.mail, notes);
        let next = if fault { u64::MAX } else { deeds.pending.next() };
        notes.next.store(next, Relaxed);
        notes.stop.store(deeds.stop, Relaxed);
        notes.events.store(self.worker.tally.events, Relaxed);
        notes.quit.store(self.quit, Relaxed);
        self.outlet.flush()
    }

    /// Takes in what was sent here.
    fn fetch(&mut self) {
        let pending = &mut self.worker.deeds().pending;
        let push = |p: Parcel<M::Event>| pending.push(p.t, p.tie, p.dst, p.event);
        self.mail.fetch(self.me, self.round, self.crew, push)
    }

    /// A panic is kept until all that comes before it is done: another thread may have one that
    /// comes first.
    fn work(&mut self, limit: u64) {
        if self.fault.is_some() {
            return;
        }
        let Member { worker, outlet, .. } = self;
        let work = || worker.work(limit, MOST, &mut |stamp, record| outlet.put(stamp, record));
        if let Err(said) = panic::catch_unwind(AssertUnwindSafe(work)) {
            let key = self.worker.key();
            self.worker.deeds().stop = ((key >> 64) as u64).saturating_add(1);
            self.fault = Some((key, said))
        }
        self.worker.deeds().pending.tidy()
    }
}

/// Runs on as many threads as there are outlets, of which the caller's is the first. `before` is
/// what was done before.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    before: Tally,
    outlets: Vec<O>,
    lead: impl FnMut(Lead) -> Verdict,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    let threads = outlets.len().min(MOST_THREADS);
    let partition = Partition::new(&frame.topology, threads, |_| 1);
    let (crew, mail) = (Crew::new(threads), Mail::new(threads));
    // The first thread's events stay where they are.
    let part = |to| pending.part(|lp| partition.owner(lp) == to);
    let others: Vec<Pending<M::Event>> = (1..threads).map(part).collect();
    let shares = std::iter::once(pending).chain(others);
    let slots = Slots::new(&mut lps);
    let member = |(me, (pending, outlet))| {
        let post = Out { me, partition: &partition, outgoing: Outgoing::new(threads) };
        // SAFETY: an LP's events go to its owner, and nobody handles an event of another's.
        let lps = unsafe { slots.share() };
        let mut worker = Worker::new(frame.fork(), pending, lps, ranks, post);
        worker.tally = if me == 0 { before } else { Tally::default() };
        let (crew, mail) = (&crew, &mail);
        Member { me, worker, crew, mail, outlet, round: 0, quit: false, fault: None }
    };
    let members = shares.zip(outlets).enumerate().map(member);
    let done = all_go(members, |first| first.go(lead), |other| other.go(|_| Verdict::Continue(())));
    let (tally, stop, outlets) = sum_up(done);
    ((tally, stop, lps), outlets)
}

/// # Panics
/// With the first of the handlers' panics, if there was one.
fn sum_up<M: Model, O: Outlet<M::Record>>(done: Vec<Member<M, O>>) -> (Tally, u64, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let (mut tally, mut stop, mut outlets) = (Tally::default(), 0, vec![]);
    let mut faults: Vec<Fault> = vec![];
    for mut member in done {
        stop = member.worker.deeds().stop;
        let mut own = member.worker.tally;
        (own.interrupted, own.effort.rounds) = (member.quit, member.round);
        tally = tally.and(own);
        faults.extend(member.fault);
        outlets.push(member.outlet)
    }
    if let Some((_, said)) = faults.into_iter().min_by_key(|(key, _)| *key) {
        panic::resume_unwind(said)
    }
    (tally, stop, outlets)
}
