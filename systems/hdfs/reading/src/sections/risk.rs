//! Blocks at risk over time, a line a variant.
use super::{cut, drawable, time};
use crate::compare::Variant;
use crate::context::Context;
use crate::sentences::happened::{Way, since, way};
use crate::words::{duration, num};
use page::{Axis, Body, Curves, Kind, Line, Panel, Role, Section};

/// So many lines can be told apart.
const LINES: usize = 8;

/// The curves, or why there is none; `note` stands on the first.
pub fn risk(context: &Context, variants: &[Variant], note: Option<&str>) -> Section {
    let shown = drawable(variants, LINES);
    let spread = match variants.first().map_or(0, |now| now.seeds) {
        0 | 1 => "; one seed".into(),
        seeds => format!("; median of {seeds} seeds, band: min to max"),
    };
    let lines = shown.iter().map(|&place| line(&variants[place]));
    let lines: Vec<Line> = lines.filter(|line| !line.x.is_empty()).collect();
    let ends = lines.iter().flat_map(|line| {
        [line.x.last().copied(), line.flag.as_ref().map(|flag| flag.at)].into_iter().flatten()
    });
    let x = Axis::time(0.0, time::end(ends.fold(1e-9, f64::max)));
    let first = lines.iter().flat_map(|line| line.y.iter().take(4).flatten());
    let (none, peak) = (lines.is_empty(), first.copied().fold(0.0, f64::max));
    let panel = Panel { lines, reason: note.unwrap_or_default().into(), ..Panel::default() };
    let curves = Curves { x, panels: vec![panel], moments: Vec::new() };
    // Nodes are emptied, none is lost: what they hold can still be read.
    let leaves = matches!(way(context), Way::Leaving | Way::Maintenance);
    let title = if leaves { "Blocks to be copied" } else { "Blocks at risk" };
    let qualifier = format!("{}{spread}", since(context));
    let section = Section::new("risk", title, qualifier, Body::Curves(curves));
    let cut = cut(shown.len(), variants.len(), " drawn");
    let section = cut.into_iter().fold(section, Section::tag);
    let nothing = if leaves { "Nothing needs copying." } else { "No block was at risk." };
    match (peak == 0.0, none) {
        (false, _) => section,
        (true, false) => section.empty(note.unwrap_or(nothing), ""),
        (true, true) => section.empty(
            "No curve of blocks at risk in this report.",
            "The run ended before HDFS noticed. Set a later [run] until.",
        ),
    }
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
    line.kind = now.then_some(Kind::Risk);
    line.x = (0..all).map(at).collect();
    line.y = curve.median[..all].iter().enumerate().map(y).collect();
    if band {
        line = line.band(curve.min[..all].to_vec(), curve.max[..all].to_vec());
    }
    line
}
