//! Variants × seeds as rows of a table.
use crate::curves::{Curve, curve, grid};
use crate::loss::{Loss, loss};
use crate::run::{Run, VariantRuns};
use crate::stat::{Against, Stat, against, stat};
use crate::{advice, shares};
use page::{Role, Share};
use std::collections::BTreeMap;
use units::u32_of;

/// One variant of the comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    pub name: String,
    pub role: Role,
    pub seeds: u32,
    /// Present where every seed became redundant again; of `balancing`, where the balancer ended.
    pub recovery_s: Option<Stat>,
    pub per_seed_s: Vec<f64>,
    /// Nothing happened but the balancer: the times are its own.
    pub balancing: bool,
    /// `None` for the first.
    pub against_now: Option<Against>,
    /// By name, as `run --json` has them.
    pub metrics: BTreeMap<String, Stat>,
    /// How likely blocks are lost; absent where the runs do not count them.
    pub loss: Option<Loss>,
    /// What held it up, mean over seeds.
    pub shares: Vec<Share>,
    /// Blocks short of replicas or racks.
    pub at_risk: Curve,
}

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
