//! Which surviving holder sends a lost replica, and where to.
pub mod both_ends;
mod disk_aware;
mod document_default;
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

/// A holder that may be asked to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    pub node: NodeId,
    /// Below its stream limits now. A busy source may be waited for, never used.
    pub ready: bool,
    /// Copies being read, or soon to be read, from the disk that its replica is on.
    pub disk_streams: u32,
}

impl Source {
    /// A holder with an idle disk.
    pub fn new(node: NodeId, ready: bool) -> Source {
        Source { node, ready, disk_streams: 0 }
    }
}

/// A block short of replicas (or of racks), with one copy to be made.
#[derive(Clone, Copy, Debug)]
pub struct LostBlock<'a> {
    pub block: BlockIndex,
    pub bytes: Bytes,
    pub expected: u16,
    /// Holders of live replicas, in storage order; behind them the targets that this same round has
    /// just chosen for the block, where it needs more than one copy (`chooseTargetInOrder` sees
    /// them as replicas too).
    pub live: &'a [NodeId],
    /// Readable holders, in storage order: live ones, and those on leaving nodes.
    pub sources: &'a [Source],
    /// Nodes that hold or are about to receive it in any state: never targets.
    pub taken: &'a [NodeId],
    /// Enough replicas, too few racks: only a target on a new rack helps.
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
    /// No readable replica is left.
    NoSource,
    /// The holder that must send (or every holder) is at its stream limit.
    SourceBusy(NodeId),
    /// Every node of the target rack (or the cluster) holds it, is full, dead or on its way out.
    NoTarget,
    /// Targets exist, but all are loaded above `considerLoad.factor` times the mean.
    TargetsLoaded,
    /// Targets exist, but this rack's uplink carries as many copies as it can.
    UplinkBusy(RackId),
    /// The ring leaves no eligible holder: each one's successor holds the block or cannot take it.
    /// For rings without an edge rule: those here go further along the ring instead.
    RingClosed,
    /// The policy wants this source, and the NameNode has drawn another.
    NotDrawn(NodeId),
}

/// What a policy remembers from block to block. The model owns it and can undo it.
#[derive(Rewind)]
pub struct Memory {
    /// I_i: copies sent by node i inside its rack (the only counter with one rack).
    pub inside: Array<u32>,
    /// O_i: copies sent by node i because they had to leave the survivors' rack.
    pub outside: Array<u32>,
    /// R_j: the round-robin cursor of target rack j.
    pub cursor: Array<u32>,
    /// Blocks promised to each rack by the rule that picks target racks.
    pub to_rack: Array<u32>,
    /// The sources that `plan` decided ahead,
    pub plan: Table<BlockIndex, NodeId>,
    /// and the targets, where the policy plans those too.
    pub planned_target: Table<BlockIndex, NodeId>,
    /// How often a block went back to its queue since another source was drawn.
    pub waited: Table<BlockIndex, u32>,
}

impl Memory {
    /// Of a cluster of so many nodes and racks, before the first decision.
    pub fn new(nodes: usize, racks: usize) -> Memory {
        let zeros = |n| std::iter::repeat_n(0, n).collect();
        let (inside, outside, cursor, to_rack) =
            (zeros(nodes), zeros(nodes), zeros(racks), zeros(racks));
        let (plan, planned_target, waited) = (Table::new(), Table::new(), Table::new());
        Memory { inside, outside, cursor, to_rack, plan, planned_target, waited }
    }
}

/// The seam: one implementor a file.
pub trait Rereplication: Send + Sync {
    /// As the scenario calls it.
    fn name(&self) -> &'static str;
    /// The doc comment of the implementor, with its fixed headings, for `tenbin explain`.
    fn doc(&self) -> &'static str;
    /// Looks at all blocks that one loss has made short, before the first is repaired.
    fn plan(&self, _lost: &[LostBlock<'_>], _view: View<'_>, _memory: &mut Memory) {}
    /// Blocks with a smaller value are taken first, inside one HDFS priority.
    fn urgency(&self, _lost: &LostBlock<'_>, _view: View<'_>) -> u8 {
        0
    }
    /// Source and target of one copy. Changes `memory` only where it decides; a refusal leaves it
    /// as it was, but for the name of a source that was drawn once and is waited for, and for how
    /// often a block was refused.
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused>;
}
