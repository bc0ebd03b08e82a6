//! Policies as pure functions of their input and random bits: placement of pipelines, leaders, and
//! the pipeline and disk of a write.
mod choice;
pub mod classes;
mod design;
mod even;
mod leader;
mod scm;
mod single;
mod volume;
pub use choice::{CHOICES, Choice};
pub use design::pairs;
pub(crate) use leader::place_in;
pub use leader::{LEADERS, leaders};
pub use scm::reopen;
pub use volume::{VOLUMES, Volume};

use crate::version::Racks;

/// Nodes of a pipeline, ascending.
pub type Trio = [u32; 3];

#[derive(Clone, Debug)]
pub struct Site {
    pub racks: Vec<u32>,
    /// Maximum number of pipelines per node.
    pub limit: u32,
    /// Maximum number of pipelines in the cluster.
    pub cap: u32,
    pub rule: Racks,
}

impl Site {
    /// Assigns nodes to racks round-robin.
    pub fn new(nodes: u32, racks: u32, limit: u32) -> Site {
        let racks = (0..nodes).map(|node| node % racks.max(1)).collect();
        Site { racks, limit, cap: u32::MAX, rule: Racks::TwoNear }
    }

    pub fn nodes(&self) -> u32 {
        units::u32_of(self.racks.len())
    }

    /// Maximum number of pipelines that SCM opens: ⌊limit · nodes / 3⌋, at most the cap
    /// (`RatisPipelineProvider.exceedPipelineNumberLimit`).
    pub fn max_pipelines(&self) -> u32 {
        self.most_of(self.nodes())
    }

    fn most_of(&self, nodes: u32) -> u32 {
        let open = u64::from(self.limit) * u64::from(nodes) / 3;
        u32::try_from(open).unwrap_or(u32::MAX).min(self.cap)
    }
}

/// Random bits for policies: SplitMix64 from a seed.
pub struct Dice(pub u64);

impl Dice {
    /// `n` is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u64
    }
}

/// Maps random bits to an index below `n`.
fn scaled(bits: u64, n: usize) -> usize {
    units::usize_of(((u128::from(bits) * n as u128) >> 64) as u64)
}

pub trait Placement: Sync {
    fn name(&self) -> &'static str;
    fn doc(&self) -> &'static str;
    /// The cluster with this policy's limit of pipelines per node.
    fn limited(&self, site: &Site) -> Site {
        site.clone()
    }
    fn max_pipelines(&self, site: &Site) -> u32 {
        self.limited(site).max_pipelines()
    }
    fn place(&self, site: &Site, dice: &mut Dice) -> Vec<Trio>;
}

pub static PLACEMENTS: [&dyn Placement; 5] =
    [&scm::Boot, &scm::Reopened, &even::Even, &single::Single, &single::One];

/// Page of "as-imported", which has no placement.
pub const AS_IMPORTED: &str = "The pipelines of a real cluster, as `tenbin import ozone` read \
                               them.\n\n# What it decides\nNothing: `cluster.pipelines` has their \
                               nodes and leaders.\n\n# When it helps\nTo compare another policy \
                               with the real cluster.\n\n# What it costs\nThe size of the cluster \
                               cannot be varied.\n\n# Reference\n`ozone admin pipeline list`.";

pub fn placement(name: &str) -> Option<&'static dyn Placement> {
    PLACEMENTS.into_iter().find(|policy| policy.name() == name)
}

/// Number of pipelines of each node.
pub fn counts(nodes: u32, pipelines: &[Trio]) -> Vec<u32> {
    let mut counts = vec![0; nodes as usize];
    pipelines.iter().flatten().for_each(|&node| counts[node as usize] += 1);
    counts
}
