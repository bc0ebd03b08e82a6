//! PHOLD: the engine against hand-written loops for this one model, alternating in one run.
//!
//! `cargo bench -p engine --bench phold -- --rounds N --events N --sizes 1k,64k,1M --only
//! heap,ladder,one,three`
//!
//! The hand-written loops know the model, its payload and its generator; they hash, record and
//! check nothing. The heap is the simple program. The ladder is the fastest known one, and the
//! reference of the bound.
mod bounds;
mod hand;
mod heap;
mod ladder;
mod memory;
mod table;
#[path = "../../../../benches/verdicts.rs"]
mod verdicts;
use bounds::{SIZES, Size};
use engine::{
    Nanos, Scheduler,
    phold::{self, Kinds, Setting},
};
use std::process::ExitCode;
use table::Rates;

/// Events per second of a run of about `events` events.
type Runner = fn(u32, u64) -> f64;

const RUNNERS: [(&str, Runner); 4] =
    [("heap", heap::run), ("ladder", ladder::run), ("one", one), ("three", three)];

fn engine(lps: u32, events: u64, kinds: Kinds) -> f64 {
    let setting = Setting { lps, kinds, lookahead: Nanos::millis(100), ..Setting::default() };
    phold::run(&setting.for_events(events), Scheduler::Sequential).events_per_second()
}

fn one(lps: u32, events: u64) -> f64 {
    engine(lps, events, Kinds::One)
}

fn three(lps: u32, events: u64) -> f64 {
    engine(lps, events, Kinds::Three)
}

fn argument(name: &str, default: &str) -> String {
    let mut all = std::env::args();
    all.find(|a| a == name).and_then(|_| all.next()).unwrap_or_else(|| default.into())
}

/// Runs every runner once per round, each time in another order, so that other load affects all.
fn measure(lps: u32, events: u64, rounds: usize, runners: &[(&'static str, Runner)]) -> Rates {
    let mut rates: Rates = runners.iter().map(|(name, _)| (*name, vec![])).collect();
    for round in 0..=rounds {
        for i in 0..runners.len() {
            let i = (i + round) % runners.len();
            let rate = (runners[i].1)(lps, events);
            // The first round warms up.
            if round > 0 {
                rates[i].1.push(rate)
            }
        }
    }
    rates
}

fn main() -> ExitCode {
    if memory::is_child() {
        memory::child(|lps| one(lps, 4 * lps as u64));
        return ExitCode::SUCCESS;
    }
    let rounds: usize = argument("--rounds", "15").parse().expect("a number of rounds");
    let events: u64 = argument("--events", "4000000").parse().expect("a number of events");
    let (sizes, only) = (argument("--sizes", "1k,64k,1M"), argument("--only", ""));
    let is_in = |list: &str, name: &str| list.split(',').any(|n| n == name);
    let runners: Vec<_> =
        RUNNERS.into_iter().filter(|(n, _)| only.is_empty() || is_in(&only, n)).collect();
    let mut missed = vec![];
    for Size { name, lps, .. } in SIZES.iter().filter(|size| is_in(&sizes, size.name)) {
        let rates = measure(*lps, events, rounds.max(1), &runners);
        table::print(name, &rates);
        let bytes = memory::bytes_per_lp(*lps);
        if let Some(bytes) = bytes {
            println!("  {bytes:.0} bytes per LP with its pending event")
        }
        println!();
        missed.extend(bounds::missed(name, &rates, bytes))
    }
    bounds::print(&missed)
}
