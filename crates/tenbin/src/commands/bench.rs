//! `tenbin bench phold`
use crate::cli::{Jobs, Phold};
use crate::failure::Failure;
use crate::ranks::{self, Ranks};
use crate::sums::{Collector, Sums, Window};
use crate::{console, execution, interrupt, memory, thread_summary};
use engine::phold::{self, Kinds, PholdRun, Setting};
use engine::{Execution, Nanos, Scheduler};
use serde_json::json;
use std::path::Path;
use system::provenance::{command_line, hash_text};

/// Maximum of `--grain` \[µs\].
const MOST_GRAIN: f64 = 1000.0;

pub fn phold(mut args: Phold) -> Result<(), Failure> {
    interrupt::exit_at_once(true);
    let mut ranks = Ranks::join()?;
    let (setting, scheduler) =
        ranks.agree(prepare(&mut args, ranks::count()), |_| sums_of(&args.jobs))?;
    let execution = Execution::among(scheduler, ranks.peers());
    let measured = match &args.sums.sums {
        Some(place) => witnessed(&args, &setting, execution, place)?,
        None => phold::run_on(&setting, execution),
    };
    thread_summary::print(args.execution, &measured.effort);
    if args.json {
        let mut object = json!({
            "scheduler": args.execution.name(),
            "threads": args.execution.threads_used(&measured.effort),
            "ranks": ranks::count(),
            "lps": args.jobs.lps,
            "population": args.jobs.population,
            "committed": measured.outcome.events,
            "rolled_back": measured.effort.rolled_back,
            "efficiency": measured.efficiency(),
            "rounds": measured.effort.rounds,
            "deals": measured.effort.rebalances,
            "seconds": measured.seconds,
            "events_per_second": measured.events_per_second(),
            "peak_rss_bytes": memory::peak_rss_bytes(),
            "trace_hash": hash_text(measured.outcome.trace_hash),
        });
        if let Some(parallel) = execution::parallel(args.execution, &measured.effort) {
            object["parallel"] = json!(parallel)
        }
        return console::json(&object);
    }
    console::text(&line(&args, &measured))
}

fn witnessed(
    args: &Phold,
    setting: &Setting,
    execution: Execution<'_>,
    place: &Path,
) -> Result<PholdRun, Failure> {
    let mut collector = Collector::new(args.sums.within.unwrap_or(Window::WHOLE));
    let measured = phold::run_observed(setting, execution, |seen| collector.see(seen));
    let hash = measured.outcome.trace_hash;
    let sums = collector.done(sums_of(&args.jobs), command_line(), hash);
    if ranks::is_first() {
        sums.write(place)?
    }
    Ok(measured)
}

/// Identifies runs that must have equal sums.
pub(super) fn sums_of(args: &Jobs) -> String {
    let kinds = if args.three_kinds { ", three kinds" } else { "" };
    format!(
        "phold: {} LPs x {}, awake {}, remote {}, hot {}, lookahead {}{kinds}, {} events, seed {}",
        args.lps,
        args.population,
        args.awake,
        args.remote,
        args.hot,
        args.lookahead,
        args.events,
        args.seed
    )
}

/// Validates the arguments for `ranks` processes.
///
/// # Errors
/// Bad input: numbers out of range, threads that the scheduler cannot use.
pub(super) fn prepare(args: &mut Phold, ranks: usize) -> Result<(Setting, Scheduler), Failure> {
    args.execution = args.execution.settled_among(ranks)?;
    args.sums.sums.as_deref().map_or(Ok(()), Sums::check_place)?;
    Ok((setting(&args.jobs)?, args.execution.engine(args.jobs.seed)?))
}

/// Very small and large numbers are printed with an exponent, as they were typed.
fn wrong(name: &str, value: f64, expected: &str) -> Failure {
    let short = value == 0.0 || !value.is_finite() || (1e-6..1e12).contains(&value.abs());
    let value = if short { value.to_string() } else { format!("{value:e}") };
    Failure::BadInput(format!("{name} {value}: expected {expected}"))
}

pub(super) fn setting(args: &Jobs) -> Result<Setting, Failure> {
    let share = |name: &str, value: f64, low_too: bool| {
        if (low_too || value > 0.0) && (0.0..=1.0).contains(&value) {
            return Ok(value);
        }
        let range = if low_too { "0 to 1" } else { "above 0, at most 1" };
        Err(wrong(name, value, &format!("a number from {range}")))
    };
    let remote = share("--remote", args.remote, true)?;
    let hot = share("--hot", args.hot, true)?;
    if hot > 0.0 && remote == 0.0 {
        let expected = "0 with --remote 0, since no event goes to another logical process; or a \
                        --remote above 0";
        return Err(wrong("--hot", hot, expected));
    }
    let awake = share("--awake", args.awake, false)?;
    let lookahead = Nanos::from_secs(share("--lookahead", args.lookahead, false)?);
    if args.lookahead < 1e-9 {
        return Err(wrong("--lookahead", args.lookahead, "at least 1e-9, a nanosecond"));
    }
    if !(0.0..=MOST_GRAIN).contains(&args.grain) {
        let expected = format!("microseconds from 0 to {MOST_GRAIN}");
        return Err(wrong("--grain", args.grain, &expected));
    }
    let work = phold::steps(args.grain);
    let kinds = if args.three_kinds { Kinds::Three } else { Kinds::One };
    let base = Setting::default();
    let (lps, population, seed) = (args.lps, args.population, args.seed);
    let setting = Setting { lps, population, awake, remote, hot, lookahead, ..base };
    Ok(Setting { work, kinds, seed, ..setting }.for_events(args.events))
}

fn line(args: &Phold, measured: &PholdRun) -> String {
    let undone = match measured.effort.rolled_back {
        0 => String::new(),
        n => format!(", {n} more rolled back"),
    };
    format!(
        "{} LPs x {}: {} events in {:.2} s{undone}, {:.2} million/s, {} MB at most, hash {}\n",
        args.jobs.lps,
        args.jobs.population,
        measured.outcome.events,
        measured.seconds,
        measured.events_per_second() / 1e6,
        memory::peak_rss_bytes() / 1_000_000,
        hash_text(measured.outcome.trace_hash),
    )
}
