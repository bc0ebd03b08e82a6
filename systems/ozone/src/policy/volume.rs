//! Which of a node's disks a new container is put on.
use system::policy::{Policies, Policy};

/// A choice among a node's data disks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volume {
    Random,
    RoundRobin,
    /// Of two at random the one with more room.
    BetterOfTwo,
}

/// Names of `policy.volume`, with the page of each.
pub static VOLUMES: Policies<Volume> = Policies {
    key: "policy.volume",
    all: &[
        Policy::new("random", "Any data disk, each as likely.", Volume::Random)
            .decides("The disk of each new container, by chance.")
            .helps("A comparison: what the others are worth.")
            .costs("With few containers some disks get several and others none.")
            .reference("Not in Ozone."),
        Policy::new("round-robin", "The data disks one after the other.", Volume::RoundRobin)
            .decides("The disk of each new container: the one after that of the container before.")
            .helps("Disks of one size that began empty.")
            .costs("It does not look at room: disks of two sizes fill unevenly.")
            .reference(
                "Ozone's `RoundRobinVolumeChoosingPolicy`, `hdds.datanode.volume.choosing.policy`.",
            ),
        Policy::new(
            "better-of-two",
            "Of two disks drawn at random, the one with more room.",
            Volume::BetterOfTwo,
        )
        .decides("The disk of each new container.")
        .helps(
            "Disks that are full to different degrees: they even out, and a new empty disk \
                 does not get every container.",
        )
        .costs("Two containers that are opened together may meet on one disk.")
        .reference(
            "Ozone's `CapacityVolumeChoosingPolicy`, its default; the power of two choices \
                 (Mitzenmacher 2001).",
        ),
    ],
};

impl Volume {
    /// The place of the disk for a new container, of disks that hold so many bytes each; `turn`
    /// counts the containers before, `bits` are two random numbers.
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
