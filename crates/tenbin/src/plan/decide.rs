//! Settings alone, or a plug-in: the best of the one list against the best of the other.
use super::answer::{Answer, Choice, row};
use super::choose::{choose, good, nearest};
use super::effort::Effort;
use super::gain::{is_beyond_chance, is_gentler};
use super::knob::Knob;
use super::lab::Lab;
use super::point::Point;
use super::proof::unproven;
use super::search::settings_only;
use super::wish::Wishes;
use reading::advice::PLUG_IN_GAIN;
use reading::stat::of_metric;
use std::collections::BTreeSet;

/// Settings alone, unless they miss a wish that a plug-in meets, or nothing is wished for (or only
/// to spare clients) and a plug-in is worth its trouble: against the settings that are recommended
/// without it. Each list has the nearest of what is as good as its best, and by which the other
/// list does not look better or worse than it is.
pub fn decide(
    lab: &Lab<'_>,
    wishes: &Wishes,
    seeds: usize,
    settings: Point,
    best: Point,
) -> Answer {
    let plugin = choose(lab, wishes, seeds, Point::needs_plugin);
    if !plugin.needs_plugin(&lab.now) || !helps(lab, wishes, &plugin) {
        return Answer::new(lab, wishes, settings, best, None, Choice::Settings);
    }
    let met = |p: &Point| wishes.are_met(lab, p);
    let answer = |settings, plugin, choice| {
        Answer::new(lab, wishes, settings, best.clone(), Some(plugin), choice)
    };
    let one_seed = lab.runs(&plugin).len() < seeds.min(2);
    if one_seed {
        return answer(settings, plugin, Choice::Settings);
    }
    if met(&plugin) && !met(&settings) && does_it(lab, &plugin) {
        return answer(settings, plugin, Choice::Plugin);
    }
    let enough = wishes.within.is_some() && met(&settings);
    if enough || (wishes.slowdown.is_some() && !met(&plugin)) {
        return answer(settings, plugin, Choice::Settings);
    }
    // What is shown is what is held against each other: of the settings those that no plug-in is
    // worth more than, if there are such that ask for no more restarts.
    let alone = list(&settings, good(lab, wishes, seeds, settings_only));
    let with = list(&plugin, good(lab, wishes, seeds, Point::needs_plugin));
    let restarts = |p: &Point| Effort::of(lab, p).restarts;
    let most = restarts(&settings);
    let is_worth = |plugin: &Point, than: &Point| {
        is_worth_installing(lab, plugin, than) && is_worth_alone(lab, plugin)
    };
    let suits = |p: &Point| restarts(p) <= most && !with.iter().any(|q| is_worth(q, p));
    let proven = |p: &&Point| unproven(lab, wishes, p).is_empty();
    let shown: Vec<Point> = alone.iter().filter(proven).cloned().collect();
    let settings = suiting(lab, settings, &shown, suits);
    let near = Some(suiting(lab, settings.clone(), &alone, suits));
    let near = near.filter(|p| *p != settings);
    let worth = |p: &Point| near.is_none() && is_worth(p, &settings);
    let plugin = suiting(lab, plugin, &with, worth);
    let choice = if worth(&plugin) { Choice::Plugin } else { Choice::Settings };
    let answer = answer(settings, plugin, choice);
    match near {
        None => answer,
        Some(near) => {
            let afresh = answer.afresh && lab.is_told(&near);
            Answer { near: Some(row(lab, wishes, &near, afresh)), ..answer }
        }
    }
}

/// What is as good as the best, it first.
fn list(chosen: &Point, good: Vec<Point>) -> Vec<Point> {
    if good.is_empty() { vec![chosen.clone()] } else { good }
}

/// What was chosen, or else the nearest that is as good and suits; other values of the same
/// settings before other settings.
fn suiting(lab: &Lab<'_>, chosen: Point, good: &[Point], suits: impl Fn(&Point) -> bool) -> Point {
    if suits(&chosen) {
        return chosen;
    }
    let knobs: BTreeSet<Knob> = chosen.changes(&lab.now).map(|(knob, ..)| knob).collect();
    let same = |p: &&Point| p.changes(&lab.now).all(|(knob, ..)| knobs.contains(&knob));
    let others: Vec<&Point> = good.iter().filter(|p| suits(p)).collect();
    let near: Vec<&Point> = others.iter().copied().filter(same).collect();
    match [near, others].into_iter().find(|of| !of.is_empty()) {
        Some(of) => nearest(lab, of),
        None => chosen,
    }
}

/// Whether a plug-in is anything to be told of: faster than the present settings; or, where these
/// miss a wish, one that meets it or spares clients more than they do.
fn helps(lab: &Lab<'_>, wishes: &Wishes, plugin: &Point) -> bool {
    let gentler = || wishes.slowdown.is_some() && is_gentler(lab, plugin, &lab.now);
    let meets = || wishes.are_met(lab, plugin) || gentler();
    mean(lab, plugin) < mean(lab, &lab.now) || (!wishes.are_met(lab, &lab.now) && meets())
}

/// Whether a plug-in is faster than settings alone by what its trouble is worth: in the seeds of
/// which both are told, else in those that choose.
fn is_worth_installing(lab: &Lab<'_>, plugin: &Point, settings: &Point) -> bool {
    let told =
        |p: &Point| of_metric(lab.runs_told(p), "recovery_s").map_or(f64::INFINITY, |s| s.mean);
    let (with, without) = match lab.is_told(plugin) && lab.is_told(settings) {
        true => (told(plugin), told(settings)),
        false => (mean(lab, plugin), mean(lab, settings)),
    };
    with <= without * (1.0 - PLUG_IN_GAIN) && is_beyond_chance(lab, plugin, settings)
}

/// The same against the settings that it comes with: unless these are known from several seeds, or
/// hopeless, nothing tells that.
fn is_worth_alone(lab: &Lab<'_>, plugin: &Point) -> bool {
    let bare = plugin.with_policy(&lab.now.policy);
    let known = lab.runs(&bare).len() > 1;
    lab.is_hopeless(&bare) || (known && is_worth_installing(lab, plugin, &bare))
}

/// Whether it is a plug-in by which a wish is met, and not chance: it is faster or gentler than the
/// settings that it comes with, as far as these are known.
fn does_it(lab: &Lab<'_>, plugin: &Point) -> bool {
    let bare = plugin.with_policy(&lab.now.policy);
    lab.runs(&bare).len() < 2
        || is_beyond_chance(lab, plugin, &bare)
        || is_gentler(lab, plugin, &bare)
}

fn mean(lab: &Lab<'_>, point: &Point) -> f64 {
    lab.recovery(point).map_or(f64::INFINITY, |s| s.mean)
}
