//! Which of the points that were run from all seeds is the answer.
use super::grid;
use super::lab::Lab;
use super::point::Point;
use super::wish::Wishes;
use analysis::Stat;
use analysis::report::Against;
use analysis::stat::{SAME, against, stat};

/// A gain that is worth a change for a deadline that nothing meets with more.
const A_LITTLE: f64 = 0.01;

/// Points of a kind that were run from so many seeds at least, end, and lose no more blocks than
/// now.
pub fn whole<'a>(
    lab: &'a Lab<'_>,
    seeds: usize,
    kind: impl Fn(&Point, &Point) -> bool,
) -> Vec<&'a Point> {
    let whole = |p: &&Point| kind(p, &lab.now) && lab.runs(p).len() >= seeds;
    let lost = |p: &Point| lab.mean_of_first(p, seeds, "blocks_lost").unwrap_or(0.0);
    let most = lost(&lab.now);
    let ends = |p: &&Point| lab.recovery(p).is_some() && lost(p) <= most;
    lab.points().filter(whole).filter(ends).collect()
}

/// The answer among the points of a kind: with a deadline the nearest to now that meets all wishes;
/// without one the nearest of those as good as the fastest that does. Where none meets them: if
/// clients were to be spared, the fastest that spares them; or the gentlest, or now where that is
/// gentler by no more than chance; else the nearest of those as good as the fastest. After Ctrl-C
/// the fastest so far, from however many seeds; and where the clock left no other point than now
/// all of its seeds, the same rules hold for what has any.
pub fn choose(
    lab: &Lab<'_>,
    wishes: &Wishes,
    seeds: usize,
    kind: impl Fn(&Point, &Point) -> bool,
) -> Point {
    if lab.stopped() {
        return fastest(lab, &kind).unwrap_or(lab.now.clone());
    }
    let mut all = whole(lab, seeds, &kind);
    let late = lab.budget.was_late() && kind(&lab.now, &lab.now);
    if late && all.iter().all(|p| **p == lab.now) {
        all = whole(lab, 1, &kind)
    }
    if let Some(point) = wishes.within.and_then(|_| in_time(lab, wishes, &all)) {
        return point;
    }
    let met = |p: &&Point| wishes.are_met(lab, p) || wishes.gentle(lab.slowdown(p));
    if wishes.slowdown.is_some() && !all.iter().any(met) {
        return gentlest(lab, &all);
    }
    let among = eligible(lab, wishes, all);
    let Some(best) = fastest_of(lab, &among) else { return lab.now.clone() };
    let good = among.iter().copied().filter(|p| as_good(lab, p, best)).collect();
    with_fewer(lab, nearest(lab, good), best, &among)
}

/// The fastest of a kind that meets the wishes as far as any does, and all that are as good as it,
/// it first. With a deadline that is met nothing is asked of it: the nearest is the answer.
pub fn good(
    lab: &Lab<'_>,
    wishes: &Wishes,
    seeds: usize,
    kind: impl Fn(&Point, &Point) -> bool,
) -> Vec<Point> {
    let among = eligible(lab, wishes, whole(lab, seeds, kind));
    let Some(best) = fastest_of(lab, &among) else { return vec![] };
    let others = among.iter().filter(|p| **p != best && as_good(lab, p, best));
    std::iter::once(&best).chain(others).map(|p| (*p).clone()).collect()
}

/// Of points those that meet all wishes; else those that spare clients, for where there are two
/// wishes and each can be met, but not both, clients come first; else all.
fn eligible<'a>(lab: &Lab<'_>, wishes: &Wishes, all: Vec<&'a Point>) -> Vec<&'a Point> {
    let met = all.iter().copied().filter(|p| wishes.are_met(lab, p)).collect();
    let spares = |p: &&Point| wishes.slowdown.is_some() && wishes.gentle(lab.slowdown(p));
    let gentle = all.iter().copied().filter(spares).collect();
    let among = [met, gentle, all].into_iter().find(|of: &Vec<_>| !of.is_empty());
    surer(lab, among.unwrap_or_default())
}

