//! The simulation: checks of a scenario, memory estimate, and run.
use super::client::Client;
use super::message::{Event, Record};
use super::server::Server;
use super::settings::{Settings, talk};
use super::switch::Switch;
use super::times::Times;
use super::workload::trace::Trace;
use super::workload::{SHARES, mdtest};
use crate::recorder::{Recorder, RunResults};
use cluster::{BadInput, Sheet, SystemData};
use engine::*;
use std::sync::Arc;
use system::footprint::count;
use system::{Failure, Footprint, Reporter, RunOptions, SimulatedRun, Simulation, on_progress};

#[derive(Rewind, Model)]
enum Node {
    Client(Box<Client>),
    Server(Box<Server>),
    Switch(Box<Switch>),
}

const SHORTEST: Nanos = Nanos(1_000_000);
/// Least bytes of a trace's line, for the estimate of memory.
const LINE: u64 = 40;
/// An entry with its inode, a client, and a cached list \[bytes\].
const ENTRY: u64 = 180;
const CLIENT: u64 = 2_000;
const KNOWN: u64 = 64;

pub struct Model;

impl Simulation for Model {
    fn reporter(&self) -> &dyn Reporter {
        &crate::words::Page
    }

    fn check(&self, sheet: &Sheet) -> Result<(), BadInput> {
        let shares: f64 = SHARES.iter().map(|(key, _)| sheet.number(key)).sum();
        if sheet.text("workload.kind") == "mix" && shares <= 0.0 {
            let problem = "0, as all shares of the mix: the sum is 0";
            let expected = "one share above 0: workload.create = 1.0";
            return Err(sheet.problem("workload.create", problem, expected).into());
        }
        if sheet.text("workload.kind") == "mdtest" && sheet.text("workload.loop") == "open" {
            let problem = "open: mdtest's clients wait for their answers and for each other";
            let expected = "closed; or another workload.kind: `tenbin plan metadata` offers these \
                            rates";
            return Err(sheet.problem("workload.loop", problem, expected).into());
        }
        let own = matches!(sheet.text("workload.kind"), "mdtest" | "trace");
        if own && sheet.count("workload.directories") > 1 {
            let problem = format!(
                "{} with {}",
                sheet.text("workload.directories"),
                sheet.text("workload.kind")
            );
            let expected = "1: the directories are those of the workload itself";
            return Err(sheet.problem("workload.directories", problem, expected).into());
        }
        if sheet.text("network.reception") == "event" && sheet.text("network.switch") != "port" {
            let problem = "event: a switch as an LP has an event for each message as it is";
            return Err(sheet.problem("network.reception", problem, "head").into());
        }
        if sheet.text("workload.kind") == "trace" {
            Trace::of(sheet)?;
        }
        if sheet.text("store.durability") == "group" && sheet.text("store.mode") == "delay" {
            let problem = "group: in mode delay the store is never occupied, so no commit takes \
                           several writes";
            let expected = "store.mode = threads, or store.durability = sync";
            return Err(sheet.problem("store.durability", problem, expected).into());
        }
        if let Err(part) = mdtest::Rates::of(sheet.text("mdtest.measured")) {
            let expected =
                "phases of mdtest with their rates: File creation 13000, File stat 85000";
            return Err(sheet.problem("mdtest.measured", &part, expected).into());
        }
        let mtbf = sheet.time("faults.server_mtbf");
        if mtbf > Nanos::ZERO && mtbf < SHORTEST {
            let expected = format!("{SHORTEST} or more, or 0s: servers would crash all the time");
            return Err(sheet.problem("faults.server_mtbf", mtbf.to_string(), expected).into());
        }
        if sheet.number("network.loss") >= 1.0 {
            let expected = "less than 1: no message would ever arrive";
            return Err(sheet.problem("network.loss", "1", expected).into());
        }
        Ok(())
    }

    fn keeps_history(&self) -> bool {
        true
    }

    fn history(&self, done: &SimulatedRun) -> Option<String> {
        RunResults::of(&done.own)?.history.clone()
    }

    fn pack(&self, own: &SystemData) -> serde_json::Value {
        // Pages show the rest of the first run only.
        serde_json::json!(RunResults::of(own).map(|results| &results.summary))
    }

    fn unpack(&self, packed: serde_json::Value) -> SystemData {
        let summary = serde_json::from_value(packed).ok()?;
        Some(Arc::new(RunResults { summary, ..RunResults::default() }))
    }

