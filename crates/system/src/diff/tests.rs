//! Two runs compared: artificial repairs; a linear scan over all times is the oracle.
use super::band::Band;
use super::data::Diff;
use super::of;
use super::side::Side;
use crate::figures::Difference;
use crate::finished::FinishedJob;
use crate::interface::System;
use crate::lab::SeedRun;
use ::page::Page;
use cluster::keys::{Key, Vocabulary, shared};
use trace::reading::{End, Reading};
use trace::{Aggregation, Better, Cause, IntervalRole, ObjectiveRow, Outcome, ResourceRole};
use trace::{Trace, TraceBuilder};
use units::Nanos;

const KEYS: [Key; 0] = [];
static VOCABULARY: Vocabulary =
    Vocabulary::plain("toy", &[&KEYS, &shared::SYSTEM], |_| String::new());
static TOY: System = System::new(&VOCABULARY);

const NODES: u64 = 4;
const COPIES: u64 = 200;
const SEEDS: u64 = 8;

fn drawn(seed: u64, place: u64) -> u64 {
    let mixed = (seed * 1_000_003 + place + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 29)) >> 33
}

/// A repair of 200 blocks, one copy after the other from a node to another; begins at 10 s.
fn repair(seed: u64, mean: Nanos) -> Trace {
    let mut new = TraceBuilder::new();
    for (key, value) in
        [("system", "toy"), ("origin", "simulated"), ("scenario", "toy"), ("version", "0")]
    {
        new.about(key, value)
    }
    new.about("seed", seed.to_string());
    new.about("trace_hash", format!("{seed}-{mean:?}"));
    let nodes: Vec<_> = (0..NODES).map(|at| new.node(&format!("dn{at}")).add()).collect();
    let disk = new.sole_resource(ResourceRole::Disk, "disk", "Disk");
    let copy = new.interval_kind(IntervalRole::Work, "copy", "copied").unit("bytes").id();
    let left = new.counter("left", "blocks", None, None);
    let from = Nanos::secs(10);
    let mut at = from;
    new.count(left, at, COPIES as f64);
    for place in 0..COPIES {
        let source = drawn(seed, place) % NODES;
        let target = (source + 1 + drawn(seed, place + COPIES) % (NODES - 1)) % NODES;
        let end = at + Nanos(mean.0 / 2 + drawn(seed, place + 2 * COPIES) % mean.0);
        let row = new.interval(copy).node(nodes[source as usize]).peer(nodes[target as usize]);
        row.uses(disk).from(at).to(end).amount(1).cause(Cause::Resource(disk)).push();
        new.count(left, end, (COPIES - 1 - place) as f64);
        at = end;
    }
    new.objective(ObjectiveRow {
        metric: "repair_s".into(),
        unit: "s".into(),
        better: Better::Less,
        how: Aggregation::Mean,
        of: None,
        subject: None,
        from,
        to: Some(at),
        value: Some((at - from).as_secs()),
        outcome: Outcome::Ok,
    });
    new.finish(at)
}

const SLOW: Nanos = Nanos::millis(200);
const FAST: Nanos = Nanos::millis(100);

fn one(name: &str, seed: u64, mean: Nanos) -> Side {
    let trace = repair(seed, mean);
    let settings = [("pace".to_string(), format!("{mean}"))].into();
    let reading = Reading::of(&trace);
    Side { name: name.into(), reading, trace, band: None, settings: Some(settings), finished: None }
}

/// Seeds 1 to 8.
fn many(name: &str, mean: Nanos) -> Side {
    let run = |seed| SeedRun { seed, reading: Reading::of(&repair(seed, mean)), own: None };
    let runs: Vec<SeedRun> = (1..=SEEDS).map(run).collect();
    let side = one(name, 1, mean);
    let band = Band::of(&side.trace, &runs);
    assert!(band.is_some());
    Side { band, ..side }
}

fn diff(first: Side, second: Side) -> (Diff, Page) {
    of(&TOY, &[first, second])
}

