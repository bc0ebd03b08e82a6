//! Drawn jobs with a planted cause: the same job without it is the truth. No bound of the cause
//! is below what taking it away gains by more than 5 % of the job, and where it gains much the
//! cause is named.
use mapreduce::import::history::{Attempt, Job, Task};
use mapreduce::log::Log;
use mapreduce::why::Explanation;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Planted {
    Nothing,
    Skew,
    SlowNode,
    SlowSource,
    FewContainers,
    EarlyReduces,
    LostNode,
}

/// A drawn job on a drawn cluster.
#[derive(Clone, Debug)]
struct Drawn {
    nodes: usize,
    each: usize,
    /// Seconds of each map, and the host of its block.
    maps: Vec<(f64, usize)>,
    /// Seconds of each reduce after the last map.
    reduces: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Ran {
    map: bool,
    task: usize,
    node: usize,
    from: f64,
    to: f64,
    lost: bool,
}

/// Numbers from 0 to 1, by their place.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
    fn whole(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() * (high - low + 1) as f64) as usize
    }
}

fn drawn(seed: u64) -> Drawn {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..4 {
        dice.next();
    }
    let (nodes, each) = (dice.whole(4, 8), dice.whole(2, 4));
    let maps = dice.whole(2, 5) * nodes * each;
    let map = dice.between(10.0, 30.0);
    let maps = (0..maps).map(|m| (map * dice.between(0.85, 1.15), m % nodes)).collect();
    let (reduces, reduce) = (dice.whole(3, nodes), dice.between(15.0, 60.0));
    let reduces = (0..reduces).map(|_| reduce * dice.between(0.9, 1.1)).collect();
    Drawn { nodes, each, maps, reduces }
}

/// Runs the job with the planted cause. Free containers go to reduces first if enough maps are
/// done, else to maps, data-local if possible.
fn run(job: &Drawn, planted: Planted) -> (f64, Vec<Ran>) {
    let each = if planted == Planted::FewContainers { 1 } else { job.each };
    let nodes = if planted == Planted::FewContainers { 2 } else { job.nodes };
    let slow_start = if planted == Planted::EarlyReduces { 0.05 } else { 1.0 };
    let reduces = reduces(job, planted);
    let dies = match planted {
        Planted::LostNode => 6.0 + job.maps[0].0 * 1.5,
        _ => f64::INFINITY,
    };
    let mut free: Vec<f64> = vec![5.0; nodes * each];
    let mut left: Vec<usize> = (0..job.maps.len()).collect();
    let (mut ran, mut next, mut again) = (Vec::<Ran>::new(), 0, dies.is_finite());
    loop {
        let done = |at: f64| ran.iter().filter(|r| r.map && !r.lost && r.to <= at).count();
        let slot = (0..free.len())
            .filter(|slot| !(slot / each == 1 && free[*slot] >= dies))
            .min_by(|a, b| free[*a].total_cmp(&free[*b]))
            .expect("a node is left");
        let (at, node) = (free[slot], slot / each);
        if !at.is_finite() {
            break;
        }
        if again && at >= dies {
            // Running maps, and maps with lost outputs, ran in vain.
            again = false;
            for r in ran.iter_mut().filter(|r| r.map && r.node == 1) {
                r.lost = true;
                r.to = r.to.min(dies);
                left.push(r.task)
            }
            continue;
        }
        let over = done(at) == job.maps.len();
        let ready = done(at) as f64 >= slow_start * job.maps.len() as f64;
        if next < reduces.len() && ready {
            ran.push(Ran { map: false, task: next, node, from: at, to: f64::NAN, lost: false });
            // A reduce holds its container while it waits for maps.
            free[slot] = if over { at + reduces[next] } else { f64::INFINITY };
            next += 1
        } else if let Some(place) =
            local(job, &left, node).or(if left.is_empty() { None } else { Some(0) })
        {
            let task = left.remove(place);
            let took = took(job, planted, task, node);
            ran.push(Ran { map: true, task, node, from: at, to: at + took, lost: false });
            free[slot] = at + took + 0.5
        } else {
            let later = free.iter().copied().filter(|other| *other > at && other.is_finite());
            let ends = ran.iter().filter(|r| r.map && r.to > at).map(|r| r.to);
            let then = later.chain(ends).fold(f64::INFINITY, f64::min);
            if !then.is_finite() {
                break;
            }
            free[slot] = then
        }
    }
    let last = ran.iter().filter(|r| r.map && !r.lost).map(|r| r.to).fold(0.0, f64::max);
    for r in ran.iter_mut().filter(|r| !r.map) {
        r.to = r.from.max(last) + reduces[r.task]
    }
    (ran.iter().map(|r| r.to).fold(0.0, f64::max) + 0.5, ran)
}

fn reduces(job: &Drawn, planted: Planted) -> Vec<f64> {
    let mut all = job.reduces.clone();
    if planted == Planted::Skew {
        // The first gets half of all; the sum stays.
        let sum: f64 = all.iter().sum();
        let others = (all.len() - 1) as f64;
        all.iter_mut().for_each(|work| *work = sum / 2.0 / others);
        all[0] = sum / 2.0
    }
    all
}

fn local(job: &Drawn, left: &[usize], node: usize) -> Option<usize> {
    left.iter().position(|task| job.maps[*task].1 == node)
}