    fn footprint(&self, sheet: &Sheet) -> Option<Footprint> {
        let clients = sheet.count("cluster.clients");
        if sheet.text("workload.kind") == "mdtest" {
            return Some(of_mdtest(&mdtest::Plan::of(sheet)));
        }
        let (rows, key) = match (sheet.text("workload.kind"), sheet.text("workload.loop")) {
            // An estimate: the trace is not read yet.
            ("trace", _) => {
                let file = sheet.path("workload.trace").and_then(|path| path.metadata().ok());
                (file.map_or(0, |about| about.len() / LINE), "workload.trace")
            }
            (_, "open") => {
                let seconds = sheet.time("workload.duration").as_secs();
                let rows = sheet.number("workload.rate") * seconds;
                (units::floored_u64(rows), "workload.duration")
            }
            _ => {
                let key = "workload.creates_per_client";
                (clients.saturating_mul(sheet.count(key)), key)
            }
        };
        let bytes = rows.saturating_mul(ENTRY);
        let of_clients = clients * CLIENT;
        let key = if bytes > of_clients { key } else { "cluster.clients" };
        let of = format!("{} operations of {clients} clients", count(rows));
        Some(Footprint { bytes: bytes.saturating_add(of_clients), of, key })
    }

    fn events(&self, sheet: &Sheet) -> Option<u64> {
        match (sheet.text("workload.kind"), sheet.text("workload.loop")) {
            ("mdtest", _) => Some(mdtest::Plan::of(sheet).events()),
            // One event for the request, one for the answer.
            ("create", "closed") => {
                let each = sheet.count("workload.creates_per_client").saturating_mul(2);
                Some(u64::from(sheet.count32("cluster.clients")).saturating_mul(each))
            }
            _ => None,
        }
    }

    fn run(&self, sheet: &Sheet, seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, Failure> {
        let bound = bound(sheet);
        let mut topology = Topology::new(bound, bound);
        let settings = Shared::new(Settings::of(sheet, &mut topology, how.history));
        let build = |id: u32| {
            let at = |lps: Lps<Event>| lps.index(id);
            if let Some(server) = at(settings.server_lps) {
                Node::Server(Box::new(Server::new(Shared::clone(&settings), server)))
            } else if let Some(client) = at(settings.client_lps) {
                Node::Client(Box::new(Client::new(Shared::clone(&settings), client)))
            } else {
                let of_servers = at(settings.switch_lps) == Some(1);
                Node::Switch(Box::new(Switch::new(Shared::clone(&settings), of_servers)))
            }
        };
        let horizon = Nanos::secs(1 << 30);
        let mut world = World::new(Shared::new(topology), seed, horizon, build);
        for (number, client) in (0u64..).zip(settings.client_lps.iter()) {
            let first = |(gap, _)| Draw::keyed(seed, "first arrival", number, 0).exponential(gap);
            let at = settings.workload.open.map_or(Nanos::ZERO, first);
            if settings.workload.open.is_none_or(|(_, until)| at < until) {
                world.start(client, at + Nanos(1), Event::Begin)
            }
        }
        for (lps, mean, what) in [
            (settings.server_lps, settings.server_mtbf, "first server crash"),
            (settings.client_lps, settings.client_mtbf, "client crash"),
        ] {
            for (number, lp) in (0u64..).zip(lps.iter()).filter(|_| mean > Nanos::ZERO) {
                let after = Draw::keyed(seed, what, number, 0).exponential(mean);
                world.start(lp, after + Nanos(1), Event::Crash)
            }
        }
        let recorder = |_| Recorder::new(sheet, &settings, seed, how.keep_trace);
        // Between processes, the first process gets all records one by one.
        if how.observer.is_none() && how.execution.peers.is_none() {
            let (outcome, effort, records) =
                world.run_each(how.execution, recorder, on_progress(how.progress));
            let one = records.into_iter().reduce(Recorder::and).expect("a thread has a recorder");
            return Ok(one.finish((outcome, effort)));
        }
        let mut recorder = recorder(0);
        let sink = |_: Stamp, record: Record| recorder.add(&record);
        let ended = how.run(world, sink);
        Ok(recorder.finish(ended))
    }
}

/// Memory of mdtest's phases: entries on servers, and lists that clients cache.
fn of_mdtest(plan: &mdtest::Plan) -> Footprint {
    let (entries, clients) = (plan.entries(), u64::from(plan.clients));
    let known = clients.saturating_mul(u64::from(plan.directories()));
    let of_items = entries.saturating_mul(ENTRY);
    let of_clients = clients * CLIENT;
    let bytes = of_items.saturating_add(known.saturating_mul(KNOWN)).saturating_add(of_clients);
    let key = match (plan.sized < plan.items, known * KNOWN > of_items, of_clients > of_items) {
        (_, _, true) => "cluster.clients",
        (_, true, _) => "mdtest.branch",
        (true, ..) => "mdtest.stonewall",
        _ => "mdtest.items",
    };
    let of = format!("{} entries of {clients} clients", count(entries));
    Footprint { bytes, of, key }
}

/// The least delay between two LPs: one start-up, and two where a port's queue belongs to its node
/// and servers send nothing to each other.
fn bound(sheet: &Sheet) -> Nanos {
    let Times { startup, server, .. } = Times::of(sheet);
    if sheet.text("network.reception") == "event" {
        return startup.min(server);
    }
    match sheet.text("network.switch") {
        "port" if !talk(sheet) => startup * 2,
        _ => startup,
    }
}
