//! Runs a scenario, and checks it.
use super::gateway::Gateway;
use super::manager::Manager;
use super::message::{Event, Record};
use super::recorder::Recorder;
use super::retry_sleeps::RetrySleeps;
use super::settings::{Layout, SLEEPS_KEY, Settings, gateways, imported, layout, limit};
use super::{DataNode, Node};
use crate::version;
use cluster::{BadInput, Sheet};
use engine::*;
use system::footprint::count;
use system::{Failure, Footprint, Reporter, RunOptions, SimulatedRun, Simulation};

pub struct Model;

/// Limit on pipelines, beyond any real cluster.
const MOST: u64 = 100_000;

impl Simulation for Model {
    fn reporter(&self) -> &dyn Reporter {
        &crate::words::OzoneReporter
    }

    fn check(&self, sheet: &Sheet) -> Result<(), BadInput> {
        check_version(sheet)?;
        check_import(sheet)?;
        check_numbers(sheet)
    }

    fn footprint(&self, sheet: &Sheet) -> Option<Footprint> {
        let pipelines = u64::from(limit(sheet)) * sheet.count("cluster.nodes") / 3;
        let objects = sheet.count("workload.objects");
        let bytes = objects * 16 + pipelines * 4_000 + 200_000_000;
        let of = format!("{} objects and {pipelines} pipelines", count(objects));
        Some(Footprint { bytes, of, key: "workload.objects" })
    }

