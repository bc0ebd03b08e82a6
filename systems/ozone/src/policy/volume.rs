//! Which of a node's disks a new container is put on.

/// A choice among a node's data disks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volume {
    /// Any, each as likely.
    Random,
    /// One after the other.
    RoundRobin,
    /// Of two at random the one with more room.
    BetterOfTwo,
}

/// Names of `policy.volume`, with the page of each.
pub static VOLUMES: [(&str, Volume, &str); 3] = [
    (
        "random",
        Volume::Random,
        "Any data disk, each as likely.\n\n# What it decides\nThe disk of each new container, by \
         chance.\n\n# When it helps\nA comparison: what the others are worth.\n\n# What it \
         costs\nWith few containers some disks get several and others none.\n\n# Reference\nNot in \
         Ozone.",
    ),
    (
        "round-robin",
        Volume::RoundRobin,
        "The data disks one after the other.\n\n# What it decides\nThe disk of each new container: \
         the one after that of the container before.\n\n# When it helps\nDisks of one size that \
         began empty.\n\n# What it costs\nIt does not look at room: disks of two sizes fill \
         unevenly.\n\n# Reference\nOzone's `RoundRobinVolumeChoosingPolicy`, \
         `hdds.datanode.volume.choosing.policy`.",
    ),
    (
        "better-of-two",
        Volume::BetterOfTwo,
        "Of two disks drawn at random, the one with more room.\n\n# What it decides\nThe disk of \
         each new container.\n\n# When it helps\nDisks that are full to different degrees: they \
         even out, and a new empty disk does not get every container.\n\n# What it costs\nTwo \
         containers that are opened together may meet on one disk.\n\n# Reference\nOzone's \
         `CapacityVolumeChoosingPolicy`, its default; the power of two choices (Mitzenmacher \
         2001).",
    ),
];

impl Volume {
    /// The choice of this name.
    pub fn named(name: &str) -> Option<Volume> {
        VOLUMES.iter().find(|(known, ..)| *known == name).map(|(_, volume, _)| *volume)
    }

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
