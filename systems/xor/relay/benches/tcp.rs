//! Blocks from one end to the other through the `tcp` transport, with and without a node between,
//! beside the most that a bare socket carries in blocks of the same size; loopback, in turn, MB/s.
//!
//! `cargo bench -p xor-relay --bench tcp`
use std::time::Duration;
use xor_relay::loopback::{raw, relayed, through};

const LASTS: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

fn main() {
    println!(
        "{:>8} {:>10} {:>10} {:>8} {:>10} {:>8}",
        "bytes", "bare", "transport", "", "relayed", ""
    );
    for block in [4 << 10, 16 << 10, 64 << 10, 1 << 20] {
        let [mut bare, mut own, mut over] = [0.0f64; 3];
        for _ in 0..ROUNDS {
            bare = bare.max(raw(block, LASTS));
            own = own.max(through(block, LASTS));
            over = over.max(relayed(block, LASTS));
        }
        let (ratio, part) = (own / bare, over / own);
        println!("{block:>8} {bare:>10.0} {own:>10.0} {ratio:>8.2} {over:>10.0} {part:>8.2}");
    }
}
