//! A policy as a real NameNode runs it with tenbin-hdfs.jar: Hadoop draws the source first.
//!
//! # What it decides
//! `ring+jar`, `ring-priority+jar` and `min-max+jar` are `ring`, `ring-priority` and `min-max` in a
//! `BlockPlacementPolicy`. Hadoop 3 requests the targets of one block at a time, with a source
//! drawn by its coins. If the policy agrees with the source, it returns the target. If it prefers
//! another, the block returns to its queue, which costs a slot in the round. After 16 returns
//! (`tenbin.rereplication.refusals`) a block gets a target of Hadoop's own choice, as do blocks for
//! which the policy has no node.
//!
//! Edge rules. A source that is no live replica counts as a holder only if it was drawn. Blocks do
//! not come in the policy's order. `min-max` plans each block at its first request, not all of a
//! loss at once. Of several missing replicas a round makes one.
//!
//! # When it helps
//! If the policy itself does and rounds have spare capacity: raise the multiplier with it.
//!
//! # What it costs
//! A third to a half of all requests end with a wait, in real NameNodes as here. If rounds limit
//! the repair and not disks, that is up to twice the time. A restart of the NameNodes.
//!
//! # Reference
//! Apache Hadoop 3.4 `BlockManager.computeReconstructionWorkForBlocks`; the jar is
//! `systems/hdfs/hadoop`, whose `Repairs.java` decides as this does.
use super::hdfs3_default;
use super::{Copy, LostBlock, Memory, MinMax, Refused, Rereplication, Ring, RingPriority, Source};
use crate::doc::own_doc;
use crate::placement::Generation;
use crate::{Dice, View};
use cluster::NodeId;

/// `tenbin.rereplication.refusals`
const REFUSALS: u32 = 16;

#[derive(Clone, Copy)]
pub struct WithJar {
    name: &'static str,
    policy: &'static (dyn Rereplication + 'static),
}

/// The policies of tenbin-hdfs.jar.
pub static WITH_JAR: [WithJar; 3] = [
    WithJar { name: "ring+jar", policy: &Ring },
    WithJar { name: "ring-priority+jar", policy: &RingPriority },
    WithJar { name: "min-max+jar", policy: &MinMax },
];

impl WithJar {
    /// `tenbin.rereplication`
    pub fn setting(&self) -> &'static str {
        match self.policy.name() {
            "ring-priority" => "multi-rack-ring",
            "min-max" => "joint",
            same => same,
        }
    }
}

impl Rereplication for WithJar {
    fn name(&self) -> &'static str {
        self.name
    }
    fn doc(&self) -> &'static str {
        own_doc!("with_jar.rs")
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let drawn = hdfs3_default::source(lost, view, dice)?;
        let refused = match self.ask(lost, drawn, view, memory, dice) {
            Ok(copy) => {
                memory.waited.discard(&lost.block);
                return Ok(copy);
            }
            Err(refused) => refused,
        };
        let for_hadoop =
            matches!(refused, Refused::NoSource | Refused::NoTarget | Refused::RingClosed);
        if !for_hadoop && may_wait(lost, memory) {
            return Err(refused);
        }
        memory.waited.discard(&lost.block);
        let target = hdfs3_default::target(drawn, lost, Generation::Hdfs3, view, dice)?;
        Ok(Copy { source: drawn, target })
    }
}

impl WithJar {
    /// Runs the policy with `drawn` as the only ready source.
    fn ask(
        &self,
        lost: &LostBlock<'_>,
        drawn: NodeId,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let is_second = lost.sources.len() == 1 && lost.live.len() > 1;
        if is_second {
            return Err(Refused::NotDrawn(drawn));
        }
        let of = |node: &NodeId| Source::new(*node, *node == drawn);
        let mut sources: Vec<Source> = lost.live.iter().map(of).collect();
        if !lost.live.contains(&drawn) {
            sources.push(of(&drawn))
        }
        let asked = LostBlock { sources: &sources, ..*lost };
        if !memory.plan.contains(&lost.block) {
            self.policy.plan(std::slice::from_ref(&asked), view, memory)
        }
        self.policy.repair(&asked, view, memory, dice).map_err(|refused| match refused {
            Refused::SourceBusy(wanted) => Refused::NotDrawn(wanted),
            other => other,
        })
    }
}

/// Counts a refusal; false after [`REFUSALS`].
fn may_wait(lost: &LostBlock<'_>, memory: &mut Memory) -> bool {
    let waited = memory.waited.get(&lost.block).copied().unwrap_or(0);
    memory.waited.insert(lost.block, waited + 1);
    waited < REFUSALS
}