fn said(page: &Page) -> String {
    let text = ::page::text(page);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Blocks left at a time since the repair began.
fn left(trace: &Trace, since: Nanos) -> f64 {
    let before = trace.counters.iter().rev().find(|count| count.at <= Nanos::secs(10) + since);
    before.and_then(|count| count.value).unwrap_or(0.0)
}

/// The time outside the band, counted sample by sample for each seed.
#[test]
fn the_band_is_what_the_seeds_span() {
    let side = many("all", SLOW);
    let band = side.band.expect("seeds");
    let curve = &band.curves["left"];
    let traces: Vec<Trace> = (1..=SEEDS).map(|seed| repair(seed, SLOW)).collect();
    let mut outside = vec![0.0; traces.len()];
    for place in 0..curve.low.len() {
        let since = Nanos::from_secs(band.step_s) * place as u64;
        let values: Vec<f64> = traces.iter().map(|trace| left(trace, since)).collect();
        for (seed, value) in values.iter().enumerate() {
            assert!(curve.low[place] <= *value && *value <= curve.high[place]);
            let others = || values.iter().enumerate().filter(|(other, _)| *other != seed);
            let below = others().all(|(_, v)| v > value);
            let alone = below || others().all(|(_, v)| v < value);
            outside[seed] += if alone { band.step_s } else { 0.0 };
        }
    }
    for (counted, naive) in curve.outside_s.iter().zip(&outside) {
        assert!((counted - naive).abs() < 1e-6, "{counted} {naive}");
    }
    assert!(outside.iter().sum::<f64>() > 0.0, "somebody is highest");
    let sent = band.loads.iter().find(|load| load.end == End::Node).expect("copies");
    let copies: f64 = sent.times.iter().map(|node| node.mean).sum();
    assert!((copies - COPIES as f64).abs() < 1e-9, "every copy has a sender: {copies}");
}

#[test]
fn a_seed_of_the_band_stays_inside() {
    let (diff, page) = diff(one("real", 3, SLOW), many("model", SLOW));
    let parts = diff.curves[0].parts.as_ref().expect("a band");
    assert_eq!((parts.bands.as_slice(), parts.spans.len()), (&[1][..], 0));
    assert!(said(&page).contains("real stays inside the band of model's 8 seeds"));
    assert_eq!(diff.against.expect("both end").verdict, Difference::None);
    assert!(diff.nodes.iter().all(|node| node.inside == Some(true)), "{:?}", diff.nodes);
    assert_eq!(diff.settings.as_deref(), Some(&[][..]));
    assert_eq!(diff.record, None, "seeds 3 and 1");
}

/// The first time outside is that of a scan over all samples.
#[test]
fn a_faster_run_leaves_the_band_below() {
    let (slow, fast) = (many("model", SLOW), one("real", 3, FAST));
    let (band, trace) = (slow.band.clone().expect("seeds"), fast.trace.clone());
    let (diff, page) = diff(slow, fast);
    let (curve, step) = (&band.curves["left"], Nanos::from_secs(band.step_s));
    let below = |place: &usize| {
        let value = left(&trace, step * *place as u64);
        value < curve.low[*place] || value > curve.high[*place]
    };
    let first = (0..curve.low.len()).find(below).expect("it is faster");
    let parts = diff.curves[0].parts.as_ref().expect("a band");
    assert!((parts.spans[0].from_s - (step * first as u64).as_secs()).abs() < 1e-9);
    assert_eq!(diff.curves[0].apart_from_s, Some(parts.spans[0].from_s));
    assert!(!parts.spans[0].above);
    assert_eq!((parts.bands.as_slice(), parts.alike), (&[0][..], Some(0)));
    let against = diff.against.expect("both end");
    assert_eq!(against.verdict, Difference::Better);
    assert!(against.mean < -against.ci95 && against.ci95 > 0.0);
    assert_eq!(diff.figures[0].key, "repair_s");
    assert_eq!(diff.figures[0].inside, Some(false));
    let answer = "With pace = 100ms instead of 200ms, the repair of real is";
    assert!(diff.answer.starts_with(answer), "{}", diff.answer);
    assert!(said(&page).contains("real leaves the band of model's 8 seeds at"));
}

#[test]
fn two_bands_part_where_they_do_not_meet() {
    let (apart, page) = diff(many("now", SLOW), many("fast", FAST));
    let parts = apart.curves[0].parts.as_ref().expect("bands");
    assert_eq!((parts.bands.as_slice(), parts.alike), (&[0, 1][..], None));
    assert!(!parts.spans.is_empty());
    assert!(said(&page).contains("the bands of 8 and 8 seeds separate at"));
    let (same, _) = diff(many("now", SLOW), many("again", SLOW));
    assert!(same.curves[0].parts.as_ref().expect("bands").spans.is_empty());
    let against = same.against.expect("both end");
    assert_eq!((against.mean, against.ci95), (0.0, 0.0), "seed by seed, for they are the same");
    assert_eq!(same.answer, "No difference: 39.6 s repair (39.0 s–40.0 s) in both.");
}

#[test]
fn single_runs_say_that_nothing_tells_chance() {
    let (apart, page) = diff(one("a", 1, SLOW), one("b", 2, SLOW));
    assert!(apart.curves[0].parts.is_none());
    assert!(said(&page).contains("Neither has several seeds"), "{}", said(&page));
    assert!(apart.figures.iter().all(|figure| figure.inside.is_none()));
    let (most, sides) = (&apart.curves[0].farthest, &apart.curves[0].sides);
    let by = |place: usize| (sides[1].median[place] - sides[0].median[place]).abs();
    let naive = (0..sides[0].median.len()).map(by).fold(0.0, f64::max);
    assert_eq!((most.values[1] - most.values[0]).abs(), naive);
    let (paced, _) = diff(one("a", 1, SLOW), one("b", 1, FAST));
    let record = paced.record.expect("from one seed");
    let [Some(a), Some(b)] = record.records else { panic!("both copy") };
    assert_eq!((a.start_s, &a.what), (b.start_s, &b.what), "the first copy, which is faster");
    assert_eq!(record.at_s, a.end_s.min(b.end_s));
}

#[test]
fn nodes_are_joined_by_address_else_by_name() {
    let mut other = one("b", 1, SLOW);
    other.trace.nodes.iter_mut().for_each(|node| node.name += ".example");
    let (none, _) = diff(one("a", 1, SLOW), other);
    assert!(none.nodes.is_empty());
    let [mut a, mut b] = [one("a", 1, SLOW), one("b", 1, SLOW)];
    for (which, side) in [&mut a, &mut b].into_iter().enumerate() {
        for (place, node) in side.trace.nodes.iter_mut().enumerate() {
            node.address = Some(format!("10.0.0.{place}:9866"));
            node.name = format!("{which}-{place}");
        }
    }
    let (joined, _) = diff(a, b);
    assert_eq!(joined.nodes.len() as u64, 2 * NODES, "as sender and as receiver");
    assert!(joined.nodes.iter().all(|node| node.counts[0] == node.counts[1]));
}

#[test]
fn a_run_without_a_value_is_shown() {
    let mut cut = one("cut", 1, SLOW);
    cut.reading.value = None;
    let (diff, _) = diff(one("whole", 1, SLOW), cut);
    assert_eq!(diff.against, None);
    let answer = "whole has a repair of 39.5 s; cut does not end.";
    assert_eq!(diff.answer, answer);
}

#[test]
fn two_whole_runs_of_other_work_are_not_comparable() {
    let real = |name: &str, job: &str, how: Option<&str>| {
        let finished = FinishedJob {
            what: "job".into(),
            name: job.into(),
            broke_off: how.map(String::from),
            verdict: "It was long.".into(),
            ..FinishedJob::default()
        };
        Side { finished: Some(finished), ..one(name, 1, SLOW) }
    };
    let (same, page) = diff(real("a", "sort 1", None), real("b", "sort 2", None));
    assert!(same.not_comparable.is_empty(), "a number of a run is no other work");
    assert!(said(&page).contains("a on its own: It was long."), "{}", said(&page));
    let (other, page) = diff(real("a", "sort", None), real("b", "join", Some("was killed")));
    assert_eq!(
        other.answer,
        "Not comparable: b was killed, so its time is not that of a complete job; a is sort and b \
         is join, two different jobs."
    );
    assert_eq!(other.against.expect("both end").verdict, Difference::Open);
    assert!(said(&page).contains("two runs that are not comparable"), "{}", said(&page));
}
