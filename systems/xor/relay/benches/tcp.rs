//! Blocks through the `tcp` transport, with and without a relaying node, compared with a bare
//! socket and blocks of the same size. With TLS, compared with plain TCP and with an upper bound:
//! plain work plus sealing or opening each byte on the same core, without a copy. Loopback,
//! alternating, MB/s. Target with TLS: 0.6 of plain TCP at 64 KB.
//!
//! `cargo bench -p xor-relay --bench tcp`
use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};
use xor_relay::keys::{CLIENT, Keys, authority, name_of};
use xor_relay::loopback::{EndKeys, LOOPBACK, at_once};

const LASTS: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

#[derive(Clone, Copy, Default)]
struct Carried {
    /// The fastest round \[MB/s\].
    rate: f64,
    /// CPU time of both ends in that round, with the kernel's work \[s/GB\].
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

/// Used by this process \[CPU s\].
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
            bare.better(|| LOOPBACK.socket_rate_at(block, 1, LASTS));
            bare.better(|| LOOPBACK.socket_rate_at(block, at_once(block), LASTS));
            own.better(|| LOOPBACK.transport_rate(block, LASTS, None));
            tls.better(|| LOOPBACK.transport_rate(block, LASTS, Some(&ends)));
            over.better(|| LOOPBACK.relayed_rate(block, LASTS));
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

/// In bytes.
const RECORD: usize = 16 << 10;

/// Rate at which a core seals records in place, in its cache \[MB/s\].
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

fn ends() -> EndKeys {
    let folder = std::env::temp_dir().join(format!("xor-bench-{}", std::process::id()));
    authority(&folder, 1).expect("a new folder");
    let read = |name: &str| Keys::read(&folder.join(name)).expect("a party's folder");
    let ends = EndKeys { node: read(&name_of(0)), client: read(CLIENT) };
    let _ = std::fs::remove_dir_all(folder);
    ends
}
