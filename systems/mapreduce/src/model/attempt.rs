//! State of an attempt.
use super::message::{PHASES, Phase};
use engine::*;

pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Assignment {
    pub(super) job: u32,
    pub(super) task: u32,
    pub(super) map: bool,
    pub(super) number: u32,
    pub(super) node: u32,
    /// Node and disk of a map's block.
    pub(super) source: (u32, u32),
    pub(super) speculative: bool,
    pub(super) requested_at: Nanos,
    pub(super) withheld: u32,
    pub(super) started_at: Nanos,
    /// Disk of spills and map output; the JVM draws it (`LocalDirAllocator`).
    pub(super) disk: u32,
    /// Disk of the job's output; the DataNode assigns them round-robin.
    pub(super) out: u32,
}

#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Stage {
    pub(super) phase: u8,
    pub(super) ends: [Nanos; PHASES],
    /// Read, spilled, shuffled, written.
    pub(super) bytes: [u64; 4],
}

impl Stage {
    pub(super) fn new() -> Stage {
        Stage { phase: 0, ends: [Nanos::ZERO; PHASES], bytes: [0; 4] }
    }

    pub(super) fn now(&self) -> Phase {
        Phase::ALL[usize::from(self.phase)]
    }

    pub(super) fn end(&mut self, now: Nanos) {
        self.ends[usize::from(self.phase)] = now;
        self.phase += 1
    }

    /// Ends all remaining phases now: the attempt broke off.
    pub(super) fn break_off(&mut self, now: Nanos) {
        for place in usize::from(self.phase)..PHASES {
            self.ends[place] = now
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Scalar)]
pub(super) struct ShuffleState {
    /// Maps whose output was fetched or requested.
    pub(super) requested_maps: u32,
    /// Maps whose output was fetched.
    pub(super) maps: u32,
    pub(super) copies: u32,
    /// Bytes of requested outputs that have not arrived.
    pub(super) fetching: u64,
    pub(super) in_memory: u64,
    /// Bytes written to disk; `writing`: being written.
    pub(super) on_disk: u64,
    pub(super) writing: u64,
    /// When the reduce was last notified of a map output.
    pub(super) notified_at: Nanos,
}
