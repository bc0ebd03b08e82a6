//! `tenbin completions SHELL`
use crate::cli::{Cli, Completions};
use crate::failure::Failure;
use crate::say;
use clap::CommandFactory;

/// Prints the script.
pub fn completions(args: Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tenbin", &mut script);
    say::text(&String::from_utf8_lossy(&script))
}
