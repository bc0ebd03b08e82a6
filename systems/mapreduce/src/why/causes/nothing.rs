//! Nothing stands out: the job took as long as its own work needs.
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, count, interval, middle, s};

/// The name of it.
pub const NAME: &str = "nothing stands out";

/// "24 maps in 4 waves of 7, 4 reduces at once".
fn shape(view: &View<'_>) -> String {
    let of = |kind: &'static str, what: &str, at_once: usize| {
        let all = view.good(kind);
        let each = s(middle(&all, super::super::job::Attempt::took));
        let waves = all.len().div_ceil(at_once.max(1));
        match (all.len(), waves) {
            (0, _) => None,
            (1, _) => Some(format!("1 {what} of {each}")),
            (n, 1) => Some(format!("{} at once of {each}", count(n, what))),
            (n, waves) => {
                Some(format!("{} in {waves} waves of {at_once}, {each} each", count(n, what)))
            }
        }
    };
    let maps = of("MAP", "map", view.shape.maps_at_once);
    let reduces = of("REDUCE", "reduce", view.shape.reduces_at_once);
    [maps, reduces].into_iter().flatten().collect::<Vec<_>>().join(", then ")
}

/// That nothing does.
pub(super) fn stands_out(view: &View<'_>) -> Verdict {
    let shape = shape(view);
    let holder = if shape.is_empty() { "no task ran".to_string() } else { shape };
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
