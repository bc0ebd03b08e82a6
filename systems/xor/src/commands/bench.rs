//! `tenbin relay bench` and `draw`.
use super::args::{RelayBench, RelayDraw, schedule_name};
use super::reach::{addresses, failure, program, scratch, shown};
use serde_json::json;
use std::time::Duration;
use system::{Failure, console, interrupt};
use xor_protocol::schedule::{chain, naive, pivot};
use xor_protocol::{Layout, draw};
use xor_relay::bench::Setting;
use xor_relay::client::Strategy;
use xor_relay::{Children, demo, keys};

pub(super) fn bench(args: &RelayBench) -> Result<(), Failure> {
    // Nodes of --local could not report a missing device: their stderr is discarded.
    demo::have_device(args.transport).map_err(failure)?;
    let mut keys = shown(args.keys.as_deref(), args.cluster.as_deref())?;
    let children = match args.local {
        Some(count) => {
            let (folder, count) = (scratch("bench"), usize::from(count));
            let authority = match args.tls {
                true => Some(keys::authority(&folder.join("keys"), count).map_err(failure)?),
                false => None,
            };
            let own = authority.as_ref().map(|place| place.join(keys::CLIENT));
            keys = shown(own.as_deref(), None)?;
            let (program, keys) = (program()?, authority.as_deref());
            let children = Children::start_with(&program, &folder, count, keys, args.transport);
            Some(children.map_err(failure)?)
        }
        None => None,
    };
    let nodes = match &children {
        Some(children) => children.addresses(),
        None => addresses(&args.nodes, args.cluster.as_deref())?,
    };
    if nodes.is_empty() {
        let why = "no nodes: expected --local N, --nodes HOST:PORT,… or --cluster FILE";
        return Err(Failure::BadInput(why.into()));
    }
    let mut rows = Vec::new();
    for &schedule in &args.schedule {
        for &block in &args.block {
            let setting = Setting {
                nodes: nodes.clone(),
                keys: keys.clone(),
                kind: args.transport,
                strategy: schedule,
                block,
                clients: usize::from(args.clients),
                among: usize::from(args.among.unwrap_or(args.clients)),
                lasts: Duration::from_secs(args.seconds.into()),
                link_mbit: args.link_mbit,
            };
            let outcome =
                xor_relay::bench::measure(&setting, &interrupt::is_requested).map_err(failure)?;
            rows.push(json!({
                "schedule": schedule_name(schedule), "n": nodes.len(), "clients": args.clients,
                "block": block, "link_mbit": args.link_mbit,
                "goodput_mbit": outcome.goodput_mbit, "ideal": outcome.ideal_mbit,
                "ratio": outcome.ideal_mbit.map(|ideal| outcome.goodput_mbit / ideal),
            }));
            if !args.json {
                let ideal = outcome.ideal_mbit.map_or(String::new(), |i| format!(" of {i:.0}"));
                console::text(&format!(
                    "{:<6} n = {}, {} clients, blocks of {block:>7}: {:.0}{ideal} Mbit/s\n",
                    schedule_name(schedule),
                    nodes.len(),
                    args.clients,
                    outcome.goodput_mbit
                ))?
            }
        }
    }
    match (args.json, rows.len()) {
        (false, _) => Ok(()),
        (true, 1) => console::json(&rows[0]),
        (true, _) => console::json(&json!({ "rows": rows })),
    }
}

pub(super) fn draw_layout(args: &RelayDraw) -> Result<(), Failure> {
    let bad = |e: xor_protocol::LayoutError| Failure::BadInput(e.to_string());
    let layout = Layout::best(usize::from(args.n)).map_err(bad)?;
    let (title, schedule) = match args.schedule {
        Strategy::Naive => ("naive", naive(&layout)),
        Strategy::Chain => ("chain", chain(&layout)),
        Strategy::Pivot | Strategy::Auto => ("pivot, node 0's turn", pivot(&layout, 0)),
    };
    let prices = draw::prices(&layout).map_err(|e| Failure::Failed(e.to_string()))?;
    let steps = draw::steps(&layout, &schedule);
    let table = draw::table(&layout);
    console::text(&format!("{table}\nBlocks a stripe:\n{prices}\nSteps ({title}):\n{steps}"))?;
    let Some(path) = &args.out else { return Ok(()) };
    let picture = draw::svg(&layout, &format!("{} nodes, {title}", args.n), &schedule);
    std::fs::write(path, picture).map_err(|e| Failure::writing(path, &e))
}
