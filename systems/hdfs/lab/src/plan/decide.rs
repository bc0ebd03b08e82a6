//! What to do is settings only. Beside it stands what research would bring: the best policy for
//! which HDFS has no code, and which nobody can install.
use super::answer::Answer;
use super::choose::choose;
use super::gain::is_gentler;
use super::lab::Lab;
use super::point::Point;
use super::wish::Wishes;

/// The answer: these settings, and the best policy without code, if it helps.
pub fn decide(
    lab: &Lab<'_>,
    wishes: &Wishes,
    seeds: usize,
    settings: Point,
    best: Point,
) -> Answer {
    let plugin = choose(lab, wishes, seeds, Point::needs_plugin);
    let told = plugin.needs_plugin(&lab.now) && helps(lab, wishes, &plugin);
    Answer::new(lab, wishes, settings, best, told.then_some(plugin))
}

/// Whether a policy is anything to be told of: faster than the present settings; or, where these
/// miss a wish, one that meets it or spares clients more than they do.
fn helps(lab: &Lab<'_>, wishes: &Wishes, plugin: &Point) -> bool {
    let gentler = || wishes.slowdown.is_some() && is_gentler(lab, plugin, &lab.now);
    let meets = || wishes.are_met(lab, plugin) || gentler();
    mean(lab, plugin) < mean(lab, &lab.now) || (!wishes.are_met(lab, &lab.now) && meets())
}

fn mean(lab: &Lab<'_>, point: &Point) -> f64 {
    lab.recovery(point).map_or(f64::INFINITY, |s| s.mean)
}
