//! Disks over time, as a figure of a claim.
use crate::names::hosts;
use cluster::Sheet;
use page::{Axis, Body, Heat, HeatGroup, HeatRow, Kind};
use trace::Trace;

/// Maximum number of columns.
const MOST: usize = 60;

/// Use of each disk over time, or of each node's disks if they are over `most`: title and picture.
/// `None`: the run kept no trace.
pub fn rows(trace: &Trace, sheet: &Sheet, most: usize) -> Option<(String, Body)> {
    let to = trace.series.iter().map(|sample| sample.at.0).max()?;
    let width = (to / MOST as u64 + 1).max(1_000_000_000);
    let columns = usize::try_from(to / width + 1).ok()?;
    let hosts = hosts(sheet);
    let each = usize::try_from(sheet.count("hardware.disks_per_node")).ok()?;
    let by_disk = hosts.len() * each <= most;
    let rows = if by_disk { hosts.len() * each } else { hosts.len() };
    let mut sums = vec![vec![0.0; columns]; rows];
    for sample in &trace.series {
        let resource = &trace.resources[sample.resource.at()];
        let (Some(node), Some(place)) = (resource.node, resource.place) else { continue };
        let Some(host) = hosts.iter().position(|h| *h == trace.nodes[node.at()].name) else {
            continue;
        };
        let row = if by_disk { host * each + place as usize } else { host };
        let column = usize::try_from(sample.at.0 / width).unwrap_or(columns).min(columns - 1);
        // Each sample covers one second.
        let share = 1e9 / width as f64 / if by_disk { 1.0 } else { each as f64 };
        sums[row][column] += sample.busy.get().unwrap_or(0.0) * share
    }
    let name = |row: usize| match by_disk {
        true => format!("{} disk {}", hosts[row / each], row % each),
        false => hosts[row].clone(),
    };
    let row = |(place, cells): (usize, Vec<f64>)| {
        let cells = cells.into_iter().map(|cell: f64| cell.min(1.0)).collect();
        HeatRow::new(Kind::Disk, name(place), cells)
    };
    let title = match by_disk {
        true => "Disks".to_string(),
        false => format!("Disks: mean of a node's {each}"),
    };
    let rows: Vec<HeatRow> = sums.into_iter().enumerate().take(most).map(row).collect();
    let group = HeatGroup { title, columns: ("busiest".into(), "mean".into()), rows };
    let heat = Heat {
        x: Axis::time(0.0, (columns as u64 * width) as f64 / 1e9),
        cell: width as f64 / 1e9,
        word: "busy".into(),
        groups: vec![group],
        moments: Vec::new(),
    };
    Some(("Disks over time".to_string(), Body::Heat(heat)))
}
