//! Inter-rack: as many copies between racks at a time as the uplinks carry, the rest inside racks.
//!
//! # What it decides
//! Order: blocks whose survivors all stand in one rack come first inside one of HDFS's priorities,
//! so that the uplinks are never without work.
//!
//! How many: each way an uplink *carries* as many copies as keep it full, which is twice its rate
//! over that of one copy between busy nodes, and at least one. (Just as many as fill it leave it a
//! tenth empty: a copy needs room at two uplinks, and some are always just ending.) A copy that
//! must cross is decided only where the uplink of the source's rack sends fewer than that and the
//! uplink of the target's rack receives fewer; else the block waits for the uplink, and disks and
//! streams go to copies that stay in a rack.
//!
//! Which: source and target as `least-loaded` (`tenbin explain least-loaded`); where copies must
//! cross, among the holders and the nodes of racks whose uplinks have room.
//!
//! Edge rules. A block with one replica left waits for no uplink. Survivors in several racks, and
//! the source's rack has no fitting node: the copy must cross, with the same limit. A leaving
//! holder in the target's rack crosses nothing and is not limited. Where nobody counts what crosses
//! the uplinks there is no limit.
//!
//! # When it helps
//! Where uplinks are narrow: without a limit the slow copies across them fill the streams of their
//! sources, and disks idle that could copy inside their rack. It has the priority's short time in
//! one rack for less than that costs.
//!
//! # What it costs
//! Two counters a rack. With uplinks as wide as all their nodes together it is `risk-first`. The
//! whole recovery takes longer than that of `least-loaded`, which mixes both kinds of copies from
//! the start, as long as disks and uplinks are about equally narrow. Where nearly all copies must
//! cross, the uplink decides how long that takes, whatever the order. Rounds look again and again
//! at blocks that wait for an uplink, and each look counts against the work multiplier. O(holders)
//! and expected O(1) draws; where a target's rack must be found with its uplink free, O(nodes) at
//! worst.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, which names
//! the control of streams between racks as its future work.
use super::least_loaded::{decided, source, two_choices, work};
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Source, Survivors, scopes};
use crate::doc::own_doc;
use crate::placement::Scope;
use crate::{Dice, Fitness, View};
use cluster::{NodeId, RackId};
use units::u32_of;

/// See the module's doc.
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
        let source = source(lost, |s| (shut(s), work(s.node, view, memory)))?;
        let choose = |scope| target(source, scope, lost, view, dice);
        let target = scopes::first_of(source, lost, view, choose)?;
        Ok(decided(source, target, memory))
    }
}

/// The less loaded of two in racks that the copy may go to; refused with the rack whose uplink is
/// full, where that is all that is in the way.
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

/// Why there is no target behind an open uplink.
fn held_up_by(from: RackId, scope: Scope, lost: &LostBlock<'_>, view: View<'_>) -> Refused {
    let inside = |id: &NodeId| scope.holds(view.rack(*id));
    let mut all = (0..u32_of(view.nodes.len())).map(NodeId).filter(inside);
    let shut = all.find_map(|id| match scopes::fitness(id, lost, view) {
        Fitness::Fit => full(from, view.rack(id), view),
        Fitness::Loaded | Fitness::Unfit => None,
    });
    shut.map_or(Refused::NoTarget, Refused::UplinkBusy)
}

/// The rack whose uplink has no room for one more copy from rack to rack.
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
