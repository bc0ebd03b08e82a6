//! Which of the points that were run from all seeds is the answer.
use super::effort::Effort;
use super::gain::{as_good, gains, is_as_gentle, is_faster, is_gentler, is_worth};
use super::goals::Goals;
use super::grid;
use super::lab::Lab;
use super::point::Point;
use super::proof;
use super::search::settings_only;
use hdfs_reading::Stat;
use hdfs_reading::stat::SAME;

/// A gain that is worth a change for a deadline that nothing meets with more.
const A_LITTLE: f64 = 0.01;

/// The knee: the nearest settings that gain this part of what the fastest gain.
pub const KNEE: f64 = 0.8;

/// The step before it.
pub const HALF: f64 = 0.5;

/// Points of a kind that were run from so many seeds at least, end, and lose no more blocks than
/// now.
pub fn whole<'a>(
    lab: &'a Lab<'_>,
    seeds: usize,
    kind: impl Fn(&Point, &Point) -> bool,
) -> Vec<&'a Point> {
    let whole = |p: &&Point| kind(p, &lab.now) && lab.runs(p).len() >= seeds;
    let ends = |p: &&Point| lab.recovery(p).is_some() && loses_no_more(lab, p);
    lab.points().filter(whole).filter(ends).collect()
}

/// In the seeds that it and now have.
fn loses_no_more(lab: &Lab<'_>, point: &Point) -> bool {
    let common = lab.runs(point).len().min(lab.runs(&lab.now).len());
    let lost = |p: &Point| lab.mean_of_first(p, common, "blocks_lost").unwrap_or(0.0);
    lost(point) <= lost(&lab.now)
}

/// The same; after Ctrl-C, and where the clock left no other point than now all of its seeds, from
/// however many.
fn known<'a>(
    lab: &'a Lab<'_>,
    seeds: usize,
    kind: impl Fn(&Point, &Point) -> bool,
) -> Vec<&'a Point> {
    let all = whole(lab, seeds, &kind);
    let settings = kind(&lab.now, &lab.now);
    let late = lab.budget.was_late() && settings && all.iter().all(|p| **p == lab.now);
    if late || lab.stopped() { whole(lab, 1, kind) } else { all }
}

/// The answer among the points of a kind: with a deadline the nearest to now that meets all goals;
/// without one the knee (of those that meet them), or the nearest of those as good as the fastest
/// where that was asked for. Where none meets them: if
/// clients were to be spared, the fastest that spares them; or the fastest of those that are as
/// gentle as the gentlest, or now where that is gentler by no more than chance; else the nearest of
/// those as good as the fastest. After Ctrl-C the same rules hold for what has any seeds; of one
/// seed of the present settings no goal is known to be met.
pub fn choose(
    lab: &Lab<'_>,
    goals: &Goals,
    seeds: usize,
    kind: impl Fn(&Point, &Point) -> bool,
) -> Point {
    by_rules(lab, goals, known(lab, seeds, kind))
}

/// The best answer so far, on the way: by the same rules.
pub fn so_far(lab: &Lab<'_>, goals: &Goals) -> Point {
    by_rules(lab, goals, whole(lab, 1, settings_only))
}

fn by_rules(lab: &Lab<'_>, goals: &Goals, all: Vec<&Point>) -> Point {
    if goals.are_open(lab) {
        let fastest = Goals { fastest: true, ..Goals::default() };
        return by_rules(lab, &fastest, better(lab, goals, all));
    }
    if let Some(point) = goals.within.and_then(|_| in_time(lab, goals, &all)) {
        return point;
    }
    let spares = |p: &&Point| goals.are_met(lab, p) || goals.is_gentle(lab, p);
    if goals.slowdown.is_some() && !all.iter().any(spares) {
        return gentlest(lab, goals, &all);
    }
    fast(lab, goals, &eligible(lab, goals, all))
}

