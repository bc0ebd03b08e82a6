//! The commands, a file each.
mod bench;
mod check;
mod compare;
mod completions;
mod diff;
mod explain;
mod import;
mod import_foreground;
mod import_hdfs_log;
mod list;
mod plan;
mod reproduce;
mod run;

use crate::cli::Command;
use crate::failure::Failure;

/// Does what the argument line says.
pub fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Run(args) => run::run(args),
        Command::Compare(args) => compare::compare(args),
        Command::Diff(args) => diff::diff(args),
        Command::Plan(args) => plan::plan(args),
        Command::Reproduce(args) => reproduce::reproduce(args),
        Command::Import(args) => import::import(args),
        Command::Check(args) => check::check(args),
        Command::List(args) => list::list(args),
        Command::Explain(args) => explain::explain(args),
        Command::Bench(args) => bench::bench(args),
        Command::Completions(args) => completions::completions(args),
    }
}
