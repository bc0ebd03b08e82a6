//! Memory for speculation: if it runs short, no thread speculates until all events are certain.
//!
//! Payloads and journals may have any size, so a number of events is no bound. While events are
//! speculative, the memory of the process is compared with its memory when none were.
use crate::machine::{give_back, resident_bytes};
use std::{
    cell::Cell,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// A thread's share \[bytes\]; and the time between two checks.
const SHARE: u64 = 64 << 20;
const LOOK: Duration = Duration::from_millis(10);

/// Time between two checks in a handler. It allocates some megabytes meanwhile; a check takes up to
/// 2 % of this time.
const GLANCE: Duration = Duration::from_millis(1);

thread_local! {
    /// Resident memory at which a handler is aborted \[bytes\].
    static MOST: Cell<u64> = const { Cell::new(u64::MAX) };
    /// This thread's last check that found memory left.
    static SEEN: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Whether a speculative handler with many actions may continue.
pub(super) fn may_continue() -> bool {
    let most = MOST.get();
    if most == u64::MAX || SEEN.get().is_some_and(|seen| seen.elapsed() < GLANCE) {
        return true;
    }
    let has_room = resident_bytes() <= most;
    SEEN.set(has_room.then(crate::clock::now));
    has_room
}

pub(super) struct HistoryMemory {
    begun: Instant,
    /// Last check \[ns since `begun`\].
    looked: AtomicU64,
    /// Resident memory when nothing could be undone \[bytes\].
    base: AtomicU64,
    is_short: AtomicBool,
    /// By thread: events that can be undone.
    histories: Vec<Line>,
}

/// In a cache line of its own.
#[repr(align(128))]
struct Line(AtomicU64);

impl HistoryMemory {
    pub(super) fn new(threads: usize) -> Self {
        HistoryMemory {
            begun: crate::clock::now(),
            looked: AtomicU64::new(0),
            base: AtomicU64::new(resident_bytes()),
            is_short: AtomicBool::new(false),
            histories: (0..threads).map(|_| Line(AtomicU64::new(0))).collect(),
        }
    }

    /// Whether a thread with `history` events that can be undone may speculate.
    pub(super) fn has_capacity(&self, thread: usize, history: u64) -> bool {
        self.histories[thread].0.store(history, Relaxed);
        let (now, then) = (self.begun.elapsed().as_nanos() as u64, self.looked.load(Relaxed));
        let is_due = now.saturating_sub(then) >= LOOK.as_nanos() as u64;
        // Only one thread checks.
        if is_due && self.looked.compare_exchange(then, now, Relaxed, Relaxed).is_ok() {
            self.look(resident_bytes, give_back)
        }
        !self.is_short.load(Relaxed)
    }

    /// Limits the memory of this thread's handlers while it speculates. A handler has at least one
    /// share for itself, since no event begins without memory left.
    pub(super) fn bound(&self) {
        let share = SHARE * (self.histories.len() as u64 + 1);
        MOST.set(self.base.load(Relaxed).saturating_add(share))
    }

    pub(super) fn unbound(&self) {
        MOST.set(u64::MAX)
    }

    fn look(&self, taken: impl Fn() -> u64, give_back: impl Fn()) {
        let (base, was_short) = (self.base.load(Relaxed), self.is_short.load(Relaxed));
        let (share, more) = (SHARE * self.histories.len() as u64, taken().saturating_sub(base));
        let nothing_ahead = self.histories.iter().all(|line| line.0.load(Relaxed) == 0);
        if nothing_ahead && (was_short || more > share) {
            // With nothing to undo, this memory is the model's own.
            give_back();
            self.base.store(taken(), Relaxed);
            self.is_short.store(false, Relaxed)
        } else if more > share {
            self.is_short.store(true, Relaxed)
        } else if more < share / 2 {
            self.is_short.store(false, Relaxed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// By line: MiB taken, events of two threads that can be undone; the new state.
    #[test]
    fn short_until_all_is_certain_and_what_grows_besides_is_the_models_own() {
        let room = HistoryMemory::new(2);
        room.base.store(100 << 20, Relaxed);
        let gave_back = Cell::new(0);
        let mut text = String::new();
        for (taken, freed, histories) in [
            (150, 150, [100, 100]),
            (230, 230, [700, 300]),
            (180, 180, [400, 0]),
            (170, 170, [300, 0]),
            (160, 160, [200, 0]),
            (240, 240, [200, 900]),
            (240, 110, [0, 0]),
            (230, 230, [400, 400]),
            (250, 250, [400, 400]),
            (250, 250, [0, 0]),
            (370, 370, [10, 10]),
        ] {
            for (line, history) in room.histories.iter().zip(histories) {
                line.0.store(history, Relaxed)
            }
            let returned = gave_back.get();
            let now = || if gave_back.get() > returned { freed << 20 } else { taken << 20 };
            room.look(now, || gave_back.set(gave_back.get() + 1));
            let is_short = if room.is_short.load(Relaxed) { "short" } else { "" };
            let base = room.base.load(Relaxed) >> 20;
            text += &format!("{taken} {histories:?}: {base} {is_short}\n")
        }
        assert_eq!(
            text,
            "150 [100, 100]: 100 \n\
             230 [700, 300]: 100 short\n\
             180 [400, 0]: 100 short\n\
             170 [300, 0]: 100 short\n\
             160 [200, 0]: 100 \n\
             240 [200, 900]: 100 short\n\
             240 [0, 0]: 110 \n\
             230 [400, 400]: 110 \n\
             250 [400, 400]: 110 short\n\
             250 [0, 0]: 250 \n\
             370 [10, 10]: 250 \n"
        )
    }
}
