mod bench;
mod completions;
mod diverge;
mod example;
mod explain;
mod export;
mod list;
mod man;
mod report;
mod scaling;
mod serve;
mod why;

use crate::cli::{Bench, Command};
use crate::failure::Failure;
use crate::real::RealCommands;
use crate::{ranks, systems};
use system::runs;

/// Runs the command. With several ranks, commands that ranks cannot share run on the first only.
pub fn dispatch(command: Command, real: Option<&RealCommands>) -> Result<(), Failure> {
    let is_shared = matches!(command, Command::Run(_) | Command::Bench(Bench::Phold(_)));
    if !is_shared && !ranks::is_first() {
        return Ok(());
    }
    match command {
        Command::Run(args) => {
            runs::run(systems::scenario(&args.common.scenario, &args.common.sets)?, args)
        }
        Command::Compare(args) => {
            runs::compare(systems::scenario(&args.common.scenario, &args.common.sets)?, args)
        }
        Command::Check(args) => runs::check(systems::scenario(&args.scenario, &args.sets)?, args),
        Command::Diff(args) => runs::diff(systems::SYSTEMS.of_run(&args.first), args),
        Command::Reproduce(args) => systems::reproduce(args, real),
        Command::Why(args) => why::why(args),
        Command::Report(args) => report::report(args),
        Command::Serve(args) => serve::serve(args),
        Command::Export(args) => export::export(args),
        Command::List(args) => list::list(args),
        Command::Example(args) => example::example(args),
        Command::Explain(args) => explain::explain(args),
        Command::Bench(Bench::Phold(args)) => bench::phold(args),
        Command::Bench(Bench::Scaling(args)) => scaling::scaling(&args),
        Command::Bench(Bench::Diverge(args)) => diverge::diverge(args),
        Command::Completions(args) => completions::completions(args, real),
        Command::Man(args) => man::man(&args, real),
    }
}
