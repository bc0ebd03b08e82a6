//! Upper bound of a rate without one resource, if clients wait for each answer: by the interactive
//! response time law and the remaining resources.
//!
//! ```text
//!  X' = min( clients / (R − time at the resource),  X / (utilisation of the busiest other) )
//! ```
//! A share of the waiting time is not a share of the rate: without one resource the others fill up.
//! Source: Denning, Buzen, *The operational analysis of queueing network models*, 1978. Checked
//! against simulations in `systems/ppmds/tests/without.rs`.
use crate::reporter::Case;
use page::{Body, Cell, Column, Row, Section, Table};
use trace::reading::Reading;

pub struct Removal {
    /// Metric of the bounded rate: "at_most_without_store_per_s".
    pub metric: &'static str,
    /// Table text: "a store that takes no time".
    pub words: &'static str,
    /// Parts of bottlenecks' names that belong to the resource.
    pub holders: &'static [&'static str],
    /// Metrics of the utilisation (0–1) of the remaining resources.
    pub others: &'static [&'static str],
}

/// Upper bounds as (metric, rate); empty if nothing was waited for.
pub fn metrics(reading: &Reading, all: &[Removal]) -> Vec<(String, f64)> {
    let Some(rate) = reading.value.filter(|_| !reading.held.is_empty()) else {
        return Vec::new();
    };
    let one = |away: &Removal| {
        let ours = |holder: &str| away.holders.iter().any(|part| holder.contains(part));
        let held = reading.held.iter().filter(|held| ours(&held.holder));
        let left = 1.0 - held.map(|held| held.share).sum::<f64>();
        let used = away.others.iter().filter_map(|name| reading.metrics.get(*name));
        let used = used.fold(0.0, |most: f64, used| most.max(*used));
        (away.metric.to_string(), rate / left.max(used).clamp(1e-6, 1.0))
    };
    all.iter().map(one).collect()
}

/// `None` if the runs lack these metrics.
pub fn section(case: &Case<'_>, all: &[Removal]) -> Option<Section> {
    let metrics = &case.figures[0].metrics;
    let now = case.now().objective.metric.clone();
    let now = case.metric(&now);
    let row = |away: &Removal| {
        let then = case.metric(away.metric);
        let more = 100.0 * (then / now.max(f64::MIN_POSITIVE) - 1.0);
        Row::new(vec![Cell::text(away.words), Cell::number(then), Cell::number(more)])
    };
    all.iter().all(|away| metrics.contains_key(away.metric)).then_some(())?;
    let columns = vec![
        Column::words("with"),
        Column::numbers("at most", "1/s", 0),
        Column::numbers("more by", "%", 0),
    ];
    let body = Body::Table(Table { columns, rows: all.iter().map(row).collect() });
    let how = "the longest wait need not limit the rate: without this resource the others fill up";
    Some(Section::new("at-most", "What would help", how, body))
}
