//! Which changes of an answer were not shown to gain anything: a search has its budget, and few
//! seeds tell little.
use super::gain::{is_gentler, is_worth};
use super::goals::Goals;
use super::grid;
use super::knob::Knob;
use super::lab::Lab;
use super::point::Point;
use hdfs_reading::stat::SAME;

/// Seeds that tell a gain from chance at least.
const SEVERAL: usize = 2;

/// Changes of a point that are not known to gain anything over the same without them.
pub fn unproven(lab: &Lab<'_>, goals: &Goals, point: &Point) -> Vec<Knob> {
    let all = grid::each_without(&lab.now, point).into_iter();
    all.filter(|(_, fewer)| !gains(lab, goals, point, fewer)).map(|(knob, _)| knob).collect()
}

/// A change of a point that gains nothing, though it was run without it from as many seeds: the
/// point without it.
pub fn needless(lab: &Lab<'_>, goals: &Goals, point: &Point) -> Option<Point> {
    let seeds = lab.runs(point).len();
    let all = grid::without(&lab.now, point).into_iter();
    let mut known = all.filter(|fewer| seeds >= SEVERAL && lab.runs(fewer).len() >= seeds);
    known.find(|fewer| !gains(lab, goals, point, fewer))
}

fn gains(lab: &Lab<'_>, goals: &Goals, point: &Point, fewer: &Point) -> bool {
    if lab.is_hopeless(fewer) {
        return true;
    }
    let seeds = lab.runs(point).len().min(lab.runs(fewer).len());
    if seeds < SEVERAL {
        return false;
    }
    let meets = goals.are_any() && goals.are_met(lab, point) && !goals.are_met(lab, fewer);
    let spares = goals.slowdown.is_some() && is_gentler(lab, point, fewer);
    meets || spares || is_worth(lab, point, fewer)
}

/// Where nothing is recommended: what is faster by 5 % on the mean of the seeds that it was run
/// from, so few that it may be chance.
pub fn seems_faster(lab: &Lab<'_>, few: usize) -> Option<Point> {
    let now = lab.recovery(&lab.now)?.mean;
    let of = |p: &Point| {
        let seeds = lab.runs(p).len();
        (1..few).contains(&seeds).then(|| lab.mean_of_first(&lab.now, seeds, lab.objective))?
    };
    let part = |p: &Point| Some(lab.recovery(p)?.mean / of(p)?);
    let settings = lab.points().filter(|p| !p.needs_plugin(&lab.now) && now > 0.0);
    let all = settings.filter_map(|p| part(p).map(|part| (p, part)));
    let faster = all.filter(|(_, part)| *part < 1.0 - SAME);
    faster.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(p, _)| p.clone())
}
