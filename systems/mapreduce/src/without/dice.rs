//! Draws for what a trace does not contain.
use engine::Draw;

/// Draws of a round, the same for all what-if replays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// Replicas of a map's block.
    pub(super) fn block(self, job: u32, map: u32) -> Draw {
        self.of("block", job, map)
    }

    pub(super) fn replica(self, job: u32, map: u32) -> Draw {
        self.of("replica", job, map)
    }

    /// Order of a reduce's copies, and which outputs are cached.
    pub(super) fn copies(self, job: u32, reduce: u32) -> Draw {
        self.of("copies", job, reduce)
    }

    /// Index of the node's disk for an attempt's spills.
    pub(super) fn local_dir(self, job: u32, task: u32, map: bool, disks: u32) -> u32 {
        let of = if map { "disk of a map" } else { "disk of a reduce" };
        units::narrow(self.of(of, job, task).below(disks.into()))
    }

    pub(super) fn pipeline(self, job: u32, task: u32, map: bool) -> Draw {
        let of = if map { "pipeline of a map" } else { "pipeline of a reduce" };
        self.of(of, job, task)
    }

    fn of(self, purpose: &str, job: u32, task: u32) -> Draw {
        Draw::keyed(self.0, purpose, job.into(), task.into())
    }
}
