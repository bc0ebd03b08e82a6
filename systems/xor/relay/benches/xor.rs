//! xor of three blocks into one, by register width and block size, compared with memcpy; GB/s of
//! the sum.
//!
//! `cargo bench -p xor-relay --bench xor`
#![allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
use std::hint::black_box;
use std::time::Instant;
use xor_relay::kernel::{Width, xor_by};

/// GB/s of work that produces `bytes` a turn; the best of five.
fn rate(bytes: usize, mut work: impl FnMut()) -> f64 {
    let turns = ((256 << 20) / bytes).max(4);
    let mut best = 0.0f64;
    for _ in 0..5 {
        let started = Instant::now();
        (0..turns).for_each(|_| work());
        best = best.max((turns * bytes) as f64 / 1e9 / started.elapsed().as_secs_f64());
    }
    best
}

/// A memory-bound reference loop: words, three at a time, no dispatch.
fn words(target: &mut [u64], sources: [&[u64]; 3]) {
    let [a, b, c] = sources;
    for (at, target) in target.iter_mut().enumerate() {
        *target = a[at] ^ b[at] ^ c[at]
    }
}

fn main() {
    let widths = Width::all();
    print!("{:>9} {:>9} {:>9}", "bytes", "memcpy", "words");
    widths.iter().for_each(|w| print!(" {:>9}", format!("{w:?}").to_lowercase()));
    println!("   best: {:?}", Width::best());
    for bytes in [4 << 10, 16 << 10, 64 << 10, 1 << 20, 16 << 20] {
        let sources: Vec<Vec<u8>> = (0..3).map(|s| vec![s as u8 + 1; bytes]).collect();
        let slices: Vec<&[u8]> = sources.iter().map(Vec::as_slice).collect();
        let mut target = vec![0; bytes];
        let copied = rate(bytes, || black_box(&mut target).copy_from_slice(black_box(&sources[0])));
        let wide: Vec<Vec<u64>> = (0..3).map(|s| vec![s + 1; bytes / 8]).collect();
        let mut sum = vec![0u64; bytes / 8];
        let by_words =
            rate(bytes, || words(black_box(&mut sum), [&wide[0], &wide[1], black_box(&wide[2])]));
        print!("{bytes:>9} {copied:>9.1} {by_words:>9.1}");
        for &width in &widths {
            let found = rate(bytes, || xor_by(width, black_box(&mut target), black_box(&slices)));
            print!(" {found:>9.1}");
        }
        println!();
    }
}
