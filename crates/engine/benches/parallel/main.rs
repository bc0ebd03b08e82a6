//! Speed-up on two threads: PHOLD under the parallel schedulers against Tenbin's sequential one, in
//! wall-clock times of alternating pairs.
//!
//! `cargo bench -p engine --bench parallel [-- --pairs N --events N --threads N --only
//! 64k,1M,grain,tiny,hot,uneven,short,little,busy]`
//!
//! `--noisy` accepts all pairs, for experiments; its figures are not results.
//!
//! A pair during which other processes used more than a tenth of a core is repeated. If the machine
//! does not become quiet, the line says "not measured".
mod host;
mod quiet;
#[path = "../../../../benches/verdicts.rs"]
mod verdicts;
use engine::{
    Nanos, Scheduler,
    phold::{self, PholdRun, Setting},
};
use quiet::{argument, quartiles};
use std::process::ExitCode;
use verdicts::Verdicts;

struct Case {
    name: &'static str,
    lps: u32,
    lookahead: Nanos,
    /// Work of an event \[ns\].
    grain: u64,
    kind: Kind,
    /// The share of the first LP in all events.
    hot: f64,
    /// All events are among the first half of the LPs, which one thread owns at the start.
    uneven: bool,
    /// Another process keeps one core busy.
    busy: bool,
    /// Minimum ratio to sequential.
    least: f64,
}

#[derive(Clone, Copy)]
enum Kind {
    Conservative,
    Optimistic,
    Auto,
}
use Kind::*;

const fn case(name: &'static str, lps: u32, kind: Kind, least: f64) -> Case {
    let (lookahead, grain) = (Nanos(100_000_000), 0);
    Case { name, lps, lookahead, grain, kind, hot: 0.0, uneven: false, busy: false, least }
}

const TINY: Nanos = Nanos(1_000_000);
const SHORT: Nanos = Nanos(2_000_000);

const CASES: [Case; 16] = [
    case("64k", 65_536, Conservative, 1.5),
    case("1M", 1_048_576, Conservative, 1.25),
    case("64k", 65_536, Optimistic, 1.15),
    Case { grain: 2000, ..case("grain", 65_536, Optimistic, 1.6) },
    Case { grain: 2000, ..case("grain", 65_536, Conservative, 1.6) },
    Case { grain: 2000, lookahead: TINY, ..case("tiny", 65_536, Optimistic, 1.0) },
    Case { uneven: true, ..case("uneven", 65_536, Conservative, 1.25) },
    Case { uneven: true, ..case("uneven", 65_536, Optimistic, 1.15) },
    Case { grain: 5000, lookahead: SHORT, ..case("short", 16_384, Conservative, 1.0) },
    case("64k", 65_536, Auto, 0.95),
    case("1M", 1_048_576, Auto, 0.95),
    Case { hot: 0.2, ..case("hot", 65_536, Auto, 0.95) },
    Case { grain: 2000, ..case("grain", 65_536, Auto, 0.95) },
    Case { grain: 2000, lookahead: TINY, ..case("tiny", 65_536, Auto, 0.95) },
    Case { lookahead: TINY, ..case("little", 1024, Auto, 0.95) },
    Case { busy: true, ..case("busy", 65_536, Auto, 0.9) },
];

impl Case {
    fn scheduler(&self, threads: usize) -> Scheduler {
        match self.kind {
            Conservative => Scheduler::Conservative { threads },
            Optimistic => Scheduler::Optimistic { threads },
            Auto => Scheduler::Auto { threads },
        }
    }

    fn run(&self, scheduler: Scheduler, events: u64, per_micro: f64) -> PholdRun {
        let work = (self.grain as f64 / 1e3 * per_micro) as u32;
        let (lps, lookahead) = (self.lps, self.lookahead);
        let (awake, remote) = if self.uneven { (0.5, 0.0) } else { (1.0, 0.25) };
        let base = Setting { awake, remote, ..Setting::default() };
        let setting = Setting { lps, lookahead, work, hot: self.hot, ..base };
        // The same run time, whatever an event costs.
        phold::run(&setting.for_events(events / (1 + self.grain / 200)), scheduler)
    }
}

fn main() -> ExitCode {
    let pairs: usize = argument("--pairs", "15").parse().expect("a number of pairs");
    let events: u64 = argument("--events", "8000000").parse().expect("a number of events");
    let threads: usize = argument("--threads", "2").parse().expect("a number of threads");
    let only = argument("--only", "64k,1M,grain,tiny,hot,uneven,short,little,busy");
    let per_micro = phold::steps(1e3) as f64 / 1e3;
    println!(
        "PHOLD on {threads} threads against one, wall times, medians (quartiles) of {pairs} pairs\n\
         {:6} {:13} {:>10} {:>18} {:>11} {:>6}  bound",
        "", "scheduler", "million/s", "to sequential", "efficiency", "ahead"
    );
    let cases: Vec<&Case> =
        CASES.iter().filter(|case| only.split(',').any(|name| name == case.name)).collect();
    let noisy = std::env::args().any(|a| a == "--noisy");
    let mut host = vec![];
    let measured = quiet::pairs(
        pairs,
        &cases,
        |case| noisy || case.busy,
        |case| {
            // Long enough to detect that a core is taken.
            let events = if case.busy { 8 * events } else { events };
            let _busy = case.busy.then(Busy::start);
            let (one, many) = (
                case.run(Scheduler::Sequential, events, per_micro),
                case.run(case.scheduler(threads), events, per_micro),
            );
            assert_eq!(one.outcome, many.outcome, "another result");
            host.push(host::gain_of_two());
            let rate = many.events_per_second();
            (rate / one.events_per_second(), rate / 1e6, many.efficiency(), ahead(&many))
        },
    );
    let mut verdicts = Verdicts::default();
    for (case, measured) in cases.iter().zip(measured) {
        print!("{:6} {:13} ", case.name, case.scheduler(threads).to_string());
        let Some(rows) = measured else {
            println!("not measured: the machine is not quiet");
            continue;
        };
        let column = |f: fn(&(f64, f64, f64, f64)) -> f64| quartiles(rows.iter().map(f));
        let [low, middle, high] = column(|row| row.0);
        let (rate, efficiency) = (column(|row| row.1)[1], column(|row| row.2)[1]);
        let ahead = column(|row| row.3)[1];
        let ratio = format!("{middle:.2} ({low:.2}-{high:.2})");
        let verdict = verdicts.of(middle >= case.least);
        let least = case.least;
        println!(
            "{rate:10.2} {ratio:>18} {efficiency:11.3} {ahead:6.3}  at least {least}: {verdict}"
        )
    }
    let [low, middle, high] = quartiles(host);
    println!(
        "host: two threads with nothing in common do {middle:.2} ({low:.2}-{high:.2}) times one's \
         work"
    );
    verdicts.exit()
}

/// Speculative events per committed one. 0: the optimistic scheduler stayed within the conservative
/// lookahead.
fn ahead(run: &PholdRun) -> f64 {
    let ahead: u64 = run.effort.threads.iter().map(|thread| thread.ahead).sum();
    ahead as f64 / run.outcome.events.max(1) as f64
}

/// A process that keeps the first core busy.
struct Busy(std::process::Child);

impl Busy {
    fn start() -> Busy {
        let endless = ["-c", "0", "sh", "-c", "while :; do :; done"];
        let started = std::process::Command::new("taskset").args(endless).spawn();
        Busy(started.expect("taskset is there"))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
