//! Optimistic (Time Warp, Jefferson 1985): go ahead, and take back what turns out to be wrong.
//!
//! ```text
//!               ┌ committed ┐ GVT
//!   LP 7        ──■────■────┼──■───■──────■───►       its history: what can still be undone
//!                           │      ▲
//!                           │      └ a straggler: ■ ■ behind it are undone, what they sent is
//!                           │        taken back (■ pending: dropped, ■ done: undone in turn),
//!                           │        and all of it is done again, in the right order
//! ```
//!
//! Threads have LPs of their own, and run their events in order, as far as a batch goes, without
//! asking whether something may still come. Then they meet. From what is pending or under way
//! anywhere (the first of it is the global virtual time, GVT) and the least delays between threads
//! follows what can no longer be undone: that is committed, its records let out, its history
//! forgotten. A thread whose work is undone too often makes shorter batches.
//!
//! The same bound says, before they are run, that the next events cannot be undone: for these
//! nothing is logged, and what they send is final. So history costs only those events that are
//! ahead of what the others may still send; where lookahead is large there are none.
//!
//! Rollback is per LP. Payloads stay where they are from being sent to being committed, so that an
//! undone event only gets its key back, and a timer keeps its place.
mod adversary;
mod ahead;
mod ledger;
mod log;
mod traffic;
mod undo;
use crate::{
    Message, Model, Share, Stamp, Stress,
    conservative::{Lead, is_to_be_told},
    cx::Cx,
    effort::Timing,
    outcome::{Tally, Verdict},
    own::Own,
    parallel::{
        crew::{Known, all_go},
        crossing::Crossing,
        ground::Ground,
        mail::Parcel,
        merge::Outlet,
        pace::Pace,
        slots::Slots,
    },
    rank::Ranks,
    world::{Ended, Start, Team},
};
use adversary::Adversary;
use ledger::Ledger;
use log::Deed;
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::atomic::Ordering::Relaxed,
    time::Instant,
};
use traffic::{Letter, Traffic};
use units::Nanos;

/// Uncommitted events of a thread: more of them cost half of the speed in cache misses.
const LONGEST: u64 = 1024;
const SHORTEST: u64 = 64;

/// A thread whose events are undone more often than one in so many makes shorter batches.
const ONE_IN: u64 = 8;

type Desk<'a, M> = Own<Ledger<'a, M>>;

struct Member<'a, M: Model, O> {
    me: usize,
    cx: Cx<Desk<'a, M>>,
    lps: Slots<'a, M>,
    ranks: Ranks,
    ground: &'a Ground<Letter<M::Event>>,
    adversary: Option<Adversary<M::Event>>,
    outlet: O,
    /// Ends of the run that events have asked for, and handlers that panicked, by key.
    stops: Vec<(u128, u64)>,
    faults: Vec<(u128, Box<dyn Any + Send>)>,
    /// Records on their way out.
    rows: Vec<(Stamp, M::Record)>,
    round: u64,
    /// Records of events before it are out \[ns\].
    let_out: u64,
    batch: u64,
    /// Rounds until something is done ahead again; and how many there are next time.
    resting: u64,
    rest: u64,
    /// Of the thread that leads, where the other way is worth a try: nobody goes ahead.
    pace: Option<Pace>,
    /// Whether to go ahead of what is certain; and no further than this \[ns\].
    goes_ahead: bool,
    put_off: u64,
    /// LPs whose state is journalled, by id: those that went ahead.
    journalled: Vec<bool>,
    /// Events of all threads, as known at the last meeting.
    events: u64,
    /// Events undone since the last batch, and before.
    undone: u64,
    rolled_back: u64,
    /// Events that were done before they were certain, and the most that could be undone.
    ahead: u64,
    longest: u64,
    timing: Timing,
    tally: Tally,
    quit: bool,
    /// The end of the run, once that is certain [ns].
    end: u64,
}

