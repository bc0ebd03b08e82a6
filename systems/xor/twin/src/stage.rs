//! Hosts with nodes, and clients that write to them.
use crate::cells::{CLIENTS, Cell, LINK, NODES, Site, TransferPath, Write};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;
use system::{Failure, interrupt};
use testbed::links::Links;
use testbed::twin::Program;
use units::BytesPerSec;
use xor::commands::{failure, program, scratch};
use xor_protocol::strategy::Strategy;
use xor_relay::Children;
use xor_relay::bench::{Setting, measure_from};
use xor_relay::client::Error;
use xor_relay::loopback::{BenchRoute, Party};
use xor_relay::transport::Kind;

/// Duration of a cell on links. Loopback is not shaped and needs less.
pub const ON_LINKS: Duration = Duration::from_secs(3);
const ON_LOOPBACK: Duration = Duration::from_secs(1);
/// Many clients have a large part of their writes in flight, so they run longer.
const MANY: u32 = 3;
const WITH_MANY: Duration = Duration::from_millis(4500);
/// Limit for a node to listen.
const STARTS: Duration = Duration::from_secs(60);
/// Index of the first client's host.
const FIRST_CLIENT: usize = NODES[1] as usize;
/// Hosts of figure 9: sender, relay, receiver.
const PARTIES: [usize; 3] = [FIRST_CLIENT, 0, 1];

/// Fields are dropped in this order.
pub struct Stage {
    _nodes: Vec<Program>,
    links: Links,
    /// By number of nodes, on this machine.
    loopback: BTreeMap<u32, Children>,
    /// Addresses of nodes on links, by number of nodes.
    addresses: BTreeMap<u32, Vec<String>>,
    _folder: Scratch,
}

/// Removed on drop.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Stage {
    /// Creates hosts and starts the nodes that the cells need: a separate cluster for each number
    /// of nodes.
    pub fn make(cells: &[Cell]) -> Result<Stage, Failure> {
        let names = (1..=FIRST_CLIENT).map(|n| format!("node{n}"));
        let names = names.chain(CLIENTS.map(|n| format!("client{n}"))).collect::<Vec<String>>();
        let links = Links::make(&names, BytesPerSec(LINK * 125_000))?;
        let folder = Scratch(scratch("real"));
        std::fs::create_dir_all(&folder.0).map_err(|e| Failure::writing(&folder.0, &e))?;
        let mut stage = Stage {
            _nodes: Vec::new(),
            links,
            loopback: BTreeMap::new(),
            addresses: BTreeMap::new(),
            _folder: folder,
        };
        for nodes in NODES {
            let are_at = |site| {
                let is = |w: &Write| w.site == site && w.nodes == nodes;
                cells.iter().any(|cell| matches!(cell, Cell::Written(write) if is(write)))
            };
            if are_at(Site::Links) {
                stage.start(nodes)?
            }
            if are_at(Site::Loopback) {
                let folder = stage._folder.0.join(format!("loopback-{nodes}"));
                let count = units::usize_of(nodes.into());
                let children = Children::start(&program()?, &folder, count).map_err(failure)?;
                stage.loopback.insert(nodes, children);
            }
        }
        Ok(stage)
    }

    /// Starts nodes on the first hosts, with a port for each number of nodes.
    fn start(&mut self, nodes: u32) -> Result<(), Failure> {
        let program = program()?;
        let program = program.to_string_lossy();
        let mut addresses = Vec::new();
        for host in self.links.hosts.iter().take(units::usize_of(nodes.into())) {
            let address = format!("{}:{}", host.address, 7400 + nodes);
            let data = self._folder.0.join(format!("{}-of-{nodes}", host.name));
            let (log, data) = (data.with_extension("log"), data.to_string_lossy());
            let line = [&program, "relay", "node", "--insecure", "--listen", &address, "--data"];
            let mut node = Program::start(host, &[&line[..], &[&data]].concat(), &log)?;
            node.until("listening", STARTS, |line| line.starts_with("listening on "))?;
            self._nodes.push(node);
            addresses.push(address)
        }
        self.addresses.insert(nodes, addresses);
        Ok(())
    }

    /// In Mbit/s.
    pub fn measure(&self, cell: &Cell) -> Result<f64, Failure> {
        match cell {
            Cell::Moved(path, block) => Ok(8.0 * self.moved(*path, *block)),
            Cell::Written(write) => self.written(write),
        }
    }

    /// In MB/s.
    fn moved(&self, path: TransferPath, block: u32) -> f64 {
        let address = |host: usize| -> IpAddr {
            self.links.hosts[host].address.parse().unwrap_or(Ipv4Addr::UNSPECIFIED.into())
        };
        let enter = |party: Party| {
            let host = match party {
                Party::Sender => PARTIES[0],
                Party::Between => PARTIES[1],
                Party::Receiver => PARTIES[2],
            };
            self.links.enter(host).expect("its network is held open")
        };
        let route = BenchRoute {
            between: address(PARTIES[1]),
            receiver: address(PARTIES[2]),
            enter: &enter,
        };
        let block = units::usize_of(block.into());
        match path {
            // Runs twice; the better counts.
            TransferPath::Bare => route.socket_rate(block, 2 * ON_LINKS),
            TransferPath::Two => route.transport_rate(block, ON_LINKS, None),
            TransferPath::OverThird => route.relayed_rate(block, ON_LINKS),
        }
    }

    fn written(&self, write: &Write) -> Result<f64, Failure> {
        let children = || self.loopback.get(&write.nodes).map(Children::addresses);
        let (nodes, lasts) = match write.site {
            Site::Links => (self.addresses.get(&write.nodes).cloned(), on_links(write.clients)),
            Site::Loopback => (children(), ON_LOOPBACK),
        };
        let clients = units::usize_of(write.clients.into());
        let setting = Setting {
            nodes: nodes.unwrap_or_default(),
            keys: None,
            kind: Kind::Tcp,
            strategy: Strategy::named(write.schedule).unwrap_or(Strategy::Auto),
            block: write.block,
            clients,
            among: clients,
            lasts,
            link_mbit: None,
        };
        let enter = |nth: usize| match write.site {
            Site::Links => self.links.enter(FIRST_CLIENT + nth).map_err(refused),
            Site::Loopback => Ok(()),
        };
        let outcome = measure_from(&setting, &enter, &interrupt::is_requested).map_err(failure)?;
        Ok(outcome.goodput_mbit)
    }
}

fn on_links(clients: u32) -> Duration {
    if clients < MANY { ON_LINKS } else { WITH_MANY }
}

fn refused(why: Failure) -> Error {
    let (Failure::BadInput(text) | Failure::Failed(text) | Failure::Interrupted(text)) = why;
    Error::Failed(text)
}
