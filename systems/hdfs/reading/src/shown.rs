//! Which resources a page keeps in full.
use crate::moments::Moments;
use crate::series::Uses;
use crate::words::num;
use analysis::balance::hottest;
use hdfs_trace::{Trace, kind};
use page::Kind;
use trace::{KindRole, ResourceKind, ResourceRole};
use units::u32_of;

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
    pub ids: Vec<u32>,
    /// Ids in the trace by mean use during the repair, hottest first; those never used left out.
    pub hottest: Vec<u32>,
    /// Whether some were left out.
    pub reduced: bool,
}

impl Shown {
    /// All of a small trace, the hottest and the links of racks of a large one.
    pub fn of(trace: &Trace, uses: &Uses<'_>) -> Shown {
        let moments = Moments::of(trace);
        let (from, to) = (moments.declared.unwrap_or_default(), moments.repaired());
        let total = u32_of(trace.resources.len());
        let mean = |id| uses.utilisation(id, from, to).unwrap_or(0.0);
        let means: Vec<f64> = (0..total).map(mean).collect();
        let hottest: Vec<u32> = hottest(&means, HOTTEST).into_iter().map(u32_of).collect();
        let reduced = trace.resources.len() > ALL;
        let mut ids: Vec<u32> = if reduced { hottest.clone() } else { (0..total).collect() };
        // A rack's page shows both ways of its uplink, idle or not.
        ids.extend((0..total).filter(|&id| is_link(trace.resources[id as usize].kind)).take(LINKS));
        ids.sort_unstable();
        ids.dedup();
        Shown { ids, hottest, reduced }
    }

    /// The page's place of a resource; `None` where it was left out.
    pub fn place(&self, id: u32) -> Option<u32> {
        self.ids.binary_search(&id).ok().map(u32_of)
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
