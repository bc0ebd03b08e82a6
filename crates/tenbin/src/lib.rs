//! The command line of Tenbin.
//!
//! ```text
//!  argument line ─► cli ─► commands/NAME, or system::runs ─► lab of a system ─► output, console
//! ```
//! Exit codes: 0 done, 1 the run failed, 2 bad input, 130 interrupted. With `--json` stdout has
//! exactly one JSON object; progress and logs go to stderr.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod cli;
pub mod commands;
pub mod diverge;
pub mod names;
pub mod real;
pub mod systems;

pub use system::template as page;
pub use system::{
    clock, console, execution, failure, interrupt, memory, output, pool, ranks, sums,
    thread_summary, vary,
};

use clap::{CommandFactory, FromArgMatches};
use engine::{StuckEvent, ThreadStartError};
use failure::Failure;
use real::RealCommands;
use std::{process::ExitCode, time::Duration};

enum Parsed {
    /// A command of one system or of `tenbin-lab`.
    Action(systems::Act),
    /// A command of `tenbin-lab`, in another program.
    OfLab,
    Command(cli::Cli),
}

/// Runs the process's command line; returns the exit code.
pub fn main(real: Option<&'static RealCommands>) -> ExitCode {
    let line = systems::with_actions(cli::Cli::command(), real).try_get_matches();
    let parsed = line.and_then(|arguments| match systems::act_of(&arguments, real) {
        _ if real.is_none() && real::needs_lab(&arguments) => Ok(Parsed::OfLab),
        Some(act) => Ok(Parsed::Action(act)),
        None => cli::Cli::from_arg_matches(&arguments).map(Parsed::Command),
    });
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(e) => return usage(&e),
    };
    memory::limit();
    interrupt::install_handler();
    engine::set_watchdog([10, 30, 90].map(Duration::from_secs), stuck);
    // A panic is a bug in Tenbin, but must still give exit code 1.
    let doing = std::panic::AssertUnwindSafe(|| match parsed {
        Parsed::Action(act) => systems::act(&act),
        Parsed::OfLab => Err(real::become_lab()),
        Parsed::Command(cli) => commands::dispatch(cli.command, real),
    });
    match std::panic::catch_unwind(doing) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            console::failure(&failure);
            failure.exit_code()
        }
        Err(said) => {
            if let Some(lost) = ranks::lost(&*said) {
                console::failure(&lost);
                return lost.exit_code();
            }
            if said.is::<ThreadStartError>() {
                // The engine has printed the reason on each rank.
                return ExitCode::from(1);
            }
            let line: Vec<String> = std::env::args().collect();
            let alone =
                on_one_thread(&line).map_or(String::new(), |l| format!("; on one thread: {l}"));
            let line = line.join(" ");
            let bug = format!("this is a bug in tenbin; the command was: {line}{alone}");
            console::failure(&Failure::Failed(bug));
            ExitCode::from(1)
        }
    }
}

/// Only warns: the user decides whether the event may take this long.
fn stuck(StuckEvent { lp, at, lasted, is_ahead }: &StuckEvent) {
    let perhaps = match is_ahead {
        true => ", or the state is a wrong speculation: try --scheduler conservative",
        false => "",
    };
    eprintln!(
        "tenbin: LP {lp} has handled one event, at {at}, for {} s: its handler may never \
         return{perhaps}; Ctrl-C twice ends the run",
        lasted.as_secs()
    )
}

/// The equivalent command on one thread; `None`: without `--scheduler`.
fn on_one_thread(line: &[String]) -> Option<String> {
    let at = line.iter().position(|word| word == "--scheduler")?;
    let mut line = line.to_vec();
    *line.get_mut(at + 1)? = "sequential".into();
    if let Some(at) = line.iter().position(|word| word == "--threads") {
        line.drain(at..line.len().min(at + 2));
    }
    Some(line.join(" "))
}

/// Help and version: stdout, exit code 0. A wrong command line: stderr, 2.
fn usage(e: &clap::Error) -> ExitCode {
    let _ = e.print();
    ExitCode::from(if e.use_stderr() { 2 } else { 0 })
}
