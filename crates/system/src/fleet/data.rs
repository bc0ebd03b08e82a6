//! The data from which the UI builds the pages of racks and nodes.
use super::heat::heat;
use super::usage::{Usage, whole_percent};
use crate::reporter::Case;
use page::{Envelope, Fleet, FleetNode, FleetResource, Kind, Page};
use std::collections::BTreeMap;
use trace::{RackId, ResourceId};
use units::{Nanos, u32_of};

/// Fewer nodes need no pages of their own.
const LEAST: usize = 3;

/// Adds racks and nodes, and the heat map as section number `place`, unless the system has added
/// its own or the trace has the use of fewer than [`LEAST`] nodes.
pub(crate) fn with_cluster(case: &Case<'_>, mut page: Page, place: usize) -> Page {
    if page.fleet.is_some() {
        return page;
    }
    let usage = Usage::of(case.trace, (Nanos::ZERO, case.now().window.1), case.first_run());
    if usage.known_nodes() < LEAST {
        return page;
    }
    page.sections.insert(place, heat(&usage, |_| false));
    page.fleet(fleet(&usage, "since the start"))
}

/// `since`: time 0 in words. Without operations.
pub fn fleet(usage: &Usage<'_>, since: &str) -> Fleet {
    let (trace, shown, bins) = (usage.trace, &usage.shown, usage.bins());
    let node = |node: &trace::Node| FleetNode {
        name: node.name.clone(),
        rack: u32_of(node.rack.map_or(0, RackId::at)),
        alive: node.alive,
        sent_bytes: 0,
        received_bytes: 0,
    };
    let used = |id: &ResourceId| percents(&usage.series.utilisation_in(*id, &bins));
    Fleet {
        of: usage.of.clone(),
        since: since.into(),
        tags: shown.tag().into_iter().collect(),
        racks: trace.racks.clone(),
        nodes: trace.nodes.iter().map(node).collect(),
        resources: shown.ids.iter().map(|id| resource(usage, *id)).collect(),
        cell_s: bins.width.as_secs(),
        usage: shown.ids.iter().map(used).collect(),
        envelopes: if shown.reduced { envelopes(usage) } else { Vec::new() },
        ..Fleet::default()
    }
}

fn resource(usage: &Usage<'_>, id: ResourceId) -> FleetResource {
    let resource = usage.resource(id);
    let is_rate = usage.trace.resource_kind(id).unit.as_deref() == Some("bytes/s");
    FleetResource {
        name: resource.name.clone(),
        kind: usage.hue(resource),
        node: resource.node.map(|node| u32_of(node.at())),
        rack: resource.rack.map(|rack| u32_of(rack.at())),
        capacity: resource.capacity.filter(|_| is_rate).unwrap_or(0),
    }
}

/// Integer percent; empty if all are 0.
fn percents(cells: &[f64]) -> Vec<u8> {
    let percents: Vec<u8> = cells.iter().map(|&u| whole_percent(u)).collect();
    if percents.iter().all(|&p| p == 0) { Vec::new() } else { percents }
}

/// Mean and maximum use of each rack's resources by hue; a cluster without racks is one.
fn envelopes(usage: &Usage<'_>) -> Vec<Envelope> {
    let bins = usage.bins();
    let mut all: BTreeMap<(u32, Kind), CellSums> = BTreeMap::new();
    for &id in &usage.shown.known {
        let resource = usage.resource(id);
        let alone = usage.trace.racks.is_empty().then_some(0);
        let Some(rack) = usage.rack(resource).or(alone) else { continue };
        let sums = all.entry((u32_of(rack), usage.hue(resource)));
        let sums = sums.or_insert_with(|| CellSums::new(bins.count));
        sums.add(usage.series.utilisation_in(id, &bins));
    }
    let envelope = |((rack, kind), sums): ((u32, Kind), CellSums)| {
        let n = f64::from(sums.members);
        let mean: Vec<f64> = sums.sum.iter().map(|sum| sum / n).collect();
        let (mean, max) = (percents(&mean), percents(&sums.max));
        Envelope { rack, kind, members: sums.members, mean, max }
    };
    all.into_iter().map(envelope).collect()
}

/// Sum and maximum over rows of cells.
struct CellSums {
    members: u32,
    sum: Vec<f64>,
    max: Vec<f64>,
}

impl CellSums {
    fn new(cells: usize) -> CellSums {
        CellSums { members: 0, sum: vec![0.0; cells], max: vec![0.0; cells] }
    }

    fn add(&mut self, cells: Vec<f64>) {
        self.members += 1;
        for (cell, used) in cells.into_iter().enumerate() {
            self.sum[cell] += used;
            self.max[cell] = self.max[cell].max(used);
        }
    }
}
