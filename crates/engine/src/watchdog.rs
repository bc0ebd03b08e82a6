//! Reports handlers that do not return.
//!
//! Each thread publishes the LP and time of its event, and clears them after a batch. A watchdog
//! thread samples these and reports an event that lasts long. It does not intervene: only the end
//! of the process would help.
use std::{
    sync::{
        Arc, Mutex, RwLock,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    thread::{self, JoinHandle, Thread},
    time::{Duration, Instant},
};
use units::Nanos;

const NO_LP: u32 = u32::MAX;

/// The event of a thread. Plain stores are enough: a sample that mixes two events differs from the
/// next sample.
pub(crate) struct Heartbeat {
    at: AtomicU64,
    lp: AtomicU32,
    is_ahead: AtomicBool,
}

impl Heartbeat {
    #[inline(always)]
    pub(crate) fn beat(&self, at: u64, lp: u32) {
        self.at.store(at, Relaxed);
        self.lp.store(lp, Relaxed)
    }

    pub(crate) fn set_idle(&self) {
        self.lp.store(NO_LP, Relaxed)
    }

    /// Whether the following events are speculative.
    pub(crate) fn set_ahead(&self, is_ahead: bool) {
        self.is_ahead.store(is_ahead, Relaxed)
    }

    fn now(&self) -> Option<(u32, u64)> {
        let lp = self.lp.load(Relaxed);
        (lp != NO_LP).then(|| (lp, self.at.load(Relaxed)))
    }
}

#[derive(Clone, Default)]
pub(crate) struct Heartbeats(Arc<Mutex<Vec<Arc<Heartbeat>>>>);

impl Heartbeats {
    pub(crate) fn add(&self) -> Arc<Heartbeat> {
        let (at, lp) = (AtomicU64::new(0), AtomicU32::new(NO_LP));
        let heartbeat = Arc::new(Heartbeat { at, lp, is_ahead: AtomicBool::new(false) });
        self.0.lock().expect("no thread panics with it").push(Arc::clone(&heartbeat));
        heartbeat
    }

    #[cfg(test)]
    pub(crate) fn are_all_idle(&self) -> bool {
        self.all().iter().all(|heartbeat| heartbeat.now().is_none())
    }

    fn all(&self) -> Vec<Arc<Heartbeat>> {
        self.0.lock().expect("no thread panics with it").clone()
    }
}

/// A handler that has not returned for long.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StuckEvent {
    /// The LP of the handler.
    pub lp: u32,
    /// Simulated time of its event.
    pub at: Nanos,
    /// Wall-clock time since the watchdog first saw the event.
    pub lasted: Duration,
    /// The event is speculative and may be rolled back (optimistic).
    pub is_ahead: bool,
}

struct Setting {
    after: Vec<Duration>,
    report: Box<dyn Fn(&StuckEvent) + Send + Sync>,
}

static WATCHDOG: RwLock<Option<Arc<Setting>>> = RwLock::new(None);

/// Sets the watchdog of all later runs. A handler that runs for one of these durations is reported
/// once for each, by a thread of the watchdog. Like a panic hook, there is one per process.
pub fn set_watchdog(
    after: impl Into<Vec<Duration>>,
    report: impl Fn(&StuckEvent) + Send + Sync + 'static,
) {
    let setting = Setting { after: after.into(), report: Box::new(report) };
    *WATCHDOG.write().expect("no thread panics with it") = Some(Arc::new(setting))
}

/// Watches a run until it is dropped.
pub(crate) struct Watchdog(Option<(Arc<AtomicBool>, Thread, JoinHandle<()>)>);

impl Watchdog {
    /// Starts nothing without [`set_watchdog`].
    pub(crate) fn start(heartbeats: &Heartbeats) -> Watchdog {
        let setting = WATCHDOG.read().expect("no thread panics with it").clone();
        let Some(setting) = setting.filter(|s| !s.after.is_empty()) else { return Watchdog(None) };
        let (is_over, heartbeats) = (Arc::new(AtomicBool::new(false)), heartbeats.clone());
        let over = Arc::clone(&is_over);
        let named = thread::Builder::new().name("watchdog".into());
        // If the system cannot start a thread, the run is not watched.
        let dog = named.spawn(move || watch(&setting, &heartbeats, &over)).ok();
        Watchdog(dog.map(|dog| (is_over, dog.thread().clone(), dog)))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if let Some((is_over, thread, dog)) = self.0.take() {
            is_over.store(true, Relaxed);
            thread.unpark();
            let _ = dog.join();
        }
    }
}

/// A thread's event in the last sample, since when, and the number of reports about it.
#[derive(Clone, Copy)]
struct Observation {
    at: Option<(u32, u64)>,
    since: Instant,
    reports: usize,
}

fn watch(Setting { after, report }: &Setting, heartbeats: &Heartbeats, is_over: &AtomicBool) {
    let pause = after.iter().min().expect("there is one").div_f64(4.0);
    let mut seen: Vec<Observation> = vec![];
    while !is_over.load(Relaxed) {
        let now = crate::clock::now();
        for (i, heartbeat) in heartbeats.all().iter().enumerate() {
            let at = heartbeat.now();
            seen.resize(seen.len().max(i + 1), Observation { at: None, since: now, reports: 0 });
            let seen = &mut seen[i];
            if seen.at != at {
                *seen = Observation { at, since: now, reports: 0 }
            }
            let lasted = now.saturating_duration_since(seen.since);
            let Some((lp, at)) = at else { continue };
            if after.get(seen.reports).is_some_and(|after| lasted >= *after) {
                seen.reports += 1;
                let is_ahead = heartbeat.is_ahead.load(Relaxed);
                report(&StuckEvent { lp, at: Nanos(at), lasted, is_ahead })
            }
        }
        thread::park_timeout(pause)
    }
}
