//! `tenbin meta add` and `remove`.
use super::args::{MetaAdd, MetaRemove};
use super::{block_on, learned, print};
use page::words::count;
use ppmds_service::cluster::Cluster;
use ppmds_service::growth;
use ppmds_service::operator::Operator;
use ppmds_service::wire::Misplaced;
use serde_json::json;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;
use system::{Failure, clock, console, interrupt};

const PAUSE: Duration = Duration::from_millis(200);
/// Time between two lines about progress.
const BETWEEN_NOTES: Duration = Duration::from_secs(2);

/// Repeated after an interruption, continues it.
pub(super) fn add(args: &MetaAdd) -> Result<(), Failure> {
    let mut cluster = learned(&args.cluster.which)?;
    let file = &args.cluster.which.cluster;
    let (address, place) = (args.address.trim(), file.display());
    let known = cluster.addresses.iter().position(|one| one == address);
    if known.is_none() {
        let standby = args.standby.clone();
        cluster = growth::with_server(&cluster, address, standby).map_err(Failure::BadInput)?;
        write(file, &cluster)?
    }
    let at = known.unwrap_or(cluster.addresses.len() - 1);
    let server = u32::try_from(at).expect("at most 64 servers");
    if cluster.version() == 0 || !cluster.numbers().contains(&server) {
        let what = format!("{address}: is already server {server} of {place}, or was removed");
        return Err(Failure::BadInput(what));
    }
    wait_for(&cluster, server, &format!("tenbin meta node --cluster {place} --listen {address}"))?;
    block_on(async { growth::spread_word(&cluster).await.map_err(Failure::Failed) })?;
    let left = rebalance(&cluster)?;
    let text = format!(
        "server {server} ({address}) is in use; {} of {}{}. Copy {place} to clients and nodes.\n",
        count(cluster.numbers().len() as u64, "server"),
        "the cluster",
        too_large(left)
    );
    print(args.cluster.json, &json!({ "server": server, "too_large": left.too_large }), &text)
}

/// Repeated after an interruption, continues it.
pub(super) fn remove(args: &MetaRemove) -> Result<(), Failure> {
    let mut cluster = learned(&args.cluster.which)?;
    let (file, server) = (&args.cluster.which.cluster, args.server);
    let place = file.display();
    if !cluster.numbers().contains(&server) {
        let what = if server < cluster.servers() { "is removed" } else { "does not exist" };
        return Err(Failure::BadInput(format!("{place}: server {server} {what}")));
    }
    let leaves = cluster.growth.as_ref().is_some_and(|growth| growth.leaving.contains(&server));
    if !leaves {
        cluster = growth::with_leaving(&cluster, server).map_err(Failure::BadInput)?;
        write(file, &cluster)?
    }
    block_on(async { growth::spread_word(&cluster).await.map_err(Failure::Failed) })?;
    let left = rebalance(&cluster)?;
    if left.too_large > 0 {
        return Err(Failure::Failed(format!("server {server} stays{}", too_large(left))));
    }
    let next = block_on(async {
        growth::finish_removal(&cluster, server).await.map_err(Failure::Failed)
    })?;
    write(file, &next)?;
    let text = format!(
        "server {server} has no rows and is removed: stop its node. Copy {place} to clients and \
         nodes.\n"
    );
    print(args.cluster.json, &json!({ "removed": server }), &text)
}

fn too_large(left: Misplaced) -> String {
    match left.too_large {
        0 => String::new(),
        many => format!(
            "; {} not moved: more than 16 MiB of rows on one server",
            count(many, "directory")
        ),
    }
}

fn rebalance(cluster: &Cluster) -> Result<Misplaced, Failure> {
    let mut last = clock::now();
    let mut progress = |left: u64| {
        interrupt::check().map_err(|_| String::from("interrupted: repeat the command"))?;
        if last.elapsed() > BETWEEN_NOTES {
            last = clock::now();
            console::note(&format!("{} to move", count(left, "directory")))
        }
        Ok(())
    };
    block_on(async { growth::rebalance(cluster, &mut progress).await.map_err(Failure::Failed) })
}

fn wait_for(cluster: &Cluster, server: u32, start: &str) -> Result<(), Failure> {
    let answers = || block_on(async { Ok(Operator::connect(cluster, server).await.is_ok()) });
    if answers()? {
        return Ok(());
    }
    console::note(&format!("Waiting for server {server}. Start it: {start} --data DIR"));
    while !answers()? {
        if interrupt::is_requested() {
            let what = "the cluster file has the new server: repeat the command";
            return Err(Failure::Interrupted(String::from(what)));
        }
        sleep(PAUSE)
    }
    Ok(())
}

fn write(file: &Path, cluster: &Cluster) -> Result<(), Failure> {
    let new = file.with_extension("new");
    let written = std::fs::write(&new, cluster.text()).and_then(|()| std::fs::rename(&new, file));
    written.map_err(|e| Failure::Failed(format!("{}: {e}", file.display())))
}
