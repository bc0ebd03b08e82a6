//! The heat map: one row per rack for disks and one for uplinks, then the hottest resources.
use crate::context::Context;
use crate::fleet::{self, Paths};
use crate::moments::Moments;
use crate::shown_resources::{ShownResources, hue};
use crate::words::{NB, num};
use analysis::Bins;
use hdfs_trace::{RackId, Resource, ResourceId, Trace, kind, rack};
use page::{Axis, Body, Heat, HeatGroup, HeatRow, Kind, Section};
use std::collections::BTreeMap;
use trace::ResourceKind;
use trace::series::Series;

const CELLS: usize = 60;
const ROWS: usize = 20;

struct Members {
    name: String,
    resources: Vec<ResourceId>,
    strong: bool,
    open: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Statistic {
    Mean,
    Busier,
}

struct Map<'a> {
    context: &'a Context,
    trace: &'a Trace,
    uses: &'a Series<'a>,
    bins: Bins,
    paths: Paths,
}

/// `of`: the run, such as "seed 1, now". Rows link to their rack or node.
pub fn heat(
    context: &Context,
    trace: &Trace,
    uses: &Series<'_>,
    shown: &ShownResources,
    of: &str,
) -> Section {
    let moments = Moments::of(trace);
    let declared = moments.declared.unwrap_or_default();
    let bins = Bins::round(declared, moments.repaired(), CELLS);
    let map = Map { context, trace, uses, bins, paths: Paths::of(trace) };
    let fine = fleet::bins(&moments);
    let groups = map.groups(shown, &fine);
    let each = |bins: &Bins| match bins.width.as_secs() {
        1.0 => "each second".into(),
        other => format!("each {other}{NB}s"),
    };
    let peaks = match fine.width == bins.width {
        true => String::new(),
        false => format!(", peaks {}", each(&fine)),
    };
    let of = match moments.repaired() > declared {
        true => format!("{}{peaks}, {of}", each(&bins)),
        // A run of zero length has no bins.
        false => of.into(),
    };
    let rows = || groups.iter().flat_map(|group| &group.rows);
    let cells = rows().map(|row| row.cells.len()).max();
    let idle = rows().all(|row| row.cells.iter().all(|&busy| busy == 0.0));
    let body = Body::Heat(Heat {
        x: Axis::time(0.0, cells.unwrap_or(0) as f64 * bins.width.as_secs()),
        cell: bins.width.as_secs(),
        word: "busy".into(),
        groups,
        moments: Vec::new(),
    });
    let section = Section::new("heat", "Busy", of, body);
    match (cells, idle) {
        (None, _) => section.empty(
            "Use of disks and links is unknown: logs do not have it, or the run kept no series.",
            "",
        ),
        (_, true) => section.empty("No disk and no link carried a copy.", ""),
        _ => section,
    }
}