fn took(job: &Drawn, planted: Planted, task: usize, node: usize) -> f64 {
    let (seconds, source) = job.maps[task];
    match planted {
        Planted::SlowNode if node == 0 => 3.0 * seconds,
        Planted::SlowSource if source == 0 => 4.0 * seconds,
        _ => seconds,
    }
}

/// The history that a job leaves.
fn why(job: &Drawn, planted: Planted, end: f64, ran: &[Ran]) -> Explanation {
    let ms = |seconds: f64| 1_700_000_000_000 + (1000.0 * seconds).round() as i64;
    let mut history = Job::default();
    (history.id, history.status) = ("job_1_0001".into(), "SUCCEEDED".into());
    (history.submit, history.am_start) = (Some(ms(0.0)), Some(ms(1.0)));
    (history.inited, history.finish) = (Some(ms(2.0)), Some(ms(end)));
    history.maps = Some(job.maps.len() as i64);
    history.reduces = Some(job.reduces.len() as i64);
    let works = reduces(job, planted);
    let mut tries: BTreeMap<(bool, usize), usize> = BTreeMap::new();
    for r in ran {
        let letter = if r.map { "m" } else { "r" };
        let kind = if r.map { "MAP" } else { "REDUCE" };
        let number = tries.entry((r.map, r.task)).or_default();
        let task = format!("task_1_0001_{letter}_{:06}", r.task);
        let id = format!("attempt_1_0001_{letter}_{:06}_{number}", r.task);
        *number += 1;
        let host = |node: usize| format!("w{node}");
        let entry = history.tasks.entry(task.clone()).or_insert_with(|| Task {
            kind: kind.into(),
            start: Some(ms(3.0)),
            holders: if r.map { vec![host(job.maps[r.task].1)] } else { Vec::new() },
            ..Task::default()
        });
        if !r.lost {
            (entry.finish, entry.status) = (Some(ms(r.to)), "SUCCEEDED".into());
            entry.successful = Some(id.clone())
        }
        let counters = match r.map {
            true => vec![("HDFS_BYTES_READ", 1 << 27), ("CPU_MILLISECONDS", 3000)],
            false => vec![("REDUCE_INPUT_RECORDS", (1000.0 * works[r.task]) as i64)],
        };
        let error = format!("TaskAttempt killed because it ran on unusable node w{}:1", r.node);
        let attempt = Attempt {
            task,
            start: Some(ms(r.from)),
            finish: Some(ms(r.to)),
            status: if r.lost { "KILLED".into() } else { "SUCCEEDED".into() },
            node: Some((host(r.node), 1)),
            counters: counters.into_iter().map(|(name, n)| (name.into(), n)).collect(),
            error: r.lost.then_some(error),
            ..Attempt::default()
        };
        history.attempts.insert(id, attempt);
    }
    let mut log = Log::new(ms(0.0));
    log.add(&history, None);
    Explanation::of(&log.finish())
}

#[test]
fn no_bound_is_below_what_taking_the_cause_away_gains() {
    let causes = [
        (Planted::Skew, "skew"),
        (Planted::SlowNode, "slow node"),
        (Planted::SlowSource, "slow source"),
        (Planted::FewContainers, "few containers"),
        (Planted::EarlyReduces, "early reduces"),
        (Planted::LostNode, "lost node"),
    ];
    let (mut below, mut unnamed, mut second, mut much) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for seed in 0..60 {
        let job = drawn(seed);
        let (without, _) = run(&job, Planted::Nothing);
        for (planted, cause) in causes {
            let (end, ran) = run(&job, planted);
            let gain = (end - without) / end;
            let why = why(&job, planted, end, &ran);
            let verdicts = &why.jobs[0].verdicts;
            let found = verdicts.iter().find(|v| v.cause == cause);
            let line = |high: f64| {
                format!(
                    "{seed} {planted:?}: gains {gain:.3}, bound {high:.3}, first {}",
                    verdicts[0].cause
                )
            };
            match found {
                Some(v) if v.share_high < gain - 0.05 => below.push(line(v.share_high)),
                None if gain > 0.15 => unnamed.push(line(0.0)),
                _ => {}
            }
            if gain > 0.15 {
                much += 1;
                if verdicts[0].cause != cause {
                    second.push(line(found.map_or(0.0, |v| v.share_high)))
                }
            }
        }
    }
    assert!(below.is_empty(), "{} bounds too low:\n{}", below.len(), below.join("\n"));
    assert!(much > 120, "{much} cases that matter");
    assert!(unnamed.len() * 20 <= much, "of {much}:\n{}", unnamed.join("\n"));
    assert!(second.len() * 10 <= much, "of {much} not first:\n{}", second.join("\n"));
}

#[test]
fn a_job_without_a_cause_is_blamed_on_nothing() {
    let mut blamed = Vec::new();
    for seed in 100..160 {
        let job = drawn(seed);
        let (end, ran) = run(&job, Planted::Nothing);
        let why = why(&job, Planted::Nothing, end, &ran);
        let first = &why.jobs[0].verdicts[0];
        if first.cause != "nothing stands out" {
            blamed.push(format!("{seed}: {} {:.2}", first.cause, first.share))
        }
    }
    assert!(blamed.len() <= 3, "{}", blamed.join("\n"));
}
