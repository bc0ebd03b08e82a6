//! How busy racks and resources were.
use super::fleet::Paths;
use super::tagged;
use crate::report::{HeatGroup, HeatRow, Report};
use page::{Axis, Body, Heat, Section, Width};

/// Rows open their rack or their node.
pub fn heat(report: &Report) -> Section {
    let (heat, paths) = (&report.heat, Paths::of(&report.drill));
    let rows = || heat.groups.iter().flat_map(|group| &group.rows);
    let cells = rows().map(|row| row.cells.len()).max().unwrap_or(0);
    let of_group = |group: &HeatGroup| page::HeatGroup {
        title: group.title.clone(),
        columns: group.columns.clone(),
        rows: group.rows.iter().map(|row| row_of(row, report, &paths)).collect(),
    };
    let body = Body::Heat(Heat {
        x: Axis::time(0.0, cells as f64 * heat.cell_s),
        cell: heat.cell_s,
        word: "busy".into(),
        groups: heat.groups.iter().map(of_group).collect(),
        moments: Vec::new(),
    });
    let width = if report.foreground.is_some() { Width::Full } else { Width::Most };
    let section = Section::new("heat", "Busy", heat.of.clone(), body);
    let section = tagged(section, report, "heat", None).width(width).wide(Width::Full);
    if rows().next().is_none() {
        let why = "What disks and links did is not known: logs do not tell it, or the run kept no \
                   series.";
        return section.empty(why, "");
    }
    match rows().all(|row| row.cells.iter().all(|&busy| busy == 0.0)) {
        true => section.empty("No disk and no link carried a copy.", ""),
        false => section,
    }
}

fn row_of(row: &HeatRow, report: &Report, paths: &Paths) -> page::HeatRow {
    let resource = row.resource.map(|place| &report.drill.resources[place as usize]);
    let node = resource.and_then(|resource| resource.node);
    let rack = row.rack.or(resource.and_then(|resource| resource.rack));
    page::HeatRow {
        kind: row.kind,
        name: row.name.clone(),
        cells: row.cells.clone(),
        peak: row.peak,
        mean: row.mean,
        strong: row.strong,
        open: node.map(|node| paths.node(node)).or(rack.map(|rack| paths.rack(rack))),
    }
}
