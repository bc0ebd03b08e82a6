//! What a document does not say: each claim again under the other ways of reading it.
use super::cell::{Cell, Data};
use super::claims::{Claim, Judged, number};
use super::runs::{self, Asked};
use super::verdict::{SAME, Verdict};
use crate::failure::Failure;
use cluster::Sheet;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A key that the document gives no value for, and what it may have been.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// "policy.streams_per_source".
    pub key: &'static str,
    /// In the order in which they are shown; the base scenario's is one of them.
    pub values: &'static [&'static str],
}

/// HDFS's own default is 2; the document does not say what it simulated.
pub const STREAMS: Assumption =
    Assumption { key: "policy.streams_per_source", values: &["1", "2", "3"] };
/// "A disk is an extra link" leaves open whether reads and writes share it.
pub const CHANNELS: Assumption =
    Assumption { key: "hardware.disk_channels", values: &["shared", "separate"] };
/// At once, or in the NameNode's rounds of 3 s.
pub const PACING: Assumption =
    Assumption { key: "policy.pacing", values: &["event-driven", "hdfs3"] };
/// Whether the two directions between the racks share one link.
pub const LINK: Assumption =
    Assumption { key: "hardware.inter_rack_kind", values: &["one-link", "uplinks"] };
/// SimGrid's CM02 gives a flow 1/latency of weight; which of its models was used is not said.
pub const WEIGHTS: Assumption =
    Assumption { key: "model.latency_weights", values: &["false", "true"] };

/// Whether the document's default policy passes busy sources over, or waits for the one that it
/// drew. It varies the default alone: a ring's block waits for its source in any case.
pub const SKIPPING: Assumption =
    Assumption { key: POLICY, values: &[DEFAULT, "document-default-waiting"] };

/// Who is varied by [`SKIPPING`].
const POLICY: &str = "policy.rereplication";
const DEFAULT: &str = "default";

/// Where [`SKIPPING`] is not tried.
pub const BUSY_SOURCE: &str = "whether a busy source is skipped is not said either: here the \
                               default skips it and a ring's block waits; C0.3 and C0.7 show the \
                               default that waits, too";

/// What the gain in one rack rests on besides.
pub const SEARCHED: &str = "that each source has two streams, that reads and writes share a disk \
                            and that the default skips busy sources was found by search, as what \
                            brings the documented gain about: the claim holds with these \
                            assumptions";

/// Seeds of each run under another reading: it is to show where a claim moves to, not to decide it.
pub const SEEDS: u32 = 2;

/// One key at another value than the base scenario's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reading {
    pub key: &'static str,
    pub value: &'static str,
}

impl Reading {
    pub fn changes(self, cell: &Cell) -> bool {
        self.key != POLICY || cell.policy == DEFAULT
    }
}

/// What was measured under each reading, from the same few seeds.
pub type Readings = BTreeMap<Reading, Data>;

/// What a claim's own value comes to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Moved {
    pub what: &'static str,
    pub value: &'static str,
    /// The claim's value, in its unit.
    pub ours: f64,
    pub verdict: Verdict,
}

fn is_base(base: &Sheet, Reading { key, value }: Reading) -> bool {
    base.settings.iter().any(|s| s.key == key && s.value == value)
}

fn readings(claim: &Claim) -> impl Iterator<Item = Reading> {
    let of = |a: &'static Assumption| a.values.iter().map(|value| Reading { key: a.key, value });
    claim.assumes.iter().flat_map(of)
}

/// What the claims need to be run, each at the other values of what it assumes.
pub fn asked(claims: &[Claim], base: &Sheet) -> Vec<Asked> {
    let mut all: BTreeSet<(Reading, Cell)> = BTreeSet::new();
    for claim in claims {
        for reading in readings(claim).filter(|&r| !is_base(base, r)) {
            all.extend((claim.needs)().into_iter().map(|cell| (reading, cell)))
        }
    }
    all.into_iter().map(|(reading, cell)| Asked { cell, besides: Some(reading) }).collect()
}

