//! The event that is named as the first that differs is the first, whatever is wrong.
//!
//! Every run leaves a list of all of its events; what `search` finds is compared with the lists of
//! the last two runs.
use engine::*;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use system::Failure;
use tenbin::diverge::{Divergence, Source, search};
use tenbin::sums::{Collector, Difference, Line, Sums, Window};

#[derive(Message)]
enum Job {
    Count(u64),
}

#[derive(Message)]
struct Written(u64);

/// A log that may keep nothing of how to undo.
struct Log {
    items: VecDeque<u64>,
    undo: Vec<u64>,
    base: u64,
    journals: bool,
}

impl Digest for Log {
    fn digest(&self, h: &mut Hasher) {
        self.items.iter().for_each(|x| x.digest(h))
    }
}

impl Rewind for Log {
    type Mark = u64;
    fn mark(&self) -> u64 {
        self.base + self.undo.len() as u64
    }
    fn rewind(&mut self, to: &u64) {
        while self.mark() > *to && self.undo.pop().is_some() {
            self.items.pop_back();
        }
    }
    fn commit(&mut self, upto: &u64) {
        self.undo.drain(..(*upto - self.base) as usize);
        self.base = *upto
    }
    fn journal(&mut self, _: Option<u64>) {}
}

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
enum Fault {
    None,
    /// A container does not journal.
    Forgets,
    /// Its records hang on a count that outlives a run.
    RecordsByStatic,
    SendsByStatic,
    /// Only its last state does.
    EndsByStatic,
}

#[derive(Rewind)]
struct Node {
    all: Lps<Job>,
    fault: Fault,
    log: Log,
    count: u64,
    odd: u64,
}

static OUTSIDE: AtomicU64 = AtomicU64::new(0);

/// Tests run in parallel and share it.
static ALONE: Mutex<()> = Mutex::new(());

/// Wrong from some event on.
fn outside() -> u64 {
    OUTSIDE.fetch_add(1, Ordering::Relaxed) / 3000
}

impl Model for Node {
    type Event = Job;
    type Record = Written;
    fn handle(&mut self, Job::Count(n): &Job, cx: &impl Context<Job, Written>) {
        self.count += 1;
        let len = self.log.items.len() as u64;
        self.log.items.push_back(*n);
        if self.log.journals {
            self.log.undo.push(*n)
        }
        let wrong = |fault| if self.fault == fault { outside() } else { 0 };
        if self.count.is_multiple_of(3) {
            cx.record(Written(len + wrong(Fault::RecordsByStatic)))
        }
        if self.fault == Fault::EndsByStatic && cx.now() > Nanos::micros(150) {
            self.odd += outside()
        }
        let mut draw = cx.random();
        let to = self.all.at(draw.below(self.all.len() as u64) as u32);
        let delay = Delay::link(cx.link(to)).plus(draw.exponential(Nanos::micros(1)));
        cx.send(to, delay, Job::Count(n + 1 + wrong(Fault::SendsByStatic)))
    }
}

const LPS: u32 = 100;

/// Some microseconds; about 100 events in each.
fn world(fault: Fault, micros: u64) -> World<'static, Node> {
    let mut topology = Topology::new(Nanos(10), Nanos(10));
    let all = topology.place::<Job>(LPS, |_| 0);
    let node = move |_| {
        let (items, undo, base, journals) = (VecDeque::new(), vec![], 0, fault != Fault::Forgets);
        Node { all, fault, log: Log { items, undo, base, journals }, count: 0, odd: 0 }
    };
    let mut world = World::new(Shared::new(topology), 1, Nanos::micros(micros), node);
    all.iter().for_each(|lp| world.start(lp, Nanos(1), Job::Count(0)));
    world
}

/// One run: its sums, and the list of all that happened.
fn sums(
    (fault, micros): (Fault, u64),
    scheduler: Scheduler,
    window: Window,
    list: &RefCell<Vec<Line>>,
) -> Result<Sums, Failure> {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    OUTSIDE.store(if scheduler == Scheduler::Sequential { 0 } else { 1000 }, Ordering::Relaxed);
    let (mut collector, mut lines) = (Collector::new(window), vec![]);
    let see = |seen: &CommittedEvent<'_>| {
        lines.push(Line::from(seen));
        collector.see(seen)
    };
    let go_on = |_| ControlFlow::Continue(());
    let run = || world(fault, micros).run_observed(scheduler, |_, _| (), see, go_on);
    // A planted fault may end in a panic: what came before is looked at.
    let hash = catch_unwind(AssertUnwindSafe(run)).map_or(0, |(outcome, _)| outcome.trace_hash);
    lines.sort_by_key(|l| (l.time_ns, l.tie, l.lp));
    *list.borrow_mut() = lines;
    Ok(collector.done("a test".into(), scheduler.to_string(), hash))
}