impl<'a, M: Model, O: Outlet<M::Record>> Member<'a, M, O>
where
    M::Event: Message<Out = M::Event>,
{
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
            // The global virtual time is that of the first event anywhere.
            let Known { next, first: gvt, events, stop, quit, other_way, .. } =
                self.timing.wait(|| ground.meet(me, round, crossing.as_deref_mut()));
            (self.events, self.goes_ahead) = (events, !other_way);
            let certain = gvt.min(stop);
            // What is certain since this meeting is let out by the next one.
            let frontier = std::mem::replace(&mut self.let_out, certain);
            let so_far = Lead { frontier, events, stop };
            match panic::catch_unwind(AssertUnwindSafe(|| lead(so_far))) {
                Ok(verdict) => self.quit |= verdict.is_break(),
                Err(said) => {
                    self.quit = true;
                    self.faults.push((0, said))
                }
            }
            if quit || gvt >= stop {
                return self.leave(certain, stop);
            }
            let limit = ground.partition.limit(self.me, |i| next[i]).min(self.held_back());
            self.fetch();
            let own = self.traffic().pending.next();
            self.commit_before(own.min(limit).min(stop));
            // Who is last never waits.
            if own == gvt || !self.outlet.is_full() {
                self.go_on(limit, stop)
            }
        }
    }

    /// At the end, or where the run is broken off.
    fn leave(mut self, certain: u64, stop: u64) -> Self {
        self.commit_before(certain);
        self.end = stop;
        self.undo_the_rest(certain == stop);
        self.let_out_before(u64::MAX);
        self.outlet.flush();
        self
    }

    /// No message to this thread that an adversary holds back is sooner \[ns\].
    fn held_back(&self) -> u64 {
        let held = |_| self.ground.crew.held(self.me, self.round);
        self.adversary.as_ref().map_or(u64::MAX, held)
    }

    fn share(&self) -> Share {
        let (seconds, waited_s) = self.timing.seconds();
        Share {
            committed: self.tally.events,
            ahead: self.ahead,
            rolled_back: self.rolled_back,
            longest_history: self.longest,
            seconds,
            waited_s,
            ..self.ground.share(self.me)
        }
    }

    fn traffic(&mut self) -> &mut Traffic<'a, M::Event> {
        &mut self.cx.back.get_mut().traffic
    }

    /// Hands over what was sent and taken back, and says how far this thread is.
    fn post(&mut self) {
        let (me, round) = (self.me, self.round);
        let notes = self.ground.crew.notes(me, round);
        let stop = self.stops.iter().map(|(_, at)| *at).min().unwrap_or(u64::MAX);
        let Traffic { pending, outgoing, .. } = &mut self.cx.back.get_mut().traffic;
        if let Some(adversary) = &mut self.adversary {
            adversary.stand_between(round, outgoing, notes)
        }
        outgoing.post(me, round, &self.ground.mail, notes);
        notes.next.store(pending.next(), Relaxed);
        notes.stop.store(stop.min(self.cx.frame.horizon), Relaxed);
        notes.events.store(self.tally.events, Relaxed);
        notes.quit.store(self.quit, Relaxed);
        let events = self.events;
        let other_way =
            self.pace.as_mut().is_some_and(|pace| pace.takes_other_way(events, Instant::now()));
        notes.other_way.store(other_way, Relaxed);
        self.outlet.flush()
    }

    /// Takes in messages, and takes back those that their senders have undone.
    fn fetch(&mut self) {
        let (ground, me, round) = (self.ground, self.me, self.round);
        ground.fetch(me, round, |parcel| self.receive(parcel))
    }

    fn receive(&mut self, Parcel { t, tie, dst, event }: Parcel<Letter<M::Event>>) {
        match event {
            Letter::Certain(event) => self.traffic().pending.push(t, tie, dst, event),
            Letter::Tentative(event) => self.traffic().arrive(t, tie, dst, event),
            Letter::Never => {
                let entry = self.traffic().arrived(t, tie, dst);
                self.take_back(entry)
            }
        }
    }

    /// Lets out what can no longer be undone; not what panicked, which is run again to be told.
    fn commit_before(&mut self, certain: u64) {
        let Member { cx, lps, tally, outlet, faults, rows, .. } = self;
        let certain = faults.iter().fold(certain, |t, (key, _)| t.min((key >> 64) as u64));
        let Ledger { log, traffic, .. } = cx.back.get_mut();
        log.settle(certain, |(past, mark), deeds, records| {
            let entry = past.entry;
            tally.hash = tally.hash.wrapping_add(past.hash);
            (tally.events, tally.last) = (tally.events + 1, tally.last.max(entry.t));
            for (index, record) in (0..).zip(records) {
                let stamp = Stamp { at: Nanos(entry.t), tie: entry.tie, lp: entry.dst, index };
                match O::ORDERED {
                    true => rows.push((stamp, record)),
                    false => outlet.put(stamp, record),
                }
            }
            for deed in deeds {
                if let Deed::Cancelled(timer) = deed {
                    traffic.pending.bury(timer.timer())
                }
            }
            traffic.release(&entry, past.is_foreign);
            // What the event itself changed is forgotten when the LP's next is committed.
            if !M::PLAIN {
                lps.get(entry.dst).state.commit(mark)
            }
        });
        self.let_out_before(certain)
    }

    /// Records of certain events, in order; those of others of the time before may still come.
    fn let_out_before(&mut self, certain: u64) {
        let Member { rows, outlet, .. } = self;
        rows.sort_by_key(|(stamp, _)| *stamp);
        let ready = rows.partition_point(|(stamp, _)| stamp.at.0 < certain);
        rows.drain(..ready).for_each(|(stamp, record)| outlet.put(stamp, record))
    }

    /// Runs the event again whose handler panicked, now that it is certain: so that all hear it.
    fn fail_again(&mut self) {
        let Some((key, _)) = self.faults.iter().min_by_key(|(key, _)| *key) else { return };
        let Some((past, mark)) = self.cx.back.get_mut().log.find(*key) else { return };
        let (entry, slot) = (past.entry, self.lps.get(past.entry.dst));
        slot.state.rewind(mark);
        slot.sent = past.sent;
        self.handle(entry);
        panic!("LP {} at {} ns panics, and then does not", entry.dst, entry.t)
    }
}

