//! Commands of the Python package, which `tenbin` starts as `python3 -m tenbin`.
use crate::failure::Failure;
use crate::real;
use clap::{Arg, ArgMatches, Command};
use std::process::Stdio;

const COMMANDS: [(&str, &str); 2] = [
    ("tune", "Search for the best values of keys, also on many machines"),
    ("campaign", "Split the runs of a command into files for a batch system, and join the results"),
];

/// Commands whose runs a Ray cluster can perform.
const RUNS: [&str; 4] = ["run", "compare", "plan", "reproduce"];
const ON: &str = "on";

/// Adds `--on` to the commands that have runs.
pub(crate) fn with_on(line: Command) -> Command {
    let on = || {
        let on = Arg::new(ON).long(ON).value_name("ray|ray://HOST:PORT").global(true);
        on.help("Perform the runs on a Ray cluster, by the Python package")
    };
    RUNS.into_iter().fold(line, |line, name| line.mut_subcommand(name, |of| of.arg(on())))
}

fn has_on(line: &ArgMatches) -> bool {
    matches!(line.try_get_one::<String>(ON), Ok(Some(_)))
        || line.subcommand().is_some_and(|(_, below)| has_on(below))
}

pub(crate) fn placeholders() -> [Command; COMMANDS.len()] {
    COMMANDS.map(|(name, about)| real::placeholder(name, about))
}

pub(crate) fn needs_python(line: &ArgMatches) -> bool {
    has_on(line)
        || line
            .subcommand_name()
            .is_some_and(|name| COMMANDS.iter().any(|(known, _)| *known == name))
}

/// Replaces this process by Python with the same arguments; returns only on failure.
pub(crate) fn become_python() -> Failure {
    let python = || std::process::Command::new("python3");
    let mut has_module = python();
    has_module.args(["-c", "import tenbin"]).stdout(Stdio::null()).stderr(Stdio::null());
    if !has_module.status().is_ok_and(|status| status.success()) {
        return Failure::BadInput(String::from(
            "this command needs Python's package of tenbin: pip install \"tenbin[tune,ray]\" \
             (`make dist` builds the wheel in target/packages)",
        ));
    }
    let mut python = python();
    python.args(["-m", "tenbin"]);
    real::become_program(python)
}
