//! PHOLD: the engine against loops written by hand for this one model, alternating in one run.
//!
//! `cargo bench -p engine --bench phold -- --rounds N --events N --sizes 1k,64k,1M --only heap,ladder,one,three`
//!
//! The hand-written loops know the model, its payload and its generator; they hash nothing, record nothing, check
//! nothing. The heap is the obvious program; the ladder is everything we know about speed, and the bound to be near.
mod hand;
mod heap;
mod ladder;
mod table;
use engine::{
    Nanos, Scheduler,
    phold::{self, Kinds, Setting},
};

/// Events per second of one run of about so many events.
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

fn main() {
    let rounds: usize = argument("--rounds", "9").parse().expect("a number of rounds");
    let events: u64 = argument("--events", "4000000").parse().expect("a number of events");
    let (sizes, only) = (argument("--sizes", "1k,64k,1M"), argument("--only", ""));
    for size in sizes.split(',') {
        let lps = match size {
            "1k" => 1000,
            "64k" => 64_000,
            "1M" => 1_000_000,
            _ => panic!("sizes are 1k, 64k, 1M"),
        };
        let runners =
            RUNNERS.iter().filter(|(n, _)| only.is_empty() || only.split(',').any(|o| o == *n));
        let runners: Vec<_> = runners.copied().collect();
        let mut rates = vec![vec![]; runners.len()];
        for round in 0..rounds {
            for (i, (_, run)) in runners.iter().enumerate() {
                let rate = run(lps, events);
                // The first round warms up.
                if round > 0 || rounds == 1 {
                    rates[i].push(rate)
                }
            }
        }
        let names: Vec<&str> = runners.iter().map(|r| r.0).collect();
        table::print(size, &names, &rates)
    }
    println!("peak memory {} MB", phold::peak_rss_bytes() / 1_000_000)
}
