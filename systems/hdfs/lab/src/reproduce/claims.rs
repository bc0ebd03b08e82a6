//! The claims of S0, a file each.
mod c0_1;
mod c0_2;
mod c0_3;
mod c0_4;
mod c0_5;
mod c0_6;
mod c0_7;
mod c0_8;
mod c0_9;

pub(crate) use c0_4::LEVEL;

use super::cell::{Cell, DISKS, Data, Link, TWO_RACKS};
use super::estimate::{self, Place};
use super::reading::{Assumption, BUSY_SOURCE, CHANNELS, LINK, Moved, PACING, SEARCHED};
use super::reading::{SKIPPING, STREAMS, WEIGHTS};
use super::verdict::{self, Band, Verdict};
use hdfs_reading::Stat;

/// A statement of the document, and how it is checked.
pub struct Claim {
    /// "C0.3".
    pub id: &'static str,
    /// The document's words, in short.
    pub claim: &'static str,
    pub document: &'static str,
    /// What `document` and our value are counted in.
    pub unit: &'static str,
    /// What is measured, and the band that its interval has to lie in for the statement to hold in
    /// a place.
    pub rule: &'static str,
    /// What the document does not say and the claim may rest on.
    pub assumes: &'static [Assumption],
    /// What else is to be said of that; empty if there is nothing.
    pub besides: &'static str,
    /// Runs that it looks at.
    pub needs: fn() -> Vec<Cell>,
    pub judge: fn(&Data) -> Judged,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Our value, in the claim's unit.
    pub ours: Stat,
    /// From the places.
    pub verdict: Verdict,
    /// The numbers that decided, and what the document leaves open that they rest on.
    pub reason: String,
    pub places: Vec<Place>,
    /// Our value at other values of what the document does not say.
    pub sensitivity: Vec<Moved>,
}

/// All of them, in the document's order.
pub fn all() -> [Claim; 9] {
    [
        c0_1::claim(),
        c0_2::claim(),
        c0_3::claim(),
        c0_4::claim(),
        c0_5::claim(),
        c0_6::claim(),
        c0_7::claim(),
        c0_8::claim(),
        c0_9::claim(),
    ]
}

impl Judged {
    /// By the rule for all claims.
    fn by(places: Vec<Place>, ours: Stat, reason: String) -> Judged {
        let verdict = verdict::verdict(&places);
        Judged { ours, verdict, reason, places, sensitivity: Vec::new() }
    }

    /// The usual judgement: the mean over all places, and a sentence made from their extremes.
    fn of(places: Vec<Place>, what: &str) -> Judged {
        let (low, high) = estimate::extremes(&places);
        let reason = format!(
            "{what} is {} at the least ({}) and {} at the most ({}); the statement {}",
            with_spread(low),
            low.place,
            with_spread(high),
            high.place,
            verdict::tally(&places),
        );
        Judged::by(places.clone(), estimate::pooled(&places), reason)
    }
}

/// "1.22 ± 0.01", with as many decimals as the size asks for.
fn with_spread(place: &Place) -> String {
    number_with_spread(place.ours, place.spread)
}

pub fn number_with_spread(value: f64, spread: f64) -> String {
    let decimals = decimals(value);
    format!("{value:.decimals$} ± {spread:.decimals$}")
}

/// "1.22".
pub fn number(value: f64) -> String {
    let decimals = decimals(value);
    format!("{value:.decimals$}")
}

fn decimals(value: f64) -> usize {
    if value.abs() >= 100.0 { 0 } else { 2 }
}

/// Throughput of `a` over that of `b`, seed by seed.
fn gain(data: &Data, a: Cell, b: Cell) -> Vec<f64> {
    estimate::ratio(&data[&a].throughput, &data[&b].throughput)
}

/// Throughput from each N to the next, for the schemes at hand.
fn steps(data: &Data, cells: impl Fn(u32) -> Vec<Cell>, sizes: &[u32]) -> Vec<Place> {
    let mut places = Vec::new();
    for pair in sizes.windows(2) {
        for (small, large) in cells(pair[0]).into_iter().zip(cells(pair[1])) {
            let name = format!("{} → {}", pair[0], large.label());
            places.push(Place::new(name, gain(data, large, small), Band::above(1.0)));
        }
    }
    places
}

/// What one rack's claims may rest on.
const IN_ONE_RACK: &[Assumption] = &[STREAMS, CHANNELS, PACING];
/// The ring's gain over the default there.
const RING_IN_ONE_RACK: &[Assumption] = &[STREAMS, CHANNELS, PACING, SKIPPING];
/// Two racks': their latencies differ, which weighs in SimGrid; and so do ways of joining them.
const JOINED: &[Assumption] = &[STREAMS, CHANNELS, LINK, WEIGHTS];
/// The rings' gain over the default there.
const RINGS_JOINED: &[Assumption] = &[STREAMS, CHANNELS, LINK, WEIGHTS, SKIPPING];

/// Two racks, every N and disk, under the policies.
fn two_racks(link: Link, policies: &[&'static str]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for n in TWO_RACKS {
        for disk in DISKS {
            cells.extend(policies.iter().map(|p| Cell::two_racks(n, disk, link, p)));
        }
    }
    cells
}
