//! `make soak`: any scenario, any scheduler, threads and ranks, any seed, for as long as one likes.
//! One trace hash, one set of metrics.
use crate::matrix::{QUEUE, SMALLER, Sets, run_in, scenarios};
use crate::tenbin::Place;
use engine::{Draw, Scheduler, Stress};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use system::SimulatedRun;

/// Ways to run one scenario from one seed before the next is taken.
const WAYS: usize = 8;

/// Minutes that no run takes.
const LONGEST_MIN: u32 = 5;

struct Way {
    ranks: usize,
    scheduler: Scheduler,
}

impl Way {
    fn any(draw: &mut Draw) -> Way {
        let (ranks, threads) = (1 + draw.below(3) as usize, 1 + draw.below(4) as usize);
        let at_least = if ranks == 1 { 2 } else { 1 };
        let stress = Stress { seed: 0, planted: None };
        let scheduler = match draw.below(4) {
            0 => Scheduler::Conservative { threads },
            1 => Scheduler::Optimistic { threads },
            2 => Scheduler::Auto { threads },
            _ => Scheduler::Stress { threads: threads.max(at_least), stress },
        };
        Way { ranks, scheduler }
    }

    /// The adversary of a run from `seed`, as the command line has it.
    fn from(&self, seed: u64) -> Scheduler {
        match self.scheduler {
            Scheduler::Stress { threads, .. } => {
                Scheduler::Stress { threads, stress: Stress { seed, planted: None } }
            }
            scheduler => scheduler,
        }
    }

    fn words(&self) -> String {
        match self.scheduler {
            Scheduler::Stress { threads, .. } => {
                format!("--scheduler optimistic --threads {threads} --rollback-stress")
            }
            Scheduler::Auto { threads }
            | Scheduler::Conservative { threads }
            | Scheduler::Optimistic { threads } => {
                format!("--scheduler {} --threads {threads}", self.scheduler)
            }
            scheduler => format!("--scheduler {scheduler}"),
        }
    }
}

/// What a person types to find out more.
fn reproduce(place: &Place, (file, besides): (&Path, Sets), seed: u64, way: &Way) -> String {
    let name = file.strip_prefix(&place.dir).unwrap_or(file).display();
    let smaller = SMALLER.iter().find(|(name, _)| file.ends_with(name)).map(|(_, sets)| *sets);
    let sets = smaller.unwrap_or_default().iter().chain(besides);
    let sets = sets.map(|(k, v)| format!(" --set {k}={v}"));
    let run = format!("run {name} --seed {seed}{}", sets.collect::<String>());
    let ranks = if way.ranks > 1 { format!("mpirun -n {} ", way.ranks) } else { String::new() };
    format!("tenbin bench diverge '{run}' '{ranks}{run} {}'", way.words())
}

/// Everything that has to be the same.
fn differs(first: &SimulatedRun, other: &SimulatedRun) -> Option<&'static str> {
    [
        (first.trace_hash != other.trace_hash, "another trace hash"),
        (first.events != other.events, "another number of events"),
        (first.reading.metrics != other.reading.metrics, "other metrics"),
        (first.trace.intervals != other.trace.intervals, "another trace"),
    ]
    .into_iter()
    .find_map(|(differs, what)| differs.then_some(what))
}

fn words(said: &(dyn Any + Send)) -> String {
    let text = said.downcast_ref::<String>().cloned();
    text.or(said.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default()
}

/// Prints the name of a slow run; a run without an end aborts the test.
fn patiently<R>(run: impl FnOnce() -> R, what: &str) -> R {
    std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        scope.spawn(move || {
            for minute in 1.. {
                if is_done.recv_timeout(Duration::from_secs(60)) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                eprintln!("{minute} min so far, for a run of seconds: {what}");
                if minute == LONGEST_MIN {
                    eprintln!("soak: it does not end");
                    std::process::exit(1)
                }
            }
        });
        let _done = done;
        run()
    })
}

/// A number from the environment.
fn number(name: &str, or: u64) -> u64 {
    let text = std::env::var(name).unwrap_or_default();
    match text.as_str() {
        "" => or,
        text => text.parse().unwrap_or_else(|_| panic!("{name}={text}: expected a whole number")),
    }
}

#[test]
#[ignore = "as long as one likes: make soak"]
fn soak() {
    let minutes = number("SOAK_MINUTES", 30);
    let seed = number("SOAK_SEED", std::process::id().into());
    eprintln!("soak: {minutes} minutes; the same again: SOAK_SEED={seed} make soak");
    let (place, end) = (Place::with_everything("soak"), Duration::from_secs(60 * minutes));
    let files: Vec<PathBuf> = scenarios(&place).into_iter().map(|(file, _)| file).collect();
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let (begun, mut told) = (Instant::now(), Instant::now());
    let (mut runs, mut failures) = (0, vec![]);
    for round in 0.. {
        if begun.elapsed() >= end {
            break;
        }
        let mut draw = Draw::keyed(seed, "soak", round, 0);
        let file: &Path = &files[draw.below(files.len() as u64) as usize];
        let what = (file, if draw.chance(0.4) { QUEUE } else { &[] });
        let seed = 1 + draw.below(1 << 40);
        let first = run_in(1, what, seed, Scheduler::Sequential);
        for way in (0..WAYS).map(|_| Way::any(&mut draw)) {
            let run = || run_in(way.ranks, what, seed, way.from(seed));
            let run = AssertUnwindSafe(|| patiently(run, &reproduce(&place, what, seed, &way)));
            let wrong = match catch_unwind(run) {
                Ok(done) => differs(&first, &done).map(String::from),
                Err(said) => Some(format!("a panic: {}", words(&*said))),
            };
            runs += 1;
            if let Some(wrong) = wrong {
                let line = format!("{wrong}: {}", reproduce(&place, what, seed, &way));
                eprintln!("{line}");
                failures.push(line)
            }
            if told.elapsed() > Duration::from_secs(10) {
                told += told.elapsed();
                let seconds = begun.elapsed().as_secs();
                eprintln!("{seconds} s: {runs} runs, {} of them wrong", failures.len())
            }
        }
    }
    eprintln!("soak: {runs} runs, {} of them wrong", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"))
}
