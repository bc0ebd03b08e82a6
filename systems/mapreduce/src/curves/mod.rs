//! What nodes did meanwhile: CPU, disks and NICs over time, from `sadf -j` or our own monitor.
mod attach;
mod calendar;
mod import;
pub mod monitor;
mod sadf;
pub use self::import::NodeCurves;
pub(crate) use attach::is_same;
pub use attach::{Fit, attach};
pub(crate) use calendar::{ahead, unix_ms, utc, zero_ms};

use serde::{Deserialize, Serialize};

/// A node at a time, over the interval before it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    pub node: String,
    /// The interval's end, Unix time.
    pub unix_ms: i64,
    pub interval_ms: i64,
    /// Part of the time in which cores worked, 0–1.
    pub cpu_busy: Option<f64>,
    /// Part of the time in which idle cores waited for I/O, 0–1.
    #[serde(default)]
    pub cpu_iowait: Option<f64>,
    /// Threads that ran or wanted to.
    #[serde(default)]
    pub runnable: Option<u32>,
    /// Part of memory that is in use, 0–1.
    #[serde(default)]
    pub memory_used: Option<f64>,
    #[serde(default)]
    pub disks: Vec<Disk>,
    #[serde(default)]
    pub nics: Vec<Nic>,
    /// Part of the time in which some task was held up by want of CPU, memory, I/O, 0–1.
    #[serde(default)]
    pub pressure: Pressure,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Disk {
    /// "sda".
    pub name: String,
    /// Part of the time in which it had anything to do, 0–1.
    pub busy: Option<f64>,
    /// Bytes a second.
    #[serde(default)]
    pub read: f64,
    /// Bytes a second.
    #[serde(default)]
    pub written: f64,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Nic {
    /// "eth0".
    pub name: String,
    /// Bytes a second.
    #[serde(default)]
    pub received: f64,
    /// Bytes a second.
    #[serde(default)]
    pub sent: f64,
    /// What it can do one way, bytes a second; `None`: nobody says.
    #[serde(default)]
    pub speed: Option<f64>,
}

/// Pressure stall information, each 0–1; `None` where the kernel has none.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Pressure {
    pub cpu: Option<f64>,
    pub memory: Option<f64>,
    /// Of I/O.
    pub io: Option<f64>,
}

/// A part of a whole as logs may say it: NaN and worse are nothing.
pub(crate) fn part(value: f64) -> Option<f64> {
    value.is_finite().then(|| value.clamp(0.0, 1.0))
}
