//! Compares a catalogue of thousands of rows with a `BTreeMap`.
use rewind::{Catalog, Leading, Scalar};
use std::collections::BTreeMap;

/// A generator, since this crate has none.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) * n) >> 31
    }
}

/// Enough rows to split chunks of the order, and to empty them.
#[test]
fn a_large_catalog_is_in_order_whenever_that_is_asked_for() {
    let mut d = Dice(5);
    for bound in [700, 5_000] {
        let (mut catalog, mut shadow) = (Catalog::new(), BTreeMap::new());
        for round in 0..40_000 {
            let (key, mode) = (1 + d.below(bound) as u32, round / 4_000 % 3);
            if d.below(3) < mode {
                assert_eq!(catalog.discard(&key), shadow.remove(&key).is_some())
            } else {
                assert_eq!(catalog.insert(key, round), shadow.insert(key, round).is_none())
            }
            if d.below(300) == 0 {
                let upto = key + d.below(bound) as u32;
                let rows = catalog.between(&key, &upto);
                assert!(rows.eq(shadow.range(key + 1..upto.max(key + 1))), "round {round}");
                assert_eq!(catalog.len(), shadow.len())
            }
        }
    }
}

/// A key whose number shows little: tens within one group, nothing between groups.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
struct Coarse {
    group: u32,
    number: u32,
}

impl Leading for Coarse {
    fn leading(&self, first: &Coarse) -> u64 {
        if self.group == first.group { u64::from(self.number / 10) } else { u64::MAX }
    }
}

#[test]
fn keys_whose_numbers_are_alike_are_in_order_too() {
    let mut d = Dice(7);
    let (mut catalog, mut shadow) = (Catalog::new(), BTreeMap::new());
    let mut key = || Coarse { group: d.below(3) as u32, number: d.below(900) as u32 };
    for round in 0..30_000u64 {
        let (one, other) = (key(), key());
        if round / 5_000 % 2 == 1 && round % 3 > 0 {
            assert_eq!(catalog.discard(&one), shadow.remove(&one).is_some())
        } else {
            assert_eq!(catalog.insert(one, round), shadow.insert(one, round).is_none())
        }
        if round % 50 == 0 && one < other {
            let behind = |(key, _): &(&Coarse, &u64)| **key != one;
            let rows = catalog.between(&one, &other);
            assert!(rows.eq(shadow.range(one..other).filter(behind)), "round {round}")
        }
    }
}
