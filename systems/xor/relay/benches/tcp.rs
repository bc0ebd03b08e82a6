//! Blocks from one end to the other through the `tcp` transport, beside a loop over a bare socket
//! with blocks of the same size; loopback, in turn, MB/s.
//!
//! `cargo bench -p xor-relay --bench tcp`
use std::time::Duration;
use xor_relay::loopback::{bare, through};

const LASTS: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

fn main() {
    println!("{:>8} {:>10} {:>10} {:>8}", "bytes", "bare", "transport", "ratio");
    for block in [4 << 10, 16 << 10, 64 << 10, 1 << 20] {
        let (mut best, mut best_bare) = (0.0f64, 0.0f64);
        for _ in 0..ROUNDS {
            best_bare = best_bare.max(bare(block, LASTS));
            best = best.max(through(block, LASTS));
        }
        println!("{block:>8} {best_bare:>10.0} {best:>10.0} {:>8.2}", best / best_bare);
    }
}
