//! Dice for what a trace does not tell.
use engine::Draw;

/// Of one round: the same whatever is gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// Where the block of a map lies.
    pub(super) fn block(self, job: u32, map: u32) -> Draw {
        self.of("block", job, map)
    }

    pub(super) fn replica(self, job: u32, map: u32) -> Draw {
        self.of("replica", job, map)
    }

    /// Which outputs a reduce copies first, and what of them is in memory.
    pub(super) fn copies(self, job: u32, reduce: u32) -> Draw {
        self.of("copies", job, reduce)
    }

    /// Which of so many disks of its node an attempt takes for what it spills.
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
