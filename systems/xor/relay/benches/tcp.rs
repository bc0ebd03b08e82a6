//! Blocks from one end to the other through the `tcp` transport, with and without a node between,
//! beside the most that a bare socket carries in blocks of the same size; and encrypted, beside the
//! same in the clear. Loopback, in turn, MB/s. The bound of what is encrypted is 0.6 at 64 KB.
//!
//! `cargo bench -p xor-relay --bench tcp`
use std::time::Duration;
use xor_relay::demo::{CLIENT, authority};
use xor_relay::keys::{Keys, name_of};
use xor_relay::loopback::{Ends, raw, relayed, through};

const LASTS: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

fn main() {
    println!(
        "{:>8} {:>10} {:>10} {:>8} {:>10} {:>8} {:>10} {:>8}",
        "bytes", "bare", "transport", "", "relayed", "", "TLS", ""
    );
    let ends = ends();
    for block in [4 << 10, 16 << 10, 64 << 10, 1 << 20] {
        let [mut bare, mut own, mut over, mut tls] = [0.0f64; 4];
        for _ in 0..ROUNDS {
            bare = bare.max(raw(block, LASTS));
            own = own.max(through(block, LASTS, None));
            tls = tls.max(through(block, LASTS, Some(&ends)));
            over = over.max(relayed(block, LASTS));
        }
        let (ratio, part, safe) = (own / bare, over / own, tls / own);
        println!(
            "{block:>8} {bare:>10.0} {own:>10.0} {ratio:>8.2} {over:>10.0} {part:>8.2} \
             {tls:>10.0} {safe:>8.2}"
        );
    }
}

/// Keys of a node and a client, from a folder that is removed.
fn ends() -> Ends {
    let folder = std::env::temp_dir().join(format!("xor-bench-{}", std::process::id()));
    authority(&folder, 1).expect("a new folder");
    let read = |name: &str| Keys::read(&folder.join(name)).expect("a party's folder");
    let ends = Ends { node: read(&name_of(0)), client: read(CLIENT) };
    let _ = std::fs::remove_dir_all(folder);
    ends
}
