//! Node curves: CPU, disks and NICs over time, from `sadf -j` or `tenbin monitor`.
mod attach;
mod calendar;
mod import;
pub mod monitor;
mod sadf;
pub use self::import::NodeCurves;
pub(crate) use attach::is_same;
pub use attach::{AttachResult, attach};
pub(crate) use calendar::{parse_utc_offset, unix_ms, utc, zero_ms};

use serde::{Deserialize, Serialize};

/// One sample of a node; rates and fractions are means over the interval before `unix_ms`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct NodeSample {
    pub node: String,
    /// End of the interval: Unix time \[ms\].
    pub unix_ms: i64,
    pub interval_ms: i64,
    /// Busy fraction of the cores, 0–1.
    pub cpu_busy: Option<f64>,
    /// Fraction of core time idle with I/O outstanding, 0–1.
    #[serde(default)]
    pub cpu_iowait: Option<f64>,
    /// Threads running or ready to run.
    #[serde(default)]
    pub runnable: Option<u32>,
    /// Fraction, 0–1.
    #[serde(default)]
    pub memory_used: Option<f64>,
    #[serde(default)]
    pub disks: Vec<Disk>,
    #[serde(default)]
    pub nics: Vec<Nic>,
    #[serde(default)]
    pub pressure: Pressure,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Disk {
    pub name: String,
    /// Fraction of the time with a request outstanding, 0–1.
    pub busy: Option<f64>,
    /// \[bytes/s\]
    #[serde(default)]
    pub read: f64,
    /// \[bytes/s\]
    #[serde(default)]
    pub written: f64,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Nic {
    pub name: String,
    /// \[bytes/s\]
    #[serde(default)]
    pub received: f64,
    /// \[bytes/s\]
    #[serde(default)]
    pub sent: f64,
    /// Line rate in one direction \[bytes/s\]; `None`: unknown.
    #[serde(default)]
    pub speed: Option<f64>,
}

/// Pressure stall information of Linux: fraction of the time in which some task was stalled, 0–1.
/// `None`: the kernel does not report it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Pressure {
    pub cpu: Option<f64>,
    pub memory: Option<f64>,
    pub io: Option<f64>,
}

/// Clamps to 0–1; `None` if not finite.
pub(crate) fn part(value: f64) -> Option<f64> {
    value.is_finite().then(|| value.clamp(0.0, 1.0))
}