/// Runs them from seeds 1 to `seeds`. The base scenario's own values come from `data`, from the
/// same seeds.
///
/// # Errors
/// A run that failed; an interruption.
pub fn run(
    claims: &[Claim],
    base: &Sheet,
    data: &Data,
    seeds: u32,
    sets: &[(String, String)],
) -> Result<Readings, Failure> {
    let asked = asked(claims, base);
    let rows = runs::run(&asked, seeds, sets, "reproduce s0: what is not said")?;
    let mut all = Readings::new();
    for (asked, measured) in asked.iter().zip(runs::data(&rows)?) {
        let reading = asked.besides.expect("each is at another value");
        all.entry(reading).or_default().insert(asked.cell, measured);
    }
    let own = || data.iter().map(|(cell, m)| (*cell, m.first(seeds as usize))).collect::<Data>();
    let known = claims.iter().flat_map(readings).filter(|&r| is_base(base, r));
    known.for_each(|reading| {
        all.entry(reading).or_insert_with(own);
    });
    Ok(all)
}

/// A claim's value under every reading of what it assumes.
pub fn moved(claim: &Claim, readings: &Readings) -> Vec<Moved> {
    let one = |r: Reading| {
        let Judged { ours, verdict, .. } = (claim.judge)(&readings[&r]);
        Moved { what: r.key, value: r.value, ours: ours.mean, verdict }
    };
    self::readings(claim).map(one).collect()
}

/// The claim as judged, and what it rests on.
pub fn judge(claim: &Claim, data: &Data, readings: &Readings) -> Judged {
    let judged = (claim.judge)(data);
    let sensitivity = moved(claim, readings);
    let reason = format!("{}. {}", judged.reason, sentence(&sensitivity, claim.besides));
    Judged { reason, sensitivity, ..judged }
}

/// "1.43 at 1, 1.20 at 2, 1.12 at 3", by key.
pub fn by_key(sensitivity: &[Moved]) -> Vec<(&'static str, String)> {
    let groups = sensitivity.chunk_by(|a, b| a.what == b.what);
    let one = |m: &Moved| format!("{} at {}", number(m.ours), m.value);
    groups.map(|g| (g[0].what, g.iter().map(one).collect::<Vec<_>>().join(", "))).collect()
}

/// What the claim's value rests on: what moves it by 5 % or more between two of the values.
fn sentence(sensitivity: &[Moved], besides: &str) -> String {
    let moves = |key: &str| {
        let of = sensitivity.iter().filter(|m| m.what == key).map(|m| m.ours);
        let (low, high) = of.fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
        high > low * (1.0 + SAME)
    };
    let (much, little): (Vec<_>, Vec<_>) =
        by_key(sensitivity).into_iter().partition(|(key, _)| moves(key));
    let mut said = Vec::new();
    if !much.is_empty() {
        let each: Vec<String> = much.iter().map(|(key, at)| format!("{key} ({at})")).collect();
        said.push(format!("the document does not say, and this rests on, {}", each.join(", ")))
    }
    if !little.is_empty() {
        let keys: Vec<&str> = little.iter().map(|(key, _)| *key).collect();
        said.push(format!("{} would change it by less than 5 %", keys.join(", ")))
    }
    if !besides.is_empty() {
        said.push(besides.to_string())
    }
    let mut said = said.join("; ");
    if let Some(first) = said.get(..1).map(str::to_uppercase).filter(|_| !much.is_empty()) {
        said.replace_range(..1, &first)
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(what: &'static str, value: &'static str, ours: f64) -> Moved {
        Moved { what, value, ours, verdict: Verdict::of([Some(true)]) }
    }

    #[test]
    fn the_sentence_names_what_a_claim_rests_on() {
        let both = [
            moved("streams", "1", 1.43),
            moved("streams", "2", 1.2),
            moved("channels", "shared", 1.2),
            moved("channels", "separate", 1.22),
        ];
        assert_eq!(
            sentence(&both, "no more"),
            "The document does not say, and this rests on, streams (1.43 at 1, 1.20 at 2); \
             channels would change it by less than 5 %; no more"
        );
        assert_eq!(sentence(&both[2..], ""), "channels would change it by less than 5 %");
    }
}
