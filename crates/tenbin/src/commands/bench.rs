//! `tenbin bench phold`
use crate::cli::{Bench, Phold};
use crate::commands::scaling;
use crate::failure::Failure;
use crate::ranks::{self, Ranks};
use crate::{execution, interrupt, job, memory, say};
use engine::phold::{self, Kinds, Measured, Setting};
use engine::{Execution, Nanos, Scheduler, Stress};
use serde_json::json;

/// Measures the engine.
pub fn bench(args: Bench) -> Result<(), Failure> {
    let mut args = match args {
        Bench::Phold(args) => args,
        Bench::Scaling(args) => return scaling::scaling(&args),
    };
    interrupt::at_once(true);
    let mut ranks = Ranks::join()?;
    let (setting, scheduler) = ranks.agree(prepare(&mut args))?;
    let measured = phold::run_on(&setting, Execution { scheduler, peers: ranks.peers() });
    execution::tell(&measured.effort);
    if args.json {
        let mut object = json!({
            "scheduler": args.execution.name(),
            "threads": args.execution.threads_used(&measured.effort),
            "ranks": ranks::count(),
            "lps": args.lps,
            "population": args.population,
            "committed": measured.outcome.events,
            "rolled_back": measured.effort.rolled_back,
            "efficiency": measured.efficiency(),
            "rounds": measured.effort.rounds,
            "seconds": measured.seconds,
            "events_per_second": measured.events_per_second(),
            "peak_rss_bytes": memory::peak_rss_bytes(),
            "trace_hash": job::hash_text(measured.outcome.trace_hash),
        });
        if let Some(parallel) = execution::parallel(args.execution, &measured.effort) {
            object["parallel"] = json!(parallel)
        }
        return say::json(&object);
    }
    say::text(&line(&args, &measured))
}

fn scheduler(args: &Phold) -> Result<Scheduler, Failure> {
    let stress = Stress { seed: args.seed, planted: None };
    Ok(match args.execution.engine()? {
        Scheduler::Optimistic { threads } if args.rollback_stress => {
            Scheduler::Stress { threads, stress }
        }
        scheduler => scheduler,
    })
}

fn prepare(args: &mut Phold) -> Result<(Setting, Scheduler), Failure> {
    if args.rollback_stress {
        args.execution = args.execution.stressed()?
    }
    Ok((setting(args)?, scheduler(args)?))
}

/// What the argument line asks for.
pub(super) fn setting(args: &Phold) -> Result<Setting, Failure> {
    let share = |name: &str, value: f64, low_too: bool| {
        if (low_too || value > 0.0) && (0.0..=1.0).contains(&value) {
            return Ok(value);
        }
        let range = if low_too { "0 to 1" } else { "above 0, at most 1" };
        Err(Failure::BadInput(format!("{name} {value}: expected a number from {range}")))
    };
    let remote = share("--remote", args.remote, true)?;
    let hot = share("--hot", args.hot, true)?;
    let lookahead = Nanos::from_secs(share("--lookahead", args.lookahead, false)?);
    let kinds = if args.three_kinds { Kinds::Three } else { Kinds::One };
    let base = Setting::default();
    let (lps, population, seed) = (args.lps, args.population, args.seed);
    let setting = Setting { lps, population, remote, hot, lookahead, kinds, seed, ..base };
    Ok(setting.for_events(args.events))
}

fn line(args: &Phold, measured: &Measured) -> String {
    let undone = match measured.effort.rolled_back {
        0 => String::new(),
        n => format!(", {n} more were undone"),
    };
    format!(
        "{} LPs x {}: {} events in {:.2} s{undone}, {:.2} million/s, {} MB at most, hash {}\n",
        args.lps,
        args.population,
        measured.outcome.events,
        measured.seconds,
        measured.events_per_second() / 1e6,
        memory::peak_rss_bytes() / 1_000_000,
        job::hash_text(measured.outcome.trace_hash),
    )
}
