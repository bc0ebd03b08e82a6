//! Resources that a page keeps in full.
use crate::moments::Moments;
use crate::words::num;
use analysis::balance::hottest;
use hdfs_trace::{ResourceId, Trace, kind};
use page::Kind;
use trace::series::Series;
use trace::{KindRole, ResourceKind, ResourceRole};

/// A page keeps up to this number of resources; of more it keeps the `HOTTEST`, and rack links.
pub const ALL: usize = 2_000;
pub const HOTTEST: usize = 200;
const LINKS: usize = 200;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownResources {
    /// Ids in the trace, ascending.
    pub ids: Vec<ResourceId>,
    /// By mean use during the repair, highest first, without unused resources.
    pub hottest: Vec<ResourceId>,
    pub reduced: bool,
}

impl ShownResources {
    pub fn of(trace: &Trace, uses: &Series<'_>) -> ShownResources {
        let moments = Moments::of(trace);
        let (from, to) = (moments.declared.unwrap_or_default(), moments.repaired());
        let all = || (0..trace.resources.len()).map(ResourceId::of);
        let mean = |id| uses.utilisation(id, from, to).unwrap_or(0.0);
        let means: Vec<f64> = all().map(mean).collect();
        let hottest: Vec<ResourceId> =
            hottest(&means, HOTTEST).into_iter().map(ResourceId::of).collect();
        let reduced = trace.resources.len() > ALL;
        let mut ids: Vec<ResourceId> = if reduced { hottest.clone() } else { all().collect() };
        // A rack's page shows both directions of its uplink, even if idle.
        ids.extend(all().filter(|id| is_link(trace.resources[id.at()].kind)).take(LINKS));
        ids.sort_unstable();
        ids.dedup();
        ShownResources { ids, hottest, reduced }
    }

    /// "200 hottest of 4 800 resources shown"; `None`: all are shown.
    pub fn tag(&self, trace: &Trace) -> Option<String> {
        let (hottest, total) = (self.hottest.len() as f64, trace.resources.len() as f64);
        let tag = || format!("{} hottest of {} resources shown", num(hottest, 0), num(total, 0));
        self.reduced.then(tag)
    }
}

fn is_link(kind: ResourceKind) -> bool {
    matches!(kind, kind::UPLINK_OUT | kind::UPLINK_IN | kind::INTER_RACK_LINK)
}

/// Colour of a resource kind.
pub fn hue(kind: &trace::Kind) -> Kind {
    match kind.role {
        KindRole::Resource(ResourceRole::Disk) => Kind::Disk,
        _ => Kind::Network,
    }
}
