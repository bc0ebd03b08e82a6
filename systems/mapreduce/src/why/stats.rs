use super::job::Attempt;
use std::collections::BTreeMap;

/// For an even number of values, the mean of the middle two.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// Nearest-rank quantile, `part` 0–1; 0 if empty.
pub(super) fn quantile(mut all: Vec<f64>, part: f64) -> f64 {
    all.sort_by(f64::total_cmp);
    let last = all.len().saturating_sub(1);
    let at = units::usize_of(units::rounded_u64(part * last as f64));
    all.get(at).copied().unwrap_or(0.0)
}

/// Median; 0 if empty.
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

/// Maximum; 0 if empty.
pub(super) fn longest<'a>(
    all: impl IntoIterator<Item = &'a &'a Attempt>,
    of: impl Fn(&Attempt) -> f64,
) -> f64 {
    all.into_iter().map(|a| of(a)).fold(0.0, f64::max)
}

/// Attempts without a key are left out.
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
