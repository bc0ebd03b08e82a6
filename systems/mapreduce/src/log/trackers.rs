//! Clocks of Hadoop 0.20 and 1 (`JobHistory`). Times of attempts are of their TaskTracker's clock,
//! times of tasks and jobs of the JobTracker's. An attempt starts after its task is assigned. A
//! task ends when the JobTracker receives that its attempt succeeded. This bounds each
//! TaskTracker's offset; its times are shifted to the JobTracker's clock.
use crate::import::history::{Attempt, Job, Node, short};
use crate::plain::{count, duration};
use std::collections::BTreeMap;

/// Smallest offset mentioned in the notes \[ms\].
const SAID: i64 = 100;

const NAMED: usize = 5;

/// Clocks are slewed: an attempt may be longer than its task by this \[ms\].
const SLEWED: i64 = 1000;

/// Two heartbeats: an offset known no better than this needs a longer job \[ms\].
const HEARTBEATS: i64 = 6000;

/// How far a node's clock is ahead of the JobTracker's, and its bounds \[ms\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClockOffset {
    pub offset: i64,
    pub low: i64,
    pub high: i64,
}

/// A job with all times corrected to the JobTracker's clock.
#[derive(Debug)]
pub(super) struct ShiftedJob {
    pub job: Job,
    pub clock_offsets: BTreeMap<Node, ClockOffset>,
    pub notes: Vec<String>,
    /// Times of attempts are too uncertain for any cause.
    pub unknown: bool,
}

/// Bounds so far of a node's offset \[ms\].
#[derive(Clone, Copy)]
struct Bounds {
    low: i64,
    high: i64,
    /// `high` is from a task's first attempt, which starts when its task is assigned.
    tight: bool,
}

impl Bounds {
    /// The offset that fits best with delays of starts and heartbeats; `None`: the clock was set.
    fn ahead(self) -> Option<ClockOffset> {
        let Bounds { low, high, tight } = self;
        let offset = match (low <= 0 && 0 <= high, tight || high < 0) {
            (true, _) => 0,
            (false, true) => high,
            (false, false) => low,
        };
        (low <= high).then_some(ClockOffset { offset, low, high })
    }
}

pub(super) fn shift_times(job: &Job) -> ShiftedJob {
    let mut bounds: BTreeMap<Node, Bounds> = BTreeMap::new();
    for (id, attempt) in &job.attempts {
        let (Some((low, high)), Some(node)) = (window(job, id, attempt), &attempt.node) else {
            continue;
        };
        let none = Bounds { low: i64::MIN, high: i64::MAX, tight: false };
        let of = bounds.entry(node.clone()).or_insert(none);
        of.tight = if high < of.high { id.ends_with("_0") } else { of.tight };
        (of.low, of.high) = (of.low.max(low), of.high.min(high))
    }
    let ahead = bounds.iter().filter_map(|(node, of)| Some((node.clone(), of.ahead()?))).collect();
    let mut all =
        ShiftedJob { job: job.clone(), clock_offsets: ahead, notes: Vec::new(), unknown: false };
    all.add_notes(&bounds);
    let ends = job.finish.unwrap_or_else(|| job.last());
    for (id, attempt) in &job.attempts {
        let moved = all.moved(id, attempt, ends);
        all.job.attempts.insert(id.clone(), moved);
    }
    all
}

/// Lower and upper bound of the offset of the attempt's clock \[ms\]. `None`: it did not succeed,
/// so the JobTracker may have written its times.
fn window(job: &Job, id: &str, attempt: &Attempt) -> Option<(i64, i64)> {
    let task = job.tasks.get(&attempt.task)?;
    let counts = task.successful.as_deref().is_none_or(|successful| successful == id);
    let (from, to) = (task.start?, task.finish?);
    let is_good = attempt.status == "SUCCEEDED" && counts;
    is_good.then_some((attempt.finish? - to, attempt.start? - from))
}

