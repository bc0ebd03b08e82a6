//! C4.1 and C4.2: who saturates within 88 clients, and that all do at last.
use super::grid::{Grid, Sets, at};
use page::words::num;
use system::claims::{Band, Claim, Sensitivity, Verdict};

/// The document's server counts.
pub const SERVERS: [u32; 5] = [1, 2, 4, 8, 14];
/// Its client counts.
pub const CLIENTS: [u32; 8] = [11, 22, 33, 44, 55, 66, 77, 88];
/// Saturated: a third more clients (66 to 88) bring less than this.
const FLAT: f64 = 1.05;
/// Clients a server, above the knee (22) and twice that.
const MANY: [u32; 2] = [44, 88];
/// What the document does not say of the switches.
const SWITCHES: [&str; 2] = ["direction", "single"];

/// Servers and clients beyond the document's, for C4.2.
const BEYOND: (u32, [u32; 2]) = (128, [4_096, 8_192]);

fn port(servers: u32, clients: u32) -> Sets {
    at(servers, clients, &[])
}

fn with_switch(switch: &str, servers: u32, clients: u32) -> Sets {
    at(servers, clients, &[("network.switch", switch)])
}

/// Runs that are needed.
pub fn ask(grid: &mut Grid) {
    for servers in SERVERS {
        CLIENTS.iter().for_each(|clients| grid.ask(port(servers, *clients)));
        MANY.iter().for_each(|each| grid.ask(port(servers, servers * each)));
        for switch in SWITCHES {
            [11, 66, 88].into_iter().for_each(|n| grid.ask(with_switch(switch, servers, n)))
        }
    }
    BEYOND.1.iter().for_each(|clients| grid.ask(port(BEYOND.0, *clients)))
}

/// Both verdicts.
pub fn judge(grid: &Grid) -> Vec<Claim> {
    vec![c4_1(grid), c4_2(grid)]
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

fn c4_1(grid: &Grid) -> Claim {
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

fn c4_2(grid: &Grid) -> Claim {
    let all = SERVERS.into_iter().map(|s| (s, s * MANY[0], s * MANY[1]));
    let beyond = (BEYOND.0, BEYOND.1[0], BEYOND.1[1]);
    let all: Vec<(u32, u32, u32)> = all.chain([beyond]).collect();
    let ratio = |(s, few, many): &(u32, u32, u32)| grid.ratio(&port(*s, *many), &port(*s, *few));
    let band = Band::near(1.0, 0.03);
    let verdict = Verdict::of(all.iter().map(|place| band.holds(&ratio(place))));
    let said: Vec<String> = all
        .iter()
        .map(|p| {
            format!(
                "{}: {} ({}/s)",
                p.0,
                num(ratio(p).mean, 3),
                num(grid.rate(&port(p.0, p.2)).mean, 0)
            )
        })
        .collect();
    let worst =
        all.iter().map(ratio).max_by(|a, b| (a.mean - 1.0).abs().total_cmp(&(b.mean - 1.0).abs()));
    Claim {
        id: "C4.2",
        claim: "with more clients every server count saturates and stays flat",
        document: "flat".into(),
        ours: worst.map(|worst| worst.mean),
        spread: worst.map(|worst| worst.ci95),
        unit: "of the rate with half the clients",
        verdict,
        reason: format!("twice the clients give, by servers: {}", said.join(", ")),
        sensitivity: Vec::new(),
    }
}
