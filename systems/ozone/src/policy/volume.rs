//! The disk of a new container.
use system::policy::{Policies, Policy};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volume {
    Random,
    RoundRobin,
    /// The disk with more free space of two drawn at random.
    BetterOfTwo,
}

pub static VOLUMES: Policies<Volume> = Policies {
    key: "policy.volume",
    all: &[
        Policy::new("random", "Any data disk, with equal probability.", Volume::Random)
            .decides("The disk of each new container, by chance.")
            .helps("A baseline for the others.")
            .costs("With few containers some disks get several and others none.")
            .reference("Not in Ozone."),
        Policy::new("round-robin", "The data disks round-robin.", Volume::RoundRobin)
            .decides(
                "The disk of each new container: the one after that of the previous container.",
            )
            .helps("Disks of one size that were empty at first.")
            .costs("Ignores free space: disks of two sizes fill unevenly.")
            .reference(
                "Ozone's `RoundRobinVolumeChoosingPolicy`, `hdds.datanode.volume.choosing.policy`.",
            ),
        Policy::new(
            "better-of-two",
            "Of two disks drawn at random, the one with more space.",
            Volume::BetterOfTwo,
        )
        .decides("The disk of each new container.")
        .helps(
            "Disks with different free space: they even out, and a new empty disk does not get \
             every container.",
        )
        .costs("Two containers that are opened together may share one disk.")
        .reference(
            "Ozone's `CapacityVolumeChoosingPolicy`, its default; the power of two choices \
             (Mitzenmacher 2001).",
        ),
    ],
};

impl Volume {
    /// Index of the disk for a new container. `used`: bytes on each disk; `turn`: number of
    /// containers before; `bits`: random.
    pub fn next(self, used: &[u64], turn: u64, bits: [u64; 2]) -> usize {
        let any = |bits: u64| super::scaled(bits, used.len());
        let [a, b] = bits.map(any);
        match self {
            Volume::Random => a,
            Volume::RoundRobin => units::usize_of(turn % used.len() as u64),
            Volume::BetterOfTwo if used[b] < used[a] => b,
            Volume::BetterOfTwo => a,
        }
    }
}
