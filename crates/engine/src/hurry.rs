//! Livelock: an LP that sends itself one event after the other while time does not pass.
//!
//! The least delay is one nanosecond, so that "at once" is one nanosecond later. An LP that goes on
//! like that for millions of nanoseconds without a gap will go on for ever; the run would stand
//! still for everybody else. Told by simulated time, so that all schedulers find the same event.
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use units::Nanos;

/// So long without a gap \[ns\], which are as many events.
const FOR_EVER: u64 = 1 << 22;

/// So many messages without a gap: each event sends itself several, and soon they fill the memory.
const STORM: u64 = 8 * FOR_EVER;

/// LPs whose chains lie together, made when the first of them sends itself something for at once.
const TOGETHER: usize = 64;

/// When an LP's chain began, and its last event \[ns\]; the key of what it had sent before. One
/// thread at a time has an LP.
struct Chain {
    since: AtomicU64,
    last: AtomicU64,
    sent: AtomicU64,
}

impl Chain {
    /// None yet: it does not go on.
    fn none() -> Chain {
        let [since, last, sent] = [u64::MAX, 0, 0].map(AtomicU64::new);
        Chain { since, last, sent }
    }
}

type Chains = OnceLock<Box<[Chain; TOGETHER]>>;

/// The chains of all LPs of a run.
#[derive(Clone)]
pub(crate) struct Hurry(Arc<[Chains]>);

impl Hurry {
    /// For so many LPs.
    pub(crate) fn new(lps: u32) -> Self {
        Hurry((0..(lps as usize).div_ceil(TOGETHER)).map(|_| OnceLock::new()).collect())
    }

    /// An LP sends itself something for at once; `tie` is the key of the last message it sent.
    ///
    /// # Panics
    /// It has done so, time after time, for too long.
    #[cold]
    pub(crate) fn note(&self, lp: u32, now: u64, tie: u64) {
        let (row, place) = (lp as usize / TOGETHER, lp as usize % TOGETHER);
        let Chain { since, last, sent } = &self.0[row].get_or_init(chains)[place];
        // Undone events are done again: earlier, but not before it began.
        if !(since.load(Relaxed)..=last.load(Relaxed) + 1).contains(&now) {
            since.store(now, Relaxed);
            sent.store(tie, Relaxed)
        }
        last.store(now, Relaxed);
        let messages = tie - sent.load(Relaxed);
        if messages >= STORM {
            panic!(
                "livelock: LP {lp} has sent {messages} messages by {}, without a gap since {}: \
                 some of its events send it several for at once, so that they grow without end; \
                 give cx.after or cx.timer a delay, or do the work in one event",
                Nanos(now),
                Nanos(since.load(Relaxed))
            )
        }
        if now - since.load(Relaxed) >= FOR_EVER {
            panic!(
                "livelock: LP {lp} has sent itself an event for at once from each of its events, \
                 {FOR_EVER} nanoseconds long, and time does not pass for anybody else at {}: give \
                 cx.after or cx.timer a delay, or do the work in one event",
                Nanos(now)
            )
        }
    }
}

fn chains() -> Box<[Chain; TOGETHER]> {
    Box::new(std::array::from_fn(|_| Chain::none()))
}
