//! Links whose rate can change while a cluster is up.
use crate::host;
use system::Failure;
use units::BytesPerSec;

/// Queue limit of a cluster's links, in `tc`'s syntax.
pub(crate) const SOON: &str = "latency 20ms";

/// Rate of a link that takes no time.
const FAST: BytesPerSec = BytesPerSec(2_500_000_000);

/// A network device with a rate limit, in a process's network namespace.
pub(crate) struct ShapedLink {
    process: u32,
    device: String,
    rate: BytesPerSec,
}

impl ShapedLink {
    /// Both ends of node link `nth`: at the switches and in the node.
    pub fn link(nth: usize, switches: u32, node: u32, rate: BytesPerSec) -> [ShapedLink; 2] {
        [(switches, format!("port{nth}")), (node, "eth0".into())]
            .map(|(process, device)| ShapedLink { process, device, rate })
    }

    /// Devices between the racks; none for a single rack.
    pub fn uplinks(racks: usize, switches: u32, rate: BytesPerSec) -> Vec<ShapedLink> {
        let last = if racks > 1 { racks } else { 0 };
        let of = |device| ShapedLink { process: switches, device, rate };
        (1..=last).flat_map(|rack| [format!("up{rack}"), format!("down{rack}")]).map(of).collect()
    }

    /// False: no rate limit.
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

/// (bits/s, burst in bytes): the burst is 1 ms, at least two of the kernel's packets for large
/// writes.
pub(crate) fn shape(rate: BytesPerSec) -> [String; 2] {
    let bits = rate.0.saturating_mul(8);
    [bits.to_string(), (rate.0 / 1000).max(128 << 10).to_string()]
}
