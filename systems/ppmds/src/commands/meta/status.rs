//! `tenbin meta status` and `fsck`.
use super::args::{MetaCluster, MetaPromote};
use super::{block_on, cluster, print};
use page::words::{bytes, count};
use ppmds_service::cluster::Cluster;
use ppmds_service::fsck;
use ppmds_service::operator::Operator;
use ppmds_service::rows::Role;
use ppmds_service::status::{Status, WINDOW_S};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;
use system::Failure;

/// By server: its status, or why it does not answer.
async fn statuses(cluster: &Cluster) -> Vec<Result<Status, String>> {
    let mut all = Vec::new();
    for server in 0..cluster.servers() {
        all.push(match Operator::connect(cluster, server).await {
            Ok(mut operator) => operator.status().await,
            Err(why) => Err(why),
        })
    }
    all
}

/// Fails if a server or standby does not answer.
pub(super) fn status(args: &MetaCluster) -> Result<(), Failure> {
    let cluster = cluster(&args.which)?;
    let mut all = Vec::new();
    block_on(async {
        for server in 0..cluster.servers() {
            for address in cluster.places(server) {
                let status = match Operator::connect_to(&cluster, server, address).await {
                    Ok(mut operator) => operator.status().await,
                    Err(why) => Err(why),
                };
                all.push((server, address, status))
            }
        }
        Ok(())
    })?;
    let mut text = String::new();
    let mut values = Vec::new();
    for (server, address, status) in &all {
        match status {
            Ok(status) => {
                text += &describe(*server, address, status);
                values.push(json!({ "server": server, "address": address, "up": true,
                    "status": status }))
            }
            Err(why) => {
                let _ = writeln!(text, "server {server} ({address}): DOES NOT ANSWER: {why}");
                values.push(json!({ "server": server, "address": address, "up": false,
                    "problem": why }))
            }
        }
    }
    let id = format!("{:016x}", cluster.id);
    print(args.json, &json!({ "cluster": id, "servers": values }), &text)?;
    match all.iter().filter(|(.., status)| status.is_err()).count() {
        0 => Ok(()),
        away => Err(Failure::Failed(format!(
            "{away} of {} do not answer: start them with `tenbin meta node`",
            count(all.len() as u64, "node")
        ))),
    }
}

/// Fails if the standby does not answer or refuses.
pub(super) fn promote(args: &MetaPromote) -> Result<(), Failure> {
    let (cluster, server) = (cluster(&args.cluster.which)?, args.server);
    let file = args.cluster.which.cluster.display();
    let Some(standby) = cluster.standbys.get(server as usize).cloned().flatten() else {
        return Err(Failure::BadInput(format!("{file}: server {server} has no standby")));
    };
    let generation = block_on(async {
        let operator = Operator::connect_to(&cluster, server, &standby).await;
        let promoted = operator.map_err(Failure::Failed)?.promote().await;
        promoted.map_err(Failure::Failed)
    })?;
    let text = format!(
        "server {server} is now at {standby}, in generation {generation}, without a standby. To \
         give it one, exchange address and standby of server {server} in {file}, restart it, and \
         start a node with an empty folder at the other address.\n"
    );
    let value = json!({ "server": server, "address": standby, "generation": generation });
    print(args.cluster.json, &value, &text)
}

fn describe(server: u32, address: &str, status: &Status) -> String {
    let place = format!("server {server} ({address})");
    let role = match (status.role, status.follows) {
        (Role::Single, _) => "",
        (Role::Main, _) => " with a standby",
        (Role::Promoted, _) => " promoted",
        (Role::Standby, true) => return format!("{place}: standby, follows\n"),
        (Role::Standby, false) => {
            return format!("{place}: standby, WITHOUT A CONNECTION FROM ITS SERVER\n");
        }
    };
    let Status { rows, entries, queue, locks, waiting, connections, clients, .. } = status;
    let mut text = format!(
        "{place}:{role} up {} s, {}, {} in {}, store {}\n  \
         {} connected, {} remembered, {} kept, last batch {}, {locks} rows locked, {waiting} \
         waiting\n  {}, {} aborted; {} of {} µs on average; {} dropped\n",
        status.uptime_s,
        status.durability,
        count(*entries, "name"),
        count(*rows, "row"),
        bytes(status.store_bytes as f64),
        count(*connections, "client"),
        count(*clients, "client"),
        count(status.answers, "answer"),
        count(*queue, "message"),
        count(status.transactions, "transaction"),
        count(status.aborts, "attempt"),
        count(status.commits, "commit"),
        status.commit_us,
        count(status.dropped, "message"),
    );
    for kind in &status.operations {
        let rate = kind.recent as f64 / WINDOW_S as f64;
        let _ = writeln!(
            text,
            "  {:>8}: {:>9}, {rate:>8.1}/s, median {} µs, p99 {} µs",
            kind.kind, kind.count, kind.median_us, kind.p99_us
        );
    }
    text
}

/// Attempts at a moment without transactions.
const ATTEMPTS: u32 = 20;

/// Fails if a row is wrong, or if the servers are busy all the time.
pub(super) fn fsck(args: &MetaCluster) -> Result<(), Failure> {
    let cluster = cluster(&args.which)?;
    let (rows, is_quiet) = block_on(async {
        for _ in 0..ATTEMPTS {
            let before = changes(&cluster).await?;
            let rows = all_rows(&cluster).await?;
            if before.is_some() && before == changes(&cluster).await? {
                return Ok((rows, true));
            }
            wait()
        }
        Ok((all_rows(&cluster).await?, false))
    })?;
    let wrong = fsck::fsck(&rows, &cluster.layout().placement());
    let (all, found) = (rows.iter().map(Vec::len).sum::<usize>() as u64, wrong.len());
    let mut text = format!("{} of {} checked\n", count(all, "row"), "all servers");
    for wrong in &wrong {
        let _ = writeln!(text, "{wrong}");
    }
    let list: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    let value: Value = json!({ "rows": all, "consistent_moment": is_quiet, "wrong": list });
    print(args.json, &value, &text)?;
    match (found, is_quiet) {
        (0, true) => Ok(()),
        (_, true) => Err(Failure::Failed(format!("{} wrong", count(found as u64, "row")))),
        (_, false) => Err(Failure::Failed(String::from(
            "not decided: the servers changed while their rows were read: repeat it without load",
        ))),
    }
}

/// Commits of all servers so far; `None`: rows are locked.
async fn changes(cluster: &Cluster) -> Result<Option<Vec<u64>>, Failure> {
    let all = statuses(cluster).await.into_iter().collect::<Result<Vec<Status>, String>>();
    let all = all.map_err(Failure::Failed)?;
    let is_free = all.iter().all(|status| status.locks == 0);
    Ok(is_free.then(|| all.iter().map(|status| status.commits).collect()))
}

type Rows = Vec<(ppmds_protocol::Key, ppmds_protocol::Stored)>;

async fn all_rows(cluster: &Cluster) -> Result<Vec<Rows>, Failure> {
    let mut all = Vec::new();
    for server in 0..cluster.servers() {
        let mut operator = Operator::connect(cluster, server).await.map_err(Failure::Failed)?;
        all.push(operator.rows().await.map_err(Failure::Failed)?)
    }
    Ok(all)
}

fn wait() {
    std::thread::sleep(Duration::from_millis(100))
}
