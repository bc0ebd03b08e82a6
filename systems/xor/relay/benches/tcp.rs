//! Blocks from one end to the other through the `tcp` transport, with and without a node between,
//! beside the most that a bare socket carries in blocks of the same size; and encrypted, beside the
//! same in the clear, and beside the most that there can be: both ends do what they do in the
//! clear, and then seal or open each byte on the same core, without a copy. Loopback, in turn,
//! MB/s. The goal of what is encrypted is 0.6 of the clear at 64 KB.
//!
//! `cargo bench -p xor-relay --bench tcp`
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use std::time::{Duration, Instant};
use xor_relay::demo::{CLIENT, authority};
use xor_relay::keys::{Keys, name_of};
use xor_relay::loopback::{Ends, LOOPBACK};

const LASTS: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

fn main() {
    println!(
        "{:>8} {:>10} {:>10} {:>6} {:>10} {:>6} {:>10} {:>6} {:>10} {:>6}",
        "bytes", "bare", "transport", "", "relayed", "", "TLS", "", "at most", ""
    );
    let ends = ends();
    for block in [4 << 10, 16 << 10, 64 << 10, 1 << 20] {
        let [mut bare, mut own, mut over, mut tls, mut seal] = [0.0f64; 5];
        for _ in 0..ROUNDS {
            bare = bare.max(LOOPBACK.raw(block, LASTS));
            own = own.max(LOOPBACK.through(block, LASTS, None));
            tls = tls.max(LOOPBACK.through(block, LASTS, Some(&ends)));
            over = over.max(LOOPBACK.relayed(block, LASTS));
            seal = seal.max(seals(LASTS));
        }
        let most = 1.0 / (1.0 / own + 1.0 / seal);
        let (ratio, part, safe, of_most) = (own / bare, over / own, tls / own, tls / most);
        println!(
            "{block:>8} {bare:>10.0} {own:>10.0} {ratio:>6.2} {over:>10.0} {part:>6.2} \
             {tls:>10.0} {safe:>6.2} {most:>10.0} {of_most:>6.2}"
        );
    }
}

/// Bytes of a record.
const RECORD: usize = 16 << 10;

/// How fast a core seals records where they lie, in its cache \[MB/s\].
#[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
fn seals(lasts: Duration) -> f64 {
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &[1; 16]).expect("16 bytes"));
    let (mut record, mut bytes, started) = (vec![7; RECORD], 0, Instant::now());
    while started.elapsed() < lasts {
        let nonce = Nonce::assume_unique_for_key([0; 12]);
        let tag = key.seal_in_place_separate_tag(nonce, Aad::empty(), &mut record);
        let _ = std::hint::black_box(tag.expect("a record is not too long"));
        bytes += RECORD
    }
    bytes as f64 / 1e6 / started.elapsed().as_secs_f64()
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
