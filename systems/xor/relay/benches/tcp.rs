//! Blocks from one end to the other through the `tcp` transport, with and without a node between,
//! beside the most that a bare socket carries in blocks of the same size; and encrypted, beside the
//! same in the clear, and beside the most that there can be: both ends do what they do in the
//! clear, and then seal or open each byte on the same core, without a copy. Loopback, in turn,
//! MB/s. The goal of what is encrypted is 0.6 of the clear at 64 KB.
//!
//! `cargo bench -p xor-relay --bench tcp`
use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};
use xor_relay::demo::{CLIENT, authority};
use xor_relay::keys::{Keys, name_of};
use xor_relay::loopback::{Ends, LOOPBACK, at_once};

const LASTS: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

/// What one way of carrying blocks comes to.
#[derive(Clone, Copy, Default)]
struct Carried {
    /// The fastest round \[MB/s\].
    rate: f64,
    /// Of that round, by both ends together, the kernel's work for them included \[CPU s/GB\].
    cpu: f64,
}

impl Carried {
    fn better(&mut self, carry: impl FnOnce() -> f64) {
        let before = processor();
        let rate = carry();
        if rate > self.rate {
            let gigabytes = rate * LASTS.as_secs_f64() / 1e3;
            *self = Carried { rate, cpu: (processor() - before) / gigabytes }
        }
    }
}

/// What this process has used \[CPU s\].
fn processor() -> f64 {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
}

fn main() {
    println!("         |      bare      |      transport       |       relayed        | TLS");
    println!(
        "   bytes |  MB/s CPU s/GB |  MB/s of bare CPU s/GB |  MB/s of clear CPU s/GB |  MB/s \
         of clear CPU s/GB at most  of it"
    );
    let ends = ends();
    for block in [4 << 10, 16 << 10, 64 << 10, 1 << 20] {
        let [mut bare, mut own, mut over, mut tls] = [Carried::default(); 4];
        let mut seal = 0.0f64;
        for _ in 0..ROUNDS {
            bare.better(|| LOOPBACK.bare(block, 1, LASTS));
            bare.better(|| LOOPBACK.bare(block, at_once(block), LASTS));
            own.better(|| LOOPBACK.through(block, LASTS, None));
            tls.better(|| LOOPBACK.through(block, LASTS, Some(&ends)));
            over.better(|| LOOPBACK.relayed(block, LASTS));
            seal = seal.max(seals(LASTS));
        }
        let most = 1.0 / (1.0 / own.rate + 1.0 / seal);
        let of = |all: Carried, base: Carried| {
            format!("{:>5.0} {:>8.2} {:>8.2}", all.rate, all.rate / base.rate, all.cpu)
        };
        println!(
            "{block:>8} | {:>5.0} {:>8.2} | {} | {} | {} {most:>7.0} {:>6.2}",
            bare.rate,
            bare.cpu,
            of(own, bare),
            of(over, own),
            of(tls, own),
            tls.rate / most
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
