//! Links whose rate can change while a cluster is up.
use crate::host;
use system::Failure;
use units::BytesPerSec;

/// What waits before a link of a cluster is gone so soon, in `tc`'s words.
pub(crate) const SOON: &str = "latency 20ms";

/// What a link carries that takes no time.
const FAST: BytesPerSec = BytesPerSec(2_500_000_000);

/// A network device with a rate of its own, in the network of a process.
pub(crate) struct Shaped {
    process: u32,
    device: String,
    rate: BytesPerSec,
}

impl Shaped {
    /// The devices of a node's link: of its number, at the switches, and its own.
    pub fn link(nth: usize, switches: u32, node: u32, rate: BytesPerSec) -> [Shaped; 2] {
        [(switches, format!("port{nth}")), (node, "eth0".into())].map(|(process, device)| Shaped {
            process,
            device,
            rate,
        })
    }

    /// The devices between so many racks; a single one has none.
    pub fn uplinks(racks: usize, switches: u32, rate: BytesPerSec) -> Vec<Shaped> {
        let last = if racks > 1 { racks } else { 0 };
        let of = |device| Shaped { process: switches, device, rate };
        (1..=last).flat_map(|rack| [format!("up{rack}"), format!("down{rack}")]).map(of).collect()
    }

    /// Has it carry what its rate lets it, or all that comes.
    ///
    /// # Errors
    /// The kernel refuses.
    pub fn takes_time(&self, yes: bool) -> Result<(), Failure> {
        let space = format!("--net=/proc/{}/ns/net", self.process);
        let [bits, burst] = shape(if yes { self.rate } else { FAST.max(self.rate) });
        let rate = format!("{bits}bit");
        let line = [space.as_str(), "tc", "qdisc", "change", "dev", &self.device, "root", "tbf"];
        let shape = ["rate", &rate, "burst", &burst];
        let waits: Vec<&str> = SOON.split(' ').collect();
        host::run("nsenter", &[&line[..], &shape, &waits].concat()).map(|_| ())
    }
}

/// A link's bits a second, and how many bytes pass at once: those of a millisecond, but at least
/// two of the packets that the kernel makes of large writes.
pub(crate) fn shape(rate: BytesPerSec) -> [String; 2] {
    let bits = rate.0.saturating_mul(8);
    [bits.to_string(), (rate.0 / 1000).max(128 << 10).to_string()]
}
