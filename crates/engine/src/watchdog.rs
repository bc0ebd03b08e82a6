//! Handlers that never return: a watchdog looks now and then what each thread is at.
//!
//! Each thread notes whom it has handle what, and that it is through with a batch. Who is seen at
//! the same event for long is told of; nothing is done to it, since nothing but the end of the
//! process would help.
use std::{
    sync::{
        Arc, Mutex, RwLock,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    thread::{self, JoinHandle, Thread},
    time::{Duration, Instant},
};
use units::Nanos;

/// No LP: a thread that handles nothing.
const NOBODY: u32 = u32::MAX;

/// What a thread is at. Plain stores: a glance that mixes two events is told from being stuck by
/// the next one.
pub(crate) struct Heartbeat {
    at: AtomicU64,
    lp: AtomicU32,
    is_ahead: AtomicBool,
}

impl Heartbeat {
    /// An LP is to handle an event.
    #[inline(always)]
    pub(crate) fn beat(&self, at: u64, lp: u32) {
        self.at.store(at, Relaxed);
        self.lp.store(lp, Relaxed)
    }

    /// Nobody handles anything at the moment.
    pub(crate) fn rest(&self) {
        self.lp.store(NOBODY, Relaxed)
    }

    /// From now on events may be undone.
    pub(crate) fn set_ahead(&self, is_ahead: bool) {
        self.is_ahead.store(is_ahead, Relaxed)
    }

    fn now(&self) -> Option<(u32, u64)> {
        let lp = self.lp.load(Relaxed);
        (lp != NOBODY).then(|| (lp, self.at.load(Relaxed)))
    }
}

/// Those of the threads of a run.
#[derive(Clone, Default)]
pub(crate) struct Heartbeats(Arc<Mutex<Vec<Arc<Heartbeat>>>>);

impl Heartbeats {
    /// Another thread's.
    pub(crate) fn another(&self) -> Arc<Heartbeat> {
        let (at, lp) = (AtomicU64::new(0), AtomicU32::new(NOBODY));
        let heartbeat = Arc::new(Heartbeat { at, lp, is_ahead: AtomicBool::new(false) });
        self.0.lock().expect("nobody panics with it").push(Arc::clone(&heartbeat));
        heartbeat
    }

    /// Whether nobody handles anything at the moment.
    #[cfg(test)]
    pub(crate) fn all_rest(&self) -> bool {
        self.all().iter().all(|heartbeat| heartbeat.now().is_none())
    }

    fn all(&self) -> Vec<Arc<Heartbeat>> {
        self.0.lock().expect("nobody panics with it").clone()
    }
}

/// A handler that has not returned for long.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stuck {
    /// Of this LP.
    pub lp: u32,
    /// Its event is at this time.
    pub at: Nanos,
    /// It has been seen at it for so long.
    pub lasted: Duration,
    /// It may be on a state that turns out never to have been (optimistic).
    pub is_ahead: bool,
}

struct Setting {
    after: Vec<Duration>,
    tell: Box<dyn Fn(&Stuck) + Send + Sync>,
}

static WATCHDOG: RwLock<Option<Arc<Setting>>> = RwLock::new(None);

/// From now on, in every run of this process: who handles one event for so long is told of, each
/// time once, by a thread of the watchdog's own. Like a panic hook, it is one for the process.
pub fn set_watchdog(
    after: impl Into<Vec<Duration>>,
    tell: impl Fn(&Stuck) + Send + Sync + 'static,
) {
    let setting = Setting { after: after.into(), tell: Box::new(tell) };
    *WATCHDOG.write().expect("nobody panics with it") = Some(Arc::new(setting))
}

/// Watches a run, until it is dropped.
pub(crate) struct Watchdog(Option<(Arc<AtomicBool>, Thread, JoinHandle<()>)>);

impl Watchdog {
    /// Of these threads, if anybody wants to be told.
    pub(crate) fn start(heartbeats: &Heartbeats) -> Watchdog {
        let setting = WATCHDOG.read().expect("nobody panics with it").clone();
        let Some(setting) = setting.filter(|s| !s.after.is_empty()) else { return Watchdog(None) };
        let (is_over, heartbeats) = (Arc::new(AtomicBool::new(false)), heartbeats.clone());
        let over = Arc::clone(&is_over);
        let named = thread::Builder::new().name("watchdog".into());
        // Where there is no thread to be had, nobody watches.
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

/// What one thread was seen at, since when, and how often that was told.
#[derive(Clone, Copy)]
struct Seen {
    at: Option<(u32, u64)>,
    since: Instant,
    told: usize,
}

fn watch(Setting { after, tell }: &Setting, heartbeats: &Heartbeats, is_over: &AtomicBool) {
    let pause = after.iter().min().expect("there is one").div_f64(4.0);
    let mut seen: Vec<Seen> = vec![];
    while !is_over.load(Relaxed) {
        let now = crate::clock::now();
        for (i, heartbeat) in heartbeats.all().iter().enumerate() {
            let at = heartbeat.now();
            seen.resize(seen.len().max(i + 1), Seen { at: None, since: now, told: 0 });
            let seen = &mut seen[i];
            if seen.at != at {
                *seen = Seen { at, since: now, told: 0 }
            }
            let lasted = now.saturating_duration_since(seen.since);
            let Some((lp, at)) = at else { continue };
            if after.get(seen.told).is_some_and(|after| lasted >= *after) {
                seen.told += 1;
                let is_ahead = heartbeat.is_ahead.load(Relaxed);
                tell(&Stuck { lp, at: Nanos(at), lasted, is_ahead })
            }
        }
        thread::park_timeout(pause)
    }
}
