//! `tenbin meta node`, `init` and `mount`.
use super::args::{MetaInit, MetaMount, MetaNode};
use super::{cluster, failure, print};
use page::words::count;
use ppmds_service::cluster::Cluster;
use ppmds_service::mount::{self, MountOptions};
use ppmds_service::node::{NodeOptions, Notice, serve};
use ppmds_service::rows::Role;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use system::{Failure, console, interrupt};

pub(super) fn init(args: &MetaInit) -> Result<(), Failure> {
    let addresses = args.servers.iter().map(|address| address.trim().to_string()).collect();
    let mut standbys: Vec<Option<String>> = vec![None; args.servers.len()];
    if !args.standbys.is_empty() {
        let (are, expected) = (args.standbys.len(), args.servers.len());
        if are != expected {
            let what = format!("--standbys: {are} addresses: expected {expected}, as --servers");
            return Err(Failure::BadInput(what));
        }
        standbys = args.standbys.iter().map(|address| Some(address.trim().into())).collect()
    }
    let mut cluster = Cluster::with_standbys(addresses, standbys).map_err(failure)?;
    cluster.evidence = args.evidence;
    let servers = cluster.servers();
    if let Some(spread) = args.servers_per_directory {
        if !(1..=servers).contains(&spread) {
            let what = format!("--servers-per-directory {spread}: expected 1 to {servers}");
            return Err(Failure::BadInput(what));
        }
        cluster.spread = spread
    }
    let place = args.file.display();
    let new = std::fs::File::create_new(&args.file);
    new.and_then(|mut file| file.write_all(cluster.text().as_bytes()))
        .map_err(|e| Failure::BadInput(format!("{place}: {e}: expected the name of a new file")))?;
    let id = format!("{:016x}", cluster.id);
    let pairs = if args.standbys.is_empty() { "" } else { " and its standby" };
    let text = format!(
        "{place}: cluster {id}, {}. Start each{pairs}: tenbin meta node --cluster {place} \
         --listen ADDR --data DIR\n",
        count(servers.into(), "server")
    );
    print(args.json, &json!({ "cluster": id, "servers": cluster.addresses }), &text)
}

pub(super) fn node(args: MetaNode) -> Result<(), Failure> {
    static CUT: AtomicBool = AtomicBool::new(false);
    let cluster = cluster(&args.which)?;
    let (server, is_standby) = number(&args, &cluster)?;
    if args.leash {
        std::thread::spawn(|| {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            CUT.store(true, Ordering::SeqCst)
        });
    }
    let MetaNode { listen, data, durability, metrics, insecure: is_insecure, .. } = args;
    let without_standby = args.without_standby;
    let options = NodeOptions {
        cluster,
        server,
        is_standby,
        without_standby,
        listen,
        data,
        durability,
        metrics,
        is_insecure,
    };
    let mut notify = |notice: Notice<'_>| match notice {
        Notice::Ready { address, metrics, role } => {
            let what = if role == Role::Standby { "the standby of server" } else { "server" };
            let mode = durability.name();
            drop(console::text(&format!("listening on {address} as {what} {server}, {mode}\n")));
            if let Some(metrics) = metrics {
                console::note(&format!("metrics on http://{metrics}/"))
            }
        }
        Notice::Line(line) => console::note(line),
    };
    let stop = || interrupt::is_requested() || CUT.load(Ordering::SeqCst);
    serve(&options, &mut notify, &stop).map_err(failure)
}

pub(super) fn mount(args: &MetaMount) -> Result<(), Failure> {
    let cluster = cluster(&args.which)?;
    let options = MountOptions { is_read_only: args.read_only, is_for_all: args.allow_other };
    let place = args.directory.display();
    let mut ready = || drop(console::text(&format!("mounted on {place}\n")));
    mount::mount(&cluster, &args.directory, options, &mut ready, &interrupt::is_requested)
        .map_err(failure)
}

/// The server's number, and whether this is its standby.
fn number(args: &MetaNode, cluster: &Cluster) -> Result<(u32, bool), Failure> {
    let at = |addresses: &mut dyn Iterator<Item = Option<&String>>| {
        (0..).zip(addresses).find(|(_, address)| *address == Some(&args.listen)).map(|(n, _)| n)
    };
    let found = match args.server {
        Some(server) => Some((server, args.standby)).filter(|(n, _)| *n < cluster.servers()),
        None => at(&mut cluster.addresses.iter().map(Some))
            .map(|n| (n, false))
            .or_else(|| at(&mut cluster.standbys.iter().map(Option::as_ref)).map(|n| (n, true))),
    };
    found.ok_or_else(|| {
        let file = args.which.cluster.display();
        Failure::BadInput(match args.server {
            Some(server) => {
                format!("--server {server}: {file} has servers 0 to {}", cluster.servers() - 1)
            }
            None => {
                let all: Vec<&str> =
                    (0..cluster.servers()).flat_map(|n| cluster.places(n)).map(|a| &**a).collect();
                format!(
                    "--listen {}: expected the address of a server or standby of {file}, one of \
                     {}; or add --server N",
                    args.listen,
                    all.join(", ")
                )
            }
        })
    })
}
