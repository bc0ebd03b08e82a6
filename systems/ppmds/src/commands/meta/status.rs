//! `tenbin meta status` and `fsck`.
use super::args::{MetaBackup, MetaCluster, MetaPromote, MetaRestore};
use super::{block_on, cluster, failure, learned, print};
use page::words::{bytes, count};
use ppmds_service::operator::{self, Operator};
use ppmds_service::rows::Role;
use ppmds_service::status::{Status, WINDOW_S};
use ppmds_service::{backup, fsck};
use serde_json::json;
use std::fmt::Write as _;
use system::Failure;

/// Fails if a server or standby does not answer.
pub(super) fn status(args: &MetaCluster) -> Result<(), Failure> {
    let cluster = learned(&args.which)?;
    let mut all = Vec::new();
    block_on(async {
        for server in cluster.numbers() {
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
                let _ = writeln!(text, "server {server} ({address}): DOES NOT SERVE: {why}");
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
            "{away} of {} do not serve: the lines above have the reasons",
            count(all.len() as u64, "node")
        ))),
    }
}

/// Fails if the standby does not answer or refuses.
pub(super) fn promote(args: &MetaPromote) -> Result<(), Failure> {
    let (cluster, server) = (learned(&args.cluster.which)?, args.server);
    let file = args.cluster.which.cluster.display();
    let Some(standby) = cluster.standbys.get(server as usize).cloned().flatten() else {
        return Err(Failure::BadInput(format!("{file}: server {server} has no standby")));
    };
    let generation = block_on(async {
        let operator = Operator::connect_to(&cluster, server, &standby).await;
        let why = |why| Failure::Failed(format!("the standby of server {server}: {why}"));
        operator.map_err(why)?.promote().await.map_err(why)
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

/// Fails if a row is wrong.
pub(super) fn fsck(args: &MetaCluster) -> Result<(), Failure> {
    let cluster = learned(&args.which)?;
    let rows = block_on(async {
        let mut all = Vec::new();
        let moment = operator::moment(&cluster, &cluster.numbers()).await;
        let mut moment = moment.map_err(Failure::Failed)?;
        for server in 0..cluster.servers() {
            all.push(match moment.get_mut(&server) {
                Some(operator) => operator.rows().await.map_err(Failure::Failed)?,
                None => Vec::new(),
            })
        }
        Ok(all)
    })?;
    let wrong = fsck::fsck(&rows, &cluster.placement());
    let (all, found) = (rows.iter().map(Vec::len).sum::<usize>() as u64, wrong.len());
    let mut text = format!("{} of all servers checked\n", count(all, "row"));
    for wrong in &wrong {
        let _ = writeln!(text, "{wrong}");
    }
    let list: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    print(args.json, &json!({ "rows": all, "consistent_moment": true, "wrong": list }), &text)?;
    match found {
        0 => Ok(()),
        _ => Err(Failure::Failed(format!("{} wrong", count(found as u64, "row")))),
    }
}

/// Fails if a server does not answer, or the folder is not empty.
pub(super) fn backup(args: &MetaBackup) -> Result<(), Failure> {
    let (cluster, place) = (learned(&args.cluster.which)?, args.to.display());
    let made = block_on(async { backup::backup(&cluster, &args.to).await.map_err(failure) })?;
    let rows: u64 = made.server.iter().map(|server| server.rows).sum();
    let (servers, all) = (count(made.servers.into(), "server"), count(rows, "row"));
    let text = format!("{place}: {all} of {servers}, of one moment\n");
    let value = json!({ "folder": args.to, "rows": rows, "servers": made.servers });
    print(args.cluster.json, &value, &text)
}

pub(super) fn restore(args: &MetaRestore) -> Result<(), Failure> {
    let (file, server) = (args.cluster.which.cluster.display(), args.server);
    let cluster = cluster(&args.cluster.which)?;
    if server >= cluster.servers() {
        let what = format!("--server {server}: {file} has servers 0 to {}", cluster.servers() - 1);
        return Err(Failure::BadInput(what));
    }
    let rows = backup::restore(&args.from, &cluster, server, &args.data).map_err(failure)?;
    let (place, all) = (args.data.display(), count(rows, "row"));
    let text = format!("{place}: server {server} of cluster {:016x}, {all}\n", cluster.id);
    print(args.cluster.json, &json!({ "server": server, "rows": rows }), &text)
}
