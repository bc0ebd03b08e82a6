//! `tenbin relay …`: the writes of the model with real bytes.
mod args;
mod bench;
mod cluster_file;
mod findings;
mod heal;
mod keys;
mod lists;
mod look;
mod reach;
mod serve;
mod status;
mod transfer;

pub use reach::{failure, program, scratch};

use args::{Relay, RelayKeys};
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use system::{Action, Failure};

const ABOUT: &str =
    "Write files to nodes so that any two may be lost, at the rate of the client's link";

/// Display order in the help: after the commands that measure.
const PLACE: usize = 115;

pub struct RelayCommand;

impl Action for RelayCommand {
    fn name(&self) -> &'static str {
        "relay"
    }

    fn command(&self) -> Command {
        Relay::augment_subcommands(Command::new(self.name()))
            .about(ABOUT)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .display_order(PLACE)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        dispatch(Relay::from_arg_matches(arguments).expect("clap has checked them"))
    }
}

fn dispatch(relay: Relay) -> Result<(), Failure> {
    match relay {
        Relay::Demo(args) => serve::demonstrate(&args),
        Relay::Node(args) => serve::node(args),
        Relay::Init(args) => serve::init(&args),
        Relay::Put(args) => transfer::put(&args),
        Relay::Get(args) => transfer::get(&args),
        Relay::Ls(args) => look::ls(&args),
        Relay::Stat(args) => look::stat(&args),
        Relay::Status(args) => status::status(&args),
        Relay::Rm(args) => look::rm(&args),
        Relay::Repair(args) => heal::repair(&args),
        Relay::Scrub(args) => heal::scrub(&args),
        Relay::Replace(args) => lists::replace(&args),
        Relay::Grow(args) => lists::grow(&args),
        Relay::Bench(args) => bench::bench(&args),
        Relay::Draw(args) => bench::draw_layout(&args),
        Relay::Keys(RelayKeys::Init(args)) => keys::init(&args),
        Relay::Keys(RelayKeys::Add(args)) => keys::add(&args),
    }
}
