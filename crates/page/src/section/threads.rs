//! Wall-clock time of the run itself, if it used several threads.
use serde::{Deserialize, Serialize};

/// One bar per thread: committed work, undone work, and waiting for other threads.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Threads {
    /// "conservative".
    pub scheduler: String,
    /// Number of MPI ranks.
    pub ranks: u32,
    /// Meetings of all threads.
    pub rounds: u64,
    /// Rebalances of logical processes over threads.
    pub deals: u64,
    /// Rounds that one thread executed alone.
    pub alone: u64,
    /// Peak resident memory of this process \[bytes\]; 0: unknown.
    pub peak_rss_bytes: u64,
    /// Advice.
    pub sentence: String,
    /// Sorted by rank.
    pub threads: Vec<Thread>,
}

/// Work of one thread, and its waiting for others.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Thread {
    /// "thread 1"; of several processes "rank 1, thread 0".
    pub name: String,
    /// Logical processes of this thread.
    pub lps: u64,
    /// Committed events.
    pub committed: u64,
    /// Events executed speculatively, including undone ones.
    pub ahead: u64,
    /// Undone events.
    pub rolled_back: u64,
    /// Largest number of events that it could have undone at a time.
    pub longest_history: u64,
    /// Time for committed events \[s\].
    pub worked_s: f64,
    /// Time for undone events \[s\].
    pub undone_s: f64,
    /// Time waiting for other threads \[s\].
    pub waited_s: f64,
}
