//! `tenbin relay …`: the same writes with real bytes.
mod args;
mod bench;
mod cluster_file;
mod findings;
mod heal;
mod keys;
mod lists;
mod look;
mod serve;
mod status;
mod transfer;

use args::{Relay, RelayCluster, RelayKeys};
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use cluster_file::ClusterFile;
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::{Action, Failure, console};
use xor_relay::client::{self, Client, Error};
use xor_relay::keys::Keys;
use xor_relay::transport::Chosen;

const ABOUT: &str =
    "Write files to nodes so that any two may be lost, at the rate of the client's link";

/// Its place in the help: behind the commands that measure.
const PLACE: usize = 115;

/// `tenbin relay`.
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

pub(crate) fn failure(e: Error) -> Failure {
    match e {
        Error::BadInput(text) => Failure::BadInput(text),
        Error::Failed(text) => Failure::Failed(text),
        Error::Stopped => Failure::Interrupted("what was not acknowledged is not there".into()),
    }
}

/// The same where what was begun can be ended later.
fn stopped(e: Error) -> Failure {
    match e {
        Error::Stopped => Failure::Interrupted("the same command goes on".into()),
        other => failure(other),
    }
}

fn in_file(path: &Path, e: &std::io::Error) -> Failure {
    Failure::BadInput(format!("{}: {e}", path.display()))
}

/// The addresses of a list, or of a file.
fn addresses(nodes: &[String], cluster: Option<&Path>) -> Result<Vec<String>, Failure> {
    match cluster {
        Some(path) => Ok(ClusterFile::read(path)?.addresses),
        None => cluster_file::listed(nodes),
    }
}

fn all(cluster: &RelayCluster) -> Result<Vec<String>, Failure> {
    addresses(&cluster.which.nodes, cluster.which.cluster.as_deref())
}

/// What somebody shows and whom he trusts, if he says so: nobody whom the cluster's file revokes.
fn shown(folder: Option<&Path>, cluster: Option<&Path>) -> Result<Option<Keys>, Failure> {
    let Some(folder) = folder else { return Ok(None) };
    let keys = Keys::read(folder).map_err(failure)?;
    let revoked = cluster.map(ClusterFile::read).transpose()?.map(|file| file.revoked);
    Ok(Some(keys.without(revoked.unwrap_or_default())))
}

/// A client of nodes, of whatever cluster they are.
fn reach(cluster: &RelayCluster) -> Result<Client<Chosen>, Failure> {
    reach_at(&all(cluster)?, cluster)
}

/// The same, at these addresses.
fn reach_at(addresses: &[String], cluster: &RelayCluster) -> Result<Client<Chosen>, Failure> {
    let keys = shown(cluster.keys.as_deref(), cluster.which.cluster.as_deref())?;
    client::connect(addresses, keys.as_ref(), cluster.transport.kind()).map_err(failure)
}

/// A client of the cluster; nodes that it does without are told.
fn connect(cluster: &RelayCluster) -> Result<Client<Chosen>, Failure> {
    connect_to_fill(cluster, &[])
}

/// The same, which is to fill some of the nodes.
fn connect_to_fill(cluster: &RelayCluster, nodes: &[usize]) -> Result<Client<Chosen>, Failure> {
    let mut client = reach(cluster)?;
    client.will_fill(nodes);
    client.identify().map_err(failure)?;
    for (_, why) in client.missing() {
        console::aside(&format!("! {why}"));
    }
    Ok(client)
}

/// "node 2 (c:7400)".
fn named(client: &Client<Chosen>, node: usize) -> String {
    format!("node {node} ({})", client.address(node))
}

/// A folder that nobody else has.
pub(crate) fn scratch(what: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tenbin-relay-{what}-{}", std::process::id()))
}

pub(crate) fn program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|e| Failure::Failed(format!("cannot find myself: {e}")))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn mbit(bytes: u64, took: Duration) -> f64 {
    bytes as f64 * 8.0 / 1e6 / took.as_secs_f64().max(1e-9)
}