impl ShiftedJob {
    /// Adds notes on how each node's times were corrected.
    fn add_notes(&mut self, bounds: &BTreeMap<Node, Bounds>) {
        let is_said = |(_, ahead): &(&Node, &ClockOffset)| ahead.offset.abs() >= SAID;
        let mut shifted: Vec<(&Node, &ClockOffset)> =
            self.clock_offsets.iter().filter(is_said).collect();
        shifted.sort_by_key(|(_, ahead)| std::cmp::Reverse(ahead.offset.abs()));
        let job = self.job.finish.zip(self.job.submit).map_or(0, |(end, begun)| end - begun);
        for (at, (node, ahead)) in shifted.iter().enumerate() {
            let wide = ahead.high - ahead.low > HEARTBEATS.max(job / 5) && !bounds[*node].tight;
            self.unknown |= wide;
            if at < NAMED || wide {
                self.notes.push(of_node(&node.0, ahead, wide))
            }
        }
        if let Some(more) = shifted.len().checked_sub(NAMED).filter(|more| *more > 0) {
            let more = count(more, "other node");
            self.notes.push(format!("the clocks of {more} are off by less: shifted, too"))
        }
        let set: Vec<&str> = (bounds.keys().filter(|node| !self.clock_offsets.contains_key(*node)))
            .map(|node| node.0.as_str())
            .collect();
        if let Some(first) = set.first() {
            let more = match set.len() {
                1 => String::new(),
                n => format!(" and {}", count(n - 1, "other node")),
            };
            self.notes.push(format!(
                "the clock of {first}{more} was set during the job: each attempt is moved into the \
                 time of its task"
            ))
        }
    }

    fn moved(&mut self, id: &str, attempt: &Attempt, ends: i64) -> Attempt {
        let known =
            attempt.node.as_ref().and_then(|node| self.clock_offsets.get(node)).map(|a| a.offset);
        let task = self.job.tasks.get(&attempt.task);
        let first = task.and_then(|task| task.start).or(self.job.submit).unwrap_or(i64::MIN);
        let Some((low, high)) = window(&self.job, id, attempt) else {
            return broken(attempt, known, (first, ends.max(first)));
        };
        let offset = known.unwrap_or(if low <= 0 && 0 <= high { 0 } else { high });
        let mut moved = by(attempt, |ms| ms - offset);
        if low > high {
            // The attempt ran longer than its task: its times are unknown.
            let last = task.and_then(|task| task.finish).unwrap_or(ends);
            moved = by(&moved, |ms| ms.clamp(first, last.max(first)));
            if low - high > SLEWED && !self.unknown {
                self.unknown = true;
                self.notes.push(format!(
                    "{} ran for {} by its node's clock, but its task took {} by the JobTracker's: \
                     these clocks contradict each other",
                    short(id),
                    duration((low - high + last - first) as f64 / 1e3),
                    duration((last - first) as f64 / 1e3)
                ))
            }
        }
        moved
    }
}

fn of_node(host: &str, ahead: &ClockOffset, wide: bool) -> String {
    let s = |ms: i64| duration(ms.abs() as f64 / 1e3);
    let ClockOffset { offset, low, high } = *ahead;
    let way = if offset < 0 { "behind" } else { "ahead of" };
    let (least, most) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
    let end = if wide { ", too far apart to name a cause" } else { "" };
    format!(
        "the clock of {host} is {} {way} the JobTracker's ({} to {} are possible{end}): its times \
         are shifted",
        s(offset),
        s(least),
        s(most)
    )
}

fn by(attempt: &Attempt, change: impl Fn(i64) -> i64) -> Attempt {
    let of = |time: Option<i64>| time.map(&change);
    Attempt {
        start: of(attempt.start),
        finish: of(attempt.finish),
        map_finish: of(attempt.map_finish),
        shuffle_finish: of(attempt.shuffle_finish),
        sort_finish: of(attempt.sort_finish),
        ..attempt.clone()
    }
}

