//! What the tracker tells itself, and what it reports.
use engine::*;

/// Phases of an attempt.
pub const PHASES: usize = 6;

/// What may limit a flow: itself (a task computes on one core), disks, NICs, uplinks, cores.
pub const LIMITS: usize = 5;

/// A phase of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Its JVM starts.
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

/// What the tracker tells itself.
#[derive(Message)]
pub enum Event {
    /// A job arrives.
    Submit { job: u32 },
    /// A node's heartbeat.
    Heartbeat { node: u32 },
    /// An attempt's JVM is there.
    Started { attempt: u32 },
    /// The next flow is through.
    Flows,
}

/// How an attempt ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum AttemptEnd {
    /// It did its task.
    Succeeded,
    /// It broke off by itself.
    Failed,
    /// Its twin was sooner.
    Killed,
}

/// A map that waited behind a reduce of its job, for which no node had room.
pub const BEHIND_REDUCE: u32 = u32::MAX - 1;

/// An attempt has ended.
#[derive(Message)]
pub struct Ended {
    /// Of which job.
    pub job: u32,
    /// Which of its tasks of this kind.
    pub task: u32,
    /// A map, or a reduce.
    pub map: bool,
    /// Its number among the task's attempts.
    pub number: u32,
    /// Where.
    pub node: u32,
    /// A map that read its block from a disk of its own.
    pub local: bool,
    /// A twin of one that lagged.
    pub speculative: bool,
    /// How.
    pub how: AttemptEnd,
    /// Its task could have begun.
    pub wanted: Nanos,
    /// The rule that withheld it last, as a place in `policy::RULES`, or [`BEHIND_REDUCE`];
    /// `u32::MAX`: nothing but slots.
    pub withheld: u32,
    /// It was given to its node.
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

/// A job has ended.
#[derive(Message)]
pub struct Finished {
    /// Which.
    pub job: u32,
    /// It arrived.
    pub submitted: Nanos,
    /// A task failed too often.
    pub failed: bool,
}

/// What it reports.
#[derive(Message)]
pub enum Record {
    /// An attempt has ended.
    Ended(Box<Ended>),
    /// A job has ended.
    Finished(Box<Finished>),
    /// At a heartbeat so many slots stayed empty though there were tasks, for a rule.
    Withheld { rule: u32, map: bool, slots: u32, since: Nanos },
}
