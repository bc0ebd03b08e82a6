//! The heat map: a row a rack for disks and for uplinks, then the hottest resources.
use crate::context::Context;
use crate::drill;
use crate::moments::Moments;
use crate::report::{Heat, HeatGroup, HeatRow};
use crate::series::Uses;
use crate::shown::{Shown, hue};
use crate::words::{NB, num};
use analysis::Bins;
use hdfs_trace::{Resource, ResourceKind, Trace};
use std::collections::BTreeMap;
use units::u32_of;

/// Most cells of a row.
const CELLS: usize = 60;
/// Most rows of a group.
const ROWS: usize = 20;

/// A row before it is known whether it will be shown: a name and the resources behind it.
struct Members {
    rack: Option<u32>,
    name: String,
    resources: Vec<u32>,
    strong: bool,
}

/// How a group's cells come from its members'.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Mean,
    Busier,
}

/// The heat map of a run; `of` names it: "seed 1, now".
pub fn heat(context: &Context, trace: &Trace, uses: &Uses<'_>, shown: &Shown, of: &str) -> Heat {
    let moments = Moments::of(trace);
    let bins = Bins::round(moments.declared.unwrap_or_default(), moments.repaired(), CELLS);
    let is_disk = |kind| matches!(kind, ResourceKind::Disk | ResourceKind::DiskWrite);
    let is_uplink = |kind| matches!(kind, ResourceKind::UplinkOut | ResourceKind::UplinkIn);
    let disks = by_rack(context, trace, is_disk);
    let mut groups = Vec::new();
    if !disks.is_empty() {
        let title = format!("Disks: mean of {}", members(&disks));
        groups.push(group(trace, uses, &bins, title, disks, Of::Mean));
    }
    let uplinks = by_rack(context, trace, is_uplink);
    if !uplinks.is_empty() {
        let title = "Uplinks: the busier way".into();
        groups.push(group(trace, uses, &bins, title, uplinks, Of::Busier));
    }
    let links = links(trace);
    if !links.is_empty() {
        groups.push(group(trace, uses, &bins, "Links between racks".into(), links, Of::Mean));
    }
    let fine = drill::bins(&moments);
    groups.push(hottest_rows(context, trace, uses, shown, (&bins, &fine)));
    let each = |bins: &Bins| match bins.width.as_secs() {
        1.0 => "each second".into(),
        other => format!("each {other}{NB}s"),
    };
    let peaks = match fine.width == bins.width {
        true => String::new(),
        false => format!(", peaks {}", each(&fine)),
    };
    let of = match moments.repaired() > moments.declared.unwrap_or_default() {
        true => format!("{}{peaks}, {of}", each(&bins)),
        // What takes no time has no bins.
        false => of.into(),
    };
    Heat { of, cell_s: bins.width.as_secs(), groups }
}

/// Of live nodes, and of racks themselves.
fn by_rack(context: &Context, trace: &Trace, is: impl Fn(ResourceKind) -> bool) -> Vec<Members> {
    let mut racks: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (id, resource) in trace.resources.iter().enumerate() {
        let live = resource.node.is_none_or(|n| trace.nodes[n as usize].alive);
        let node_rack = resource.node.map(|n| trace.nodes[n as usize].rack);
        if let (true, true, Some(rack)) = (is(resource.kind), live, resource.rack.or(node_rack)) {
            racks.entry(rack).or_default().push(u32_of(id));
        }
    }
    let row = |(rack, resources): (u32, Vec<u32>)| {
        let name = trace.racks[rack as usize].clone();
        let strong = context.lost.iter().any(|lost| lost.rack == name);
        Members { rack: Some(rack), name, resources, strong }
    };
    racks.into_iter().map(row).collect()
}