fn fastest_of<'a>(lab: &Lab<'_>, points: &[&'a Point]) -> Option<&'a Point> {
    let time = |p: &&&Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    points.iter().min_by(|a, b| time(a).total_cmp(&time(b))).copied()
}

/// Of points the nearest that meets all wishes and is clearly faster than now: what is at the edge
/// of a deadline now, and would be behind it by chance, is not worth a change. If none is, the
/// fastest of those that gain a little.
pub fn in_time(lab: &Lab<'_>, wishes: &Wishes, points: &[&Point]) -> Option<Point> {
    let met: Vec<&Point> = points.iter().copied().filter(|p| wishes.are_met(lab, p)).collect();
    if wishes.in_time(lab.recovery(&lab.now)) {
        return (!met.is_empty()).then(|| nearest(lab, met));
    }
    let gains = |least: f64| -> Vec<&Point> {
        met.iter().copied().filter(|p| gains(lab, p, least)).collect()
    };
    let clear = gains(SAME);
    match clear.is_empty() {
        true => fastest_of(lab, &gains(A_LITTLE)).cloned(),
        false => Some(nearest(lab, clear)),
    }
}

/// By such a part, and by more than chance; whatever ends, where now does not.
fn gains(lab: &Lab<'_>, point: &Point, least: f64) -> bool {
    let (Some(now), Some(then)) = (lab.recovery(&lab.now), lab.recovery(point)) else {
        return true;
    };
    now.mean - then.mean >= least * now.mean && is_beyond_chance(lab, point, &lab.now)
}

/// Without changes that gain nothing: one is taken back as long as that is slower by chance at most
/// (and by 5 %), and what is left no more than 10 % slower than the best.
fn with_fewer(lab: &Lab<'_>, mut point: Point, best: &Point, among: &[&Point]) -> Point {
    let mean = |p: &Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    let most = mean(best) * (1.0 + 2.0 * SAME);
    loop {
        let no_worse = |other: &&Point| {
            let slower = mean(other) > mean(&point) * (1.0 + SAME) || mean(other) > most;
            !slower && !is_beyond_chance(lab, &point, other)
        };
        let fewer = grid::without(&lab.now, &point);
        let known = among.iter().copied().filter(|p| fewer.contains(p));
        let known: Vec<&Point> = known.filter(no_worse).collect();
        match fastest_of(lab, &known) {
            Some(other) => point = other.clone(),
            None => return point,
        }
    }
}

/// Without those whose interval is wider than what they gain, where others gain more than theirs is
/// wide.
fn surer<'a>(lab: &Lab<'_>, points: Vec<&'a Point>) -> Vec<&'a Point> {
    let Some(now) = lab.recovery(&lab.now) else { return points };
    let sure = |p: &&&Point| {
        let gain = |s: &Stat| now.mean - s.mean;
        lab.recovery(p).is_some_and(|s| gain(&s) >= s.ci95 && gain(&s) > SAME * now.mean)
    };
    match points.iter().any(|p| sure(&p)) {
        true => points.iter().filter(|p| **p == &lab.now || sure(p)).copied().collect(),
        false => points,
    }
}

/// Whether a point is faster than another one by more than the interval of the difference, in the
/// seeds that both have.
pub fn is_beyond_chance(lab: &Lab<'_>, point: &Point, than: &Point) -> bool {
    in_common(lab, than, point).is_none_or(|difference| -difference.mean > difference.ci95)
}

/// Seed by seed, in those that both have; `None` if one never ends.
fn in_common(lab: &Lab<'_>, one: &Point, other: &Point) -> Option<Against> {
    let (mut one, mut other) = (lab.variant(one), lab.variant(other));
    let common = one.runs.len().min(other.runs.len());
    [&mut one, &mut other].into_iter().for_each(|variant| variant.runs.truncate(common));
    against(&one, &other)
}

/// Of a kind, from however many seeds.
pub fn fastest(lab: &Lab<'_>, kind: impl Fn(&Point, &Point) -> bool) -> Option<Point> {
    let recovered = lab.points().filter(|p| kind(p, &lab.now) && lab.recovery(p).is_some());
    let recovery = |p: &Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    recovered.min_by(|a, b| recovery(a).total_cmp(&recovery(b))).cloned()
}

/// The nearest to now, the fastest of them.
pub fn nearest(lab: &Lab<'_>, points: Vec<&Point>) -> Point {
    let time = |p: &Point| lab.recovery(p).map_or(f64::INFINITY, |s| s.mean);
    let order = |a: &&Point, b: &&Point| {
        let by_distance = a.distance(&lab.now).total_cmp(&b.distance(&lab.now));
        by_distance.then(time(a).total_cmp(&time(b)))
    };
    points.into_iter().min_by(order).unwrap_or(&lab.now).clone()
}

/// The one that slows clients down least; now, where chance may be all that it has before now.
fn gentlest(lab: &Lab<'_>, points: &[&Point]) -> Point {
    let slow = |p: &Point| lab.slowdown(p).map_or(f64::INFINITY, |s| s.mean);
    let least = points.iter().min_by(|a, b| slow(a).total_cmp(&slow(b)));
    let gentler = least.filter(|p| is_gentler(lab, p, &lab.now));
    gentler.map_or(lab.now.clone(), |p| (*p).clone())
}

/// Seed by seed, beyond the interval of the difference.
fn is_gentler(lab: &Lab<'_>, point: &Point, than: &Point) -> bool {
    let p99 = |p: &Point| -> Option<Vec<f64>> {
        let of = |run: &&analysis::Run| run.metrics.get("foreground_p99_ms").copied();
        lab.runs(p).iter().map(of).collect()
    };
    let (Some(here), Some(there)) = (p99(point), p99(than)) else { return false };
    let differences: Vec<f64> = here.iter().zip(&there).map(|(h, t)| h - t).collect();
    let difference = stat(&differences);
    difference.mean + difference.ci95 < 0.0
}

/// Slower than the best by 5 % at most; or by 10 %, if chance may be the reason; in the seeds that
/// both have.
pub fn as_good(lab: &Lab<'_>, point: &Point, best: &Point) -> bool {
    let Some(best_s) = lab.recovery(best) else { return true };
    let Some(difference) = in_common(lab, best, point) else { return false };
    let part = difference.mean / best_s.mean;
    part <= SAME || (part <= 2.0 * SAME && difference.mean <= difference.ci95)
}
