//! The heat map: one row per rack for disks and one for uplinks, then the hottest resources.
//! Without racks, one row per node with several disks.
use super::usage::{Usage, whole_percent};
use analysis::Bins;
use page::words::{NB, num};
use page::{Axis, Body, Heat, HeatGroup, HeatRow, Kind, Section};
use std::collections::BTreeMap;
use trace::{Resource, ResourceId};

const CELLS: usize = 60;
/// Maximum rows of a group.
const ROWS: usize = 20;
/// Maximum rows of the map without racks.
const ALL: usize = 48;

struct Members {
    name: String,
    resources: Vec<ResourceId>,
    is_strong: bool,
    open: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Statistic {
    Mean,
    Busier,
}

struct Map<'a> {
    usage: &'a Usage<'a>,
    bins: Bins,
    is_strong: &'a dyn Fn(usize) -> bool,
}

/// Rows link to their rack or node. `is_strong`: whether the rack of this index has a bold name.
pub fn heat(usage: &Usage<'_>, is_strong: impl Fn(usize) -> bool) -> Section {
    let (from, to) = usage.window;
    let bins = Bins::round(from, to, CELLS);
    let groups = Map { usage, bins, is_strong: &is_strong }.groups();
    let fine = usage.bins().width;
    let of = &usage.of;
    let of = match (to > from, fine == bins.width) {
        (true, true) => format!("{}, {of}", each(bins.width)),
        (true, false) => format!("{}, peaks {}, {of}", each(bins.width), each(fine)),
        // A run of zero length has no bins.
        (false, _) => of.clone(),
    };
    let rows = || groups.iter().flat_map(|group| &group.rows);
    let cells = rows().map(|row| row.cells.len()).max();
    let is_idle = rows().all(|row| row.cells.iter().all(|&busy| busy == 0.0));
    let body = Body::Heat(Heat {
        x: Axis::time(0.0, cells.unwrap_or(0) as f64 * bins.width.as_secs()),
        cell: bins.width.as_secs(),
        word: "busy".into(),
        groups,
        moments: Vec::new(),
    });
    let section = Section::new("heat", "Busy", of, body);
    match (cells, is_idle) {
        (None, _) => section.empty(
            "The use of disks and links is unknown: logs do not contain it, or the run kept no \
             series.",
            "",
        ),
        (_, true) => section.empty("No disk and no link was used.", ""),
        _ => section,
    }
}

fn each(width: units::Nanos) -> String {
    match width.as_secs() {
        1.0 => "each second".into(),
        seconds if seconds < 0.01 => format!("each {}{NB}ms", 1e3 * seconds),
        seconds => format!("each {seconds}{NB}s"),
    }
}

