//! Few reduces do the work of all.
//!
//! # What it looks at
//! How many reduces there are against the containers that the job had at once, how long they work
//! after the last map, how much of that is CPU, and how many keys they have: one key cannot be
//! shared. Several reduces are few where they compute for most of their time, or copy a gigabyte
//! each; a single one is where its time counts.
//!
//! # The bound
//! The job with the reduces' work dealt out to as many as it had containers; the estimate, to half
//! of these, or one for each gigabyte. The start of a reduce and its garbage collection are not
//! shared. Each container needs a core of its own for that.
//!
//! # What to do
//! A larger `mapreduce.job.reduces` (its default is 1). Where all must come together in one place
//! (a total, one sorted file), a combiner, or a partitioner of ranges, takes the work away.
//!
//! # What would confirm it
//! A run with a larger `mapreduce.job.reduces`.
use super::super::job::Attempt;
use super::super::verdicts::{Cure, FLOOR_DISK, Verdict, plain};
use super::view::{View, count, counter, interval, middle, s, words};
use super::{Found, shuffle};
use page::words::{bytes, num};

/// The name of the cause.
const NAME: &str = "few reduces";

/// What one reduce does well \[bytes\].
const EACH: f64 = 1e9;

/// Where several reduces are few, the job had so many containers and more for each.
pub(super) const TIMES: usize = 4;

/// Several reduces that compute for this part of their work wait for nothing that others hold.
const COMPUTE: f64 = 0.5;

/// Up to so many times the mean is even.
const EVEN: f64 = 2.0;

/// The property that says how many there are.
const KEY: &str = "mapreduce.job.reduces";

/// The property that names a combiner.
pub(super) const COMBINE: &str = "mapreduce.job.combine.class";

/// Whether so many reduces leave containers idle.
pub(super) fn leave_idle(reduces: usize, containers: usize) -> bool {
    match reduces {
        0 => false,
        1 => containers >= 2,
        n => TIMES * n <= containers,
    }
}

/// Work of a reduce that others do not take from it \[s\]: its start, its waits while it copies,
/// and collecting garbage.
fn unshared(view: &View<'_>, a: &Attempt) -> f64 {
    let copying = shuffle::copying(view, a) - a.number("REDUCE_SHUFFLE_BYTES") / FLOOR_DISK;
    copying.max(0.0) + a.gc()
}

/// The work of `n` reduces, dealt out to so many.
pub(super) fn dealt<'v>(
    view: &'v View<'_>,
    n: usize,
    to: f64,
) -> impl Fn(&Attempt, f64) -> Option<f64> + 'v {
    move |a, work| {
        let of = a.kind == "REDUCE" && a.outcome == trace::Outcome::Ok;
        let stays = if of { unshared(view, a).min(work) } else { work };
        Some(stays + (work - stays) * n as f64 / to)
    }
}

/// At most: nothing stays.
pub(super) fn dealt_whole(n: usize, to: f64) -> impl Fn(&Attempt, f64) -> Option<f64> {
    move |a, work| {
        let of = a.kind == "REDUCE" && a.outcome == trace::Outcome::Ok;
        Some(if of { work * n as f64 / to } else { work })
    }
}

struct Sums {
    copied: f64,
    keys: f64,
    cpu: f64,
    work: f64,
    /// The longest work over the mean: where one has it all, more of them do not share it.
    uneven: f64,
}

impl Sums {
    fn of(view: &View<'_>, all: &[&Attempt]) -> Sums {
        let sum = |of: &dyn Fn(&Attempt) -> f64| all.iter().map(|a| of(a)).sum::<f64>();
        Sums {
            copied: sum(&|a| a.number("REDUCE_SHUFFLE_BYTES")),
            keys: sum(&|a| a.number("REDUCE_INPUT_GROUPS")),
            cpu: sum(&Attempt::cpu),
            work: sum(&|a| view.work(a)),
            uneven: all.iter().map(|a| view.work(a)).fold(0.0, f64::max) * all.len() as f64
                / sum(&|a| view.work(a)).max(f64::MIN_POSITIVE),
        }
    }

