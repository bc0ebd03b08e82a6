//! Detects livelock: an LP that sends itself zero-delay events without end.
//!
//! The least delay is 1 ns, so a delay of 0 becomes 1 ns. An LP with an event in each nanosecond
//! for millions of them never ends, and the run makes no progress. Simulated time decides, so that
//! all schedulers detect the same event.
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use units::Nanos;

/// Length of a chain without a gap \[ns\] that is a livelock; it has at least as many events.
const FOR_EVER: u64 = 1 << 22;

/// Messages of a chain that are a livelock: each event sends several, which soon fill the memory.
const STORM: u64 = 8 * FOR_EVER;

/// LPs whose chains are allocated together, at the first zero-delay event of one of them.
const TOGETHER: usize = 64;

/// Begin and last event of an LP's chain \[ns\]; the key of its last message before.
#[derive(Clone, Copy)]
pub(crate) struct Chain {
    since: u64,
    last: u64,
    sent: u64,
}

impl Chain {
    const NONE: Chain = Chain { since: u64::MAX, last: 0, sent: 0 };

    /// Adds an event at `now`; the rollback check may repeat an earlier one.
    fn with(self, now: u64, tie: u64) -> Chain {
        match (self.since..=self.last + 1).contains(&now) {
            true => Chain { last: self.last.max(now), ..self },
            false => Chain { since: now, last: now, sent: tie },
        }
    }
}

/// A chain in memory: since, last, sent. Only one thread at a time has an LP.
struct Place([AtomicU64; 3]);

impl Place {
    fn get(&self) -> Chain {
        let [since, last, sent] = self.0.each_ref().map(|part| part.load(Relaxed));
        Chain { since, last, sent }
    }
    fn set(&self, Chain { since, last, sent }: Chain) {
        self.0.iter().zip([since, last, sent]).for_each(|(part, to)| part.store(to, Relaxed))
    }
}

type Places = OnceLock<Box<[Place; TOGETHER]>>;

#[derive(Clone)]
pub(crate) struct Livelock(Arc<[Places]>);

impl Livelock {
    pub(crate) fn new(lps: u32) -> Self {
        Livelock((0..(lps as usize).div_ceil(TOGETHER)).map(|_| OnceLock::new()).collect())
    }

    fn place(&self, lp: u32) -> &Place {
        let (row, place) = (lp as usize / TOGETHER, lp as usize % TOGETHER);
        &self.0[row].get_or_init(places)[place]
    }

    /// Call when an LP sends itself a zero-delay event; `tie` is the key of its last message.
    /// Returns the chain before, for rollback.
    ///
    /// # Panics
    /// If the chain is too long; it is unchanged then.
    #[cold]
    pub(crate) fn note(&self, lp: u32, now: u64, tie: u64) -> Chain {
        let place = self.place(lp);
        let before = place.get();
        let chain = before.with(now, tie);
        let Chain { since, sent, .. } = chain;
        let messages = tie - sent;
        if messages >= STORM {
            panic!(
                "livelock: LP {lp} has sent {messages} messages by {}, without a gap since {}: \
                 some of its events send it several without delay, so their number grows without \
                 end; give cx.after or cx.timer a delay, or do the work in one event",
                Nanos(now),
                Nanos(since)
            )
        }
        if now - since >= FOR_EVER {
            panic!(
                "livelock: LP {lp} has sent itself an event without delay in each of {FOR_EVER} \
                 nanoseconds, up to {}: give cx.after or cx.timer a delay, or do the work in one \
                 event",
                Nanos(now)
            )
        }
        place.set(chain);
        before
    }

    /// Restores the chain when its last event is undone.
    #[cold]
    pub(crate) fn put_back(&self, lp: u32, before: Chain) {
        self.place(lp).set(before)
    }
}

fn places() -> Box<[Place; TOGETHER]> {
    Box::new(std::array::from_fn(|_| {
        let place = Place([0, 0, 0].map(AtomicU64::new));
        place.set(Chain::NONE);
        place
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draw;

    /// Events of an LP are done, and the last of them undone: what is known then is what those that
    /// are left alone would have given.
    #[test]
    fn undone_events_are_no_part_of_a_chain() {
        let (livelock, mut done) = (Livelock::new(1), vec![]);
        let mut dice = Draw::keyed(1, "chains", 0, 0);
        for _ in 0..10_000 {
            if dice.below(5) < 2
                && let Some((_, _, before)) = done.pop()
            {
                livelock.put_back(0, before)
            } else {
                // What undone events have sent is sent again by others.
                let (now, tie, _) = done.last().copied().unwrap_or((0, 0, Chain::NONE));
                let (now, tie) = (now + [0, 1, 1, 7][dice.below(4) as usize], tie + dice.below(4));
                done.push((now, tie, livelock.note(0, now, tie)))
            }
            let alone = Livelock::new(1);
            done.iter().for_each(|(now, tie, _)| _ = alone.note(0, *now, *tie));
            let [Chain { since, last, sent }, other] =
                [&livelock, &alone].map(|h| h.place(0).get());
            assert_eq!((since, last, sent), (other.since, other.last, other.sent), "{}", done.len())
        }
    }
}
