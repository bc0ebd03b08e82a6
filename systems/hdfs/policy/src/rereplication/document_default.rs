//! Default of Higai et al. 2014: a random holder sends to a random node within the rack rule.
//!
//! # What it decides
//! Source: each surviving holder with the same probability. `document-default` draws among the
//! holders with a free stream, as HDFS skips the others. `document-default-waiting` draws once
//! among all holders and the block waits for the one drawn, as if every source had its list of
//! copies from the start.
//!
//! Target, survivors in several racks (state 1): a random node of the source's rack, or anywhere if
//! that has none. Survivors all in one rack (state 2): a random node of another rack, or of the
//! same rack if all others are full (not merely loaded).
//!
//! # When it helps
//! As the baseline of the ring under event-driven pacing, without the NameNode's round of three
//! seconds.
//!
//! # What it costs
//! Chance: some nodes send or receive much more than others and finish last. O(holders) and
//! expected O(1) draws.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, "default".
use super::{Copy, LostBlock, Memory, Refused, Rereplication, scopes};
use crate::doc::own_doc;
use crate::placement::draw_from;
use crate::{Dice, View};
use cluster::NodeId;
use units::usize_of;

/// Holders among which the source is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holders {
    /// Those with a free stream, drawn again at each attempt.
    Ready,
    /// All holders, drawn once per block.
    All,
}

#[derive(Clone, Copy, Debug)]
pub struct DocumentDefault {
    pub holders: Holders,
}

impl Rereplication for DocumentDefault {
    fn name(&self) -> &'static str {
        match self.holders {
            Holders::Ready => "document-default",
            Holders::All => "document-default-waiting",
        }
    }
    fn doc(&self) -> &'static str {
        own_doc!("document_default.rs")
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let source = match self.holders {
            Holders::Ready => among_ready(lost, dice)?,
            Holders::All => once_among_all(lost, memory, dice)?,
        };
        let target = target(source, lost, view, dice)?;
        memory.plan.discard(&lost.block);
        Ok(Copy { source, target })
    }
}

/// A random holder with a free stream; if none has one, the block waits for a random holder.
fn among_ready(lost: &LostBlock<'_>, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
    let ready = || lost.sources.iter().filter(|s| s.ready);
    match (ready().count() as u64, lost.sources.len() as u64) {
        (_, 0) => Err(Refused::NoSource),
        (0, all) => Err(Refused::SourceBusy(lost.sources[usize_of(dice.below(all))].node)),
        (n, _) => Ok(ready().nth(usize_of(dice.below(n))).expect("counted").node),
    }
}

/// The holder drawn at the first attempt while it holds the block, else a new draw.
fn once_among_all(
    lost: &LostBlock<'_>,
    memory: &mut Memory,
    dice: &mut dyn Dice,
) -> Result<NodeId, Refused> {
    let drawn = memory.plan.get(&lost.block).copied();
    let kept = lost.sources.iter().find(|s| Some(s.node) == drawn);
    let source = match (kept, lost.sources.len() as u64) {
        (Some(source), _) => source,
        (None, 0) => return Err(Refused::NoSource),
        (None, all) => &lost.sources[usize_of(dice.below(all))],
    };
    if drawn != Some(source.node) {
        memory.plan.insert(lost.block, source.node);
    }
    if source.ready { Ok(source.node) } else { Err(Refused::SourceBusy(source.node)) }
}

fn target(
    source: NodeId,
    lost: &LostBlock<'_>,
    view: View<'_>,
    dice: &mut dyn Dice,
) -> Result<NodeId, Refused> {
    let fitness = |id| scopes::fitness(id, lost, view);
    scopes::first_of(source, lost, view, |scope| draw_from(scope, view, dice, fitness))
}
