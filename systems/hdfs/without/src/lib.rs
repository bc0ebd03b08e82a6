//! Predicts how long a repair would take without one resource or limit: it replays the copies in
//! the trace of a run.
//!
//! ```text
//!  trace ──► copies: block, source, targets, bytes, when chosen, delays to start and report
//!              │
//!              ▼  replayed without one limit
//!   queue ─ rounds ─ heartbeats, or free streams ─► flows share the remaining resources ─► the end
//! ```
//! Nothing is drawn at random. A copy keeps its source unless that one is at its limit and another
//! holder is not. It keeps its target unless a source in another rack sends inside its own rack.
//! Predict means over seeds, not single runs; `systems/hdfs/docs/replay.md` has the accuracy.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod agenda;
mod copies;
mod limits;
mod network;
mod queue;
mod rounds;
mod streams;

use cluster::Network;
use copies::Block;
use hardware::Resources;
use hdfs_scenario::{BlockMap, Event, EventKind, Pacing, Scenario, SourcesChosen};
use hdfs_trace::Trace;
use limits::RemainingLimits;
pub use limits::RemovedLimit;
use units::Nanos;

/// Largest error of the replay without changes, as a part of the repair time.
const FAITHFUL: f64 = 0.05;

/// Predicted repair time without each \[s from the declaration\]; empty where [`Repair::of`] is
/// `None`.
pub fn times_without_each(
    scenario: &Scenario,
    map: &BlockMap,
    trace: &Trace,
) -> Vec<(RemovedLimit, f64)> {
    let repair = Repair::of(scenario, map, trace);
    let ends = |repair: Repair<'_>| {
        repair.all().map(|away| (away, repair.predict_without(away))).collect()
    };
    repair.map(ends).unwrap_or_default()
}

/// A repair whose replay takes as long as the run did, within `FAITHFUL`.
pub struct Repair<'a> {
    scenario: &'a Scenario,
    trace: &'a Trace,
    blocks: Vec<Block>,
    resources: Resources,
    /// When the loss was declared \[s\].
    declared: f64,
    /// Repair time in the run and in its replay \[s\].
    took: f64,
    replayed: f64,
}

impl<'a> Repair<'a> {
    /// `None` if the replay misses the repair time by more than `FAITHFUL`, or if the trace has
    /// what a replay lacks. That is block groups, clients, the balancer, other events, and failed
    /// copies.
    pub fn of(scenario: &'a Scenario, map: &BlockMap, trace: &'a Trace) -> Option<Repair<'a>> {
        let about = |key: &str| trace.about(key)?.parse::<f64>().ok();
        let (declared, redundant) = (about("declared_s")?, about("redundant_s")?);
        let alone = scenario.foreground.is_none() && scenario.balancer.is_none();
        let is_loss = |event: &Event| matches!(event.kind, EventKind::NodeLost(_));
        let alone = alone && scenario.events.iter().all(is_loss);
        let steady = trace.capacities.is_empty() && scenario.model.network == Network::Fair;
        let at_start = scenario.policy.sources_chosen == SourcesChosen::AtStart;
        let took = redundant - declared;
        if !alone || !steady || !at_start || took <= 0.0 {
            return None;
        }
        let (blocks, resources) = (copies::of(trace, map)?, limits::resources(scenario));
        let mut repair =
            Repair { scenario, trace, blocks, resources, declared, took, replayed: took };
        let as_it_was = repair.replay(None);
        repair.replayed = as_it_was.end.as_secs() - declared;
        if (repair.replayed - took).abs() > FAITHFUL * took {
            return None;
        }
        for (block, forced) in repair.blocks.iter_mut().zip(&as_it_was.forced) {
            block.forced = *forced
        }
        Some(repair)
    }

    pub fn all(&self) -> impl Iterator<Item = RemovedLimit> + use<> {
        RemovedLimit::of(self.scenario.policy.pacing)
    }

    /// Predicted repair time \[s from the declaration\].
    pub fn predict_without(&self, away: RemovedLimit) -> f64 {
        if !limits::is_waited_for(self.trace, away) {
            return self.took;
        }
        let then = self.replay(Some(away)).end.as_secs() - self.declared;
        // Corrects the error of the replay without changes.
        self.took * then / self.replayed
    }

    fn replay(&self, away: Option<RemovedLimit>) -> ReplayResult {
        let left = RemainingLimits::new(self.scenario, self.trace, away);
        match left.pacing {
            Pacing::EventDriven => streams::replay(&self.blocks, &self.resources, &left),
            Pacing::Hdfs1 | Pacing::Hdfs3 => rounds::replay(&self.blocks, &self.resources, &left),
        }
    }
}

struct ReplayResult {
    /// When the NameNode received the report of the last copy.
    end: Nanos,
    /// Per block: some holder was at its limit when the last copy was chosen.
    forced: Vec<bool>,
}
