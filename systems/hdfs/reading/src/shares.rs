//! Attributions over seeds as the bars of a chart.
use crate::attribution::{self, Attribution, AttributionKind, Held};
use crate::run::VariantRuns;
use crate::words::capital;
use page::{Kind, Share};
use std::collections::BTreeMap;

/// The mean over seeds: mean seconds of each holder, over the mean of the whole wait.
pub fn mean(attributions: &[&Attribution]) -> Attribution {
    let n = attributions.len().max(1) as f64;
    let mut sums: BTreeMap<(AttributionKind, String), Held> = BTreeMap::new();
    for held in attributions.iter().flat_map(|attribution| &attribution.shares) {
        let key = (held.kind, held.holder.clone());
        sums.entry(key).and_modify(|sum| sum.waited_s += held.waited_s).or_insert(held.clone());
    }
    let total = attributions.iter().fold(0.0, |sum, attribution| sum + attribution.total_s);
    let mut shares: Vec<Held> = sums.into_values().collect();
    for held in &mut shares {
        held.share = held.waited_s / total;
        held.waited_s /= n;
    }
    attribution::sort(&mut shares);
    Attribution { block: None, total_s: total / n, shares }
}

/// The mean over a variant's runs.
pub fn of_variant(variant: &VariantRuns) -> Attribution {
    mean(&variant.runs.iter().map(|run| &run.attribution).collect::<Vec<_>>())
}

/// The bars: what held it up, then disks, network and unexplained even where they are 0, for a
/// finding of nothing is a finding.
pub fn bars(attribution: &Attribution) -> Vec<Share> {
    let percents = whole_percents(attribution);
    let bar = |(held, percent): (&Held, u32)| Share {
        share: held.share,
        percent: i32::try_from(percent).expect("at most 100"),
        intervals: held.behind.clone(),
        ..Share::new(held.hue, display(held), held.waited_s)
    };
    // What rounds to nothing is no bar; what is worth a bar of nothing comes below.
    let told = attribution.shares.iter().zip(percents).filter(|(_, percent)| *percent > 0);
    let mut bars: Vec<Share> = told.map(bar).collect();
    if bars.is_empty() {
        return bars;
    }
    let nothing = |kind, name: &str| Share::new(kind, name, 0.0);
    let has = |bars: &[Share], kind| bars.iter().any(|bar| bar.kind == Some(kind));
    let before_last = bars.len() - usize::from(has(&bars, Kind::Unexplained));
    for (kind, name) in [(Kind::Network, "NIC, uplinks"), (Kind::Disk, "Disk")] {
        if !has(&bars, kind) {
            bars.insert(before_last, nothing(kind, name));
        }
    }
    if !has(&bars, Kind::Unexplained) {
        bars.push(nothing(Kind::Unexplained, "Unexplained"));
    }
    bars
}

fn display(held: &Held) -> String {
    match held.kind {
        AttributionKind::Interval | AttributionKind::Unexplained => capital(&held.holder),
        _ => held.holder.clone(),
    }
}

/// Whole percents by largest remainder, so that they sum to 100; of equal remainders the earlier.
pub fn whole_percents(attribution: &Attribution) -> Vec<u32> {
    let shares: Vec<f64> = attribution.shares.iter().map(|held| held.share).collect();
    page::percents(&shares)
}
