//! The search: a coarse grid, then finer steps round the best, then all seeds for the finalists.
use super::answer::{Answer, Choice};
use super::knob::Knob;
use super::lab::Lab;
use super::point::Point;
use super::wish::Wishes;
use crate::failure::Failure;
use analysis::Stat;
use analysis::advice::PLUG_IN_GAIN;
use analysis::stat::against;
use engine::Nanos;
use policy::rereplication::registry;

/// Values of the multiplier and of `max-streams` in the coarse grid.
const GRID: [u32; 6] = [2, 4, 8, 16, 32, 64];

/// A point that takes so many times as long as the best so far is not followed to its end.
const HOPELESS: f64 = 1.3;

/// Points within this part of the best are as good as the best.
const SAME: f64 = analysis::stat::SAME;

/// One seed deceives: points up to so many times as slow as its best are worth all seeds.
const NEAR: f64 = 1.2;

/// Points that are run from all seeds.
const FINALISTS: usize = 8;

/// Searches. After Ctrl-C the answer is the best so far; `None` if there is none yet.
///
/// # Errors
/// Bad input; a failed run.
pub fn search(
    lab: &mut Lab<'_>,
    wishes: &Wishes,
    seeds: &[u64],
    tell: &dyn Fn(&Lab<'_>, Option<&Point>),
) -> Result<Option<Answer>, Failure> {
    let now = lab.now.clone();
    lab.run(std::slice::from_ref(&now), seeds, None)?;
    if lab.runs(&now).len() < seeds.len() {
        return Ok(None);
    }
    for batch in [diagonal(&now), grid(&now)] {
        try_out(lab, &batch, &seeds[..1], tell)?
    }
    for _ in 0..2 {
        let Some(best) = fastest(lab, settings_only) else { break };
        try_out(lab, &around(&now, &best), &seeds[..1], tell)?
    }
    let finalists = best_of(lab, settings_only, FINALISTS);
    try_out(lab, &finalists, seeds, tell)?;
    let settings = choose(lab, wishes, seeds.len(), settings_only);
    let plugins = plugins(&[&now, &settings]);
    try_out(lab, &plugins, seeds, tell)?;
    let plugin = Some(choose(lab, wishes, seeds.len(), Point::needs_plugin))
        .filter(|point| point.needs_plugin(&now));
    Ok(Some(decide(lab, wishes, settings, plugin)))
}

fn settings_only(point: &Point, now: &Point) -> bool {
    !point.needs_plugin(now)
}

/// Runs a batch; a point much slower than the best so far is not followed to its end.
fn try_out(
    lab: &mut Lab<'_>,
    batch: &[Point],
    seeds: &[u64],
    tell: &dyn Fn(&Lab<'_>, Option<&Point>),
) -> Result<(), Failure> {
    if lab.stopped() {
        return Ok(());
    }
    // Seeds differ in when the loss is noticed, so a limit is one seed's.
    let limit = if seeds.len() == 1 { limit(lab, seeds[0]) } else { None };
    lab.run(batch, seeds, limit)?;
    tell(lab, fastest(lab, |_, _| true).as_ref());
    Ok(())
}

/// When a run from `seed` is hopeless. Where nothing recovers, there is no such time.
fn limit(lab: &Lab<'_>, seed: u64) -> Option<Nanos> {
    let best = fastest(lab, |_, _| true)?;
    let run = lab.runs(&best).into_iter().find(|run| run.seed == seed)?;
    let repair = run.recovery_s()? * HOPELESS;
    Some(run.moments.declared? + Nanos::from_secs(repair))
}

/// Both limits together: what one hides, the other shows.
fn diagonal(now: &Point) -> Vec<Point> {
    GRID.iter().map(|&n| now.with(Knob::Multiplier, n).with(Knob::MaxStreams, n)).collect()
}

fn grid(now: &Point) -> Vec<Point> {
    let row = |&m: &u32| {
        let with = now.with(Knob::Multiplier, m);
        let columns = GRID.iter().map(move |&s| with.with(Knob::MaxStreams, s));
        columns.chain([now.with(Knob::Multiplier, m)]).collect::<Vec<_>>()
    };
    let streams = GRID.iter().map(|&s| now.with(Knob::MaxStreams, s));
    GRID.iter().flat_map(row).chain(streams).collect()
}

/// Half steps, and a shorter interval between rounds.
fn around(now: &Point, best: &Point) -> Vec<Point> {
    let (multiplier, streams) = (best.get(Knob::Multiplier), best.get(Knob::MaxStreams));
    let at = |m: u32, s: u32| now.with(Knob::Multiplier, m).with(Knob::MaxStreams, s);
    let near =
        |value: u32| [value * 3 / 4, value * 3 / 2, value / 2].into_iter().filter(|v| *v > 0);
    let rows = near(multiplier).map(|m| at(m, streams));
    let columns = near(streams).map(|s| at(multiplier, s));
    let sooner = [1, 2].into_iter().filter(|s| *s < best.get(Knob::Interval));
    let sooner = sooner.map(|s| at(multiplier, streams).with(Knob::Interval, s));
    rows.chain(columns).chain(sooner).collect()
}

/// Every other policy, with each of these settings.
fn plugins(settings: &[&Point]) -> Vec<Point> {
    let names: Vec<&str> = registry::plug_ins().iter().map(|p| p.name()).collect();
    let with = |p: &&Point| names.iter().map(|n| p.with_policy(n)).collect::<Vec<_>>();
    settings.iter().flat_map(with).filter(|p| p.policy != settings[0].policy).collect()
}

/// The fastest points of a kind, the nearest to now first among equals.
fn best_of(lab: &Lab<'_>, kind: impl Fn(&Point, &Point) -> bool, count: usize) -> Vec<Point> {
    let recovery = |p: &Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    let mut all: Vec<&Point> = lab.points().filter(|p| kind(p, &lab.now)).collect();
    all.sort_by(|a, b| {
        let by_distance = a.distance(&lab.now).total_cmp(&b.distance(&lab.now));
        recovery(a).total_cmp(&recovery(b)).then(by_distance)
    });
    let Some(best) = all.first().map(|p| recovery(p)) else { return vec![] };
    // The gentle ones among those that are as good.
    let mut good: Vec<&Point> =
        all.iter().copied().filter(|p| recovery(p) <= best * NEAR).collect();
    good.sort_by(|a, b| a.distance(&lab.now).total_cmp(&b.distance(&lab.now)));
    good.truncate(count);
    good.extend(all.iter().take(2));
    good.into_iter().cloned().collect()
}

fn fastest(lab: &Lab<'_>, kind: impl Fn(&Point, &Point) -> bool) -> Option<Point> {
    let recovered = lab.points().filter(|p| kind(p, &lab.now) && lab.recovery(p).is_some());
    let recovery = |p: &Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    recovered.min_by(|a, b| recovery(a).total_cmp(&recovery(b))).cloned()
}

/// Of the points of a kind that were run from all seeds: with a deadline the nearest to now that
/// meets it; without one, or where none does, the nearest of those as good as the best. After
/// Ctrl-C the fastest so far, from however many seeds.
fn choose(
    lab: &Lab<'_>,
    wishes: &Wishes,
    seeds: usize,
    kind: impl Fn(&Point, &Point) -> bool,
) -> Point {
    if lab.stopped() {
        return fastest(lab, &kind).unwrap_or(lab.now.clone());
    }
    let whole = |p: &&Point| kind(p, &lab.now) && lab.runs(p).len() == seeds;
    let all: Vec<(&Point, Stat)> =
        lab.points().filter(whole).filter_map(|p| Some((p, lab.recovery(p)?))).collect();
    let Some((best, _)) = all.iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean)) else {
        return lab.now.clone();
    };
    let in_time = |s: &Stat| wishes.within.is_some_and(|within| s.mean + s.ci95 <= within);
    let met = all.iter().any(|(_, s)| in_time(s));
    let good = |(p, s): &&(&Point, Stat)| if met { in_time(s) } else { as_good(lab, p, best) };
    let nearest = |a: &&(&Point, Stat), b: &&(&Point, Stat)| {
        let by_distance = a.0.distance(&lab.now).total_cmp(&b.0.distance(&lab.now));
        by_distance.then(a.1.mean.total_cmp(&b.1.mean))
    };
    all.iter().filter(good).min_by(nearest).map_or(lab.now.clone(), |(p, _)| (*p).clone())
}

/// Slower than the best by 5 % at most; or by 10 %, if chance may be the reason.
fn as_good(lab: &Lab<'_>, point: &Point, best: &Point) -> bool {
    let Some(best_s) = lab.recovery(best) else { return true };
    let Some(difference) = against(&lab.variant(best), &lab.variant(point)) else { return false };
    let part = difference.mean / best_s.mean;
    part <= SAME || (part <= 2.0 * SAME && difference.mean <= difference.ci95)
}

/// Settings alone, unless they miss the deadline, or there is none, and a plug-in is worth its
/// trouble.
fn decide(lab: &Lab<'_>, wishes: &Wishes, settings: Point, plugin: Option<Point>) -> Answer {
    let mean = |p: &Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    let worth = |p: &Point| mean(p) <= mean(&settings) * (1.0 - PLUG_IN_GAIN);
    let in_time = |p: &Point| {
        lab.recovery(p).is_some_and(|s| wishes.within.is_some_and(|w| s.mean + s.ci95 <= w))
    };
    let recommended = match &plugin {
        Some(point) if worth(point) && !in_time(&settings) => Choice::Plugin,
        _ => Choice::Settings,
    };
    Answer::new(lab, wishes, settings, plugin, recommended)
}
