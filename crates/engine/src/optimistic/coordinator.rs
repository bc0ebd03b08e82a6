//! Duties of the first thread: it reports progress and plans the next round.
use crate::{
    outcome::{Lead, Verdict},
    parallel::{
        balance::LoadVerdict, barrier::RoundSummary, exchange::Exchange, pace::Pace,
        rebalance::Rebalance, shared::Shared, speculation::Fault,
    },
};
use rewind::Wire;
use std::panic::{self, AssertUnwindSafe};

pub(super) struct Coordinator<'t, 'p, L> {
    /// Called once a round.
    pub(super) hook: L,
    pub(super) exchange: Option<&'t mut Exchange<'p>>,
    /// Pauses speculation while that is faster.
    pub(super) pace: Option<Pace>,
    /// The first thread works alone while that is faster, once all threads wait.
    pub(super) alone: Option<Pace>,
    pub(super) is_alone: bool,
    pub(super) rounds_alone: u64,
    pub(super) rebalance: Rebalance,
    /// Events of all threads at the last barrier.
    pub(super) events: u64,
    /// Records of events before it are delivered \[ns\].
    pub(super) let_out: u64,
}

impl<L> Coordinator<'_, '_, L> {
    /// Plans the round after the coming barrier.
    pub(super) fn plan<E: Wire>(&mut self, shared: &Shared<E>, round: u64) -> Plan {
        let now = crate::clock::now();
        if round == 1 || self.is_alone {
            self.rebalance.forget()
        } else if self.rebalance.level() == u64::MAX
            && self.rebalance.look(now, shared, round - 1) == LoadVerdict::AllWait
            && let Some(alone) = &mut self.alone
        {
            alone.doubt()
        }
        let (events, level) = (self.events, self.rebalance.level());
        if level < u64::MAX {
            return Plan { pauses: true, is_alone: false, level };
        }
        let is_slower = |pace: &mut Pace| pace.takes_other_way(events, now);
        let is_alone = self.alone.as_mut().is_some_and(is_slower);
        if let Some(pace) = self.pace.as_mut().filter(|_| is_alone) {
            // A rate of one thread alone says nothing about speculation.
            pace.begin(events, now)
        }
        let pauses = is_alone || self.pace.as_mut().is_some_and(is_slower);
        Plan { pauses, is_alone, level }
    }
}

pub(super) struct Plan {
    /// No speculation.
    pub(super) pauses: bool,
    /// The first thread works for all.
    pub(super) is_alone: bool,
    /// All threads stop here for a rebalancing \[ns\]; `u64::MAX`: none.
    pub(super) level: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { pauses: false, is_alone: false, level: u64::MAX }
    }
}

/// The coordinator of all threads but the first.
pub(super) const NO_LEADER: Option<&mut NoLeader> = None;

type NoLeader = Coordinator<'static, 'static, fn(Lead) -> Verdict>;

impl<L: FnMut(Lead) -> Verdict> Coordinator<'_, '_, L> {
    /// Calls the progress hook; a panic in it counts as a fault. Returns whether to interrupt the
    /// run.
    pub(super) fn tell(&mut self, known: &RoundSummary, faults: &mut Vec<Fault>) -> bool {
        let RoundSummary { first, events, stop, .. } = *known;
        self.events = events;
        // Records that are certain since this barrier are delivered before the next one.
        let frontier = std::mem::replace(&mut self.let_out, first.min(stop));
        let so_far = Lead { frontier, tie: 0, events, stop };
        match panic::catch_unwind(AssertUnwindSafe(|| (self.hook)(so_far))) {
            Ok(verdict) => verdict.is_break(),
            Err(payload) => {
                faults.push((0, payload));
                true
            }
        }
    }
}
