//! Which resources a page keeps in full.
use crate::moments::Moments;
use crate::words::num;
use analysis::balance::hottest;
use hdfs_trace::{ResourceId, Trace, kind};
use page::Kind;
use trace::series::Series;
use trace::{KindRole, ResourceKind, ResourceRole};

/// Up to here all are kept.
pub const ALL: usize = 2_000;
/// Above it so many, and the links of racks.
pub const HOTTEST: usize = 200;
/// Most of those.
const LINKS: usize = 200;

/// The resources that a page keeps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Ids in the trace, in the page's order (ascending).
    pub ids: Vec<ResourceId>,
    /// Ids in the trace by mean use during the repair, hottest first; those never used left out.
    pub hottest: Vec<ResourceId>,
    pub reduced: bool,
}

impl Shown {
    /// All of a small trace, the hottest and the links of racks of a large one.
    pub fn of(trace: &Trace, uses: &Series<'_>) -> Shown {
        let moments = Moments::of(trace);
        let (from, to) = (moments.declared.unwrap_or_default(), moments.repaired());
        let all = || (0..trace.resources.len()).map(ResourceId::of);
        let mean = |id| uses.utilisation(id, from, to).unwrap_or(0.0);
        let means: Vec<f64> = all().map(mean).collect();
        let hottest: Vec<ResourceId> =
            hottest(&means, HOTTEST).into_iter().map(ResourceId::of).collect();
        let reduced = trace.resources.len() > ALL;
        let mut ids: Vec<ResourceId> = if reduced { hottest.clone() } else { all().collect() };
        // A rack's page shows both ways of its uplink, idle or not.
        ids.extend(all().filter(|id| is_link(trace.resources[id.at()].kind)).take(LINKS));
        ids.sort_unstable();
        ids.dedup();
        Shown { ids, hottest, reduced }
    }

    /// "200 hottest of 4 800 resources shown", where some were left out.
    pub fn tag(&self, trace: &Trace) -> Option<String> {
        let (hottest, total) = (self.hottest.len() as f64, trace.resources.len() as f64);
        let tag = || format!("{} hottest of {} resources shown", num(hottest, 0), num(total, 0));
        self.reduced.then(tag)
    }
}

fn is_link(kind: ResourceKind) -> bool {
    matches!(kind, kind::UPLINK_OUT | kind::UPLINK_IN | kind::INTER_RACK_LINK)
}

/// The hue of a kind of resource.
pub fn hue(kind: &trace::Kind) -> Kind {
    match kind.role {
        KindRole::Resource(ResourceRole::Disk) => Kind::Disk,
        _ => Kind::Network,
    }
}
