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
use super::estimate::{self, Place, Verdict};
use reading::Stat;

/// A statement of the document, and how it is checked.
pub struct Claim {
    /// "C0.3".
    pub id: &'static str,
    /// The document's words, in short.
    pub claim: &'static str,
    /// Its value.
    pub document: &'static str,
    /// What `document` and our value are counted in.
    pub unit: &'static str,
    /// What is measured, and when the statement is said to hold in a place.
    pub rule: &'static str,
    /// Runs that it looks at.
    pub needs: fn() -> Vec<Cell>,
    /// Its places, judged.
    pub judge: fn(&Data) -> Judged,
}

/// What our runs say.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Our value, in the claim's unit.
    pub ours: Stat,
    /// From the places.
    pub verdict: Verdict,
    /// One sentence with the numbers that decided.
    pub reason: String,
    /// Where it was looked at.
    pub places: Vec<Place>,
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
    /// The usual judgement: the mean over all places, and a sentence made from their extremes.
    fn of(places: Vec<Place>, what: &str) -> Judged {
        let (low, high) = estimate::extremes(&places);
        let holds = places.iter().filter(|p| p.holds).count();
        let reason = format!(
            "{what} is {} at the least ({}) and {} at the most ({}); the statement holds in \
             {holds} of {} places",
            with_spread(low),
            low.place,
            with_spread(high),
            high.place,
            places.len(),
        );
        Judged {
            ours: estimate::pooled(&places),
            verdict: estimate::verdict(&places),
            reason,
            places,
        }
    }
}

/// "1.22 ± 0.01", with as many decimals as the size asks for.
fn with_spread(place: &Place) -> String {
    number_with_spread(place.ours, place.spread)
}

/// As above.
pub fn number_with_spread(value: f64, spread: f64) -> String {
    let decimals = if value.abs() >= 100.0 { 0 } else { 2 };
    format!("{value:.decimals$} ± {spread:.decimals$}")
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
            places.push(Place::new(name, gain(data, large, small), estimate::above(1.0)));
        }
    }
    places
}

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
