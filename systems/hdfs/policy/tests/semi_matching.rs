//! The assignment is optimal: compared with all assignments on small cases, with a dual bound on
//! large ones.
use hdfs_policy::rereplication::semi_matching::{Offers, balance_loads};

use crate::seeded::Seeded;

fn cost(load: &[u32]) -> i64 {
    load.iter().map(|&n| i64::from(n) * i64::from(n)).sum()
}

/// Blocks, each with 1 to `most` distinct holders of `holders`; some holders have more blocks.
fn random_offers(draw: &mut Seeded, blocks: u64, holders: u64, most: u64) -> Offers {
    let mut offers = Offers::default();
    for _ in 0..blocks {
        let mut of: Vec<u32> = Vec::new();
        for _ in 0..=draw.below(most) {
            let holder = draw.below(holders).min(draw.below(holders)) as u32;
            if !of.contains(&holder) {
                of.push(holder);
            }
        }
        offers.push(of);
    }
    offers
}

/// Least cost over all assignments.
fn brute_force(offers: &Offers, load: &mut [u32], block: u32) -> i64 {
    if block as usize == offers.len() {
        return cost(load);
    }
    let tries = offers.of(block).iter().map(|&holder| {
        load[holder as usize] += 1;
        let least = brute_force(offers, load, block + 1);
        load[holder as usize] -= 1;
        least
    });
    tries.collect::<Vec<_>>().into_iter().min().expect("a holder")
}

/// A lower bound of the cost of any assignment, by linear-programming duality, for one price p of
/// each holder: Σ over blocks of the least price among their holders + Σ over holders of min over k
/// ≥ 0 of (base + k)² − p·k.
fn dual(offers: &Offers, base: &[u32], price: &[i64]) -> i64 {
    let blocks = (0..offers.len() as u32)
        .map(|block| offers.of(block).iter().map(|&h| price[h as usize]).min().expect("a holder"));
    let holder = |(&base, &price): (&u32, &i64)| {
        let base = i64::from(base);
        // (base + k)² − p·k is convex in k: the best k is the last whose step 2(base + k) − 1 is
        // below the price.
        let k = ((price + 1) / 2 - base).max(0);
        (base + k) * (base + k) - price * k
    };
    blocks.sum::<i64>() + base.iter().zip(price).map(holder).sum::<i64>()
}

/// Prices that prove an optimal assignment: the cheapest next step that a holder's blocks can
/// reach.
fn prices(offers: &Offers, sender: &[u32], load: &[u32]) -> Vec<i64> {
    let mut price: Vec<i64> = load.iter().map(|&n| 2 * i64::from(n) + 1).collect();
    loop {
        let mut changed = false;
        for (block, &sender) in sender.iter().enumerate() {
            let least = offers.of(block as u32).iter().map(|&h| price[h as usize]).min();
            if least < Some(price[sender as usize]) {
                price[sender as usize] = least.expect("a holder");
                changed = true;
            }
        }
        if !changed {
            return price;
        }
    }
}

fn solve(offers: &Offers, base: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut load = base.to_vec();
    let sender = balance_loads(offers, &mut load);
    let mut counted = base.to_vec();
    for (block, &sender) in sender.iter().enumerate() {
        assert!(offers.of(block as u32).contains(&sender), "a block is sent by one of its holders");
        counted[sender as usize] += 1;
    }
    assert_eq!(counted, load);
    (sender, load)
}

#[test]
fn equals_brute_force() {
    for seed in 0..3_000 {
        let mut draw = Seeded(seed);
        let (blocks, holders) = (1 + draw.below(9), 1 + draw.below(6));
        let offers = random_offers(&mut draw, blocks, holders, 3);
        let mut base: Vec<u32> = (0..holders).map(|_| draw.below(4) as u32).collect();
        let (_, load) = solve(&offers, &base);
        assert_eq!(cost(&load), brute_force(&offers, &mut base, 0), "seed {seed}");
    }
}

#[test]
fn duality_proves_large_ones() {
    let sizes = [(40_000, 10_000, 3), (40_000, 500, 2), (5_000, 5_000, 2), (3_000, 40, 5)];
    for (seed, (blocks, holders, most)) in sizes.into_iter().enumerate() {
        let mut draw = Seeded(seed as u64);
        let offers = random_offers(&mut draw, blocks, holders, most);
        let base: Vec<u32> = (0..holders).map(|_| draw.below(3) as u32).collect();
        let (sender, load) = solve(&offers, &base);
        let bound = dual(&offers, &base, &prices(&offers, &sender, &load));
        assert_eq!(cost(&load), bound, "{blocks} blocks on {holders} holders");
    }
}

/// No prices lift the bound above the optimum; greedy alone is often above it.
#[test]
fn dual_is_a_lower_bound() {
    for seed in 0..500 {
        let mut draw = Seeded(seed);
        let offers = random_offers(&mut draw, 30, 8, 3);
        let base = vec![0; 8];
        let (_, load) = solve(&offers, &base);
        let any: Vec<i64> = base.iter().map(|_| draw.below(30) as i64).collect();
        assert!(dual(&offers, &base, &any) <= cost(&load), "seed {seed}");
    }
}

/// A quadratic step would take minutes.
#[test]
fn many_blocks_on_many_nodes() {
    for most in [2, 3] {
        let mut draw = Seeded(7);
        let mut offers = Offers::default();
        for _ in 0..40_000 {
            let first = draw.below(10_000);
            let others = (1..most).map(|_| draw.below(10_000));
            offers.push([first].into_iter().chain(others).map(|h| h as u32));
        }
        let (_, load) = solve(&offers, &vec![0; 10_000]);
        assert_eq!(load.iter().sum::<u32>(), 40_000);
    }
}
