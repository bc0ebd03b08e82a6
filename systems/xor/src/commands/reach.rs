//! How a command connects to its nodes, and its errors.
use super::args::RelayCluster;
use super::cluster_file::{self, ClusterFile};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::{Failure, console, progress::Transfer};
use xor_relay::client::{self, Client, Error, Watch};
use xor_relay::keys::Keys;

pub fn failure(e: impl Into<Error>) -> Failure {
    match e.into() {
        Error::BadInput(text) => Failure::BadInput(text),
        Error::Failed(text) => Failure::Failed(text),
        Error::Stopped => {
            Failure::Interrupted("the write was not acknowledged and has no effect".into())
        }
    }
}

/// Like [`failure`], for commands that resume when they are repeated.
pub(super) fn stopped(e: Error) -> Failure {
    match e {
        Error::Stopped => Failure::Interrupted("run the same command again to continue".into()),
        other => failure(other),
    }
}

pub(super) fn addresses(nodes: &[String], cluster: Option<&Path>) -> Result<Vec<String>, Failure> {
    match cluster {
        Some(path) => Ok(ClusterFile::read(path)?.addresses),
        None => cluster_file::listed(nodes),
    }
}

pub(super) fn all(cluster: &RelayCluster) -> Result<Vec<String>, Failure> {
    addresses(&cluster.which.nodes, cluster.which.cluster.as_deref())
}

/// The keys of a folder, without certificates that the cluster's file revokes. `None`: no keys.
pub(super) fn shown(
    folder: Option<&Path>,
    cluster: Option<&Path>,
) -> Result<Option<Keys>, Failure> {
    let Some(folder) = folder else { return Ok(None) };
    let keys = Keys::read(folder).map_err(failure)?;
    let revoked = cluster.map(ClusterFile::read).transpose()?.map(|file| file.revoked);
    Ok(Some(keys.without(revoked.unwrap_or_default())))
}

/// A client of nodes of any cluster.
pub(super) fn reach(cluster: &RelayCluster) -> Result<Client, Failure> {
    reach_at(&all(cluster)?, cluster)
}

pub(super) fn reach_at(addresses: &[String], cluster: &RelayCluster) -> Result<Client, Failure> {
    let keys = shown(cluster.keys.as_deref(), cluster.which.cluster.as_deref())?;
    client::connect(addresses, keys.as_ref(), cluster.transport).map_err(failure)
}

/// A client of the cluster; prints the nodes that it ignores.
pub(super) fn connect(cluster: &RelayCluster) -> Result<Client, Failure> {
    connect_to_fill(cluster, &[])
}

/// Like [`connect`], for a command that fills some of the nodes.
pub(super) fn connect_to_fill(cluster: &RelayCluster, nodes: &[usize]) -> Result<Client, Failure> {
    let mut client = reach(cluster)?;
    client.will_fill(nodes);
    client.identify().map_err(failure)?;
    for (_, why) in client.missing() {
        console::note(&format!("! {why}"));
    }
    Ok(client)
}

pub(super) fn print(is_json: bool, value: &Value, text: &str) -> Result<(), Failure> {
    if is_json { console::json(value) } else { console::text(text) }
}

pub(super) fn place_of(list: &[String], address: &str, typed: &str) -> Result<usize, Failure> {
    list.iter().position(|other| other == address).ok_or_else(|| {
        Failure::BadInput(format!("{typed}: none of the nodes: {}", list.join(", ")))
    })
}

pub(super) fn watched<R>(what: &'static str, work: impl FnOnce(Watch<'_>) -> R) -> R {
    let transfer = Transfer::new(0, what);
    work(&mut |done, total| transfer.of(done, total))
}

pub(super) fn node_json(client: &Client, node: usize) -> Value {
    json!({ "node": node, "address": client.address(node) })
}

/// A temporary folder name, unique to this process.
pub fn scratch(what: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tenbin-relay-{what}-{}", std::process::id()))
}

pub fn program() -> Result<PathBuf, Failure> {
    system::program::file()
        .map_err(|e| Failure::Failed(format!("cannot find this program's file: {e}")))
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub(super) fn mbit(bytes: u64, took: Duration) -> f64 {
    bytes as f64 * 8.0 / 1e6 / took.as_secs_f64().max(1e-9)
}
