//! Sentences about the balancer.
use crate::run::Run;
use crate::spans::Sentence;
use crate::stat::of_metric;
use crate::words::{count, duration, num};
use units::rounded_u64;

/// "The balancer takes 3 h 1 min."; `None`: a run has more than the balancer.
pub fn verdict(now: &[Run]) -> Option<Sentence> {
    if now.is_empty() || !now.iter().all(Run::is_balancing) {
        return None;
    }
    let sentence = Sentence::new().say("The balancer ");
    Some(match of_metric(now, "balancer_s") {
        Some(lasts) => sentence.say("takes ").number(duration(lasts.mean)).say("."),
        None => sentence.number("has not ended").say(" when the run ends."),
    })
}

/// "The cluster is balanced after 158 moves of 21.2 GB, in 16 iterations: the fullest node is 12.3
/// points of utilisation above the emptiest, 86.1 before."; empty without a balancer.
pub fn result(now: &[Run]) -> Sentence {
    let mean = |name: &str| of_metric(now, name).map(|stat| stat.mean);
    let (Some(moves), Some(bytes)) = (mean("balancer_moves"), mean("balancer_moved_bytes")) else {
        return Sentence::new();
    };
    let (Some(before), Some(after)) =
        (mean("balancer_spread_before"), mean("balancer_spread_after"))
    else {
        return Sentence::new();
    };
    let moved = format!("{} of {} GB", count(rounded_u64(moves), "move"), num(bytes / 1e9, 1));
    let iterations = mean("balancer_iterations").map(|n| count(rounded_u64(n), "iteration"));
    let iterations = iterations.map_or(String::new(), |n| format!(", in {n}"));
    let ended = match mean("balancer_balanced") {
        Some(1.0) => "The cluster is balanced after",
        Some(_) => "The balancer gives up before the cluster is balanced, after",
        None => "The balancer has not finished at the run's end, after",
    };
    Sentence::new().say(format!(
        "{ended} {moved}{iterations}: the fullest node is {} points of utilisation above the \
         emptiest, {} before.",
        num(after, 1),
        num(before, 1)
    ))
}
