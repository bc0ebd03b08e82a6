//! What the tracker tells itself, and what it reports.
use engine::*;

pub const PHASES: usize = 6;

/// What may limit a flow: itself (a task computes on one core), disks, NICs, uplinks, cores.
pub const LIMITS: usize = 5;

/// A phase of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Startup,
    /// A map reads its block, a reduce copies map outputs.
    Input,
    /// A map computes; a reduce merges what is on its disk.
    Middle,
    /// A map spills; a reduce reads what it merged.
    Spill,
    /// A map merges its spills; a reduce computes.
    Merge,
    /// A reduce writes its output.
    Output,
}

impl Phase {
    /// In order.
    pub const ALL: [Phase; PHASES] =
        [Phase::Startup, Phase::Input, Phase::Middle, Phase::Spill, Phase::Merge, Phase::Output];
}

#[derive(Message)]
pub enum Event {
    Submit {
        job: u32,
    },
    /// A node's heartbeat.
    Heartbeat {
        node: u32,
    },
    /// An attempt's JVM is there.
    Started {
        attempt: u32,
    },
    /// The next flow is through.
    Flows,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum AttemptEnd {
    Succeeded,
    Failed,
    Killed,
}

/// A map that waited behind a reduce of its job, for which no node had room.
pub const BEHIND_REDUCE: u32 = u32::MAX - 1;

#[derive(Message)]
pub struct Ended {
    pub job: u32,
    /// Which of its tasks of this kind.
    pub task: u32,
    /// A map, or a reduce.
    pub map: bool,
    /// Its number among the task's attempts.
    pub number: u32,
    pub node: u32,
    /// A map that read its block from a disk of its own.
    pub local: bool,
    /// A twin of one that lagged.
    pub speculative: bool,
    pub how: AttemptEnd,
    pub wanted: Nanos,
    /// The rule that withheld it last, as a place in `policy::RULES`, or [`BEHIND_REDUCE`];
    /// `u32::MAX`: nothing but slots.
    pub withheld: u32,
    pub begun: Nanos,
    /// When each phase ended; of phases that it did not come to, when it broke off.
    pub ends: [Nanos; PHASES],
    /// A reduce: its last map output was there.
    pub told: Nanos,
    /// For how long each of [`LIMITS`] limited each phase; of copies all together.
    pub limited: [[Nanos; LIMITS]; PHASES],
    /// Bytes read, spilled, shuffled, written.
    pub bytes: [u64; 4],
}

#[derive(Message)]
pub struct Finished {
    pub job: u32,
    pub submitted: Nanos,
    /// A task failed too often.
    pub failed: bool,
}

#[derive(Message)]
pub enum Record {
    Ended(Box<Ended>),
    Finished(Box<Finished>),
    /// At a heartbeat so many slots stayed empty though there were tasks, for a rule.
    Withheld {
        rule: u32,
        map: bool,
        slots: u32,
        since: Nanos,
    },
}