type Pair = (Option<Line>, Option<Line>);

/// The first place where two sorted lists differ.
fn by_force(a: &[Line], b: &[Line]) -> Option<Pair> {
    let key = |l: &Line| (l.time_ns, l.tie, l.lp);
    let at = (0..a.len().max(b.len())).find(|i| a.get(*i) != b.get(*i))?;
    Some(match (a.get(at).cloned(), b.get(at).cloned()) {
        (Some(x), Some(y)) if key(&x) < key(&y) => (Some(x), None),
        (Some(x), Some(y)) if key(&x) > key(&y) => (None, Some(y)),
        both => both,
    })
}

/// What is found, and what is true of the last two runs.
fn both(what: (Fault, u64), a: Scheduler, b: Scheduler) -> (Divergence, Option<Pair>, u32) {
    let (in_a, in_b, runs) = (RefCell::new(vec![]), RefCell::new(vec![]), RefCell::new(0));
    let count = |window| {
        *runs.borrow_mut() += 1;
        sums(what, a, window, &in_a)
    };
    let mut of_a = Source::Run(Box::new(count), None);
    let mut of_b = Source::Run(Box::new(|window| sums(what, b, window, &in_b)), None);
    let found = search(&mut of_a, &mut of_b).expect("the runs end");
    let truth = by_force(&in_a.borrow(), &in_b.borrow());
    let runs = *runs.borrow();
    (found, truth, runs)
}

fn stress(planted: Option<PlantedBug>) -> Scheduler {
    Scheduler::Stress { threads: 2, stress: Stress { seed: 1, planted } }
}

/// A short run has a list at once; a long one needs one more run.
const SHORT: u64 = 100;
const LONG: u64 = 500;

#[test]
fn equal_runs_have_no_difference() {
    let all = [
        stress(None),
        Scheduler::Conservative { threads: 3 },
        Scheduler::RollbackCheck { depth: 3 },
        Scheduler::Sequential,
    ];
    for scheduler in all {
        let (found, truth, runs) = both((Fault::None, LONG), Scheduler::Sequential, scheduler);
        assert_eq!((found.difference, truth, runs), (Difference::None, None, 1), "{scheduler}");
        assert_eq!(found.a.trace_hash, found.b.trace_hash);
        assert_eq!((found.a.sum, found.unsteady), (found.a.trace_hash, None))
    }
}

#[test]
fn what_is_named_is_the_first_that_differs() {
    let planted = |fault| stress(Some(fault));
    let cases = [
        (Fault::None, planted(PlantedBug::LosesRecall)),
        (Fault::None, planted(PlantedBug::CommitsEarly)),
        (Fault::Forgets, stress(None)),
        (Fault::RecordsByStatic, Scheduler::Conservative { threads: 1 }),
        (Fault::SendsByStatic, Scheduler::Conservative { threads: 1 }),
        (Fault::EndsByStatic, Scheduler::Conservative { threads: 1 }),
    ];
    for (fault, scheduler) in cases {
        for (micros, most) in [(SHORT, 1), (LONG, 2)] {
            if fault == Fault::EndsByStatic && micros == SHORT {
                continue;
            }
            let what = format!("{fault:?} under {scheduler:?}, {micros} µs");
            let (found, truth, runs) = both((fault, micros), Scheduler::Sequential, scheduler);
            let Difference::Event(a, b) = found.difference else {
                panic!("{what}: {:?}, in truth {truth:?}", found.difference)
            };
            let named = (a.map(|a| *a), b.map(|b| *b));
            assert_eq!(Some(named), truth, "{what}");
            assert!(runs <= most, "{what}: {runs} runs");
            assert!(fault != Fault::EndsByStatic || truth.expect("it is").0.expect("it").is_last())
        }
    }
}
