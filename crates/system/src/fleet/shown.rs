//! Resources that a page keeps in full.
use analysis::balance::hottest;
use page::words::num;
use std::collections::BTreeSet;
use trace::series::Series;
use trace::{ResourceId, ResourceKind, Trace};
use units::Nanos;

/// A page keeps up to this number of resources; of more it keeps the `HOTTEST`, and rack links.
const ALL: usize = 2_000;
const HOTTEST: usize = 200;
const LINKS: usize = 200;

pub(super) struct ShownResources {
    /// Ids in the trace, ascending, of resources with a known use.
    pub known: Vec<ResourceId>,
    /// The part of `known` with curves on the page, ascending.
    pub ids: Vec<ResourceId>,
    /// By mean use, highest first, without unused resources.
    pub hottest: Vec<ResourceId>,
    pub reduced: bool,
}

impl ShownResources {
    pub fn of(trace: &Trace, series: &Series<'_>, (from, to): (Nanos, Nanos)) -> ShownResources {
        let known = known(trace, series);
        let mean = |id: &ResourceId| series.utilisation(*id, from, to).unwrap_or(0.0);
        let means: Vec<f64> = known.iter().map(mean).collect();
        let hottest: Vec<ResourceId> =
            hottest(&means, HOTTEST).into_iter().map(|place| known[place]).collect();
        let reduced = known.len() > ALL;
        let mut ids: Vec<ResourceId> = if reduced { hottest.clone() } else { known.clone() };
        // A rack's page shows both directions of its uplink, even if idle.
        let is_link = |id: &&ResourceId| trace.resources[id.at()].node.is_none();
        ids.extend(known.iter().filter(is_link).take(LINKS));
        ids.sort_unstable();
        ids.dedup();
        ShownResources { known, ids, hottest, reduced }
    }

    /// "200 hottest of 4 800 resources shown"; `None`: all are shown.
    pub fn tag(&self) -> Option<String> {
        let (hottest, total) = (self.hottest.len() as f64, self.known.len() as f64);
        let tag = || format!("{} hottest of {} resources shown", num(hottest, 0), num(total, 0));
        self.reduced.then(tag)
    }
}

/// A kind without samples was idle if the trace has its capacities, and else is unknown.
fn known(trace: &Trace, series: &Series<'_>) -> Vec<ResourceId> {
    let all = || (0..trace.resources.len()).map(ResourceId::of);
    let kind = |id: ResourceId| trace.resources[id.at()].kind;
    let sampled: BTreeSet<ResourceKind> = all().filter(|id| series.known(*id)).map(kind).collect();
    let is_known = |id: &ResourceId| {
        trace.resources[id.at()].capacity.is_some() || sampled.contains(&kind(*id))
    };
    all().filter(is_known).collect()
}
