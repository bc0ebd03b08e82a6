//! Whether one point is better than another one, or only looks so: seed by seed, by the test of
//! `tenbin compare`.
use super::effort::Effort;
use super::lab::Lab;
use super::point::Point;
use hdfs_reading::advice::RESTART_GAIN;
use hdfs_reading::stat::{SAME, Verdict, further, judge, of_metric, stat};
use hdfs_reading::{Run, Stat};

/// Recovery of `to` less that of `from` in the seeds that both have, and what 5 % is counted of:
/// `from`'s recovery without what passes before the last loss is noticed, which no setting
/// shortens. `None` if one never ends, or they have no seed in common.
fn paired(lab: &Lab<'_>, from: &Point, to: &Point) -> Option<(Stat, f64)> {
    let of =
        |p| lab.all_runs(p).into_iter().map(|run| lab.judged(run)).collect::<Option<Vec<f64>>>();
    let (before, after) = (of(from)?, of(to)?);
    let common = before.len().min(after.len());
    if common == 0 {
        return None;
    }
    let differences: Vec<f64> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
    Some((stat(&differences), work(lab, stat(&before[..common]).mean)))
}

/// Of a recovery what settings can shorten \[s\].
pub fn work(lab: &Lab<'_>, recovery: f64) -> f64 {
    (recovery - lab.unnoticed()).max(0.0)
}

/// What `tenbin compare` calls `to` against `from`; what ends is faster than what never does.
pub fn verdict(lab: &Lab<'_>, from: &Point, to: &Point) -> Verdict {
    match paired(lab, from, to) {
        Some((difference, of)) => judge(&difference, of),
        None => match (lab.recovery(from), lab.recovery(to)) {
            (None, Some(_)) => Verdict::Faster,
            (Some(_), None) => Verdict::Slower,
            _ => Verdict::NoDifference,
        },
    }
}

/// By 5 % and by more than chance.
pub fn is_faster(lab: &Lab<'_>, point: &Point, than: &Point) -> bool {
    verdict(lab, than, point) == Verdict::Faster
}

/// By such a part, and by more than chance; whatever ends, where the other one does not.
pub fn gains(lab: &Lab<'_>, point: &Point, than: &Point, least: f64) -> bool {
    match paired(lab, than, point) {
        Some((by, of)) => -by.mean >= least * of && -by.mean > by.ci95,
        None => is_faster(lab, point, than),
    }
}

/// Whether a point is worth what it asks for more than another one does: it is faster, and by
/// another 10 % where processes must be restarted for it.
pub fn is_worth(lab: &Lab<'_>, point: &Point, than: &Point) -> bool {
    gains(lab, point, than, least(lab, point, than))
}

/// The same of the lower end of what it gains.
pub fn is_surely_worth(lab: &Lab<'_>, point: &Point, than: &Point) -> bool {
    match paired(lab, than, point) {
        Some((by, of)) => -by.mean - by.ci95 >= least(lab, point, than) * of,
        None => is_faster(lab, point, than),
    }
}

/// By what part a point has to be faster than another one.
fn least(lab: &Lab<'_>, point: &Point, than: &Point) -> f64 {
    let (here, there) = (Effort::of(lab, point), Effort::of(lab, than));
    if here.restarts > there.restarts { RESTART_GAIN } else { SAME }
}

/// Whether a point is faster than another one by more than the interval of the difference.
pub fn is_beyond_chance(lab: &Lab<'_>, point: &Point, than: &Point) -> bool {
    paired(lab, than, point).is_none_or(|(difference, _)| -difference.mean > difference.ci95)
}

/// Slower than the best by 5 % at most; or by 10 %, if chance may be the reason, or if the best
/// asks for more restarts.
pub fn as_good(lab: &Lab<'_>, point: &Point, best: &Point) -> bool {
    if lab.recovery(best).is_none() {
        return true;
    }
    let Some((difference, of)) = paired(lab, best, point) else { return false };
    let part = difference.mean / of.max(f64::MIN_POSITIVE);
    let fewer = Effort::of(lab, point).restarts < Effort::of(lab, best).restarts;
    let chance = difference.mean <= difference.ci95;
    part <= SAME || (part <= 2.0 * SAME && (chance || (fewer && !is_worth(lab, best, point))))
}

/// Seed by seed, clients wait less, beyond the interval of the difference; of one seed by more than
/// one may be off.
pub fn is_gentler(lab: &Lab<'_>, point: &Point, than: &Point) -> bool {
    const P99: &str = "foreground_p99_ms";
    let of = |run: &Run| run.metrics.get(P99).copied();
    let all = |p| lab.runs(p).into_iter().map(of).collect::<Option<Vec<f64>>>();
    let (Some(here), Some(there)) = (all(point), all(than)) else { return false };
    let differences: Vec<f64> = here.iter().zip(&there).map(|(h, t)| h - t).collect();
    match differences.as_slice() {
        [] => false,
        [one] => one_seed(lab, P99).is_some_and(|off| one + off < 0.0),
        all => {
            let difference = stat(all);
            difference.mean + difference.ci95 < 0.0
        }
    }
}

/// Clients wait longer by 10 % at most, and by no more than chance.
pub fn is_as_gentle(lab: &Lab<'_>, point: &Point, least: &Point) -> bool {
    let wait = |p| lab.p99(p).map_or(f64::INFINITY, |s| s.mean);
    wait(point) <= wait(least) * (1.0 + 2.0 * SAME) && !is_gentler(lab, least, point)
}

/// By how much a metric of one seed may be off: as further seeds of the present settings; `None`
/// where these have but one.
fn one_seed(lab: &Lab<'_>, name: &str) -> Option<f64> {
    let of = |run: &Run| run.metrics.get(name).copied();
    let all: Vec<f64> = lab.runs(&lab.now).into_iter().filter_map(of).collect();
    further(&all)
}

/// What is held against a goal: the upper end of a metric's interval, over the seeds of which the
/// point is told, else those that choose; `None` where that is not known.
pub fn upper(lab: &Lab<'_>, point: &Point, name: &str) -> Option<f64> {
    let told = lab.is_told(point);
    let runs = if told { lab.runs_told(point) } else { lab.runs(point) };
    let one = runs.len() == 1;
    let s = of_metric(runs, name)?;
    Some(s.mean + if one { one_seed(lab, name)? } else { s.ci95 })
}
