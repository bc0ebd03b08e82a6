//! Encode and repair: the 2-D xor, Reed-Solomon (k, 2) of reed-solomon-simd and ISA-L, and three
//! copies. GB/s of data, one thread. ISA-L computes its tables once for a set of losses;
//! reed-solomon-simd does so for each stripe.
//!
//! `cargo bench -p xor-relay --bench codes`
#![allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
mod isal;

use isal::{Isal, PARITIES};
use reed_solomon_simd::{ReedSolomonDecoder, ReedSolomonEncoder};
use std::hint::black_box;
use std::time::Instant;
use xor_protocol::{Cell, Layout, plan};
use xor_relay::kernel::xor;

const BLOCKS: [usize; 3] = [4 << 10, 64 << 10, 1 << 20];

/// GB/s of work on `bytes` bytes; the best of five.
fn rate(bytes: usize, mut work: impl FnMut()) -> f64 {
    let turns = ((128 << 20) / bytes).max(2);
    let mut best = 0.0f64;
    for _ in 0..5 {
        let started = Instant::now();
        (0..turns).for_each(|_| work());
        best = best.max((turns * bytes) as f64 / 1e9 / started.elapsed().as_secs_f64());
    }
    best
}

fn data(count: usize, block: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| (0..block).map(|at| (at * 31 + i * 7) as u8).collect()).collect()
}

fn xor_encode(layout: &Layout, block: usize) -> f64 {
    let data = data(layout.data(), block);
    let parities: Vec<Vec<&[u8]>> = layout
        .cells()
        .filter(|cell| layout.data_at(*cell).is_none())
        .map(|cell| layout.contents(cell).iter().map(|&d| data[d].as_slice()).collect())
        .collect();
    let mut target = vec![0; block];
    rate(data.len() * block, || {
        parities.iter().for_each(|sources| xor(black_box(&mut target), black_box(sources)))
    })
}

/// Repairs two lost nodes of a stripe by the plan; counts the stripe's data bytes.
fn xor_repair(layout: &Layout, block: usize) -> f64 {
    let lost: Vec<Cell> = layout.cells_of(0).chain(layout.cells_of(1)).collect();
    let plan = plan::plan(layout, &lost, &lost).expect("two losses come back");
    let cells = data(layout.nodes() * layout.rows(), block);
    let sums: Vec<Vec<&[u8]>> = plan
        .steps
        .iter()
        .map(|step| step.from.iter().map(|cell| cells[layout.index(*cell)].as_slice()).collect())
        .collect();
    let mut target = vec![0; block];
    rate(layout.data() * block, || {
        sums.iter().for_each(|sources| xor(black_box(&mut target), black_box(sources)))
    })
}

fn rs_encode(k: usize, block: usize) -> f64 {
    let data = data(k, block);
    let mut encoder = ReedSolomonEncoder::new(k, 2, block).expect("a code");
    rate(k * block, || {
        data.iter().for_each(|shard| encoder.add_original_shard(shard).expect("a shard"));
        black_box(encoder.encode().expect("all are there"));
    })
}

fn rs_repair(k: usize, block: usize) -> f64 {
    let data = data(k, block);
    let mut encoder = ReedSolomonEncoder::new(k, 2, block).expect("a code");
    data.iter().for_each(|shard| encoder.add_original_shard(shard).expect("a shard"));
    let made = encoder.encode().expect("all are there");
    let parity: Vec<Vec<u8>> = made.recovery_iter().map(<[u8]>::to_vec).collect();
    let mut decoder = ReedSolomonDecoder::new(k, 2, block).expect("a code");
    rate(k * block, || {
        for (place, shard) in data.iter().enumerate().skip(2) {
            decoder.add_original_shard(place, shard).expect("a shard")
        }
        for (place, shard) in parity.iter().enumerate() {
            decoder.add_recovery_shard(place, shard).expect("a shard")
        }
        black_box(decoder.decode().expect("two are lost"));
    })
}

fn isal_encode(isal: &Isal, k: usize, block: usize) -> f64 {
    let data = data(k, block);
    let mut parities = vec![vec![0; block]; PARITIES];
    let mut code = isal.encoder(k);
    rate(k * block, || code.make(black_box(&data), black_box(&mut parities)))
}

fn isal_repair(isal: &Isal, k: usize, block: usize) -> f64 {
    let data = data(k, block);
    let mut parities = vec![vec![0; block]; PARITIES];
    isal.encoder(k).make(&data, &mut parities);
    let left: Vec<Vec<u8>> = data[PARITIES..].iter().chain(&parities).cloned().collect();
    let mut lost = vec![vec![0; block]; PARITIES];
    let mut code = isal.repairer(k);
    code.make(&left, &mut lost);
    assert!(lost == data[..PARITIES], "what ISA-L repairs is what was lost");
    rate(k * block, || code.make(black_box(&left), black_box(&mut lost)))
}

/// Two copies of each block: the cost of three copies, and of the repair of two lost nodes.
fn copies(block: usize) -> f64 {
    let data = data(1, block);
    let mut targets = [vec![0; block], vec![0; block]];
    rate(block, || {
        targets.iter_mut().for_each(|to| black_box(to).copy_from_slice(black_box(&data[0])))
    })
}

fn main() {
    let isal = Isal::load();
    if isal.is_none() {
        println!("ISA-L is not there: apt-get install libisal2")
    }
    println!(
        "{:>3} {:>9} {:>10} {:>10} {:>12} {:>10} {:>10} {:>12} {:>9}",
        "n",
        "block",
        "xor encode",
        "RS encode",
        "ISA-L encode",
        "xor repair",
        "RS repair",
        "ISA-L repair",
        "3 copies"
    );
    for n in [5, 8, 12] {
        let layout = Layout::best(n).expect("a layout");
        let k = n - PARITIES;
        for block in BLOCKS {
            let of_isal = |of: fn(&Isal, usize, usize) -> f64| {
                isal.as_ref().map_or("-".into(), |isal| format!("{:.2}", of(isal, k, block)))
            };
            println!(
                "{n:>3} {block:>9} {:>10.2} {:>10.2} {:>12} {:>10.2} {:>10.2} {:>12} {:>9.2}",
                xor_encode(&layout, block),
                rs_encode(k, block),
                of_isal(isal_encode),
                xor_repair(&layout, block),
                rs_repair(k, block),
                of_isal(isal_repair),
                copies(block),
            )
        }
    }
}