    fn is_shareable(&self, n: usize) -> bool {
        let few_keys = self.keys > 0.0 && self.keys < 2.0 * n as f64;
        let computes = self.keys > 0.0 && self.cpu >= COMPUTE * self.work;
        !few_keys && self.uneven <= EVEN && (n == 1 || computes || self.copied >= EACH * n as f64)
    }

    /// How many reduces would do it well.
    fn wanted(&self, n: usize, containers: usize) -> f64 {
        let least = 2.0 * n as f64;
        let keys = if self.keys > 0.0 { self.keys / 2.0 } else { f64::INFINITY };
        let most = keys.min(containers as f64).max(least);
        (self.copied / EACH).ceil().max((containers / 2) as f64).clamp(least, most)
    }
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all = view.good("REDUCE");
    let (n, containers, sums) = (all.len(), view.shape.at_once, Sums::of(view, &all));
    if !leave_idle(n, containers) || !sums.is_shareable(n) {
        return Vec::new();
    }
    let wanted = sums.wanted(n, containers);
    let what = what(view, &all, &sums);
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("few reduces: {what}"),
        holder: format!("{KEY} = {n}: {what}"),
        gain: view.gain(&dealt(view, n, wanted)),
        bound: view.gain(&dealt_whole(n, containers as f64)),
        certainty: if sums.keys > 0.0 { "medium" } else { "low" },
        surer: "a run with more reduces",
        cure: Cure::new(
            format!(
                "Set {} reduces; where all must come together in one, combine in the maps first",
                plain(num(wanted, 0))
            ),
            KEY,
        ),
        tasks: all.iter().map(|a| a.task).collect(),
        evidence: evidence(view, &all, &sums),
    };
    vec![found.verdict(view)]
}

/// "r_000000 does it all: 30.7 MB in 54 s after the last map, 50 s of it CPU".
fn what(view: &View<'_>, all: &[&Attempt], sums: &Sums) -> String {
    let each = s(middle(all, |a| view.work(a)));
    let size = match sums.copied > 0.0 {
        true => format!("{} in ", plain(bytes(sums.copied / all.len() as f64))),
        false => String::new(),
    };
    let cpu = match sums.cpu >= COMPUTE * sums.work && sums.cpu > 0.0 {
        true => format!(", {} of it CPU", s(middle(all, Attempt::cpu))),
        false => String::new(),
    };
    match all {
        [one] => format!("{} does it all: {size}{each} after the last map{cpu}", view.task(one)),
        all => format!("{} do it all, {size}{each} each{cpu}", count(all.len(), "reduce")),
    }
}

fn evidence(view: &View<'_>, all: &[&Attempt], sums: &Sums) -> Vec<super::super::Evidence> {
    let (n, containers) = (all.len(), view.shape.at_once);
    let each = s(middle(all, |a| view.work(a)));
    let mut evidence = vec![interval(
        "starts and ends of attempts",
        format!("{each} each after the last map; the job had {containers} containers at once"),
    )];
    if sums.copied > 0.0 {
        let size = plain(bytes(sums.copied / n as f64));
        evidence.push(counter("REDUCE_SHUFFLE_BYTES", format!("{size} each")))
    }
    if sums.cpu > 0.0 {
        let says = format!("CPU of a reduce {}", s(middle(all, Attempt::cpu)));
        evidence.push(counter("CPU_MILLISECONDS", says))
    }
    if sums.keys > 0.0 {
        let keys = plain(num(sums.keys, 0));
        evidence.push(counter("REDUCE_INPUT_GROUPS", format!("{keys} keys in all")))
    }
    if let Some(set) = view.job.conf.get(KEY) {
        evidence.push(words("job conf", format!("{KEY} = {set}")))
    }
    evidence
}