/// Shifts an attempt that did not succeed. The JobTracker itself writes times of attempts on a lost
/// TaskTracker. Each time is taken by the clock that puts it within the job.
fn broken(attempt: &Attempt, offset: Option<i64>, (first, last): (i64, i64)) -> Attempt {
    let fits = |ms: i64| (first..=last).contains(&ms);
    // No attempt on its node succeeded: assume that it started when its task was assigned.
    let guess = attempt.start.filter(|start| !fits(*start)).map_or(0, |start| start - first);
    let offset = offset.unwrap_or(guess);
    let mut moved = by(attempt, |ms| match (fits(ms - offset), fits(ms)) {
        (false, true) => ms,
        _ => (ms - offset).clamp(first, last),
    });
    moved.finish = moved.finish.max(moved.start.filter(|_| moved.finish.is_some()));
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::history::Task;

    /// Node; assignment and reported end of its task; start and end \[s\]; status.
    type Tried<'a> = (&'a str, (i64, i64), (i64, i64), &'a str);

    fn job(all: &[Tried<'_>]) -> Job {
        let mut job = Job::default();
        (job.submit, job.finish) = (Some(1), Some(100_000));
        for (at, (node, span, run, status)) in all.iter().enumerate() {
            let (task, id) = (format!("t{at}"), format!("t{at}_0"));
            let (start, finish) = (Some(1000 * span.0), Some(1000 * span.1));
            job.tasks.insert(task.clone(), Task { start, finish, ..Task::default() });
            let attempt = Attempt {
                task,
                start: Some(1000 * run.0),
                finish: Some(1000 * run.1),
                status: (*status).into(),
                node: Some(((*node).into(), 1)),
                ..Attempt::default()
            };
            job.attempts.insert(id, attempt);
        }
        job
    }

    fn spans(shifted: &ShiftedJob) -> Vec<(i64, i64)> {
        let of = |a: &Attempt| (a.start.unwrap() / 1000, a.finish.unwrap() / 1000);
        shifted.job.attempts.values().map(of).collect()
    }

    #[test]
    fn times_of_a_tracker_go_to_the_jobtrackers_clock() {
        const OK: &str = "SUCCEEDED";
        // What was logged, where the attempts were, whether a cause can be named.
        type Case<'a> = (&'a [(&'a str, (i64, i64), (i64, i64), &'a str)], &'a [(i64, i64)], bool);
        let cases: [Case<'_>; 8] = [
            // The clocks agree.
            (&[("a", (5, 12), (6, 10), OK)], &[(6, 10)], true),
            // 500 s behind, 500 s ahead.
            (&[("a", (505, 512), (5, 9), OK)], &[(505, 509)], true),
            (&[("a", (5, 12), (506, 510), OK)], &[(5, 9)], true),
            // The later of two heartbeats, the earlier of two starts.
            (
                &[("a", (5, 12), (507, 510), OK), ("a", (20, 30), (521, 529), OK)],
                &[(6, 9), (20, 28)],
                true,
            ),
            // The clock was set between the two by 500 s: each attempt is moved into its task.
            (
                &[("a", (5, 12), (506, 510), OK), ("a", (20, 30), (21, 28), OK)],
                &[(5, 9), (21, 28)],
                true,
            ),
            // Longer than its task.
            (&[("a", (5, 12), (6, 60), OK)], &[(5, 12)], false),
            // Killed: by its node's clock, and by the JobTracker's.
            (
                &[("a", (5, 12), (506, 510), OK), ("a", (20, 90), (521, 40), "KILLED")],
                &[(5, 9), (20, 40)],
                true,
            ),
            // No attempt of its node succeeded.
            (&[("a", (20, 90), (921, 940), "FAILED")], &[(20, 39)], true),
        ];
        for (all, wanted, named) in cases {
            let shifted = shift_times(&job(all));
            assert_eq!(spans(&shifted), wanted, "{all:?} {:?}", shifted.notes);
            assert_eq!(!shifted.unknown, named, "{all:?} {:?}", shifted.notes);
        }
    }

    #[test]
    fn what_is_shifted_is_said() {
        let two = [("a", (505, 512), (5, 9), "SUCCEEDED"), ("b", (5, 12), (6, 10), "SUCCEEDED")];
        let notes = shift_times(&job(&two)).notes;
        let wanted = "the clock of a is 500 s behind the JobTracker's (500 s to 503 s are \
                      possible): its times are shifted";
        assert_eq!(notes, [wanted]);
    }
}
