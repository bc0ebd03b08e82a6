//! The thread that leads: it says how far the run is, and what all are to do.
use crate::{
    conservative::Lead,
    outcome::Verdict,
    parallel::{anew::Anew, crossing::Crossing, ground::Ground, pace::Pace},
};
use rewind::Wire;
use std::time::Instant;

/// What only the first thread of a process has.
pub(super) struct Leader<'t, 'p, L> {
    /// Called once a round.
    pub(super) hook: L,
    pub(super) crossing: Option<&'t mut Crossing<'p>>,
    /// Where the other way is worth a try: nobody goes ahead.
    pub(super) pace: Option<Pace>,
    pub(super) anew: Anew,
    /// Of all threads, as known at the last meeting.
    pub(super) events: u64,
}

impl<L> Leader<'_, '_, L> {
    /// What all are to do after the coming meeting: whether nobody goes ahead, and how far they may
    /// go at most.
    pub(super) fn plan<E: Wire>(&mut self, ground: &Ground<E>, round: u64) -> (bool, u64) {
        let now = Instant::now();
        if round == 1 {
            self.anew.forget()
        } else if self.anew.level() == u64::MAX {
            self.anew.look(now, ground, round - 1);
        }
        let (events, level) = (self.events, self.anew.level());
        let is_slower = |pace: &mut Pace| pace.takes_other_way(events, now);
        (level < u64::MAX || self.pace.as_mut().is_some_and(is_slower), level)
    }
}

/// Of a thread that does not lead.
pub(super) const NOBODY: Option<&mut Silent> = None;

type Silent = Leader<'static, 'static, fn(Lead) -> Verdict>;
