//! `tenbin man DIR`
use crate::cli::{Cli, Man};
use crate::console;
use crate::failure::Failure;
use crate::real::RealCommands;
use crate::systems::with_actions;
use clap::CommandFactory;

pub fn man(args: &Man, real: Option<&RealCommands>) -> Result<(), Failure> {
    let written = std::fs::create_dir_all(&args.dir)
        .and_then(|()| clap_mangen::generate_to(with_actions(Cli::command(), real), &args.dir));
    written.map_err(|error| Failure::writing(&args.dir, &error))?;
    console::text(&format!("Read them: man {}/tenbin.1\n", args.dir.display()))
}
