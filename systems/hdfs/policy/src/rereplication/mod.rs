//! Re-replication policies: which holder sends a lost replica, and to which node.
pub mod both_ends;
mod disk_aware;
mod document_default;
mod given;
mod hdfs1_default;
mod hdfs3_default;
mod inter_rack;
mod least_loaded;
mod min_max;
mod multi_rack_ring;
mod optimised;
mod rack_ring;
pub mod registry;
mod ring;
mod risk_first;
mod scopes;
pub mod semi_matching;
mod survivors;
mod with_jar;
pub use disk_aware::DiskAware;
pub use document_default::{DocumentDefault, Holders};
pub use given::give;
pub use hdfs1_default::Hdfs1Default;
pub use hdfs3_default::Hdfs3Default;
pub use inter_rack::InterRack;
pub use least_loaded::LeastLoaded;
pub use min_max::MinMax;
pub use multi_rack_ring::RingPriority;
pub use optimised::Optimised;
pub use ring::Ring;
pub use risk_first::RiskFirst;
pub use survivors::Survivors;
pub use with_jar::{WITH_JAR, WithJar};

use crate::{Dice, View};
use cluster::{BlockIndex, NodeId, RackId};
use rewind::{Array, Rewind, Table};
use units::Bytes;

/// A readable holder of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    pub node: NodeId,
    /// Below its stream limits now. A block may wait for a busy source.
    pub ready: bool,
    /// Copies being read, or decided, from the disk with its replica.
    pub disk_streams: u32,
}

impl Source {
    pub fn new(node: NodeId, ready: bool) -> Source {
        Source { node, ready, disk_streams: 0 }
    }
}

/// A block short of replicas or racks that needs one copy.
#[derive(Clone, Copy, Debug)]
pub struct LostBlock<'a> {
    pub block: BlockIndex,
    pub bytes: Bytes,
    pub expected: u16,
    /// Live holders in storage order, then targets already chosen in this round for the block's
    /// other copies (`chooseTargetInOrder` counts them as replicas).
    pub live: &'a [NodeId],
    /// Readable holders in storage order: live ones, and those on leaving nodes.
    pub sources: &'a [Source],
    /// Nodes that hold or will receive it, in any state: never targets.
    pub taken: &'a [NodeId],
    /// Enough replicas, too few racks: only a target in a new rack helps.
    pub only_rack: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copy {
    pub source: NodeId,
    pub target: NodeId,
}

/// Why there is no decision now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Refused {
    NoSource,
    /// The required holder, or every holder, is at its stream limit.
    SourceBusy(NodeId),
    /// Every node of the target rack (or cluster) holds it, is full, dead or leaving.
    NoTarget,
    /// Targets exist, but all are loaded above `considerLoad.factor` times the mean.
    TargetsLoaded,
    /// Targets exist, but this rack's uplink is at its limit of copies.
    UplinkBusy(RackId),
    /// Each holder's successor holds the block or cannot take it. For rings without an edge rule;
    /// the rings here continue along the ring instead.
    RingClosed,
    /// The policy wants this source, but the NameNode drew another.
    NotDrawn(NodeId),
}

/// Policy state between decisions; the model can undo it.
#[derive(Rewind)]
pub struct Memory {
    /// I_i: copies sent by node i inside its rack (the only counter with one rack).
    pub inside: Array<u32>,
    /// O_i: copies sent by node i because they had to leave the survivors' rack.
    pub outside: Array<u32>,
    /// R_j: round-robin cursor in target rack j.
    pub cursor: Array<u32>,
    /// Blocks assigned to each rack by the rule for target racks.
    pub to_rack: Array<u32>,
    /// Planned sources, from `plan`.
    pub plan: Table<BlockIndex, NodeId>,
    /// Planned targets, if the policy plans them.
    pub planned_target: Table<BlockIndex, NodeId>,
    /// Refusals of each block since it last got a copy.
    pub waited: Table<BlockIndex, u32>,
}

impl Memory {
    pub fn new(nodes: usize, racks: usize) -> Memory {
        let zeros = |n| std::iter::repeat_n(0, n).collect();
        let (inside, outside, cursor, to_rack) =
            (zeros(nodes), zeros(nodes), zeros(racks), zeros(racks));
        let (plan, planned_target, waited) = (Table::new(), Table::new(), Table::new());
        Memory { inside, outside, cursor, to_rack, plan, planned_target, waited }
    }
}

/// A re-replication policy.
pub trait Rereplication: Send + Sync {
    /// Value of `policy.rereplication` in a scenario.
    fn name(&self) -> &'static str;
    /// Module doc with its fixed headings, for `tenbin explain`.
    fn doc(&self) -> &'static str;
    /// Sees all blocks that one loss left short, before the first is repaired.
    fn plan(&self, _lost: &[LostBlock<'_>], _view: View<'_>, _memory: &mut Memory) {}
    /// Blocks with a smaller value come first, inside one HDFS priority.
    fn urgency(&self, _lost: &LostBlock<'_>, _view: View<'_>) -> u8 {
        0
    }
    /// Source and target of one copy. A refusal changes only `memory.plan` (a source drawn once for
    /// which the block waits) and `memory.waited`.
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused>;
}
