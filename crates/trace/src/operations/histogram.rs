//! Latency buckets: 32 for each power of two, so a percentile is off by at most 1.6 %.

/// Significant bits of a bucket.
const BITS: u32 = 5;

/// The bucket of a value: the value itself below 32, else (e << 5) + (v >> e) with e = ⌊log2 v⌋ −
/// 5.
#[expect(clippy::cast_possible_truncation, reason = "at most 2^(BITS + 1) is left of a value")]
pub fn bucket(value: u64) -> u32 {
    if value < 1 << BITS {
        return value as u32;
    }
    let e = value.ilog2() - BITS;
    (e << BITS) + (value >> e) as u32
}

/// Smallest and largest value of a bucket; for an invalid bucket, those of the last one.
pub fn bounds(bucket: u32) -> (u64, u64) {
    if bucket < 1 << BITS {
        return (bucket.into(), bucket.into());
    }
    let e = ((bucket >> BITS) - 1).min(u64::BITS - 1 - BITS);
    let value = u64::from((bucket - (e << BITS)).min((2 << BITS) - 1));
    (value << e, (value << e) + ((1 << e) - 1))
}

/// The `part` quantile (0–1) of ascending (bucket, count) pairs: the middle of its bucket. `None`
/// without values.
pub fn quantile(buckets: &[(u32, u64)], part: f64) -> Option<f64> {
    let all: u64 = buckets.iter().map(|(_, times)| times).sum();
    let rank = units::floored_u64((part * all as f64).ceil().max(1.0));
    let mut met = 0;
    let found = buckets.iter().find(|(_, times)| {
        met += times;
        met >= rank
    });
    let (low, high) = bounds(found?.0);
    Some((low as f64 + high as f64) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_lies_in_its_bucket_and_buckets_touch() {
        let near = |e: u32| [(1u64 << e) - 1, 1 << e, (1 << e) + 1, (1 << e) + (1 << e >> 3)];
        for value in (0..64).flat_map(near).chain([0, u64::MAX]) {
            let (low, high) = bounds(bucket(value));
            assert!(low <= value && value <= high, "{value} in {low}..={high}");
            assert!((high - low) as f64 <= low as f64 / 32.0, "{low}..={high} is too wide");
            assert!(high == u64::MAX || bucket(high + 1) == bucket(high) + 1, "behind {high}")
        }
    }

    #[test]
    fn quantiles_of_one_to_a_thousand() {
        let mut buckets = std::collections::BTreeMap::new();
        (1..=1000u64).for_each(|v| *buckets.entry(bucket(v)).or_default() += 1);
        let buckets: Vec<(u32, u64)> = buckets.into_iter().collect();
        for (part, exact) in [(0.001, 1.0), (0.5, 500.0), (0.99, 990.0), (1.0, 1000.0)] {
            let ours = quantile(&buckets, part).unwrap();
            assert!((ours / exact - 1.0).abs() <= 0.016, "{part}: {ours}, exactly {exact}")
        }
        assert_eq!(quantile(&[], 0.5), None)
    }
}
