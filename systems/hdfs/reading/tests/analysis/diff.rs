//! Two runs against each other: pretended repairs, and a walk over all times as the oracle.
use crate::fake::{self, Fake, SMALL};
use crate::pages::compare;
use hdfs_reading::diff::page::Diff;
use hdfs_reading::stat::Verdict;
use hdfs_reading::{Band, Run, Side, diff};
use units::Nanos;

const SEEDS: u64 = 8;

/// One run, as a log would give it.
fn one(name: &str, fake: Fake) -> Side {
    let mut trace = fake::trace(fake);
    for (key, value) in [("origin", "logged"), ("scenario", "shop"), ("version", "0.1.0")] {
        trace.run.push((key.into(), value.into()));
    }
    Side { name: name.into(), run: Run::of(fake.seed, &trace), trace, band: None }
}

/// Seeds 1 to 8.
fn many(name: &str, fake: Fake) -> Side {
    let side = one(name, Fake { seed: 1, ..fake });
    let seeds = |seed| Run::of(seed, &fake::trace(Fake { seed, ..fake }));
    let runs: Vec<Run> = (1..=SEEDS).map(seeds).collect();
    let mut trace = side.trace;
    trace.run.retain(|(key, _)| key != "origin");
    trace.run.push(("origin".into(), "simulated".into()));
    trace.run.push(("trace_hash".into(), name.into()));
    let band = Band::of(&trace, &runs);
    assert!(band.is_some());
    Side { trace, band, ..side }
}

fn of(first: Side, second: Side) -> Diff {
    diff(&[first, second], "tenbin diff a b").expect("comparable")
}

fn plain(diff: &Diff) -> String {
    let spans = diff.parting.iter().flatten();
    spans.map(|span| span.t.as_str()).collect::<String>().replace('\u{a0}', " ")
}

/// Each seed, sample by sample, against the others: a second that one is alone is a second outside.
#[test]
fn the_band_is_what_the_seeds_span() {
    let runs: Vec<Run> =
        (1..=SEEDS).map(|seed| Run::of(seed, &fake::trace(Fake { seed, ..SMALL }))).collect();
    let band = Band::of(&fake::trace(SMALL), &runs).unwrap();
    assert_eq!(band.flaw(), None);
    assert_eq!(band.seeds, (1..=SEEDS).collect::<Vec<_>>());
    let curve = &band.curves["at_risk"];
    let at = |run: &Run, i: usize| {
        let since = Nanos::from_secs(band.step_s) * i as u64;
        run.at_risk.at(run.moments.declared.unwrap() + since)
    };
    let mut outside = vec![0.0; runs.len()];
    for i in 0..curve.low.len() {
        for (place, run) in runs.iter().enumerate() {
            let value = at(run, i);
            assert!(curve.low[i] <= value && value <= curve.high[i]);
            let others = runs.iter().enumerate().filter(|(other, _)| *other != place);
            let others: Vec<f64> = others.map(|(_, run)| at(run, i)).collect();
            let alone = others.iter().all(|v| *v < value) || others.iter().all(|v| *v > value);
            outside[place] += if alone { band.step_s } else { 0.0 };
        }
    }
    for (counted, naive) in curve.outside_s.iter().zip(&outside) {
        assert!((counted - naive).abs() < 1e-6, "{counted} {naive}");
    }
    assert!(outside.iter().sum::<f64>() > 0.0, "somebody is highest");
    let copies: f64 = band.nodes.iter().map(|node| node.sent.mean).sum();
    assert!((copies - 200.0).abs() < 1e-9, "every copy has a sender: {copies}");
}

/// The pretended repair loses one node; a trace in which none is dead has only a moment.
#[test]
fn times_are_counted_from_what_both_traces_tell() {
    let side = || one("real", SMALL);
    let with = |dead: usize| {
        let mut side = side();
        side.trace.nodes.iter_mut().enumerate().for_each(|(i, node)| node.alive = i >= dead);
        side
    };
    assert_eq!(of(side(), many("model", SMALL)).since, "since declared dead");
    assert_eq!(of(with(2), side()).since, "since the first was declared dead");
    assert_eq!(of(side(), with(0)).since, "since HDFS noticed");
}

#[test]
fn a_seed_of_the_band_stays_inside() {
    let diff = of(one("real", Fake { seed: 3, ..SMALL }), many("model", SMALL));
    for curve in &diff.curves {
        let parts = curve.parts.as_ref().unwrap();
        assert!(parts.spans.is_empty(), "{parts:?}");
        assert_eq!((parts.bands.as_slice(), parts.outside_s), (&[1][..], 0.0));
    }
    assert!(plain(&diff).contains("real stays inside the band of model’s 8 seeds"));
    assert_eq!(diff.against.unwrap().verdict, Verdict::NoDifference);
    assert!(diff.nodes.iter().all(|node| node.alive != [true; 2] || node.inside[0].is_some()));
}

