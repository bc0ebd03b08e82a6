//! Verdicts: what slowed a job down, with evidence and certainty.
use super::job::{Attempt, Job};
use serde::Serialize;

/// Assumed rate of a SATA disk \[bytes/s\].
pub const FLOOR_DISK: f64 = 150e6;

/// Assumed rate of a NIC, 10 Gbit/s \[bytes/s\].
pub const FLOOR_NIC: f64 = 1.25e9;

/// Disk or network are blamed only if their bytes need at least this fraction of the time.
pub(super) const BLAMED: f64 = 0.2;

/// Minimum fraction of a job's time of a cause that stands out.
pub(super) const STANDS_OUT: f64 = 0.1;

/// Minimum ratio of a task's time to the median of its kind to be marked.
pub(super) const MARKED: f64 = 3.0;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// Name of the rule, as in `tenbin explain`: "skew", "lost node", "slow-start".
    pub cause: String,
    pub holder: String,
    /// Completes "was held up by".
    pub by: String,
    /// Estimated gain: fraction of the job's time, 0–1.
    pub share: f64,
    /// Lower bound of `share`.
    pub share_low: f64,
    /// Upper bound of `share`.
    pub share_high: f64,
    pub evidence: Vec<Evidence>,
    pub certainty: &'static str,
    /// A run or an import that would confirm the cause; "": none.
    #[serde(rename = "confirm", skip_serializing_if = "str::is_empty")]
    pub confirmation: &'static str,
    #[serde(rename = "do", skip_serializing_if = "Remedy::is_none")]
    pub remedy: Remedy,
    /// Indexes of slowed tasks in the job.
    #[serde(skip)]
    pub tasks: Vec<usize>,
    /// The cause makes runs longer; else it is a wait between runs.
    #[serde(skip)]
    pub within_runs: bool,
    /// The cause ended the job early.
    #[serde(skip)]
    pub ended_it: bool,
}

impl Verdict {
    /// Its advice is worth a line: it stands out, or ended the job.
    pub fn is_worth_it(&self) -> bool {
        self.ended_it || self.weight() >= STANDS_OUT
    }

    /// Mean of `share` and `share_high`, for ranking.
    pub fn weight(&self) -> f64 {
        (self.share + self.share_high) / 2.0
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Remedy {
    /// A sentence without full stop, at most 200 characters; "": no known remedy.
    pub what: String,
    /// The property to set; "": none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub key: &'static str,
}

impl Remedy {
    /// `key`: the property to set, or "".
    pub fn new(what: impl Into<String>, key: &'static str) -> Remedy {
        Remedy { what: what.into(), key }
    }

    pub fn is_none(&self) -> bool {
        self.what.is_empty()
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evidence {
    /// "interval", "counter", "curve", "text".
    pub kind: &'static str,
    /// Counter, log or field: "clockSplits".
    pub source: &'static str,
    pub says: String,
}

/// Minimum time that counted bytes need at assumed rates.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Floor {
    /// Bytes read from and written to any file system.
    pub disk_bytes: f64,
    /// Bytes fetched by reduces.
    pub nic_bytes: f64,
    /// Fraction of task time, 0–1.
    pub disk: f64,
    /// Fraction of task time, 0–1.
    pub nic: f64,
}

impl Floor {
    /// Shares are of the time of attempts that ended.
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

    pub fn is_insignificant(&self) -> bool {
        self.disk < BLAMED && self.nic < BLAMED
    }
}

/// Node curves divide the time that counters do not cover.
pub(super) const CURVES: &str =
    "node curves (sadf -j, or tenbin monitor): they split the unexplained time";
