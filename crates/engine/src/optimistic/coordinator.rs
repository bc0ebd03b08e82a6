//! The thread that leads: it says how far the run is, and what all are to do.
use crate::{
    outcome::{Lead, Verdict},
    parallel::{
        balance::Seen, barrier::Known, exchange::Exchange, pace::Pace, rebalance::Rebalance,
        shared::Shared, speculation::Fault,
    },
};
use rewind::Wire;
use std::panic::{self, AssertUnwindSafe};

/// What only the first thread of a process has.
pub(super) struct Coordinator<'t, 'p, L> {
    /// Called once a round.
    pub(super) hook: L,
    pub(super) exchange: Option<&'t mut Exchange<'p>>,
    /// Where the other way is worth a try: nobody goes ahead.
    pub(super) pace: Option<Pace>,
    /// Where one thread alone is worth a try, once all wait.
    pub(super) alone: Option<Pace>,
    pub(super) is_alone: bool,
    pub(super) rounds_alone: u64,
    pub(super) rebalance: Rebalance,
    /// Of all threads, as known at the last meeting.
    pub(super) events: u64,
    /// Records of events before it are out \[ns\].
    pub(super) let_out: u64,
}

impl<L> Coordinator<'_, '_, L> {
    /// What all are to do after the coming meeting.
    pub(super) fn plan<E: Wire>(&mut self, shared: &Shared<E>, round: u64) -> Plan {
        let now = crate::clock::now();
        if round == 1 || self.is_alone {
            self.rebalance.forget()
        } else if self.rebalance.level() == u64::MAX
            && self.rebalance.look(now, shared, round - 1) == Seen::AllWait
            && let Some(alone) = &mut self.alone
        {
            alone.doubt()
        }
        let (events, level) = (self.events, self.rebalance.level());
        if level < u64::MAX {
            return Plan { rests: true, is_alone: false, level };
        }
        let is_slower = |pace: &mut Pace| pace.takes_other_way(events, now);
        let is_alone = self.alone.as_mut().is_some_and(is_slower);
        if let Some(pace) = self.pace.as_mut().filter(|_| is_alone) {
            // What is measured then says nothing of other times.
            pace.begin(events, now)
        }
        let rests = is_alone || self.pace.as_mut().is_some_and(is_slower);
        Plan { rests, is_alone, level }
    }
}

/// What all are to do after a meeting.
pub(super) struct Plan {
    /// Nobody goes ahead.
    pub(super) rests: bool,
    /// The first thread goes on with what all have.
    pub(super) is_alone: bool,
    /// Nobody goes further \[ns\].
    pub(super) level: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { rests: false, is_alone: false, level: u64::MAX }
    }
}

/// Of a thread that does not lead.
pub(super) const NOBODY: Option<&mut Silent> = None;

type Silent = Coordinator<'static, 'static, fn(Lead) -> Verdict>;

impl<L: FnMut(Lead) -> Verdict> Coordinator<'_, '_, L> {
    /// Says how far the run is, to whom it may concern; whether it is to be broken off.
    pub(super) fn tell(&mut self, known: &Known, faults: &mut Vec<Fault>) -> bool {
        let Known { first, events, stop, .. } = *known;
        self.events = events;
        // What is certain since this meeting is let out by the next one.
        let frontier = std::mem::replace(&mut self.let_out, first.min(stop));
        let so_far = Lead { frontier, tie: 0, events, stop };
        match panic::catch_unwind(AssertUnwindSafe(|| (self.hook)(so_far))) {
            Ok(verdict) => verdict.is_break(),
            Err(said) => {
                faults.push((0, said));
                true
            }
        }
    }
}
