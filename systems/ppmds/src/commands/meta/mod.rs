//! `tenbin meta …`: the service of the model, on real sockets and disks.
mod args;
mod bench;
mod children;
mod demo;
mod grow;
mod players;
mod serve;
mod status;
mod tree;

pub use children::{Children, on_loopback};

use args::{Meta, MetaWhich};
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use ppmds_service::cluster::Cluster;
use ppmds_service::operator;
use serde_json::Value;
use system::{Action, Failure, console, interrupt};

const ABOUT: &str = "Run a metadata service: directories over several servers, with transactions";

/// Display order in the help: after the commands that measure.
const PLACE: usize = 116;

pub struct MetaCommand;

impl Action for MetaCommand {
    fn name(&self) -> &'static str {
        "meta"
    }

    fn command(&self) -> Command {
        Meta::augment_subcommands(Command::new(self.name()))
            .about(ABOUT)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .display_order(PLACE)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        dispatch(Meta::from_arg_matches(arguments).expect("clap has checked them"))
    }
}

fn dispatch(meta: Meta) -> Result<(), Failure> {
    match meta {
        Meta::Demo(args) => demo::demo(&args),
        Meta::Init(args) => serve::init(&args),
        Meta::Node(args) => serve::node(args),
        Meta::Ls(args) => tree::ls(&args),
        Meta::Tree(args) => tree::tree(&args),
        Meta::Stat(args) => tree::stat(&args),
        Meta::Mkdir(args) => tree::mkdir(&args),
        Meta::Touch(args) => tree::touch(&args),
        Meta::Mv(args) => tree::mv(&args),
        Meta::Rm(args) => tree::rm(&args),
        Meta::Rmdir(args) => tree::rmdir(&args),
        Meta::Ln(args) => tree::ln(&args),
        Meta::Mount(args) => serve::mount(&args),
        Meta::Status(args) => status::status(&args),
        Meta::Promote(args) => status::promote(&args),
        Meta::Fsck(args) => status::fsck(&args),
        Meta::Add(args) => grow::add(&args),
        Meta::Remove(args) => grow::remove(&args),
        Meta::Backup(args) => status::backup(&args),
        Meta::Restore(args) => status::restore(&args),
        Meta::Bench(args) => bench::bench(&args),
    }
}

pub fn failure(e: ppmds_service::Error) -> Failure {
    match e {
        ppmds_service::Error::BadInput(text) => Failure::BadInput(text),
        ppmds_service::Error::Failed(text) => Failure::Failed(text),
    }
}

fn cluster(which: &MetaWhich) -> Result<Cluster, Failure> {
    let cluster = Cluster::read(&which.cluster).map_err(failure)?;
    match &which.keys {
        Some(folder) => cluster.with_keys(folder).map_err(failure),
        None => Ok(cluster),
    }
}

pub fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let done = ppmds_service::runtime::block_on_unless(&interrupt::is_requested, work);
    match done.map_err(failure)? {
        Some(result) => result,
        None => Err(Failure::Interrupted(String::from("operations may have taken effect"))),
    }
}

/// The cluster of the file, with the servers that its nodes know.
fn learned(which: &MetaWhich) -> Result<Cluster, Failure> {
    let cluster = cluster(which)?;
    block_on(async { Ok(operator::learn(cluster).await) })
}

fn print(is_json: bool, value: &Value, text: &str) -> Result<(), Failure> {
    if is_json { console::json(value) } else { console::text(text) }
}
