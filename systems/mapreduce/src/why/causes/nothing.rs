//! Nothing stands out: the job took as long as its work needs.
use super::rule::{Finding, Rule, TimePart, timed};
use super::view::View;
use crate::plain::{count, duration};
use crate::why::stats::middle;
use crate::why::{Attempt, Verdict};

pub const NAME: &str = "nothing stands out";

const RULE: Rule = Rule {
    name: NAME,
    takes: TimePart::Between,
    looks: &[],
    certainty: "medium",
    confirm: "",
    remedy: ("", ""),
    source: include_str!("nothing.rs"),
};

fn shape(view: &View<'_>) -> String {
    let of = |kind: &str, what: &str, at_once: usize| {
        let good = view.successful(kind);
        let running: Vec<&Attempt> = view.job.running().filter(|a| a.kind == kind).collect();
        let all: Vec<&Attempt> = good.iter().chain(&running).copied().collect();
        let each = duration(middle(&all, Attempt::duration_s));
        let waves = all.len().div_ceil(at_once.max(1));
        let of = if running.is_empty() { "of" } else { "for" };
        let so_far = match (running.len(), good.len()) {
            (0, _) => String::new(),
            (_, 0) => " so far, none has ended".into(),
            (_, ended) => format!(" so far, {ended} ended"),
        };
        let many = count(all.len(), what);
        match (all.len(), waves) {
            (0, _) => None,
            (1, _) => Some(format!("{many} {of} {each}{so_far}")),
            (_, 1) => Some(format!("{many} at once {of} {each}{so_far}")),
            (_, waves) => {
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
    let holder = match (shape.is_empty(), view.job.running_tasks()) {
        (false, _) => shape,
        (true, 0) => "no task ran".to_string(),
        (true, n) => format!("{} given out, none has ended", count(n, "task")),
    };
    RULE.verdict(view, Finding::new(&holder, &holder).with([timed(holder.clone())]))
}
