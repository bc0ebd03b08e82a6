//! An attempt: where it is in its phases.
use super::message::{PHASES, Phase};
use engine::*;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// What never changes of an attempt.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Given {
    pub(super) job: u32,
    pub(super) task: u32,
    pub(super) map: bool,
    pub(super) number: u32,
    pub(super) node: u32,
    /// Of a map: where its block is read.
    pub(super) source: (u32, u32),
    pub(super) speculative: bool,
    pub(super) wanted: Nanos,
    pub(super) withheld: u32,
    pub(super) begun: Nanos,
    /// The disk of its spills and its map output: its JVM draws one (`LocalDirAllocator`).
    pub(super) disk: u32,
    /// The disk of its job's output: its DataNode takes them in turn.
    pub(super) out: u32,
}

#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Stage {
    /// The phase that it is in.
    pub(super) phase: u8,
    pub(super) ends: [Nanos; PHASES],
    /// Bytes read, spilled, shuffled, written.
    pub(super) bytes: [u64; 4],
}

impl Stage {
    pub(super) fn new() -> Stage {
        Stage { phase: 0, ends: [Nanos::ZERO; PHASES], bytes: [0; 4] }
    }

    /// The phase that it is in.
    pub(super) fn now(&self) -> Phase {
        Phase::ALL[usize::from(self.phase)]
    }

    pub(super) fn end(&mut self, now: Nanos) {
        self.ends[usize::from(self.phase)] = now;
        self.phase += 1
    }

    /// All that is left is over: it broke off.
    pub(super) fn break_off(&mut self, now: Nanos) {
        for place in usize::from(self.phase)..PHASES {
            self.ends[place] = now
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Scalar)]
pub(super) struct Fetched {
    /// Maps whose output it has, or fetches.
    pub(super) asked: u32,
    /// Maps whose output it has.
    pub(super) maps: u32,
    pub(super) copies: u32,
    /// Bytes that they fetch.
    pub(super) fetching: u64,
    /// Bytes in its buffer.
    pub(super) in_memory: u64,
    /// Bytes that it wrote to its disk, and is writing.
    pub(super) on_disk: u64,
    pub(super) writing: u64,
    /// It heard of the last output.
    pub(super) told: Nanos,
}