/// The nearest of those as good as the fastest, each of whose changes gains something, as far as it
/// was run without it; where there is none such, the nearest without what gains nothing.
fn fast(lab: &Lab<'_>, goals: &Goals, among: &[&Point]) -> Point {
    let Some(best) = fastest_of(lab, among) else { return lab.now.clone() };
    let is_enough = |p: &&Point| match goals.fastest {
        true => as_good(lab, p, best),
        false => {
            as_good(lab, p, best) || (is_worth(lab, p, &lab.now) && gains_of(lab, p, best, KNEE))
        }
    };
    let mut good: Vec<&Point> = among.iter().copied().filter(is_enough).collect();
    let mut point = with_fewer(lab, nearest(lab, good.clone()), among);
    if proof::needless(lab, goals, &point).is_none() {
        return point;
    }
    good.retain(|p| proof::needless(lab, goals, p).is_none());
    if !good.is_empty() {
        return nearest(lab, good);
    }
    while let Some(fewer) = proof::needless(lab, goals, &point).filter(|p| among.contains(&p)) {
        point = fewer
    }
    point
}

/// Whether a point gains this part of what another one gains over now.
fn gains_of(lab: &Lab<'_>, point: &Point, best: &Point, part: f64) -> bool {
    let now = mean(lab, &lab.now);
    now.is_finite() && now - mean(lab, point) >= part * (now - mean(lab, best))
}

/// The nearest settings that gain half of what the best do, if they ask for less than those that
/// are recommended.
pub fn half(lab: &Lab<'_>, best: &Point, recommended: &Point) -> Option<Point> {
    let all = whole(lab, lab.runs(&lab.now).len(), settings_only);
    let effort = Effort::of(lab, recommended);
    let of = |p: &&Point| {
        Effort::of(lab, p).order(&effort).is_lt()
            && gains_of(lab, p, best, HALF)
            && is_worth(lab, p, &lab.now)
    };
    let steps: Vec<&Point> = all.into_iter().filter(of).collect();
    (!steps.is_empty()).then(|| nearest(lab, steps))
}

/// Where it is not known what meets the goals: what is better on the face of it, faster than the
/// present settings, and no harder on clients where these are to be spared.
fn better<'a>(lab: &Lab<'_>, goals: &Goals, mut all: Vec<&'a Point>) -> Vec<&'a Point> {
    let slow = |p: &Point| lab.slowdown(p).map_or(f64::INFINITY, |s| s.mean);
    let spares = |p: &Point| goals.slowdown.is_none() || slow(p) <= slow(&lab.now);
    all.retain(|p| **p == lab.now || (is_worth(lab, p, &lab.now) && spares(p)));
    all
}

/// The fastest of a kind that meets the goals as far as any does, and all that are as good as it,
/// it first. With a deadline that is met nothing is asked of it: the nearest is the answer.
pub fn good(
    lab: &Lab<'_>,
    goals: &Goals,
    seeds: usize,
    kind: impl Fn(&Point, &Point) -> bool,
) -> Vec<Point> {
    let among = eligible(lab, goals, known(lab, seeds, kind));
    let Some(best) = fastest_of(lab, &among) else { return vec![] };
    let others = among.iter().filter(|p| **p != best && as_good(lab, p, best));
    std::iter::once(&best).chain(others).map(|p| (*p).clone()).collect()
}

/// Of points those that meet all goals; else those that spare clients, for where there are two
/// goals and each can be met, but not both, clients come first; else all. Of these those that gain
/// something by it.
fn eligible<'a>(lab: &Lab<'_>, goals: &Goals, all: Vec<&'a Point>) -> Vec<&'a Point> {
    let met = all.iter().copied().filter(|p| goals.are_met(lab, p)).collect();
    let spares = |p: &&Point| goals.slowdown.is_some() && goals.is_gentle(lab, p);
    let gentle = all.iter().copied().filter(spares).collect();
    let among = [met, gentle, all].into_iter().find(|of: &Vec<_>| !of.is_empty());
    gaining(lab, goals, surer(lab, among.unwrap_or_default()))
}

/// Those that are faster than now, where now is among them; else, since clients are to be spared,
/// those that are gentler, if any is beyond chance.
fn gaining<'a>(lab: &Lab<'_>, goals: &Goals, among: Vec<&'a Point>) -> Vec<&'a Point> {
    if among.contains(&&lab.now) {
        let better = |p: &&&Point| **p == &lab.now || is_worth(lab, p, &lab.now);
        return among.iter().filter(better).copied().collect();
    }
    if goals.is_gentle(lab, &lab.now) {
        return among;
    }
    let gentler: Vec<&Point> =
        among.iter().copied().filter(|p| is_gentler(lab, p, &lab.now)).collect();
    if gentler.is_empty() { among } else { gentler }
}

