//! Nothing stands out: the job took as long as its own work needs.
use super::super::job::Attempt;
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, count, interval, middle, s};

pub const NAME: &str = "nothing stands out";

/// "24 maps in 4 waves of 7, 4 reduces at once"; "10 maps at once for 295 s so far, 1 has ended".
fn shape(view: &View<'_>) -> String {
    let of = |kind: &'static str, what: &str, at_once: usize| {
        let good = view.good(kind);
        let running: Vec<&Attempt> = view.job.running().filter(|a| a.kind == kind).collect();
        let all: Vec<&Attempt> = good.iter().chain(&running).copied().collect();
        let each = s(middle(&all, Attempt::took));
        let waves = all.len().div_ceil(at_once.max(1));
        let of = if running.is_empty() { "of" } else { "for" };
        let so_far = match (running.len(), good.len()) {
            (0, _) => String::new(),
            (_, 0) => " so far, none has ended".into(),
            (_, ended) => format!(" so far, {ended} ended"),
        };
        match (all.len(), waves) {
            (0, _) => None,
            (1, _) => Some(format!("1 {what} {of} {each}{so_far}")),
            (n, 1) => Some(format!("{} at once {of} {each}{so_far}", count(n, what))),
            (n, waves) => {
                let many = count(n, what);
                Some(format!("{many} in {waves} waves of {at_once}, {each} each{so_far}"))
            }
        }
    };
    let maps = of("MAP", "map", view.shape.maps_at_once);
    let reduces = of("REDUCE", "reduce", view.shape.reduces_at_once);
    [maps, reduces].into_iter().flatten().collect::<Vec<_>>().join(", then ")
}

pub(super) fn stands_out(view: &View<'_>) -> Verdict {
    let shape = shape(view);
    let holder = match (shape.is_empty(), view.job.given_out()) {
        (false, _) => shape,
        (true, 0) => "no task ran".to_string(),
        (true, n) => format!("{} given out, none has ended", count(n, "task")),
    };
    let found = Found {
        cause: NAME,
        by: holder.clone(),
        holder: holder.clone(),
        certainty: "medium",
        evidence: vec![interval("starts and ends of attempts", holder)],
        ..Found::default()
    };
    found.verdict(view)
}
