//! Variants × seeds as rows of a table.
use crate::curves::{curve, grid};
use crate::loss::loss;
use crate::report::{Role, Stat, Variant};
use crate::run::{Run, VariantRuns};
use crate::stat::{against, stat};
use crate::{advice, shares};
use std::collections::BTreeMap;
use units::u32_of;

/// One row a variant, the first of which is "now"; the one that *Do* proposes is marked. `now` has
/// the present settings, by their real keys.
pub fn compare(now: &[(String, String)], variants: &[VariantRuns]) -> Vec<Variant> {
    let step = grid(variants);
    let row = |(place, variant): (usize, &VariantRuns)| Variant {
        name: variant.name.clone(),
        role: if place == 0 { Role::Now } else { Role::Other },
        seeds: u32_of(variant.runs.len()),
        recovery_s: variant.times().filter(|all| !all.is_empty()).map(|all| stat(&all)),
        per_seed_s: variant.runs.iter().filter_map(Run::lasted_s).collect(),
        balancing: variant.runs.iter().any(Run::is_balancing),
        against_now: if place == 0 { None } else { against(&variants[0], variant) },
        metrics: metrics(variant),
        loss: loss(variant),
        shares: shares::bars(&shares::of_variant(variant)),
        at_risk: curve(variant, step, |run| &run.at_risk),
        one_rack_only: curve(variant, step, |run| &run.one_rack_only),
        balance: variant.runs.first().map(|run| run.balance.clone()).unwrap_or_default(),
    };
    let mut rows: Vec<Variant> = variants.iter().enumerate().map(row).collect();
    if let Some(best) = advice::recommend(now, variants, &rows) {
        rows[best].role = Role::Recommended;
    }
    rows
}

/// The metrics that every run of a variant has.
pub fn metrics(variant: &VariantRuns) -> BTreeMap<String, Stat> {
    let Some(first) = variant.runs.first() else { return BTreeMap::new() };
    let of = |name: &String| {
        let values = variant.runs.iter().map(|run| run.metrics.get(name).copied());
        Some((name.clone(), stat(&values.collect::<Option<Vec<f64>>>()?)))
    };
    first.metrics.keys().filter_map(of).collect()
}
