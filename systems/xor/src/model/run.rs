//! Checks and runs a scenario of redundant writes.
use super::Host;
use super::client::Client;
use super::message::{Event, Record};
use super::node::Node;
use super::settings::Settings;
use crate::recorder::Recorder;
use cluster::{BadInput, Sheet};
use engine::*;
use system::{Failure, Footprint, Reporter, RunOptions, SimulatedRun, Simulation};

/// \[bytes\]; `tenbin relay` takes at most 4 MiB.
const MOST_BLOCK: u64 = 16 << 20;

pub struct Model;

impl Simulation for Model {
    fn reporter(&self) -> &dyn Reporter {
        &crate::words::Page
    }

    fn check(&self, sheet: &Sheet) -> Result<(), BadInput> {
        let (nodes, width) = (sheet.count("cluster.nodes"), sheet.count("layout.nodes"));
        if width > nodes {
            let problem = format!("{width}: a file cannot use more nodes than there are");
            let expected = format!("at most cluster.nodes = {nodes}");
            return Err(sheet.problem("layout.nodes", &problem, &expected).into());
        }
        let block = sheet.bytes("workload.block").0;
        if block > MOST_BLOCK {
            let expected = "at most 16MiB";
            return Err(sheet.problem("workload.block", format!("{block} bytes"), expected).into());
        }
        let mtu = sheet.bytes("network.mtu").0;
        if !(576..=65_536).contains(&mtu) {
            let expected = "from 576B to 64KiB";
            return Err(sheet.problem("network.mtu", format!("{mtu} bytes"), expected).into());
        }
        Ok(())
    }

    fn footprint(&self, sheet: &Sheet) -> Option<Footprint> {
        // Memory of open stripes: blocks with their paths, by client.
        let (clients, width) = (sheet.count("cluster.clients"), sheet.count("layout.nodes"));
        let bytes = clients
            .saturating_mul(width * width * 4 * 200)
            .saturating_add(sheet.count("cluster.nodes") * 1_000);
        let of = format!("the stripes of {clients} clients");
        Some(Footprint { bytes, of, key: "cluster.clients" })
    }

    fn run(&self, sheet: &Sheet, seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, Failure> {
        let latency = sheet.time("network.latency");
        let mut topology = Topology::new(latency, latency);
        let clients = topology.place::<Event>(sheet.count32("cluster.clients"), |i| i);
        let nodes = topology.place::<Event>(sheet.count32("cluster.nodes"), |i| i);
        let settings = Shared::new(Settings::of(sheet, clients, nodes));
        let build = |id: u32| match clients.index(id) {
            Some(me) => Host::Client(Box::new(Client::new(Shared::clone(&settings), me))),
            None => {
                let me = nodes.index(id).expect("a client or a node");
                Host::Node(Box::new(Node::new(Shared::clone(&settings), me)))
            }
        };
        let horizon = Nanos::secs(1 << 30);
        let mut world = World::new(Shared::new(topology), seed, horizon, build);
        for (number, client) in (0u64..).zip(clients.iter()) {
            // Clients start at different times.
            let after = Draw::keyed(seed, "begin", number, 0).below(latency.0.max(1));
            world.start(client, Nanos(1 + after), Event::Begin)
        }
        let mut recorder = Recorder::new(sheet, &settings, seed);
        let sink = |_: Stamp, record: Record| recorder.add(&record);
        let ended = how.run(world, sink);
        Ok(recorder.finish(ended))
    }
}
