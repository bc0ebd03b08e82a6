//! Times by size, each bucket at most 1/8 wide.

/// Counts of times \[ns\]: eight buckets for each doubling.
#[derive(Clone, Debug)]
pub struct Histogram {
    buckets: Vec<u64>,
    pub count: u64,
    pub sum_ns: u64,
}

const SUB: u32 = 3;

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { buckets: vec![0; 64 << SUB], count: 0, sum_ns: 0 }
    }
}

impl Histogram {
    pub fn add(&mut self, ns: u64) {
        self.buckets[bucket(ns)] += 1;
        self.count += 1;
        self.sum_ns = self.sum_ns.saturating_add(ns)
    }

    pub fn merge(&mut self, other: &Histogram) {
        self.buckets.iter_mut().zip(&other.buckets).for_each(|(to, more)| *to += more);
        self.count += other.count;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns)
    }

    /// The upper bound of the bucket with this share of the times below it \[ns\]; 0: no times.
    pub fn quantile(&self, share: f64) -> u64 {
        let mut below = 0;
        for (at, count) in self.buckets.iter().enumerate() {
            below += count;
            if below > 0 && below as f64 >= share * self.count as f64 {
                return upper(at);
            }
        }
        0
    }
}

fn bucket(ns: u64) -> usize {
    let ns = ns.max(1 << SUB);
    let power = ns.ilog2();
    let within = (ns >> (power - SUB)) & ((1 << SUB) - 1);
    ((power as usize) << SUB) + usize::try_from(within).expect("below eight")
}

fn upper(bucket: usize) -> u64 {
    let power = u32::try_from(bucket >> SUB).expect("below 64").max(SUB);
    let within = (bucket & ((1 << SUB) - 1)) as u64 + 1;
    (1 << power) + (within << (power - SUB)).min(u64::MAX - (1 << power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_an_eighth() {
        let mut all = Histogram::default();
        (1..=10_000).for_each(|n| all.add(n * 1_000));
        for (share, exact) in [(0.5, 5_000_000.0), (0.99, 9_900_000.0), (1.0, 10_000_000.0)] {
            let ratio = all.quantile(share) as f64 / exact;
            assert!((1.0..1.13).contains(&ratio), "{share}: {ratio}")
        }
        all.add(u64::MAX);
        all.add(0);
        assert!(all.quantile(1.0) > u64::MAX / 2)
    }
}
