//! Events and records of the tracker.
use engine::*;

pub const PHASES: usize = 6;

/// Kinds of limits of a flow: itself (a task uses one core), disks, NICs, uplinks, cores.
pub const LIMITS: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Startup,
    /// A map reads its block; a reduce copies map outputs.
    Input,
    /// A map computes; a reduce merges files on disk.
    Middle,
    /// A map spills; a reduce reads its merged files.
    Spill,
    /// A map merges its spills; a reduce computes.
    Merge,
    /// A reduce writes its output.
    Output,
}

impl Phase {
    pub const ALL: [Phase; PHASES] =
        [Phase::Startup, Phase::Input, Phase::Middle, Phase::Spill, Phase::Merge, Phase::Output];
}

#[derive(Message)]
pub enum Event {
    Submit {
        job: u32,
    },
    Heartbeat {
        node: u32,
    },
    /// An attempt's JVM has started.
    Started {
        attempt: u32,
    },
    /// The flow that ends next has ended.
    Flows,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum AttemptEnd {
    Succeeded,
    Failed,
    Killed,
}

/// In `withheld`: a map waited behind its job's requested reduce, for which no node had a slot.
pub const BEHIND_REDUCE: u32 = u32::MAX - 1;

#[derive(Message)]
pub struct AttemptReport {
    pub job: u32,
    /// Index among the job's maps or reduces.
    pub task: u32,
    pub map: bool,
    /// Index among the task's attempts.
    pub number: u32,
    pub node: u32,
    /// A map with its block on its own node.
    pub local: bool,
    pub speculative: bool,
    pub end: AttemptEnd,
    pub requested_at: Nanos,
    /// Index in `policy::RULES` of the rule that last withheld the task, or [`BEHIND_REDUCE`];
    /// `u32::MAX`: it only waited for a slot.
    pub withheld: u32,
    pub started_at: Nanos,
    /// Ends of phases; for phases not reached, when the attempt broke off.
    pub ends: [Nanos; PHASES],
    /// When a reduce was notified of its last map output.
    pub notified_at: Nanos,
    /// Time during which each of [`LIMITS`] limited each phase; copies are summed.
    pub limited: [[Nanos; LIMITS]; PHASES],
    /// Read, spilled, shuffled, written.
    pub bytes: [u64; 4],
}

#[derive(Message)]
pub struct JobReport {
    pub job: u32,
    pub submitted: Nanos,
    /// A task had too many failed attempts.
    pub failed: bool,
}

#[derive(Message)]
pub enum Record {
    Ended(Box<AttemptReport>),
    Finished(Box<JobReport>),
    /// Slots left empty at a heartbeat because of a rule, though tasks were available.
    Withheld {
        rule: u32,
        map: bool,
        slots: u32,
        since: Nanos,
    },
    /// A reduce of `job` has copied a map output from a node.
    Fetched {
        job: u32,
        from: u32,
        took: Nanos,
    },
}
