//! Values that Higai et al. 2014 leave open, and words of the claims' reasons.
use super::cell::NETWORK;
use system::claims::{Alternative, Estimate, Estimates, Figure, Joint};

/// (key, other values to try than the assumed one)
pub type Assumption = (&'static str, &'static [&'static str]);

/// HDFS's default is 2; the paper does not give the simulated value.
const STREAMS: Assumption = ("policy.streams_per_source", &["1", "3"]);
/// "A disk is an extra link" leaves open whether reads and writes share it.
const CHANNELS: Assumption = ("hardware.disk_channels", &["separate"]);
/// At once, or in the NameNode's rounds of 3 s.
const PACING: Assumption = ("policy.pacing", &["hdfs3"]);
/// Whether both directions between the racks share one link.
const LINK: Assumption = ("hardware.inter_rack_kind", &["uplinks"]);
/// SimGrid's default model, and equal shares. The paper does not name the model of SimGrid.
const NETWORKS: Assumption = (NETWORK.0, &["LV08", "fair"]);
/// Section 4.1: "first decide all sources, then transfer".
const SOURCES: Assumption = (BEFORE, &["before"]);
const BEFORE: &str = "policy.sources_chosen";

pub const IN_ONE_RACK: [Assumption; 5] = [SOURCES, STREAMS, CHANNELS, NETWORKS, PACING];
/// For two racks: the kind of link matters, too.
pub const JOINED: [Assumption; 5] = [SOURCES, STREAMS, CHANNELS, NETWORKS, LINK];

/// All combinations of what decides the paper's gains.
pub const JOINT: Joint = Joint {
    keys: &[
        (BEFORE, &["at-start", "before"]),
        (STREAMS.0, &["2", "3"]),
        (CHANNELS.0, &["shared", "separate"]),
        (NETWORK.0, &["CM02", "LV08"]),
    ],
    claims: &["C0.3", "C0.4", "C0.5", "C0.6", "C0.7"],
    seeds: 2,
};

/// Seeds of each run at another value.
pub const SEEDS: u32 = 3;

/// The paper's own text states when sources are chosen: that value is a place of the claim.
pub fn alternatives(assumptions: &[Assumption], figures: &[Figure]) -> Vec<Alternative> {
    let one = |&(key, values): &Assumption| {
        let at = move |value: &&str| {
            let one = Alternative::of(key, value, figures).with(&[(key, value)]).seeds(SEEDS);
            if key == BEFORE { one.stated() } else { one }
        };
        values.iter().map(at)
    };
    assumptions.iter().flat_map(one).collect()
}

/// A default that waits for the busy source that it drew, instead of skipping it. A ring's block
/// waits in any case.
pub fn waiting(figures: impl Fn(&'static str) -> Vec<Figure>) -> Alternative {
    let policy = "document-default-waiting";
    Alternative::of("policy.rereplication", policy, &figures(policy)).seeds(SEEDS)
}

pub fn format_estimate(of: &Estimate) -> String {
    with_spread(of.stat.mean, of.stat.ci95)
}

/// "1.22 ± 0.01"; decimals by size.
pub fn with_spread(value: f64, spread: f64) -> String {
    let decimals = decimals(value);
    format!("{value:.decimals$} ± {spread:.decimals$}")
}

fn decimals(value: f64) -> usize {
    if value.abs() >= 100.0 { 0 } else { 2 }
}

/// The places with the smallest and the largest mean.
pub fn extremes<'f>(of: &'f Estimates, key: &str) -> (&'f Estimate, &'f Estimate) {
    let by_mean = |a: &&Estimate, b: &&Estimate| a.stat.mean.total_cmp(&b.stat.mean);
    let low = of.all(key).min_by(by_mean).expect("a claim looks at one place at least");
    (low, of.all(key).max_by(by_mean).expect("as above"))
}

/// "holds in 3 of 8 places, fails in 1, is not decided in 4".
pub fn count_outcomes<'f>(places: impl Iterator<Item = &'f Estimate>) -> String {
    let outcomes: Vec<Option<bool>> = places.filter_map(|place| place.holds).collect();
    let count = |outcome| outcomes.iter().filter(|holds| **holds == outcome).count();
    let mut out = format!("holds in {} of {} places", count(Some(true)), outcomes.len());
    for (number, what) in [(count(Some(false)), "fails"), (count(None), "is not decided")] {
        if number > 0 {
            out += &format!(", {what} in {number}");
        }
    }
    out
}

pub fn common_reason(of: &Estimates, what: &str) -> String {
    let (low, high) = extremes(of, "place");
    format!(
        "{what} is {} at the least ({}) and {} at the most ({}); the statement {}",
        format_estimate(low),
        low.place,
        format_estimate(high),
        high.place,
        count_outcomes(of.places()),
    )
}