/// Runs on as many threads as there are outlets, of which the caller's is the first.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    stress: Option<Stress>,
    outlets: Vec<O>,
    lead: impl FnMut(Lead) -> Verdict,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    let Team { partition, here, mut crossing } = team;
    let (ground, count, is_alone) =
        (Ground::new(partition, here), frame.lps as usize, crossing.is_none());
    let others = ground.deal(&mut pending);
    let pendings = std::iter::once(pending).chain(others);
    let ledger = |(me, pending)| Ledger::new(count, Traffic::new(me, &ground.partition, pending));
    let ledgers = ground.here.clone().zip(pendings).map(ledger);
    let slots = Slots::new(&mut lps);
    let member = |(me, (ledger, outlet))| Member {
        me,
        cx: Cx { frame: frame.fork(), back: Own::new(ledger) },
        // SAFETY: an LP's events go to its owner, and nobody handles an event of another's.
        lps: unsafe { slots.share() },
        ranks,
        ground: &ground,
        adversary: stress.map(|stress| Adversary::new(stress, me, ground.partition.threads())),
        outlet,
        stops: vec![],
        faults: vec![],
        rows: vec![],
        round: 0,
        let_out: 0,
        batch: 4 * SHORTEST,
        resting: 0,
        rest: 1,
        // An adversary wants all to go ahead; what other processes do is not known here.
        pace: (me == 0 && is_alone && stress.is_none()).then(Pace::untried),
        goes_ahead: true,
        put_off: u64::MAX,
        journalled: vec![false; if M::PLAIN { 0 } else { count }],
        events: 0,
        undone: 0,
        rolled_back: 0,
        ahead: 0,
        longest: 0,
        timing: Timing::start(),
        tally: Tally::default(),
        quit: false,
        end: 0,
    };
    let members = ground.here.clone().zip(ledgers.zip(outlets)).map(member);
    let done = all_go(
        members,
        |first| first.go(lead, crossing.as_deref_mut()),
        |other| other.go(|_| Verdict::Continue(()), None),
    );
    let (tally, end, outlets) = sum_up(done, crossing);
    lps.journal(None);
    ((tally, end, lps), outlets)
}

/// # Panics
/// As the first of the handlers that panicked, if one did.
fn sum_up<M: Model, O: Outlet<M::Record>>(
    mut done: Vec<Member<'_, M, O>>,
    crossing: Option<&mut Crossing<'_>>,
) -> (Tally, u64, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let first = |m: &Member<M, O>| m.faults.iter().map(|(key, _)| *key).min();
    if is_to_be_told(done.iter().filter_map(first).min(), crossing)
        && let failed = done.iter_mut().filter(|m| !m.faults.is_empty())
        && let Some(member) = failed.min_by_key(|member| first(member))
    {
        member.fail_again();
        let own = std::mem::take(&mut member.faults).into_iter().min_by_key(|(key, _)| *key);
        panic::resume_unwind(own.expect("it has one").1)
    }
    let (mut tally, mut end, mut outlets) = (Tally::default(), 0, vec![]);
    for member in done {
        end = member.end;
        let share = member.share();
        let mut own = member.tally;
        own.interrupted = member.quit;
        (own.effort.rolled_back, own.effort.rounds) = (member.rolled_back, member.round);
        own.effort.threads.push(share);
        tally = tally.and(own);
        outlets.push(member.outlet)
    }
    (tally, end, outlets)
}
