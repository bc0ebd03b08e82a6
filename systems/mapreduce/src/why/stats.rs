//! Sums and middles of what attempts have.
use super::job::Attempt;
use std::collections::BTreeMap;

/// The middle one; of an even number the mean of the two.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// The value below which this part of all lies; 0 of nothing.
pub(super) fn quantile(mut all: Vec<f64>, part: f64) -> f64 {
    all.sort_by(f64::total_cmp);
    let last = all.len().saturating_sub(1);
    let at = units::usize_of(units::rounded_u64(part * last as f64));
    all.get(at).copied().unwrap_or(0.0)
}

/// The median of something; 0 of nothing.
pub(super) fn middle<'a>(
    all: impl IntoIterator<Item = &'a &'a Attempt>,
    of: impl Fn(&Attempt) -> f64,
) -> f64 {
    median(all.into_iter().map(|a| of(a)).collect()).unwrap_or(0.0)
}

pub(super) fn sum<'a>(
    all: impl IntoIterator<Item = &'a &'a Attempt>,
    of: impl Fn(&Attempt) -> f64,
) -> f64 {
    all.into_iter().map(|a| of(a)).sum()
}

/// The most of something; 0 of nothing.
pub(super) fn longest<'a>(
    all: impl IntoIterator<Item = &'a &'a Attempt>,
    of: impl Fn(&Attempt) -> f64,
) -> f64 {
    all.into_iter().map(|a| of(a)).fold(0.0, f64::max)
}

/// Attempts by what each has; those without it are left out.
pub(crate) fn grouped<'a, K: Ord>(
    all: impl IntoIterator<Item = &'a Attempt>,
    of: impl Fn(&'a Attempt) -> Option<K>,
) -> BTreeMap<K, Vec<&'a Attempt>> {
    let mut by: BTreeMap<K, Vec<&Attempt>> = BTreeMap::new();
    for a in all {
        if let Some(key) = of(a) {
            by.entry(key).or_default().push(a)
        }
    }
    by
}
