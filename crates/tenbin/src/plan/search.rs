//! The search: a coarse grid, then finer steps round the best, then all seeds for the finalists.
use super::answer::{Answer, Choice};
use super::knob::Knob;
use super::lab::Lab;
use super::point::Point;
use super::trade;
use super::wish::Wishes;
use crate::failure::Failure;
use analysis::advice::PLUG_IN_GAIN;
use analysis::stat::against;
use engine::Nanos;
use policy::rereplication::registry;

/// Values of the multiplier and of `max-streams` in the coarse grid.
const GRID: [u64; 6] = [2, 4, 8, 16, 32, 64];

/// A point that takes so many times as long as the best so far is not followed to its end.
const HOPELESS: f64 = 1.3;

/// Beside clients who is slow may be gentle: so many times as long as now is too long.
const SLOW: f64 = 4.0;

/// Limits of what a DataNode sends as copies that are tried beside clients [bytes/s].
const LIMITS: [u64; 5] = [10_000_000, 20_000_000, 40_000_000, 80_000_000, 160_000_000];

/// Points of the front of a first seed that are run from all.
const FRONT: usize = 10;

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
    let mut finalists = best_of(lab, settings_only, FINALISTS);
    if lab.p99_before().is_some() {
        let best = fastest(lab, settings_only).unwrap_or(now.clone());
        try_out(lab, &gentle(&now, &best), &seeds[..1], tell)?;
        let front = trade::front(lab, &settings_only);
        finalists.extend(spread(front, FRONT))
    }
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
    let (than, times) = match lab.has_clients() {
        true => (lab.now.clone(), SLOW),
        false => (fastest(lab, |_, _| true)?, HOPELESS),
    };
    let run = lab.runs(&than).into_iter().find(|run| run.seed == seed)?;
    let repair = run.recovery_s()? * times;
    Some(run.moments.declared? + Nanos::from_secs(repair))
}

/// Both limits together: what one hides, the other shows.
fn diagonal(now: &Point) -> Vec<Point> {
    GRID.iter().map(|&n| now.with(Knob::Multiplier, n).with(Knob::MaxStreams, n)).collect()
}

fn grid(now: &Point) -> Vec<Point> {
    let row = |&m: &u64| {
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
    let at = |m: u64, s: u64| now.with(Knob::Multiplier, m).with(Knob::MaxStreams, s);
    let near =
        |value: u64| [value * 3 / 4, value * 3 / 2, value / 2].into_iter().filter(|v| *v > 0);
    let rows = near(multiplier).map(|m| at(m, streams));
    let columns = near(streams).map(|s| at(multiplier, s));
    let sooner = [1, 2].into_iter().filter(|s| *s < best.get(Knob::Interval));
    let sooner = sooner.map(|s| at(multiplier, streams).with(Knob::Interval, s));
    rows.chain(columns).chain(sooner).collect()
}

/// At most `count` of a front, both its ends among them.
fn spread(front: Vec<Point>, count: usize) -> Vec<Point> {
    let (last, steps) = (front.len().saturating_sub(1), count.min(front.len()).max(2) - 1);
    let mut places: Vec<usize> = (0..=steps).map(|step| step * last / steps).collect();
    places.dedup();
    places.into_iter().filter_map(|place| front.get(place).cloned()).collect()
}

/// Fewer copies at a time, and slower ones.
fn gentle(now: &Point, best: &Point) -> Vec<Point> {
    let fewer = [now.with(Knob::MaxStreams, 1), now.with(Knob::Multiplier, 1)];
    let limited = |base: &Point| LIMITS.map(|limit| base.with(Knob::Bandwidth, limit));
    fewer.into_iter().chain(limited(now)).chain(limited(best)).collect()
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
/// meets all wishes; without one the nearest of those as good as the best of them. Where none meets
/// them, the gentlest to clients if that was wished for, else the nearest of those as good as the
/// best. After Ctrl-C the fastest so far, from however many seeds.
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
    let all: Vec<&Point> =
        lab.points().filter(whole).filter(|p| lab.recovery(p).is_some()).collect();
    let met: Vec<&Point> = all.iter().copied().filter(|p| wishes.are_met(lab, p)).collect();
    if !met.is_empty() && wishes.within.is_some() {
        return nearest(lab, met);
    }
    if met.is_empty() && wishes.slowdown.is_some() {
        return gentlest(lab, &all);
    }
    let among = if met.is_empty() { all } else { met };
    let time = |p: &&&Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    let best = among.iter().min_by(|a, b| time(a).total_cmp(&time(b))).copied();
    let Some(best) = best else { return lab.now.clone() };
    nearest(lab, among.into_iter().filter(|p| as_good(lab, p, best)).collect())
}

/// The nearest to now, the fastest of them.
fn nearest(lab: &Lab<'_>, points: Vec<&Point>) -> Point {
    let time = |p: &Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    let order = |a: &&Point, b: &&Point| {
        let by_distance = a.distance(&lab.now).total_cmp(&b.distance(&lab.now));
        by_distance.then(time(a).total_cmp(&time(b)))
    };
    points.into_iter().min_by(order).unwrap_or(&lab.now).clone()
}

/// The one that slows clients down least.
fn gentlest(lab: &Lab<'_>, points: &[&Point]) -> Point {
    let slow = |p: &Point| lab.slowdown(p).map_or(f64::INFINITY, |s| s.mean);
    let least = points.iter().min_by(|a, b| slow(a).total_cmp(&slow(b)));
    least.map_or(lab.now.clone(), |p| (*p).clone())
}

/// Slower than the best by 5 % at most; or by 10 %, if chance may be the reason.
fn as_good(lab: &Lab<'_>, point: &Point, best: &Point) -> bool {
    let Some(best_s) = lab.recovery(best) else { return true };
    let Some(difference) = against(&lab.variant(best), &lab.variant(point)) else { return false };
    let part = difference.mean / best_s.mean;
    part <= SAME || (part <= 2.0 * SAME && difference.mean <= difference.ci95)
}

/// Settings alone, unless they miss a wish that a plug-in meets, or nothing is wished for (or only
/// to spare clients) and a plug-in is worth its trouble.
fn decide(lab: &Lab<'_>, wishes: &Wishes, settings: Point, plugin: Option<Point>) -> Answer {
    let mean = |p: &Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    let worth = |p: &Point| mean(p) <= mean(&settings) * (1.0 - PLUG_IN_GAIN);
    let met = |p: &Point| wishes.are_met(lab, p);
    let enough = wishes.within.is_some() && met(&settings);
    let allowed = |p: &Point| wishes.slowdown.is_none() || met(p) || !met(&settings);
    let recommended = match &plugin {
        Some(point) if worth(point) && !enough && allowed(point) => Choice::Plugin,
        _ => Choice::Settings,
    };
    Answer::new(lab, wishes, settings, plugin, recommended)
}
