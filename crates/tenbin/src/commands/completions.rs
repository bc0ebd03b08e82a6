//! `tenbin completions SHELL`
use crate::cli::{Cli, Completions};
use crate::console;
use crate::failure::Failure;
use clap::CommandFactory;

/// Prints the script.
pub fn completions(args: Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tenbin", &mut script);
    console::text(&String::from_utf8_lossy(&script))
}