fn fastest_of<'a>(lab: &Lab<'_>, points: &[&'a Point]) -> Option<&'a Point> {
    let time = |p: &&&Point| mean(lab, p);
    points.iter().min_by(|a, b| time(a).total_cmp(&time(b))).copied()
}

fn mean(lab: &Lab<'_>, point: &Point) -> f64 {
    lab.recovery(point).map_or(f64::INFINITY, |s| s.mean)
}

/// Of points the nearest that meets all goals and is clearly faster than now: what is at the edge
/// of a deadline now, and would be behind it by chance, is not worth a change. If none is, the
/// fastest of those that gain a little.
pub fn in_time(lab: &Lab<'_>, goals: &Goals, points: &[&Point]) -> Option<Point> {
    let met: Vec<&Point> = points.iter().copied().filter(|p| goals.are_met(lab, p)).collect();
    if goals.is_in_time(lab, &lab.now) {
        return (!met.is_empty()).then(|| nearest(lab, met));
    }
    let by = |least: f64| -> Vec<&Point> {
        met.iter().copied().filter(|p| gains(lab, p, &lab.now, least)).collect()
    };
    let clear = by(SAME);
    match clear.is_empty() {
        true => fastest_of(lab, &by(A_LITTLE)).cloned(),
        false => Some(with_fewer(lab, nearest(lab, clear.clone()), &clear)),
    }
}

/// Without changes that gain nothing: one is taken back as long as neither what was before it nor
/// what it began with is worth it; and what another point has that asks for less is taken from it.
fn with_fewer(lab: &Lab<'_>, chosen: Point, among: &[&Point]) -> Point {
    let mut point = chosen.clone();
    let has_now = among.contains(&&lab.now);
    loop {
        let needless = |other: &&Point| {
            !is_worth(lab, &point, other)
                && !is_worth(lab, &chosen, other)
                && (**other == lab.now || is_faster(lab, other, &lab.now) || !has_now)
        };
        let fewer = grid::without(&lab.now, &point);
        let known = among.iter().copied().filter(|p| fewer.contains(p)).filter(needless);
        let beats = among.iter().copied().filter(|p| {
            let less = Effort::of(lab, p).is_less(&Effort::of(lab, &point));
            less && mean(lab, p) <= mean(lab, &point)
        });
        let better: Vec<&Point> = known.chain(beats).collect();
        if better.is_empty() {
            return point;
        }
        point = nearest(lab, better)
    }
}

/// Without those whose interval is wider than what they gain, where others gain more than theirs is
/// wide.
fn surer<'a>(lab: &Lab<'_>, points: Vec<&'a Point>) -> Vec<&'a Point> {
    let Some(now) = lab.recovery(&lab.now) else { return points };
    let least = SAME * super::gain::work(lab, now.mean);
    let sure = |p: &&&Point| {
        let gain = |s: &Stat| now.mean - s.mean;
        lab.recovery(p).is_some_and(|s| gain(&s) >= s.ci95 && gain(&s) > least)
    };
    match points.iter().any(|p| sure(&p)) {
        true => points.iter().filter(|p| **p == &lab.now || sure(p)).copied().collect(),
        false => points,
    }
}

/// The nearest to now: fewest restarts, then least changed, then fastest.
pub fn nearest(lab: &Lab<'_>, points: Vec<&Point>) -> Point {
    let order = |a: &&Point, b: &&Point| {
        let by_effort = Effort::of(lab, a).order(&Effort::of(lab, b));
        by_effort.then(mean(lab, a).total_cmp(&mean(lab, b)))
    };
    points.into_iter().min_by(order).unwrap_or(&lab.now).clone()
}

/// Of those that are gentler than now by more than chance the fastest of those that are as gentle
/// as the one that slows clients down least; now, where there is none.
fn gentlest(lab: &Lab<'_>, goals: &Goals, points: &[&Point]) -> Point {
    let mut gentler: Vec<&Point> =
        points.iter().copied().filter(|p| is_gentler(lab, p, &lab.now)).collect();
    let slow = |p: &Point| lab.slowdown(p).map_or(f64::INFINITY, |s| s.mean);
    let least = gentler.iter().copied().min_by(|a, b| slow(a).total_cmp(&slow(b)));
    let Some(least) = least else { return lab.now.clone() };
    gentler.retain(|p| is_as_gentle(lab, p, least));
    fast(lab, goals, &gentler)
}
