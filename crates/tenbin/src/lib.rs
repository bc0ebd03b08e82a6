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
mod python;
pub mod real;
pub mod systems;

pub use system::template as page;
pub use system::{
    clock, console, execution, failure, interrupt, memory, output, pool, program, ranks, sums,
    thread_summary, vary,
};

use clap::{CommandFactory, FromArgMatches};
use engine::{StuckEvent, ThreadStartError};
use failure::Failure;
use real::RealCommands;
use std::ffi::OsString;
use std::{process::ExitCode, time::Duration};

enum Parsed {
    /// A command of one system or of `tenbin-lab`.
    Action(systems::Act),
    /// A command of `tenbin-lab`, in another program.
    OfLab,
    /// A command of the Python package.
    OfPython,
    Command(cli::Cli),
}

impl Parsed {
    fn of(
        line: impl IntoIterator<Item = OsString>,
        real: Option<&'static RealCommands>,
    ) -> Result<Parsed, clap::Error> {
        let command = systems::with_actions(cli::Cli::command(), real);
        let arguments = command.try_get_matches_from(line)?;
        match systems::act_of(&arguments, real) {
            _ if real.is_none() && real::needs_lab(&arguments) => Ok(Parsed::OfLab),
            _ if python::needs_python(&arguments) => Ok(Parsed::OfPython),
            Some(act) => Ok(Parsed::Action(act)),
            None => cli::Cli::from_arg_matches(&arguments).map(Parsed::Command),
        }
    }

    fn perform(self, real: Option<&RealCommands>) -> Result<(), Failure> {
        match self {
            Parsed::Action(act) => systems::act(&act),
            Parsed::OfLab => Err(real::become_lab()),
            Parsed::OfPython => Err(python::become_python()),
            Parsed::Command(cli) => commands::dispatch(cli.command, real),
        }
    }
}

/// Performs the command line of the thread's [`session`](system::session), which gets the output.
/// A panic is a bug.
pub fn perform() -> Result<(), Failure> {
    match Parsed::of(program::line(), None) {
        Ok(Parsed::OfLab | Parsed::OfPython) => {
            let why = "this command runs in a terminal only, since it becomes another program";
            Err(Failure::BadInput(why.into()))
        }
        Ok(parsed) => parsed.perform(None),
        Err(e) if e.use_stderr() => {
            let why = e.to_string();
            Err(Failure::BadInput(why.trim_start_matches("error: ").trim_end().into()))
        }
        Err(e) => console::text(&e.to_string()),
    }
}

/// Runs the process's command line.
pub fn main(real: Option<&'static RealCommands>) -> ExitCode {
    ExitCode::from(exit_status(real))
}

/// [`main`] with the exit code as a number.
pub fn exit_status(real: Option<&'static RealCommands>) -> u8 {
    let parsed = match Parsed::of(program::line(), real) {
        Ok(parsed) => parsed,
        Err(e) => return usage(&e),
    };
    memory::limit();
    interrupt::install_handler();
    engine::set_watchdog([10, 30, 90].map(Duration::from_secs), stuck);
    // A panic is a bug in Tenbin, but must still give exit code 1.
    let doing = std::panic::AssertUnwindSafe(|| parsed.perform(real));
    match std::panic::catch_unwind(doing) {
        Ok(Ok(())) => 0,
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
                return 1;
            }
            let line = program::line().into_iter();
            let line: Vec<String> = line.map(|word| word.to_string_lossy().into()).collect();
            let alone =
                on_one_thread(&line).map_or(String::new(), |l| format!("; on one thread: {l}"));
            let line = line.join(" ");
            let bug = format!("this is a bug in tenbin; the command was: {line}{alone}");
            console::failure(&Failure::Failed(bug));
            1
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
fn usage(e: &clap::Error) -> u8 {
    let _ = e.print();
    if e.use_stderr() { 2 } else { 0 }
}
