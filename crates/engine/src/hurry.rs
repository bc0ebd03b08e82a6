//! Livelock: an LP that sends itself one event after the other while time does not pass.
//!
//! The least delay is one nanosecond, so that "at once" is one nanosecond later. An LP that goes on
//! like that for millions of nanoseconds without a gap will go on for ever; the run would stand
//! still for everybody else. Told by simulated time, so that all schedulers find the same event.
use std::cell::Cell;
use units::Nanos;

/// So long without a gap \[ns\], which are as many events.
const FOR_EVER: u64 = 1 << 22;

/// LPs that are told apart; of two in one place the last one counts.
const PLACES: usize = 64;

/// Whose chain, when it began, and its last event.
type Chain = (u32, u64, u64);

/// The chains of a thread's LPs.
#[derive(Clone)]
pub(crate) struct Hurry(Box<[Cell<Chain>; PLACES]>);

impl Hurry {
    pub(crate) fn new() -> Self {
        Hurry(Box::new([const { Cell::new((u32::MAX, 0, 0)) }; PLACES]))
    }

    /// An LP sends itself something for at once.
    ///
    /// # Panics
    /// It has done so, time after time, for too long.
    #[cold]
    pub(crate) fn note(&self, lp: u32, now: u64) {
        let place = &self.0[lp as usize % PLACES];
        let (whose, since, last) = place.get();
        // Undone events are done again: earlier, but not before it began.
        let goes_on = whose == lp && (since..=last + 1).contains(&now);
        let chain = if goes_on { (lp, since, now) } else { (lp, now, now) };
        place.set(chain);
        if now - chain.1 >= FOR_EVER {
            panic!(
                "livelock: LP {lp} has sent itself an event for at once from each of its events, \
                 {FOR_EVER} nanoseconds long, and time does not pass for anybody else at {}: give \
                 cx.after or cx.timer a delay, or do the work in one event",
                Nanos(now)
            )
        }
    }
}
