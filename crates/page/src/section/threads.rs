//! Where the wall-clock time of the run itself went, if it ran on several threads.
use serde::{Deserialize, Serialize};

/// A bar a thread: work that stands, work that was undone, and waiting for the others.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Threads {
    /// "conservative".
    pub scheduler: String,
    /// Processes.
    pub ranks: u32,
    /// How often all threads met.
    pub rounds: u64,
    /// How often logical processes were rebalanced over threads.
    pub deals: u64,
    /// How many rounds one thread held alone.
    pub alone: u64,
    /// The most memory of the process that wrote this \[bytes\]; 0 where it is not known.
    pub peak_rss_bytes: u64,
    /// What to do about it.
    pub sentence: String,
    /// In the order of ranks.
    pub threads: Vec<Thread>,
}

/// What one thread did, and how long it waited for the others.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Thread {
    /// "thread 1"; of several processes "rank 1, thread 0".
    pub name: String,
    /// Logical processes that are its own.
    pub lps: u64,
    /// Events that stand.
    pub committed: u64,
    /// Events that it did before it was certain that they stand, undone ones among them.
    pub ahead: u64,
    /// Events that were undone.
    pub rolled_back: u64,
    /// The most events that it could have undone at a time.
    pub longest_history: u64,
    /// At work on what stands \[s\].
    pub worked_s: f64,
    /// At work on what was undone \[s\].
    pub undone_s: f64,
    /// For the others \[s\].
    pub waited_s: f64,
}
