//! Sums of pieces.
use super::parts::{Holder, Piece, ResourceDemand};
use crate::ids::SettingId;
use crate::schema::Trace;
use std::collections::BTreeMap;
use units::Nanos;

/// Time by holder.
pub fn sum(pieces: &[Piece]) -> BTreeMap<Holder, Nanos> {
    let mut sums = BTreeMap::new();
    for piece in pieces {
        *sums.entry(piece.holder).or_default() += piece.length()
    }
    sums
}

/// By setting: time that the path waited for this setting's slots, the upper bound of what a larger
/// value could save. Overlaps count once.
pub fn at_most(trace: &Trace, wanted: &[ResourceDemand]) -> BTreeMap<SettingId, Nanos> {
    let mut stretches: BTreeMap<SettingId, Vec<(Nanos, Nanos)>> = BTreeMap::new();
    for want in wanted {
        let setting = trace.resources.get(want.resource.at()).and_then(|r| r.setting);
        if let Some(setting) = setting.filter(|setting| setting.at() < trace.settings.len()) {
            stretches.entry(setting).or_default().push((want.start, want.end))
        }
    }
    stretches.into_iter().map(|(setting, stretches)| (setting, union(stretches))).collect()
}

/// Length of the union of the stretches.
fn union(mut stretches: Vec<(Nanos, Nanos)>) -> Nanos {
    stretches.sort_unstable();
    let (mut total, mut at) = (Nanos::ZERO, Nanos::ZERO);
    for (start, end) in stretches {
        total += end.saturating_sub(start.max(at));
        at = at.max(end)
    }
    total
}

/// Integer percents by largest remainder, with a sum of 100; on a tie, the earlier part. All 0 if
/// the total is 0.
pub fn percents(parts: &[u128]) -> Vec<u32> {
    let total: u128 = parts.iter().sum();
    if total == 0 {
        return vec![0; parts.len()];
    }
    // 100 × years in ns is far below 2¹²⁸.
    let mut whole: Vec<u32> = parts
        .iter()
        .map(|part| u32::try_from(part * 100 / total).expect("a part of the whole"))
        .collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(parts[*at] * 100 % total), *at));
    let missing = 100 - whole.iter().sum::<u32>();
    order.iter().take(missing as usize).for_each(|at| whole[*at] += 1);
    whole
}
