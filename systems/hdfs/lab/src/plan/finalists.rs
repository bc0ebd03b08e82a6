//! What of a search's points goes on: the fastest, by turns with what else may be the answer; and
//! when a run is given up.
use super::effort::Effort;
use super::lab::{Lab, RECOVERY};
use super::point::Point;
use engine::Nanos;

/// A point that takes so many times as long as the best so far is not followed to its end.
const HOPELESS: f64 = 1.3;

/// Beside clients who is slow may be gentle: so many times as long as now is too long.
const SLOW: f64 = 4.0;

/// One seed deceives: points up to so many times as slow as its best are worth all seeds.
const NEAR: f64 = 1.2;

/// What one seed may lack of a gain.
const UNLUCKY: f64 = 0.95;

/// By turns, so that what is cut off is the rest of both.
pub fn interleaved(one: Vec<Point>, other: Vec<Point>) -> Vec<Point> {
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    let mut all: Vec<Point> = Vec::new();
    loop {
        let next = [one.next(), other.next()];
        if next.iter().all(Option::is_none) {
            return all;
        }
        let new = next.into_iter().flatten().filter(|p| !all.contains(p)).collect::<Vec<_>>();
        all.extend(new)
    }
}

/// When a run from `seed` is hopeless. Where nothing recovers, there is no such time.
pub fn limit(lab: &Lab<'_>, seed: u64) -> Option<Nanos> {
    if lab.objective != RECOVERY {
        return None;
    }
    let (than, times) = match lab.has_clients() {
        true => (lab.now.clone(), SLOW),
        false => {
            let time = |p: &&Point| lab.recovery_in(p, seed).unwrap_or(f64::INFINITY);
            let best = lab.points().min_by(|a, b| time(a).total_cmp(&time(b)))?;
            (best.clone(), HOPELESS)
        }
    };
    let repair = lab.recovery_in(&than, seed)? * times;
    let run = lab.runs(&than).into_iter().find(|run| run.seed == seed)?;
    Some(run.moments.declared? + Nanos::from_secs(repair))
}

/// The fastest points of a kind in the first seed: the best two, then the nearest to now among
/// those that are as good.
pub fn best_of(
    lab: &Lab<'_>,
    first: u64,
    kind: impl Fn(&Point, &Point) -> bool,
    count: usize,
) -> Vec<Point> {
    let time = |p: &Point| lab.recovery_in(p, first).unwrap_or(f64::INFINITY);
    let far = |p: &Point| p.distance(&lab.now);
    let mut all: Vec<&Point> = lab.points().filter(|p| kind(p, &lab.now)).collect();
    all.sort_by(|a, b| time(a).total_cmp(&time(b)).then(far(a).total_cmp(&far(b))));
    let Some(best) = all.first().map(|p| time(p)) else { return vec![] };
    let mut good: Vec<&Point> = all.iter().copied().filter(|p| time(p) <= best * NEAR).collect();
    good.sort_by(|a, b| Effort::of(lab, a).order(&Effort::of(lab, b)));
    good.truncate(count);
    let mut list: Vec<Point> = all.iter().take(2).map(|p| (*p).clone()).collect();
    list.extend(good.into_iter().filter(|p| !all[..2.min(all.len())].contains(p)).cloned());
    list
}

/// What may be a step below the fastest: the nearest points that gain such a part of what the
/// fastest does in the first seed, or a little less.
pub fn steps(lab: &Lab<'_>, first: u64, part: f64, count: usize) -> Vec<Point> {
    let time = |p: &Point| lab.recovery_in(p, first).unwrap_or(f64::INFINITY);
    let all = || lab.points().filter(|p| !p.needs_plugin(&lab.now));
    let best = all().map(time).fold(f64::INFINITY, f64::min);
    let now = time(&lab.now);
    let least = part * UNLUCKY * (now - best);
    let mut steps: Vec<&Point> = all().filter(|p| now - time(p) >= least).collect();
    steps.sort_by(|a, b| Effort::of(lab, a).order(&Effort::of(lab, b)));
    steps.into_iter().take(count).cloned().collect()
}
