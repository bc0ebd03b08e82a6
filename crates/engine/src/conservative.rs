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
    Lost, Message, Model, Share,
    effort::Timing,
    outcome::{Tally, Verdict},
    parallel::{
        crew::all_go,
        crossing::Crossing,
        ground::Ground,
        mail::{Outgoing, Parcel},
        merge::Outlet,
        partition::Partition,
        slots::Slots,
    },
    pending::Pending,
    worker::{Post, Worker},
    world::{Ended, Start, Team},
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
    ground: &'a Ground<M::Event>,
    outlet: O,
    round: u64,
    timing: Timing,
    /// Events that were done before it began.
    before: u64,
    quit: bool,
    fault: Option<Fault>,
}

impl<'a, M: Model, O: Outlet<M::Record>> Member<'a, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    /// Round after round, until nobody has an event before the end. The first thread leads.
    fn go(
        mut self,
        mut lead: impl FnMut(Lead) -> Verdict,
        mut crossing: Option<&mut Crossing<'_>>,
    ) -> Self {
        let ground = self.ground;
        let _seat = ground.crew.join(self.me);
        self.timing = Timing::start();
        loop {
            self.round += 1;
            self.post();
            let (me, round) = (self.me, self.round);
            let known = self.timing.wait(|| ground.meet(me, round, crossing.as_deref_mut()));
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
            let limit = ground.partition.limit(self.me, |i| known.next[i]);
            self.work(limit.min(known.stop))
        }
    }

    fn share(&self) -> Share {
        let (seconds, waited_s) = self.timing.seconds();
        let committed = self.worker.tally.events - self.before;
        Share { committed, seconds, waited_s, ..self.ground.share(self.me) }
    }

    /// Hands over what was sent, and says how far this thread is.
    fn post(&mut self) {
        let (me, round, fault) = (self.me, self.round, self.fault.is_some());
        let notes = self.ground.crew.notes(me, round);
        let deeds = self.worker.deeds();
        deeds.post.outgoing.post(me, round, &self.ground.mail, notes);
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
        self.ground.fetch(self.me, self.round, push)
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
    team: Team<'_, '_>,
    mut before: Tally,
    outlets: Vec<O>,
    lead: impl FnMut(Lead) -> Verdict,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    let Team { partition, here, mut crossing } = team;
    let ground = Ground::new(partition, here);
    let first = ground.here.start;
    let partition = &ground.partition;
    // The first thread's events stay where they are; those of other processes are theirs.
    let part = |to| pending.part(|lp| partition.owner(lp) == to);
    let others: Vec<Pending<M::Event>> = ground.here.clone().skip(1).map(part).collect();
    drop(pending.part(|lp| partition.owner(lp) != first));
    let shares = std::iter::once(pending).chain(others);
    let slots = Slots::new(&mut lps);
    let member = |(me, (pending, outlet))| {
        let post = Out { me, partition, outgoing: Outgoing::new(partition.threads()) };
        // SAFETY: an LP's events go to its owner, and nobody handles an event of another's.
        let lps = unsafe { slots.share() };
        let mut worker = Worker::new(frame.fork(), pending, lps, ranks, post);
        let before = if me == first { std::mem::take(&mut before) } else { Tally::default() };
        worker.tally = before;
        let (before, timing, ground) = (worker.tally.events, Timing::start(), &ground);
        Member { me, worker, ground, outlet, round: 0, timing, before, quit: false, fault: None }
    };
    let members = ground.here.clone().zip(shares.zip(outlets)).map(member);
    let done = all_go(
        members,
        |first| first.go(lead, crossing.as_deref_mut()),
        |other| other.go(|_| Verdict::Continue(()), None),
    );
    let (tally, stop, outlets) = sum_up(done, crossing);
    ((tally, stop, lps), outlets)
}

/// # Panics
/// With the first of the handlers' panics, if there was one.
fn sum_up<M: Model, O: Outlet<M::Record>>(
    done: Vec<Member<M, O>>,
    crossing: Option<&mut Crossing<'_>>,
) -> (Tally, u64, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let (mut tally, mut stop, mut outlets) = (Tally::default(), 0, vec![]);
    let mut faults: Vec<Fault> = vec![];
    for mut member in done {
        stop = member.worker.deeds().stop;
        let share = member.share();
        let mut own = member.worker.tally;
        (own.interrupted, own.effort.rounds) = (member.quit, member.round);
        own.effort.threads.push(share);
        tally = tally.and(own);
        faults.extend(member.fault);
        outlets.push(member.outlet)
    }
    let first = faults.into_iter().min_by_key(|(key, _)| *key);
    if is_to_be_told(first.as_ref().map(|(key, _)| *key), crossing)
        && let Some((_, said)) = first
    {
        panic::resume_unwind(said)
    }
    (tally, stop, outlets)
}

/// Whether this process's first fault is the first of all.
///
/// # Panics
/// With [`Lost`], where another process has one that comes first, or the only one.
pub(crate) fn is_to_be_told(own: Option<u128>, crossing: Option<&mut Crossing<'_>>) -> bool {
    let Some(crossing) = crossing else { return own.is_some() };
    let first = crossing.first_fault(own);
    if first != own {
        panic::resume_unwind(Box::new(Lost("another rank has failed".into())))
    }
    own.is_some()
}
