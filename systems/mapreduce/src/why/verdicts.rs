//! What held a job up, with evidence and certainty.
use super::job::{Attempt, Job};
use serde::Serialize;

/// Assumed where no input says it: a SATA disk, bytes/s.
pub const FLOOR_DISK: f64 = 150e6;

/// Assumed where no input says it: 10 Gbit/s, in bytes/s.
pub const FLOOR_NIC: f64 = 1.25e9;

/// Nothing is blamed whose bytes need less than this part of the time.
pub(super) const BLAMED: f64 = 0.2;

/// From this part of a job's time on a cause stands out. What is less is listed below.
pub(super) const STANDS_OUT: f64 = 0.1;

/// A task that takes more times the median of its kind is marked.
pub(super) const MARKED: f64 = 3.0;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// As its rule is called: "skew", "lost node", "slow-start"; see `tenbin explain`.
    pub cause: String,
    pub holder: String,
    /// The same after "was held up by".
    pub by: String,
    /// Without it the job is shorter by about this part of its time, 0–1.
    pub share: f64,
    /// By at least this.
    pub share_low: f64,
    /// And by at most this.
    pub share_high: f64,
    /// What it is concluded from.
    pub evidence: Vec<Evidence>,
    pub certainty: &'static str,
    /// What would confirm it: a run, or something to import; "" where nothing would help.
    #[serde(rename = "confirm", skip_serializing_if = "str::is_empty")]
    pub surer: &'static str,
    #[serde(rename = "do", skip_serializing_if = "Cure::is_none")]
    pub cure: Cure,
    /// Tasks that it makes slow, by their places in the job.
    #[serde(skip)]
    pub tasks: Vec<usize>,
    /// It makes runs longer; else it is a wait between them.
    #[serde(skip)]
    pub within_runs: bool,
    /// The job ended by it, and before its time.
    #[serde(skip)]
    pub ended_it: bool,
}

impl Verdict {
    /// Whether what to do is worth a line: it stands out by itself, or it ended the job.
    pub fn is_worth_it(&self) -> bool {
        self.ended_it || self.weight() >= STANDS_OUT
    }

    /// How much a cause counts: the middle of what the job gains without it and what it gains at
    /// most.
    pub fn weight(&self) -> f64 {
        (self.share + self.share_high) / 2.0
    }
}

/// What to change, so that a cause goes.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Cure {
    /// A sentence without its full stop, up to 200 characters; "" where nothing is known to help.
    pub what: String,
    /// The property that does it; "" where none does.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub key: &'static str,
}

impl Cure {
    /// With the property that does it; "" where none does.
    pub fn new(what: impl Into<String>, key: &'static str) -> Cure {
        Cure { what: what.into(), key }
    }

    pub fn is_none(&self) -> bool {
        self.what.is_empty()
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evidence {
    /// "interval", "counter", "curve", "text".
    pub kind: &'static str,
    /// Where it stands: "clockSplits".
    pub source: &'static str,
    pub says: String,
}

/// The least time that counted bytes need at assumed rates.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Floor {
    /// Bytes that disks have read and written.
    pub disk_bytes: f64,
    /// Bytes that reduces have fetched.
    pub nic_bytes: f64,
    /// Of the task time, 0–1.
    pub disk: f64,
    /// Of the task time, 0–1.
    pub nic: f64,
}

impl Floor {
    /// Of a job: shares are of the time of attempts that ended.
    pub fn of(job: &Job) -> Floor {
        Floor::of_all([job])
    }

    pub fn of_all<'j>(jobs: impl IntoIterator<Item = &'j Job>) -> Floor {
        let jobs: Vec<&Job> = jobs.into_iter().collect();
        let attempts = || jobs.iter().flat_map(|job| job.attempts());
        let whole: f64 = jobs.iter().map(|job| job.ended_time()).sum();
        let disk_bytes: f64 = attempts().map(Attempt::disk_bytes).sum();
        let nic_bytes: f64 = attempts().map(|a| a.number("REDUCE_SHUFFLE_BYTES")).sum();
        let share = |seconds: f64| if whole > 0.0 { seconds / whole } else { 0.0 };
        let (disk, nic) = (share(disk_bytes / FLOOR_DISK), share(nic_bytes / FLOOR_NIC));
        Floor { disk_bytes, nic_bytes, disk, nic }
    }

    /// Whether neither disk nor network can be blamed.
    pub fn is_neither(&self) -> bool {
        self.disk < BLAMED && self.nic < BLAMED
    }
}

/// What splits runs whose inside no counter covers.
pub(super) const CURVES: &str =
    "node curves (sadf -j, or tenbin monitor): they split what is unexplained";
