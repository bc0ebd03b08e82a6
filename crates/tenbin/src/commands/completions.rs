//! `tenbin completions SHELL`
use crate::cli::{Cli, Completions};
use crate::console;
use crate::failure::Failure;
use crate::real::RealCommands;
use crate::systems::with_actions;
use clap::CommandFactory;

pub fn completions(args: Completions, real: Option<&RealCommands>) -> Result<(), Failure> {
    let mut script = Vec::new();
    // Includes the commands of systems.
    let mut line = with_actions(Cli::command(), real);
    clap_complete::generate(args.shell, &mut line, "tenbin", &mut script);
    console::text(&String::from_utf8_lossy(&script))
}
