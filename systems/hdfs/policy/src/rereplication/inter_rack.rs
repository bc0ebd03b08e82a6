//! Inter-rack: limits copies between racks to what the uplinks carry; the rest stays inside racks.
//!
//! # What it decides
//! Order: inside one of HDFS's priorities, blocks whose survivors are all in one rack come first,
//! so that the uplinks always have work.
//!
//! How many: in each direction an uplink *carries* the copies that keep it full. That is twice its
//! rate over the rate of one copy between busy nodes, and at least one. Without the factor of two
//! it is a tenth empty, since a copy needs two uplinks and some copies are always ending. A copy
//! between racks is decided only if the source's uplink sends fewer and the target's uplink
//! receives fewer. Otherwise the block waits for the uplink, and copies inside racks get disks and
//! streams.
//!
//! Which: source and target as `least-loaded` (`tenbin explain least-loaded`). Copies between racks
//! choose among holders and nodes of racks with a free uplink.
//!
//! Edge rules. A block with one replica left waits for no uplink. If survivors are in several racks
//! and the source's rack has no fit node, the copy goes to another rack under the same limit. A
//! leaving holder in the target's rack uses no uplink and is not limited. Without counts of the
//! uplinks there is no limit.
//!
//! # When it helps
//! If uplinks are narrow. Without a limit, slow copies between racks fill the streams of their
//! sources, and disks idle that could copy inside their rack. It keeps the time that blocks are in
//! one rack as short as the priority alone does, at a lower cost.
//!
//! # What it costs
//! Two counters per rack. If uplinks are as wide as all their nodes together, it is `risk-first`.
//! If disks and uplinks are about equally narrow, the whole recovery takes longer than with
//! `least-loaded`, which mixes both kinds of copies from the start. If nearly all copies go between
//! racks, the uplink sets the time, whatever the order. Rounds look repeatedly at blocks that wait
//! for an uplink, and each look counts against the work multiplier. O(holders) and expected O(1)
//! draws; finding a target's rack with a free uplink is O(nodes) at worst.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, which names
//! the control of streams between racks as its future work.
use super::least_loaded::{record_copy, source, source_load, two_choices};
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Source, Survivors, scopes};
use crate::doc::own_doc;
use crate::placement::Scope;
use crate::{Dice, Fitness, View};
use cluster::{NodeId, RackId};
use units::u32_of;

#[derive(Clone, Copy, Debug)]
pub struct InterRack;

impl Rereplication for InterRack {
    fn name(&self) -> &'static str {
        "inter-rack"
    }
    fn doc(&self) -> &'static str {
        own_doc!("inter_rack.rs")
    }
    fn urgency(&self, lost: &LostBlock<'_>, view: View<'_>) -> u8 {
        u8::from(Survivors::of(lost, view) == Survivors::Spread)
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let unlimited = View { uplinks: &[], ..view };
        let view = if lost.live.len() <= 1 { unlimited } else { view };
        let must_cross = Survivors::of(lost, view) != Survivors::Spread;
        let shut = |s: &Source| must_cross && !may_leave(view.rack(s.node), view);
        let source = source(lost, |s| (shut(s), source_load(s.node, view, memory)))?;
        let choose = |scope| target(source, scope, lost, view, dice);
        let target = scopes::first_of(source, lost, view, choose)?;
        Ok(record_copy(source, target, memory))
    }
}

/// The less loaded of two nodes reachable through free uplinks. [`Refused::UplinkBusy`] if only
/// full uplinks prevent a target.
fn target(
    source: NodeId,
    scope: Scope,
    lost: &LostBlock<'_>,
    view: View<'_>,
    dice: &mut dyn Dice,
) -> Result<NodeId, Refused> {
    let from = view.rack(source);
    let open = |id| full(from, view.rack(id), view).is_none();
    let reachable = |id| if open(id) { scopes::fitness(id, lost, view) } else { Fitness::Unfit };
    match two_choices(scope, view, dice, reachable) {
        Err(Refused::NoTarget) => Err(held_up_by(from, scope, lost, view)),
        decided => decided,
    }
}

/// The refusal if no target has a free uplink.
fn held_up_by(from: RackId, scope: Scope, lost: &LostBlock<'_>, view: View<'_>) -> Refused {
    let inside = |id: &NodeId| scope.holds(view.rack(*id));
    let mut all = (0..u32_of(view.nodes.len())).map(NodeId).filter(inside);
    let shut = all.find_map(|id| match scopes::fitness(id, lost, view) {
        Fitness::Fit => full(from, view.rack(id), view),
        Fitness::Loaded | Fitness::Unfit => None,
    });
    shut.map_or(Refused::NoTarget, Refused::UplinkBusy)
}

/// The rack whose uplink is too full for one more copy `from` → `to`.
fn full(from: RackId, to: RackId, view: View<'_>) -> Option<RackId> {
    if from == to {
        None
    } else if !may_leave(from, view) {
        Some(from)
    } else {
        (!may_enter(to, view)).then_some(to)
    }
}

fn may_leave(rack: RackId, view: View<'_>) -> bool {
    view.uplinks.get(rack.at()).is_none_or(|uplink| uplink.leaving < uplink.carries)
}

fn may_enter(rack: RackId, view: View<'_>) -> bool {
    view.uplinks.get(rack.at()).is_none_or(|uplink| uplink.entering < uplink.carries)
}
