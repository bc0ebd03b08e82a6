//! The commands, a file each.
mod bench;
mod check;
mod compare;
mod completions;
mod diff;
mod diverge;
mod explain;
mod export;
mod import;
mod import_foreground;
mod import_hdfs_log;
mod list;
mod monitor;
mod plan;
mod relay;
mod report;
mod reproduce;
mod run;
mod scaling;
mod serve;
mod why;
pub use run::seeds;

use crate::cli::{Bench, Command};
use crate::failure::Failure;
use crate::{ranks, systems};

/// Does what the argument line says; of several ranks the first alone, where they cannot share it.
pub fn dispatch(command: Command) -> Result<(), Failure> {
    let is_shared = matches!(command, Command::Run(_) | Command::Bench(Bench::Phold(_)));
    if !is_shared && !ranks::is_first() {
        return Ok(());
    }
    match command {
        Command::Run(args) => match systems::lab(&args.common.scenario, &args.common.sets)? {
            Some(lab) => systems::run(lab, args),
            None => run::run(args),
        },
        Command::Compare(args) => match systems::lab(&args.common.scenario, &args.common.sets)? {
            Some(lab) => systems::compare(lab, args),
            None => compare::compare(args),
        },
        Command::Diff(args) => diff::diff(args),
        Command::Plan(args) => plan::plan(args),
        Command::Reproduce(args) => match systems::of_document(&args.system) {
            Some(system) => systems::reproduce(system, args),
            None => reproduce::reproduce(args),
        },
        Command::Import(args) => import::import(args),
        Command::Check(args) => match systems::lab(&args.scenario, &args.sets)? {
            Some(lab) => systems::check(lab, args),
            None => check::check(args),
        },
        Command::Why(args) => why::why(args),
        Command::Report(args) => report::report(args),
        Command::Serve(args) => serve::serve(args),
        Command::Monitor(args) => monitor::monitor(args),
        Command::Export(args) => export::export(args),
        Command::List(args) => list::list(args),
        Command::Explain(args) => explain::explain(args),
        Command::Bench(Bench::Phold(args)) => bench::phold(args),
        Command::Bench(Bench::Scaling(args)) => scaling::scaling(&args),
        Command::Bench(Bench::Diverge(args)) => diverge::diverge(args),
        Command::Relay(args) => relay::relay(args),
        Command::Completions(args) => completions::completions(args),
    }
}