/// Twice the multiplier is twice as fast: the curve leaves downwards, and comes back when both
/// have ended. The first moment is that of a walk over all samples.
#[test]
fn a_faster_run_leaves_the_band_below() {
    let fast = one("real", Fake { multiplier: 4, seed: 3, ..SMALL });
    let (run, slow) = (fast.run.clone(), many("model", SMALL));
    let band = slow.band.clone().unwrap();
    let diff = of(slow, fast);
    let curve = &band.curves["at_risk"];
    let step = Nanos::from_secs(band.step_s);
    let below = |i: &usize| {
        let value = run.at_risk.at(run.moments.declared.unwrap() + step * *i as u64);
        value < curve.low[*i] || value > curve.high[*i]
    };
    let first = (0..curve.low.len()).find(below).unwrap();
    let parts = diff.curves[0].parts.as_ref().unwrap();
    assert!((parts.spans[0].from_s - (step * first as u64).as_secs()).abs() < 1e-9);
    assert!(!parts.spans[0].above);
    assert_eq!((parts.bands.as_slice(), parts.alike), (&[0][..], Some(0)));
    let outside = (0..curve.low.len() - 1).filter(below).count() as f64 * band.step_s;
    assert!((parts.outside_s - outside).abs() < 1e-6, "{} {outside}", parts.outside_s);
    assert!(plain(&diff).contains("real leaves the band of model’s 8 seeds at"));
    let against = diff.against.unwrap();
    assert_eq!(against.verdict, Verdict::Faster);
    assert!(against.mean < -against.ci95 && against.ci95 > 0.0);
    let recovery = diff.figures.iter().find(|figure| figure.key == "recovery_s").unwrap();
    assert_eq!(recovery.inside, Some(false));
}

#[test]
fn two_bands_part_where_they_do_not_meet() {
    let diff = of(many("now", SMALL), many("fast", Fake { multiplier: 4, ..SMALL }));
    let parts = diff.curves[0].parts.as_ref().unwrap();
    assert_eq!((parts.bands.as_slice(), parts.alike), (&[0, 1][..], None));
    assert!(!parts.spans.is_empty());
    assert!(plain(&diff).contains("the bands of 8 and 8 seeds part at"), "{}", plain(&diff));
    // Seed by seed, for they are the same.
    assert_eq!(diff.against.unwrap().verdict, Verdict::Faster);
    let same = of(many("now", SMALL), many("again", SMALL));
    assert!(same.curves.iter().all(|curve| curve.parts.as_ref().unwrap().spans.is_empty()));
    assert_eq!(same.against.unwrap().mean, 0.0);
}

#[test]
fn single_runs_say_that_nothing_tells_chance() {
    let diff = of(one("a", SMALL), one("b", Fake { seed: 2, ..SMALL }));
    assert!(diff.curves.iter().all(|curve| curve.parts.is_none()));
    assert!(plain(&diff).contains("Neither has several seeds"), "{}", plain(&diff));
    assert!(diff.figures.iter().all(|figure| figure.inside.is_none()));
    let most = &diff.curves[0].farthest;
    let sides = &diff.curves[0].sides;
    let apart = |i: usize| (sides[1].median[i] - sides[0].median[i]).abs();
    let naive = (0..sides[0].median.len()).map(apart).fold(0.0, f64::max);
    assert_eq!((most.values[1] - most.values[0]).abs(), naive);
}

#[test]
fn nodes_are_joined_by_address_else_by_name() {
    let mut other = one("b", SMALL);
    other.trace.nodes.iter_mut().for_each(|node| node.name += ".example");
    let none = of(one("a", SMALL), other);
    assert!(none.nodes.is_empty());
    let said: String = none.nodes_note.iter().map(|span| span.t.as_str()).collect();
    assert!(said.contains("no node in common"), "{said}");
    let mut addressed = [one("a", SMALL), one("b", SMALL)];
    for (which, side) in addressed.iter_mut().enumerate() {
        for (place, node) in side.trace.nodes.iter_mut().enumerate() {
            node.address = Some(format!("10.0.0.{place}:9866"));
            node.name = format!("{which}-{place}");
        }
    }
    let [a, b] = addressed;
    let joined = of(a, b);
    assert_eq!(joined.nodes.len(), 10);
    assert!(joined.nodes.iter().all(|node| node.sent[0] == node.sent[1]));
}

#[test]
fn what_has_no_start_or_no_curve_is_refused() {
    let mut undeclared = one("b", SMALL);
    undeclared.run.moments.declared = None;
    let refused = diff(&[one("a", SMALL), undeclared], "").unwrap_err();
    assert_eq!(refused.which, 1);
    assert!(refused.why.contains("no node is declared dead"), "{}", refused.why);
    let mut without = one("a", SMALL);
    without.trace.counter_names.clear();
    assert_eq!(diff(&[without, one("b", SMALL)], "").unwrap_err().which, 0);
}

#[test]
fn what_a_terminal_shows() {
    let real = one("logged", Fake { seed: 30, ..SMALL });
    compare("diff", &hdfs_reading::diff::text(&of(real, many("simulated", SMALL))));
    let fast = one("fast", Fake { multiplier: 4, seed: 30, ..SMALL });
    compare("diff_fast", &hdfs_reading::diff::text(&of(many("now", SMALL), fast)));
}
