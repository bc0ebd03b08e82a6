//! `tenbin relay node`, `demo` and `init`.
use super::args::{RelayDemo, RelayInit, RelayNode};
use super::reach::{all, failure, print, program, reach, scratch, shown};
use page::words::count;
use serde_json::json;
use std::io::Read as _;
use std::sync::atomic::{AtomicBool, Ordering};
use system::{Failure, console, interrupt};
use xor_relay::{NodeNotice, NodeReady, ServeOptions, demo};

pub(super) fn demonstrate(args: &RelayDemo) -> Result<(), Failure> {
    let mut tell = |sentence: &str| match args.json {
        true => console::note(sentence),
        false => drop(console::text(&format!("{sentence}\n"))),
    };
    let how = (args.tls, args.transport);
    let shown = demo::demo(&program()?, &scratch("demo"), how, &mut tell, &interrupt::is_requested);
    let shown = shown.map_err(failure)?;
    match args.json {
        true => console::json(&json!({
            "bytes": shown.bytes, "killed": shown.killed, "compared": shown.compared,
        })),
        false => Ok(()),
    }
}

pub(super) fn node(args: RelayNode) -> Result<(), Failure> {
    static CUT: AtomicBool = AtomicBool::new(false);
    if args.leash {
        std::thread::spawn(|| {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            CUT.store(true, Ordering::SeqCst)
        });
    }
    let keys = shown(args.keys.as_deref(), args.cluster.as_deref())?;
    let RelayNode { listen, data, insecure: is_insecure, io, transport: kind, .. } = args;
    let serve = ServeOptions { listen, data, keys, is_insecure, io, kind };
    let mut tell = |notice: NodeNotice<'_>| {
        let NodeReady { address, store, cached } = match notice {
            NodeNotice::Ready(ready) => ready,
            NodeNotice::Refused(line) => return console::note(&format!("! {line}")),
        };
        if let Some(why) = cached {
            console::note(&format!("! {why}"))
        }
        let objects = count(store.count() as u64, "object");
        drop(console::text(&format!("listening on {address} with {objects}\n")));
        for record in store.damaged() {
            console::note(&format!(
                "! {record}: cannot be read: `tenbin relay scrub` rewrites it from the other nodes"
            ));
        }
    };
    let stop = || interrupt::is_requested() || CUT.load(Ordering::SeqCst);
    xor_relay::serve(&serve, &mut tell, &stop).map_err(failure)
}

pub(super) fn init(args: &RelayInit) -> Result<(), Failure> {
    let addresses = all(&args.cluster)?;
    let mut client = reach(&args.cluster)?;
    let cluster = client.init(args.force).map_err(failure)?;
    let value = json!({ "cluster": cluster, "nodes": addresses });
    let text = format!("{} nodes are the cluster {cluster}\n", addresses.len());
    print(args.cluster.json, &value, &text)
}
