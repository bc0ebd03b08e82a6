//! What to do is settings only. Beside it stands what research would bring: the best policy for
//! which HDFS has no code, and which nobody can install.
use super::answer::Answer;
use super::choose::choose;
use super::gain::is_gentler;
use super::goals::Goals;
use super::lab::Lab;
use super::point::Point;

/// The answer: these settings, and the best policy without code, if it helps.
pub fn decide(lab: &Lab<'_>, goals: &Goals, seeds: usize, settings: Point, best: Point) -> Answer {
    let plugin = choose(lab, goals, seeds, Point::needs_plugin);
    let told = plugin.needs_plugin(&lab.now) && helps(lab, goals, &plugin);
    Answer::new(lab, goals, settings, best, told.then_some(plugin))
}

/// Whether a policy is anything to be told of: faster than the present settings; or, where these
/// miss a goal, one that meets it or spares clients more than they do.
fn helps(lab: &Lab<'_>, goals: &Goals, plugin: &Point) -> bool {
    let gentler = || goals.slowdown.is_some() && is_gentler(lab, plugin, &lab.now);
    let meets = || goals.are_met(lab, plugin) || gentler();
    mean(lab, plugin) < mean(lab, &lab.now) || (!goals.are_met(lab, &lab.now) && meets())
}

fn mean(lab: &Lab<'_>, point: &Point) -> f64 {
    lab.recovery(point).map_or(f64::INFINITY, |s| s.mean)
}
