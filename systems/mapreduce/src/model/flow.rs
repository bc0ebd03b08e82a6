//! Purposes of the solver's flows.
use engine::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) enum Purpose {
    /// The attempt's current phase.
    Phase { attempt: u32 },
    /// A reduce fetches a map output from a node.
    Copy { attempt: u32, from: u32, began: Nanos },
    /// A reduce writes its buffer to disk.
    Spill { attempt: u32, bytes: u64 },
    /// An attempt writes its output to all replicas.
    Output { attempt: u32, bytes: u64 },
    /// A node's page cache writes to a disk what a task has written.
    WriteBack { node: u32, bytes: u64 },
    /// Reads of other programs.
    Foreign,
}

impl Purpose {
    pub(super) fn attempt(self) -> Option<u32> {
        match self {
            Purpose::Phase { attempt }
            | Purpose::Copy { attempt, .. }
            | Purpose::Spill { attempt, .. }
            | Purpose::Output { attempt, .. } => Some(attempt),
            Purpose::WriteBack { .. } | Purpose::Foreign => None,
        }
    }
}

/// A flow's purpose, and the index in `LIMITS` of its limit since `since`.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Flow {
    pub(super) purpose: Purpose,
    pub(super) limit: u8,
    pub(super) since: Nanos,
}

impl Flow {
    pub(super) fn new(purpose: Purpose, now: Nanos) -> Flow {
        Flow { purpose, limit: 0, since: now }
    }
}