    fn run(&self, sheet: &Sheet, seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, Failure> {
        let layout = layout(sheet, seed);
        let nodes = sheet.count32("cluster.nodes");
        let gateways = gateways(sheet);
        let latency = sheet.time("hardware.nic_latency");
        let mut topology = Topology::new(latency, latency);
        let om = topology.place::<Event>(1, |_| 0).at(0);
        let gates = topology.place::<Event>(gateways, |i| 1 + i % 16);
        let data = topology.place::<Event>(nodes, |i| 17 + i);
        let all = (om, gates, data);
        let settings = Shared::new(Settings::of(sheet, layout.clone(), all));
        let horizon = sheet.time("workload.limit");
        let made = Shared::clone(&settings);
        let mut world = World::new(Shared::new(topology), seed, horizon, move |id| {
            let settings = Shared::clone(&made);
            if id == 0 {
                Node::Manager(Box::new(Manager::new(settings)))
            } else if id <= gateways {
                Node::Gateway(Box::new(Gateway::new(settings, id - 1)))
            } else {
                Node::Data(Box::new(DataNode::new(settings, id - 1 - gateways)))
            }
        });
        let clients = sheet.count("workload.clients");
        for (place, gate) in (0u64..).zip(gates.iter()) {
            let own =
                clients / u64::from(gateways) + u64::from(place < clients % u64::from(gateways));
            let own = if settings.every.is_some() { 1 } else { own };
            for client in 0..own {
                // Writers start at different times.
                let mut draw = Draw::keyed(seed, "begin", place, client);
                world.start(gate, Nanos(1 + draw.below(20_000_000)), Event::Arrive)
            }
        }
        for node in 0..nodes {
            let tick = 1 + Draw::keyed(seed, "tick", node.into(), 0).below(1_000_000_000);
            world.start(data.at(node), Nanos(tick), Event::Tick);
        }
        for pipeline in (0u32..).take(layout.trios.len()) {
            let beat = 1 + Draw::keyed(seed, "beat", pipeline.into(), 0).below(2_500_000_000);
            world.start(data.at(layout.leader_of(pipeline)), Nanos(beat), Event::Beat { pipeline });
        }
        fault(sheet, seed, &layout, |to, at, event| match to {
            Some(node) => world.start(data.at(node), at, event),
            None => world.start(om, at, event),
        });
        let mut recorder = Recorder::new(sheet, seed, &settings, how.keep_trace);
        let sink = |stamp: Stamp, record: _| {
            let record: Record = record;
            recorder.add(stamp.at, record)
        };
        let ended = how.run(world, sink);
        Ok(recorder.finish(ended))
    }
}

/// A node stops, or becomes slow. If it stops, followers miss their leader, and SCM misses the
/// node. SCM closes the node's pipelines, and opens others at its next check.
fn fault(
    sheet: &Sheet,
    seed: u64,
    layout: &Layout,
    mut start: impl FnMut(Option<u32>, Nanos, Event),
) {
    let kind = sheet.text("fault.kind");
    if kind == "none" {
        return;
    }
    let (node, at) = (sheet.count32("fault.node"), sheet.time("fault.at").max(Nanos(1)));
    start(Some(node), at, Event::Fault);
    if kind == "slow" {
        return;
    }
    let missed = at + sheet.time("ozone-site.ozone.scm.stale.node.interval");
    start(None, missed, Event::Missed { node });
    let every = sheet.time("ozone-site.ozone.scm.pipeline.creation.interval");
    let look = Nanos(Draw::keyed(seed, "scm", 0, 0).below(every.0.max(1)));
    start(None, missed + look, Event::Opened);
    for pipeline in (0u32..).take(layout.at_first) {
        let leads = layout.leader_of(pipeline) == node;
        for follower in layout.followers(pipeline, layout.led[pipeline as usize]) {
            if leads {
                start(Some(follower), at, Event::Elect { pipeline })
            }
        }
    }
}

fn check_version(sheet: &Sheet) -> Result<(), BadInput> {
    match version::find(sheet.text(version::KEY)) {
        Some(_) => Ok(()),
        None => {
            let known: Vec<&str> = version::VERSIONS.iter().map(|version| version.name).collect();
            Err(sheet.reject(version::KEY, &known).into())
        }
    }
}

fn check_import(sheet: &Sheet) -> Result<(), BadInput> {
    if sheet.text("policy.pipeline") != "as-imported" {
        return Ok(());
    }
    let key = "cluster.pipelines";
    let expected = "pipelines in the form of `tenbin import ozone`: \"0-1-2:1 3-4-5:4\"";
    if sheet.find(key).is_none() {
        let problem = "\"as-imported\" without cluster.pipelines";
        return Err(sheet.problem("policy.pipeline", problem, expected).into());
    }
    match imported(sheet.text(key), sheet.count32("cluster.nodes")) {
        Err(why) => Err(sheet.problem(key, why, expected).into()),
        Ok((none, _)) if none.is_empty() => {
            Err(sheet.problem(key, "no pipeline is open", "at least one, for writes").into())
        }
        Ok(_) => Ok(()),
    }
}

fn check_numbers(sheet: &Sheet) -> Result<(), BadInput> {
    let count = |key: &str| sheet.count(key);
    let (disks, logs) = (count("hardware.disks_per_node"), count("hardware.log_disks"));
    let apart = sheet.flag("hardware.log_apart");
    if logs > disks || apart && logs == disks {
        let expected =
            format!("below hardware.disks_per_node = {disks}, or equal without log_apart");
        return Err(sheet
            .problem("hardware.log_disks", format!("{logs} log disks"), expected)
            .into());
    }
    let nodes = count("cluster.nodes");
    let pipelines = u64::from(limit(sheet)) * nodes / 3;
    if pipelines > MOST {
        let key = "ozone-site.ozone.scm.datanode.pipeline.limit";
        let problem = format!("{pipelines} pipelines on {nodes} nodes");
        return Err(sheet.problem(key, problem, format!("at most {MOST} in total")).into());
    }
    if sheet.text("fault.kind") != "none" && count("fault.node") >= nodes {
        let expected = format!("a node below {nodes}");
        return Err(sheet.problem("fault.node", count("fault.node").to_string(), expected).into());
    }
    if RetrySleeps::read(sheet.text(SLEEPS_KEY)).is_none() {
        let problem = format!("\"{}\"", sheet.text(SLEEPS_KEY));
        let expected = "times and numbers of waits: \"5s, 5, 10s, 5\"";
        return Err(sheet.problem(SLEEPS_KEY, problem, expected).into());
    }
    let chunk = sheet.bytes("ozone-site.ozone.scm.chunk.size").0;
    if chunk > 1 << 30 {
        let key = "ozone-site.ozone.scm.chunk.size";
        return Err(sheet.problem(key, format!("{chunk} bytes"), "at most 1g").into());
    }
    Ok(())
}
