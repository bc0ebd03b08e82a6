//! Few reduces do the work of all.
//!
//! # What it looks at
//! How many reduces there are against the containers that the job had at once, what each copied,
//! and how many keys each had: one key cannot be shared.
//!
//! # The bound
//! The job with the reduces' work dealt out to as many as it had containers; the estimate, to one
//! for each gigabyte.
//!
//! # What would confirm it
//! A run with a larger `mapreduce.job.reduces`. Where all must come together in one place (a total,
//! one sorted file), a combiner, or a partitioner of ranges, takes the work away.
use super::super::job::Attempt;
use super::super::verdicts::{Verdict, plain};
use super::Found;
use super::view::{View, count, counter, interval, middle, s, words};
use page::words::{bytes, num};

/// The name of the cause.
const NAME: &str = "few reduces";

/// What one reduce does well \[bytes\].
const EACH: f64 = 1e9;

/// For each reduce the job had so many containers and more.
const TIMES: usize = 4;

/// The property that says how many there are.
const KEY: &str = "mapreduce.job.reduces";

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all = view.good("REDUCE");
    let (n, containers) = (all.len(), view.shape.at_once);
    let sum = |name: &str| all.iter().map(|a| a.number(name)).sum::<f64>();
    let (copied, keys) = (sum("REDUCE_SHUFFLE_BYTES"), sum("REDUCE_INPUT_GROUPS"));
    let one_key = keys > 0.0 && keys < 2.0 * n as f64;
    if n == 0 || TIMES * n > containers || copied < EACH * n as f64 || one_key {
        return Vec::new();
    }
    let wanted = (copied / EACH).ceil().clamp(2.0 * n as f64, containers as f64);
    let dealt = |to: f64| {
        move |a: &Attempt, work: f64| {
            let of = a.kind == "REDUCE" && a.outcome == trace::Outcome::Ok;
            Some(if of { work * n as f64 / to } else { work })
        }
    };
    let each = s(middle(&all, |a| view.work(a)));
    let size = plain(bytes(copied / n as f64));
    let what = match n {
        1 => format!("{} does it all: {size} in {each} after the last map", view.task(all[0])),
        n => format!("{} do it all, {size} and {each} each", count(n, "reduce")),
    };
    let mut evidence = vec![
        counter("REDUCE_SHUFFLE_BYTES", format!("{} for {}", size, count(n, "reduce"))),
        interval(
            "starts and ends of attempts",
            format!("{each} each after the last map; the job had {containers} containers at once"),
        ),
    ];
    if keys > 0.0 {
        let keys = plain(num(keys, 0));
        evidence.push(counter("REDUCE_INPUT_GROUPS", format!("{keys} keys in all")))
    }
    if let Some(set) = view.job.conf.get(KEY) {
        evidence.push(words("job conf", format!("{KEY} = {set}")))
    }
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("few reduces: {what}"),
        holder: format!("{KEY} = {n}: {what}"),
        gain: view.gain(&dealt(wanted)),
        bound: view.gain(&dealt(containers as f64)),
        certainty: "medium",
        surer: "",
        tasks: all.iter().map(|a| a.task).collect(),
        evidence,
    };
    vec![found.verdict(view)]
}
