//! Blocks at risk over time, a line a variant.
use super::{drawable, small, tagged, time};
use crate::report::{HolderKind, Report, Role, Variant};
use crate::words::{duration, num};
use page::{Axis, Body, Curves, Line, Panel, Section, Width};

/// So many lines can be told apart.
const LINES: usize = 8;

/// The curves, or why there is none.
pub fn risk(report: &Report) -> Section {
    let variants = &report.variants;
    let shown = drawable(variants, LINES);
    let (of, all) = (shown.len(), variants.len());
    let cut = (of < all).then(|| format!("{of} of {all} variants drawn"));
    let seeds = variants.first().map_or(0, |now| now.seeds);
    let spread = match seeds {
        0 | 1 => "; one seed".into(),
        seeds => format!("; median of {seeds} seeds, band: min to max"),
    };
    let lines: Vec<Line> = shown.into_iter().map(line).filter(|line| !line.x.is_empty()).collect();
    let ends = lines.iter().flat_map(|line| {
        [line.x.last().copied(), line.flag.as_ref().map(|flag| flag.at)].into_iter().flatten()
    });
    let x = Axis::time(0.0, time::end(ends.fold(1e-9, f64::max)));
    let first = lines.iter().flat_map(|line| line.y.iter().take(4).flatten());
    let (none, peak) = (lines.is_empty(), first.copied().fold(0.0, f64::max));
    let reason = report.risk_note.clone().unwrap_or_default();
    let panel = Panel { lines, reason, ..Panel::default() };
    let curves = Curves { x, panels: vec![panel], moments: Vec::new() };
    let title = if leaves(report) { "Blocks to be copied" } else { "Blocks at risk" };
    let qualifier = format!("{}{spread}", report.since);
    let section = Section::new("risk", title, qualifier, Body::Curves(curves));
    let section = tagged(section, report, "risk", cut).width(Width::Larger).wide(small(report));
    match peak == 0.0 {
        true => nothing(section, report, none),
        false => section,
    }
}

fn nothing(section: Section, report: &Report, no_curve: bool) -> Section {
    if no_curve {
        let why = "No curve of blocks at risk in this report.";
        return section.empty(why, "The run ended before HDFS noticed. Set a later [run] until.");
    }
    let none = match leaves(report) {
        true => "Nothing needs copying.",
        false => "No block was at risk.",
    };
    section.empty(report.risk_note.as_deref().unwrap_or(none), "")
}

/// Nodes are emptied, none is lost: what they hold can still be read.
fn leaves(report: &Report) -> bool {
    matches!(report.crumbs.get(1).map(String::as_str), Some("decommission" | "maintenance"))
}

/// Samples up to the first 0 that only 0 follows.
fn until_zero(values: &[f64]) -> usize {
    let after = values.iter().rposition(|&value| value != 0.0).map_or(1, |last| last + 2);
    after.min(values.len())
}

/// The median's curve with its flag; of *now* a band over its seeds.
fn line(variant: &Variant) -> Line {
    let curve = &variant.at_risk;
    let (now, own) = (variant.role == Role::Now, until_zero(&curve.median));
    let band = now && variant.seeds > 1;
    let all = if band { own.max(until_zero(&curve.max)) } else { own };
    let at = |i: usize| i as f64 * curve.step_s;
    let y = |(i, &value): (usize, &f64)| (i < own).then_some(value);
    let left = curve.median.last().copied().unwrap_or_default();
    let (finish, value) = match variant.recovery_s {
        Some(stat) => (stat.mean, duration(stat.mean)),
        None => (at(all.saturating_sub(1)), format!("{} left", num(left, 0))),
    };
    let mut line = Line::new(variant.name.clone(), variant.role, []).flag(finish, value);
    line.kind = now.then_some(HolderKind::Risk);
    line.x = (0..all).map(at).collect();
    line.y = curve.median[..all].iter().enumerate().map(y).collect();
    if band {
        line = line.band(curve.min[..all].to_vec(), curve.max[..all].to_vec());
    }
    line
}
