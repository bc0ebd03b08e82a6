//! C4.3, C4.4 and the document's figure 8: two servers, by the store's latency and the start-up.
use super::c4_1::CLIENTS;
use super::grid::{Grid, Sets, at};
use page::words::num;
use system::claims::{Band, Claim, Sensitivity, Verdict};

/// Store latencies: the document does not list those of figure 8.
pub const LATENCIES: [&str; 5] = ["0.1ms", "0.25ms", "0.5ms", "0.75ms", "1ms"];
/// Start-ups: of figure 7 it names 10 µs and, in table 2, 32 µs.
pub const STARTUPS: [&str; 5] = ["10us", "20us", "32us", "50us", "100us"];
/// Clients that saturate two servers in any of these.
const MANY: u32 = 352;
const FEW: u32 = 22;
/// What the document leaves open, for C4.3.
const OPEN: [(&str, &str); 6] = [
    ("network.switch", "lp"),
    ("network.switch", "document"),
    ("network.switch", "single"),
    ("network.megabyte", "decimal"),
    ("store.mode", "threads"),
    ("workload.creates_per_client", "100"),
];

pub fn by_latency(latency: &str, clients: u32) -> Sets {
    at(2, clients, &[("store.latency", latency)])
}

pub fn by_startup(startup: &str, clients: u32) -> Sets {
    at(2, clients, &[("network.startup", startup)])
}

fn open((key, value): (&str, &str), latency: &str) -> Sets {
    let mut sets = vec![("store.latency", latency), (key, value)];
    if key == "store.mode" {
        sets.push(("store.threads", "1"))
    }
    at(2, MANY, &sets)
}

/// Runs that C4.3 needs.
pub fn ask_latency(grid: &mut Grid) {
    LATENCIES.iter().for_each(|latency| grid.ask(by_latency(latency, MANY)));
    for case in OPEN {
        ["0.1ms", "1ms"].iter().for_each(|latency| grid.ask(open(case, latency)))
    }
}

/// Runs that C4.4 needs.
pub fn ask_startup(grid: &mut Grid) {
    for clients in [88, MANY] {
        STARTUPS.iter().for_each(|startup| grid.ask(by_startup(startup, clients)))
    }
}

/// Runs that C4.7b needs.
pub fn ask_rise(grid: &mut Grid) {
    LATENCIES.iter().for_each(|latency| grid.ask(by_latency(latency, FEW)))
}

/// Runs that figures 7 and 8 need besides.
pub fn ask_figures(grid: &mut Grid) {
    for clients in CLIENTS {
        LATENCIES.iter().for_each(|latency| grid.ask(by_latency(latency, clients)));
        STARTUPS.iter().for_each(|startup| grid.ask(by_startup(startup, clients)))
    }
}

/// The document's figure 8 rises the faster, the shorter the latency.
pub fn rise(grid: &Grid) -> Claim {
    let of = |latency: &str| by_latency(latency, FEW);
    let steeper = |two: &[&str]| grid.ratio(&of(two[0]), &of(two[1]));
    let places = LATENCIES.windows(2).map(|two| Band::above(1.0).holds(&steeper(two)));
    let each = |latency: &&str| {
        format!("{latency}: {}", num(grid.rate(&of(latency)).mean / f64::from(FEW), 0))
    };
    let said: Vec<String> = LATENCIES.iter().map(each).collect();
    let ours = grid.ratio(&of(LATENCIES[0]), &of(LATENCIES[4]));
    Claim {
        id: "C4.7b",
        claim: "2 servers: creates/s rise more steeply with clients, the shorter the store is",
        document: "figure 8; no number".into(),
        ours: Some(ours.mean),
        spread: Some(ours.ci95),
        unit: "times as steep with 0.1 ms as with 1 ms",
        verdict: Verdict::of(places),
        reason: format!("creates/s for each of {FEW} clients, by latency: {}", said.join(", ")),
        sensitivity: Vec::new(),
    }
}

/// The verdict on the store's latency.
pub fn c4_3(grid: &Grid) -> Claim {
    let band = Band::near(60_000.0, 0.05);
    let ceilings = LATENCIES.map(|latency| grid.rate(&by_latency(latency, MANY)));
    let verdict = Verdict::of(ceilings.iter().map(|ceiling| band.holds(ceiling)));
    let said: Vec<String> = LATENCIES
        .iter()
        .zip(&ceilings)
        .map(|(latency, ceiling)| format!("{latency}: {}", num(ceiling.mean, 0)))
        .collect();
    let ours = grid.rate(&by_latency("0.5ms", MANY));
    let sensitivity = OPEN.map(|(key, value)| {
        let places = ["0.1ms", "1ms"].map(|latency| grid.rate(&open((key, value), latency)));
        Sensitivity {
            what: if key == "store.mode" { "store.mode, 1 thread".into() } else { key.into() },
            value: value.into(),
            ours: places[1].mean,
            verdict: Verdict::of(places.iter().map(|ceiling| band.holds(ceiling))),
        }
    });
    Claim {
        id: "C4.3",
        claim: "2 servers: the ceiling is about 60 000 creates/s whatever the store's latency",
        document: "about 60 000 creates/s".into(),
        ours: Some(ours.mean),
        spread: Some(ours.ci95),
        unit: "creates/s",
        verdict,
        reason: format!(
            "with {MANY} clients, by latency: {}; 2 / (start-up + transmission) = 61 744",
            said.join(", ")
        ),
        sensitivity: sensitivity.to_vec(),
    }
}

/// The verdict on the start-up.
pub fn c4_4(grid: &Grid) -> Claim {
    let ceiling = |startup: &str| by_startup(startup, MANY);
    let mut places: Vec<Option<bool>> = STARTUPS
        .windows(2)
        .map(|two| Band::above(1.0).holds(&grid.ratio(&ceiling(two[0]), &ceiling(two[1]))))
        .collect();
    // How full 88 clients make it: less, the shorter the start-up; at 10 µs not full.
    let full = |startup: &str| grid.ratio(&by_startup(startup, 88), &ceiling(startup));
    places.push(Band::below(0.95).holds(&full("10us")));
    places.push(Band::above(0.95).holds(&full("32us")));
    let said: Vec<String> = STARTUPS
        .iter()
        .map(|s| {
            let share = num(full(s).mean * 100.0, 0);
            format!(
                "{s}: {} ({share} % of it with 88 clients)",
                num(grid.rate(&ceiling(s)).mean, 0)
            )
        })
        .collect();
    let ours = full("10us");
    Claim {
        id: "C4.4",
        claim: "2 servers: a shorter start-up needs more clients to saturate, and saturates \
                higher; at 10 us 88 clients do not",
        document: "88 clients do not saturate at 10 us".into(),
        ours: Some(ours.mean),
        spread: Some(ours.ci95),
        unit: "of the ceiling with 88 clients at 10 us",
        verdict: Verdict::of(places),
        reason: format!("ceilings by start-up: {}", said.join(", ")),
        sensitivity: Vec::new(),
    }
}