impl Map<'_> {
    fn groups(&self) -> Vec<HeatGroup> {
        let has_racks = !self.usage.trace.racks.is_empty();
        let mut groups = match has_racks {
            true => self.of_racks(),
            false => self.of_nodes(),
        };
        let rows = groups.iter().map(|group| group.rows.len()).sum::<usize>();
        groups.push(self.hottest(if has_racks { ROWS } else { ALL - rows }));
        groups
    }

    fn of_racks(&self) -> Vec<HeatGroup> {
        let rack = |resource: &Resource| self.usage.rack(resource);
        let disks = self.by(|resource| rack(resource).filter(|_| self.is_disk(resource)));
        let uplinks = self.by(|resource| rack(resource).filter(|_| resource.node.is_none()));
        let row = |(rack, resources): (usize, Vec<ResourceId>)| Members {
            name: self.usage.trace.racks[rack].clone(),
            resources,
            is_strong: (self.is_strong)(rack),
            open: Some(self.usage.paths.rack(rack)),
        };
        let rows = |of: BTreeMap<usize, Vec<ResourceId>>| of.into_iter().map(row).collect();
        let (disks, uplinks): (Vec<Members>, Vec<Members>) = (rows(disks), rows(uplinks));
        let groups = [
            (format!("Disks: mean of {}", members("rack", &disks)), disks, Statistic::Mean),
            ("Uplinks: the busier way".into(), uplinks, Statistic::Busier),
            ("Links between racks".into(), self.links(), Statistic::Mean),
        ];
        let groups = groups.into_iter().filter(|(_, members, _)| !members.is_empty());
        groups.map(|(title, members, of)| self.group(title, &members, of)).collect()
    }

    /// The means of nodes' disks, if a node has several.
    fn of_nodes(&self) -> Vec<HeatGroup> {
        let node = |resource: &Resource| resource.node.map(|node| node.at());
        let disks = self.by(|resource| node(resource).filter(|_| self.is_disk(resource)));
        if disks.values().all(|disks| disks.len() < 2) {
            return Vec::new();
        }
        let row = |(node, resources): (usize, Vec<ResourceId>)| Members {
            name: self.usage.trace.nodes[node].name.clone(),
            resources,
            is_strong: false,
            open: Some(self.usage.paths.node(node)),
        };
        let rows: Vec<Members> = disks.into_iter().map(row).collect();
        let title = format!("Disks: mean of {}", members("node", &rows));
        vec![self.group(title, &rows, Statistic::Mean)]
    }

    /// Resources of live nodes, and of racks themselves, by the index that `of` returns.
    fn by(&self, of: impl Fn(&Resource) -> Option<usize>) -> BTreeMap<usize, Vec<ResourceId>> {
        let mut all: BTreeMap<usize, Vec<ResourceId>> = BTreeMap::new();
        for &id in self.usage.shown.known.iter().filter(|id| self.is_live(**id)) {
            if let Some(place) = of(self.usage.resource(id)) {
                all.entry(place).or_default().push(id);
            }
        }
        all
    }

    fn links(&self) -> Vec<Members> {
        let is_own = |resource: &Resource| resource.node.is_none() && resource.rack.is_none();
        let all = self.usage.shown.known.iter().map(|id| (*id, self.usage.resource(*id)));
        let row = |(id, resource): (ResourceId, &Resource)| Members {
            name: resource.name.clone(),
            resources: vec![id],
            is_strong: false,
            open: None,
        };
        all.filter(|(_, resource)| is_own(resource)).map(row).collect()
    }

    fn is_disk(&self, resource: &Resource) -> bool {
        resource.node.is_some() && self.usage.hue(resource) == Kind::Disk
    }

    fn is_live(&self, id: ResourceId) -> bool {
        let node = self.usage.resource(id).node;
        node.is_none_or(|node| self.usage.trace.nodes[node.at()].alive)
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
        let used = |id: &ResourceId| self.usage.series.utilisation_in(*id, &self.bins);
        let n = members.resources.len() as f64;
        let mut cells = vec![0.0; self.bins.count];
        let (mut busiest, mut sum) = (0.0f64, 0.0);
        for mine in members.resources.iter().map(used) {
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
            kind: self.usage.hue(self.usage.resource(members.resources[0])),
            name: members.name.clone(),
            cells: cells.into_iter().map(rounded).collect(),
            peak: rounded(busiest),
            mean: rounded(sum / n),
            strong: members.is_strong,
            open: members.open.clone(),
        }
    }

    fn hottest(&self, most: usize) -> HeatGroup {
        let (usage, fine) = (self.usage, self.usage.bins());
        let row = |&id: &ResourceId| {
            let resource = usage.resource(id);
            let cells = usage.series.utilisation_in(id, &self.bins);
            let mean = cells.iter().sum::<f64>() / cells.len() as f64;
            let node = resource.node.map(|node| usage.paths.node(node.at()));
            HeatRow {
                kind: usage.hue(resource),
                name: resource.name.clone(),
                peak: self.peak(id, &fine),
                mean: rounded(mean),
                cells: cells.into_iter().map(rounded).collect(),
                strong: usage.rack(resource).is_some_and(self.is_strong),
                open: node.or(resource.rack.map(|rack| usage.paths.rack(rack.at()))),
            }
        };
        let rows: Vec<HeatRow> = usage.shown.hottest.iter().take(most).map(row).collect();
        let live = usage.shown.known.iter().filter(|id| self.is_live(**id)).count();
        let of = num(live as f64, 0);
        let title = match rows.len() {
            0 if usage.shown.known.is_empty() => "The use of disks and links is unknown".into(),
            0 => format!("None of {of} resources was used"),
            1 => format!("The hottest of {of} resources"),
            n if n == live => format!("All {of} resources, hottest first"),
            n => format!("The {n} hottest of {of} resources"),
        };
        HeatGroup { title, columns: ("peak".into(), "mean".into()), rows }
    }

    /// Maximum of the curve on the node's page.
    fn peak(&self, id: ResourceId, bins: &Bins) -> f64 {
        let cells = self.usage.series.utilisation_in(id, bins);
        f64::from(whole_percent(cells.into_iter().fold(0.0, f64::max))) / 100.0
    }
}

/// "a rack's 120 (/rack2: 108)".
fn members(of: &str, rows: &[Members]) -> String {
    let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.resources.len()).or_default() += 1;
    }
    let usual = counts.iter().max_by_key(|(_, rows)| **rows).map_or(0, |(count, _)| *count);
    let odd: Vec<&Members> = rows.iter().filter(|row| row.resources.len() != usual).collect();
    let named = |row: &&Members| format!("{}: {}", row.name, num(row.resources.len() as f64, 0));
    match odd.len() {
        0 => format!("a {of}’s {}", num(usual as f64, 0)),
        1 | 2 => {
            let odd: Vec<String> = odd.iter().map(named).collect();
            format!("a {of}’s {} ({})", num(usual as f64, 0), odd.join(", "))
        }
        _ => format!("a {of}’s live ones"),
    }
}

/// Four decimals: a cell cannot show less than 0.01 %.
fn rounded(utilisation: f64) -> f64 {
    (utilisation * 1e4).round() / 1e4
}