fn links(trace: &Trace) -> Vec<Members> {
    let all = trace.resources.iter().enumerate();
    let links = all.filter(|(_, resource)| resource.kind == ResourceKind::InterRackLink);
    let row = |(id, resource): (usize, &hdfs_trace::Resource)| Members {
        rack: None,
        name: resource.name.clone(),
        resources: vec![u32_of(id)],
        strong: false,
    };
    links.map(row).collect()
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

fn group(
    trace: &Trace,
    uses: &Uses<'_>,
    bins: &Bins,
    title: String,
    members: Vec<Members>,
    of: Of,
) -> HeatGroup {
    let total = members.len();
    let mut rows: Vec<HeatRow> =
        members.iter().map(|members| row(trace, uses, bins, members, of)).collect();
    let mut title = title;
    if total > ROWS {
        rows.sort_by(|a, b| b.mean.total_cmp(&a.mean).then(a.rack.cmp(&b.rack)));
        rows.truncate(ROWS);
        rows.sort_by_key(|row| row.rack);
        title = format!("{title}; the {ROWS} busiest of {total}");
    }
    HeatGroup { title, columns: ("busiest".into(), "mean".into()), rows }
}

fn row(trace: &Trace, uses: &Uses<'_>, bins: &Bins, members: &Members, of: Of) -> HeatRow {
    let all = members.resources.iter().map(|&r| uses.utilisation_in(r, bins));
    let n = members.resources.len() as f64;
    let mut cells = vec![0.0; bins.count];
    let (mut busiest, mut sum) = (0.0f64, 0.0);
    for mine in all {
        let mean = mine.iter().sum::<f64>() / bins.count as f64;
        busiest = busiest.max(mean);
        sum += mean;
        for (cell, used) in cells.iter_mut().zip(mine) {
            match of {
                Of::Mean => *cell += used / n,
                Of::Busier => *cell = cell.max(used),
            }
        }
    }
    HeatRow {
        kind: hue(trace.resources[members.resources[0] as usize].kind),
        rack: members.rack,
        resource: None,
        name: members.name.clone(),
        cells: cells.into_iter().map(rounded).collect(),
        peak: rounded(busiest),
        mean: rounded(sum / n),
        strong: members.strong,
    }
}

fn hottest_rows(
    context: &Context,
    trace: &Trace,
    uses: &Uses<'_>,
    shown: &Shown,
    (bins, fine): (&Bins, &Bins),
) -> HeatGroup {
    let row = |&id: &u32| {
        let resource = &trace.resources[id as usize];
        let cells = uses.utilisation_in(id, bins);
        let mean = cells.iter().sum::<f64>() / cells.len() as f64;
        let rack = resource.node.map(|n| trace.nodes[n as usize].rack).or(resource.rack);
        let strong = rack.is_some_and(|rack| {
            context.lost.iter().any(|lost| lost.rack == trace.racks[rack as usize])
        });
        HeatRow {
            kind: hue(resource.kind),
            rack: None,
            resource: shown.place(id),
            name: resource.name.clone(),
            peak: peak(uses, id, fine),
            mean: rounded(mean),
            cells: cells.into_iter().map(rounded).collect(),
            strong,
        }
    };
    let rows: Vec<HeatRow> = shown.hottest.iter().take(ROWS).map(row).collect();
    let live = |r: &&Resource| r.node.is_none_or(|n| trace.nodes[n as usize].alive);
    let of = num(trace.resources.iter().filter(live).count() as f64, 0);
    let title = match rows.len() {
        0 if trace.resources.is_empty() => "No input tells the use of disks and links".into(),
        0 => format!("None of {of} resources was used"),
        1 => format!("The hottest of {of} resources"),
        n => format!("The {n} hottest of {of} resources"),
    };
    HeatGroup { title, columns: ("peak".into(), "mean".into()), rows }
}

/// The highest point of its curve, as the drill-down draws it.
fn peak(uses: &Uses<'_>, id: u32, bins: &Bins) -> f64 {
    let highest = uses.utilisation_in(id, bins).into_iter().fold(0.0, f64::max);
    f64::from(drill::whole_percent(highest)) / 100.0
}

/// Four decimals: a hundredth of a percent is more than a cell can show.
fn rounded(utilisation: f64) -> f64 {
    libm::round(utilisation * 1e4) / 1e4
}
