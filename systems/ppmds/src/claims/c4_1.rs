//! C4.1: who saturates within 88 clients.
use super::grid::{Grid, Sets, at};
use page::words::num;
use system::claims::{Band, Claim, Sensitivity, Verdict};

/// The document's server counts.
pub const SERVERS: [u32; 5] = [1, 2, 4, 8, 14];
pub const CLIENTS: [u32; 8] = [11, 22, 33, 44, 55, 66, 77, 88];
/// Saturated: a third more clients (66 to 88) bring less than this.
const FLAT: f64 = 1.05;
/// What the document does not say of the switches.
const SWITCHES: [&str; 2] = ["document", "single"];

fn port(servers: u32, clients: u32) -> Sets {
    at(servers, clients, &[])
}

fn with_switch(switch: &str, servers: u32, clients: u32) -> Sets {
    at(servers, clients, &[("network.switch", switch)])
}

pub fn ask(grid: &mut Grid) {
    for servers in SERVERS {
        CLIENTS.iter().for_each(|clients| grid.ask(port(servers, *clients)));
        for switch in SWITCHES {
            [11, 66, 88].into_iter().for_each(|n| grid.ask(with_switch(switch, servers, n)))
        }
    }
}

/// Rises, and is flat where the document says so and nowhere else.
fn places(grid: &Grid, of: &dyn Fn(u32, u32) -> Sets) -> Vec<Option<bool>> {
    let mut places = Vec::new();
    for servers in SERVERS {
        let rises = grid.ratio(&of(servers, 88), &of(servers, 11));
        places.push(Band::above(1.0).holds(&rises));
        let more = grid.ratio(&of(servers, 88), &of(servers, 66));
        let band = if servers <= 2 { Band::below(FLAT) } else { Band::above(FLAT) };
        places.push(band.holds(&more))
    }
    places
}

pub fn judge(grid: &Grid) -> Claim {
    let verdict = Verdict::of(places(grid, &port));
    let gain = |servers| grid.ratio(&port(servers, 88), &port(servers, 66)).mean - 1.0;
    let gains: Vec<String> =
        SERVERS.iter().map(|s| format!("{s}: {} %", num(gain(*s) * 100.0, 0))).collect();
    let two = grid.rate(&port(2, 88));
    let sensitivity = SWITCHES.map(|switch| Sensitivity {
        what: "network.switch".into(),
        value: switch.into(),
        ours: grid.rate(&with_switch(switch, 2, 88)).mean,
        verdict: Verdict::of(places(grid, &|s, c| with_switch(switch, s, c))),
    });
    Claim {
        id: "C4.1",
        claim: "up to 88 clients creates/s rise; 1 and 2 servers saturate, 4 and more do not",
        document: "2 servers flat at about 60 000 creates/s".into(),
        ours: Some(two.mean),
        spread: Some(two.ci95),
        unit: "creates/s",
        verdict,
        reason: format!("from 66 to 88 clients (+33 %), by servers: {}", gains.join(", ")),
        sensitivity: sensitivity.to_vec(),
    }
}
