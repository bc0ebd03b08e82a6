//! What a replay knows of the run that it replays.
use units::Nanos;

/// An attempt that did its task.
#[derive(Clone, Debug)]
pub struct DoneTask {
    pub job: u32,
    /// Number of the task among those of its kind.
    pub task: u32,
    /// A map, or a reduce.
    pub map: bool,
    pub node: u32,
    /// Given to its node: at a heartbeat.
    pub started_at: Nanos,
    /// A map that read its block from a disk of its own node.
    pub local: bool,
    /// Bytes read, spilled, shuffled, written.
    pub bytes: [u64; 4],
}
