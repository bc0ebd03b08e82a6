//! Flows of two systems over one transport: shared fairly, the same under fluid and queue sharing
//! within 2 %, and under every scheduler the same to the last bit.
mod agree;
mod faults;
mod mover;
mod reader;
mod site;
use engine::Nanos;
use hardware::Path;
use units::Bytes;

/// Something to be moved, and when.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub at: Nanos,
    pub path: Path,
    pub bytes: Bytes,
}

/// From time 0.
pub fn now(path: Path, mb: u64) -> Job {
    Job { at: Nanos(0), path, bytes: Bytes::mb(mb) }
}
