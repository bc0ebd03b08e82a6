//! Times of a message on an idle network.
use cluster::Sheet;
use units::Nanos;

/// A send is start-up, then transmission while the receiver takes the message in. The head arrives
/// one start-up after the send began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// Start-up of all packets of a message.
    pub startup: Nanos,
    /// Transmission on the links client to switch, switch to switch, switch to server.
    pub client: Nanos,
    pub switch: Nanos,
    pub server: Nanos,
}

impl Times {
    pub fn of(sheet: &Sheet) -> Times {
        let payload = sheet.bytes("network.payload").0;
        let packets = payload.div_ceil(sheet.bytes("network.packet").0);
        let time = |key: &str| {
            let rate = u128::from(bandwidth(sheet, key));
            let ns = (u128::from(payload) * 1_000_000_000).div_ceil(rate.max(1));
            Nanos(u64::try_from(ns).unwrap_or(u64::MAX / 1_000))
        };
        Times {
            startup: Nanos(sheet.time("network.startup").0.saturating_mul(packets)),
            client: time("network.client_bandwidth"),
            switch: time("network.switch_bandwidth"),
            server: time("network.server_bandwidth"),
        }
    }

    /// Time that a message occupies a server's NIC, or its switch's port towards it.
    pub fn at_server(&self) -> Nanos {
        self.startup + self.server
    }

    /// A request and its answer on an idle network, without the store.
    pub fn round_trip(&self) -> Nanos {
        self.startup * 6 + (self.client + self.switch + self.server) * 2
    }
}

/// \[bytes/s\], by `network.megabyte`.
pub fn bandwidth(sheet: &Sheet, key: &str) -> u64 {
    let rate = sheet.rate(key).0;
    match sheet.text("network.megabyte") {
        "binary" => units::narrow::<u64>(u128::from(rate) * 1_048_576 / 1_000_000),
        _ => rate,
    }
}
