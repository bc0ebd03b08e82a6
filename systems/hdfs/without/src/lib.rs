//! How long a repair would take without one of the things that hold it up: foretold from the trace
//! of the run, by going through its copies once more.
//!
//! ```text
//!  trace ──► copies: block, source, targets, bytes, when chosen, how soon begun and heard of
//!              │
//!              ▼  once more, under all limits but one
//!   queue ─ rounds ─ heartbeats, or free streams ─► flows that share what is left ─► the end
//! ```
//! No model is asked and nothing is drawn. Each copy keeps its source unless that has its limit of
//! copies where another holder has not, and its target unless a source in another rack sends inside
//! its own. What chance would do otherwise is not foretold, so that means over seeds are: how well,
//! `systems/hdfs/docs/replay.md` says.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod agenda;
mod copies;
mod left;
mod network;
mod queue;
mod rounds;
mod streams;

use copies::Block;
use hardware::Resources;
use hdfs_scenario::{BlockMap, Event, EventKind, Pacing, Scenario};
use hdfs_trace::Trace;
pub use left::Away;
use left::Left;
use units::Nanos;

/// A replay of what was that is further off than this, as a part of the whole, explains nothing.
const FAITHFUL: f64 = 0.05;

/// The repair's end without each \[s from the declaration\]; nothing where [`Repair::of`] has none.
pub fn at_best(scenario: &Scenario, map: &BlockMap, trace: &Trace) -> Vec<(Away, f64)> {
    let repair = Repair::of(scenario, map, trace);
    let ends = |repair: Repair<'_>| repair.all().map(|away| (away, repair.without(away))).collect();
    repair.map(ends).unwrap_or_default()
}

/// A repair that comes out in a replay as it did.
pub struct Repair<'a> {
    scenario: &'a Scenario,
    trace: &'a Trace,
    blocks: Vec<Block>,
    resources: Resources,
    /// When the loss was declared, how long the repair took, and takes in its replay \[s\].
    declared: f64,
    took: f64,
    replayed: f64,
}

impl<'a> Repair<'a> {
    /// `None` where something happened that the replay does not know (groups, clients, the
    /// balancer, copies that came to nothing), or where it does not come out as the run did.
    pub fn of(scenario: &'a Scenario, map: &BlockMap, trace: &'a Trace) -> Option<Repair<'a>> {
        let about = |key: &str| trace.about(key)?.parse::<f64>().ok();
        let (declared, redundant) = (about("declared_s")?, about("redundant_s")?);
        let alone = scenario.foreground.is_none() && scenario.balancer.is_none();
        let is_loss = |event: &Event| matches!(event.kind, EventKind::NodeLost(_));
        let alone = alone && scenario.events.iter().all(is_loss);
        let steady = trace.capacities.is_empty() && !scenario.model.latency_weights;
        let took = redundant - declared;
        if !alone || !steady || took <= 0.0 {
            return None;
        }
        let (blocks, resources) = (copies::of(trace, map)?, left::resources(scenario));
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

    pub fn all(&self) -> impl Iterator<Item = Away> + use<> {
        Away::of(self.scenario.policy.pacing)
    }

    /// Its end without one thing \[s from the declaration\].
    pub fn without(&self, away: Away) -> f64 {
        if !left::is_waited_for(self.trace, away) {
            return self.took;
        }
        let then = self.replay(Some(away)).end.as_secs() - self.declared;
        // Scaled by how far the replay of the run as it was is off.
        self.took * then / self.replayed
    }

    fn replay(&self, away: Option<Away>) -> Replayed {
        let left = Left::new(self.scenario, self.trace, away);
        match left.pacing {
            Pacing::EventDriven => streams::replay(&self.blocks, &self.resources, &left),
            Pacing::Hdfs1 | Pacing::Hdfs3 => rounds::replay(&self.blocks, &self.resources, &left),
        }
    }
}

struct Replayed {
    /// When the NameNode knew the last copy.
    end: Nanos,
    /// Of each block, whether some holder could not send it when it was chosen.
    forced: Vec<bool>,
}
