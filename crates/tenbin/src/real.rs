//! Commands on real kernels, disks, links and daemons. They are in a separate program,
//! `tenbin-lab`, which `tenbin` starts: few users need it, and its code is as large as that of all
//! systems.
use crate::failure::Failure;
use clap::{Arg, ArgMatches, Command};
use system::claims::RealExperiment;
use system::{Action, program};

/// Commands that only `tenbin-lab` has.
pub struct RealCommands {
    pub commands: &'static [&'static dyn Action],
    /// `tenbin twin NAME`: runs a scenario for real and simulates it.
    pub twins: &'static [&'static dyn Action],
    /// Papers with experiments for `tenbin reproduce NAME --real`.
    pub documents: &'static [RealExperiment],
}

pub const TESTBED: &str =
    "Make disks and clusters of the catalogue real: devices, namespaces, shaped links";
pub const CALIBRATE: &str =
    "Measure a disk of this machine for the catalogue, or the metadata service's store";
pub const TWIN: &str = "Run a scenario for real, on a testbed, and compare it with its simulation";

const PROGRAM: &str = "tenbin-lab";

const COMMANDS: [(&str, &str); 3] =
    [("testbed", TESTBED), ("calibrate", CALIBRATE), ("twin", TWIN)];

/// Placeholders of the commands of `tenbin-lab`, which parses their arguments.
pub(crate) fn placeholders() -> [Command; 3] {
    COMMANDS.map(|(name, about)| placeholder(name, about))
}

/// A command whose arguments another program parses.
pub(crate) fn placeholder(name: &'static str, about: &'static str) -> Command {
    let rest = Arg::new("rest").num_args(0..).allow_hyphen_values(true).hide(true);
    Command::new(name).about(about).disable_help_flag(true).arg(rest.trailing_var_arg(true))
}

/// Whether only `tenbin-lab` can do what the line requests.
pub(crate) fn needs_lab(line: &ArgMatches) -> bool {
    match line.subcommand() {
        Some(("reproduce", arguments)) => arguments.get_flag("real"),
        Some((name, _)) => COMMANDS.iter().any(|(known, _)| *known == name),
        None => false,
    }
}

/// Replaces this process by `tenbin-lab` with the same arguments; returns only on failure.
pub(crate) fn become_lab() -> Failure {
    let beside = program::file().ok().map(|own| own.with_file_name(PROGRAM));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).map(|folder| folder.join(PROGRAM));
    let Some(lab) = beside.into_iter().chain(in_path).find(|file| file.is_file()) else {
        return missing();
    };
    become_program(std::process::Command::new(lab))
}

/// Replaces this process by a program with the same arguments; returns only on failure.
#[cfg(unix)]
pub(crate) fn become_program(mut other: std::process::Command) -> Failure {
    use std::os::unix::process::CommandExt;
    let why = other.args(program::line().iter().skip(1)).exec();
    Failure::Failed(format!("{}: cannot be started: {why}", other.get_program().display()))
}

#[cfg(not(unix))]
pub(crate) fn become_program(other: std::process::Command) -> Failure {
    Failure::Failed(format!("{}: cannot be started on this OS", other.get_program().display()))
}

fn missing() -> Failure {
    let words = program::line().into_iter().skip(1).take(2);
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into()).collect();
    Failure::BadInput(format!(
        "tenbin {}: the program {PROGRAM} is missing: neither in this program's folder nor in \
         PATH. Build it on Linux: run `make lab` in Tenbin's repository, then copy \
         target/release/{PROGRAM} next to tenbin",
        words.join(" ")
    ))
}
