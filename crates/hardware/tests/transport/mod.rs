//! Flows of two systems over one transport: shared fairly, equal within 2 % under fluid and queue
//! sharing, and with the same bits under every scheduler.
mod agree;
mod faults;
mod mover;
mod reader;
mod site;
use engine::Nanos;
use hardware::Path;
use units::Bytes;

#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub at: Nanos,
    pub path: Path,
    pub bytes: Bytes,
}

/// A job at time 0.
pub fn now(path: Path, mb: u64) -> Job {
    Job { at: Nanos(0), path, bytes: Bytes::mb(mb) }
}