impl Map<'_> {
    fn groups(&self, shown: &ShownResources, fine: &Bins) -> Vec<HeatGroup> {
        let is_disk = |kind| matches!(kind, kind::DISK | kind::DISK_WRITE);
        let is_uplink = |kind| matches!(kind, kind::UPLINK_OUT | kind::UPLINK_IN);
        let (disks, uplinks) = (self.by_rack(is_disk), self.by_rack(is_uplink));
        let title = format!("Disks: mean of {}", members(&disks));
        let groups = [
            (title, disks, Statistic::Mean),
            ("Uplinks: the busier way".into(), uplinks, Statistic::Busier),
            ("Links between racks".into(), self.links(), Statistic::Mean),
        ];
        let groups = groups.into_iter().filter(|(_, members, _)| !members.is_empty());
        let groups = groups.map(|(title, members, of)| self.group(title, &members, of));
        groups.chain(std::iter::once(self.hottest(shown, fine))).collect()
    }

    /// Resources of live nodes, and of racks themselves.
    fn by_rack(&self, is: impl Fn(ResourceKind) -> bool) -> Vec<Members> {
        let mut racks: BTreeMap<usize, Vec<ResourceId>> = BTreeMap::new();
        for (id, resource) in self.trace.resources.iter().enumerate() {
            let live = self.lives(resource);
            if let (true, true, Some(rack)) = (is(resource.kind), live, self.rack(resource)) {
                racks.entry(rack).or_default().push(ResourceId::of(id));
            }
        }
        let row = |(rack, resources): (usize, Vec<ResourceId>)| Members {
            name: self.trace.racks[rack].clone(),
            resources,
            strong: self.is_lost(rack),
            open: Some(self.paths.rack(rack)),
        };
        racks.into_iter().map(row).collect()
    }

    fn links(&self) -> Vec<Members> {
        let all = self.trace.resources.iter().enumerate();
        let links = all.filter(|(_, resource)| resource.kind == kind::INTER_RACK_LINK);
        let row = |(id, resource): (usize, &Resource)| Members {
            name: resource.name.clone(),
            resources: vec![ResourceId::of(id)],
            strong: false,
            open: None,
        };
        links.map(row).collect()
    }

    /// The rack of a resource, directly or by its node.
    fn rack(&self, resource: &Resource) -> Option<usize> {
        let of_node = || resource.node.map(|n| rack(&self.trace.nodes[n.at()]));
        resource.rack.map(RackId::at).or_else(of_node)
    }

    fn lives(&self, resource: &Resource) -> bool {
        resource.node.is_none_or(|n| self.trace.nodes[n.at()].alive)
    }

    /// True if an event loses something in the rack.
    fn is_lost(&self, rack: usize) -> bool {
        let name = &self.trace.racks[rack];
        self.context.lost.iter().any(|lost| lost.rack == *name)
    }

    fn hue(&self, resource: &Resource) -> Kind {
        hue(&self.trace.kinds[resource.kind.at()])
    }

    fn group(&self, title: String, members: &[Members], of: Statistic) -> HeatGroup {
        let total = members.len();
        let rows = members.iter().map(|members| self.row(members, of));
        let mut rows: Vec<(usize, HeatRow)> = rows.enumerate().collect();
        let mut title = title;
        if total > ROWS {
            rows.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean).then(a.0.cmp(&b.0)));
            rows.truncate(ROWS);
            rows.sort_by_key(|(place, _)| *place);
            title = format!("{title}; the {ROWS} busiest of {total}");
        }
        let rows = rows.into_iter().map(|(_, row)| row).collect();
        HeatGroup { title, columns: ("busiest".into(), "mean".into()), rows }
    }

    fn row(&self, members: &Members, of: Statistic) -> HeatRow {
        let all = members.resources.iter().map(|&r| self.uses.utilisation_in(r, &self.bins));
        let n = members.resources.len() as f64;
        let mut cells = vec![0.0; self.bins.count];
        let (mut busiest, mut sum) = (0.0f64, 0.0);
        for mine in all {
            let mean = mine.iter().sum::<f64>() / self.bins.count as f64;
            busiest = busiest.max(mean);
            sum += mean;
            for (cell, used) in cells.iter_mut().zip(mine) {
                match of {
                    Statistic::Mean => *cell += used / n,
                    Statistic::Busier => *cell = cell.max(used),
                }
            }
        }
        HeatRow {
            kind: self.hue(&self.trace.resources[members.resources[0].at()]),
            name: members.name.clone(),
            cells: cells.into_iter().map(rounded).collect(),
            peak: rounded(busiest),
            mean: rounded(sum / n),
            strong: members.strong,
            open: members.open.clone(),
        }
    }

    fn hottest(&self, shown: &ShownResources, fine: &Bins) -> HeatGroup {
        let row = |&id: &ResourceId| {
            let resource = &self.trace.resources[id.at()];
            let cells = self.uses.utilisation_in(id, &self.bins);
            let mean = cells.iter().sum::<f64>() / cells.len() as f64;
            let node = resource.node.map(|node| self.paths.node(node.at()));
            HeatRow {
                kind: self.hue(resource),
                name: resource.name.clone(),
                peak: peak(self.uses, id, fine),
                mean: rounded(mean),
                cells: cells.into_iter().map(rounded).collect(),
                strong: self.rack(resource).is_some_and(|rack| self.is_lost(rack)),
                open: node.or(resource.rack.map(|rack| self.paths.rack(rack.at()))),
            }
        };
        let rows: Vec<HeatRow> = shown.hottest.iter().take(ROWS).map(row).collect();
        let resources = &self.trace.resources;
        let of = num(resources.iter().filter(|row| self.lives(row)).count() as f64, 0);
        let title = match rows.len() {
            0 if resources.is_empty() => "No input has the use of disks and links".into(),
            0 => format!("None of {of} resources was used"),
            1 => format!("The hottest of {of} resources"),
            n => format!("The {n} hottest of {of} resources"),
        };
        HeatGroup { title, columns: ("peak".into(), "mean".into()), rows }
    }
}

/// "a rack's 120 (/rack2: 108)".
fn members(rows: &[Members]) -> String {
    let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.resources.len()).or_default() += 1;
    }
    let usual = counts.iter().max_by_key(|(_, racks)| **racks).map_or(0, |(count, _)| *count);
    let odd: Vec<&Members> = rows.iter().filter(|row| row.resources.len() != usual).collect();
    let said = |row: &&Members| format!("{}: {}", row.name, num(row.resources.len() as f64, 0));
    match odd.len() {
        0 => format!("a rack’s {}", num(usual as f64, 0)),
        1 | 2 => {
            let odd: Vec<String> = odd.iter().map(said).collect();
            format!("a rack’s {} ({})", num(usual as f64, 0), odd.join(", "))
        }
        _ => "a rack’s live ones".into(),
    }
}

/// Maximum of the drill-down's curve.
fn peak(uses: &Series<'_>, id: ResourceId, bins: &Bins) -> f64 {
    let highest = uses.utilisation_in(id, bins).into_iter().fold(0.0, f64::max);
    f64::from(fleet::whole_percent(highest)) / 100.0
}

/// Four decimals: a cell cannot show less than 0.01 %.
fn rounded(utilisation: f64) -> f64 {
    libm::round(utilisation * 1e4) / 1e4
}
