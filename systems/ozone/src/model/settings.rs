//! What never changes in a run.
use super::message::Event;
use crate::policy::{self, Choice, Dice, Site, Trio, Volume};
use cluster::Sheet;
use engine::*;
use units::BytesPerSec;

/// How followers hear of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notice {
    AtOnce,
    NextEntry,
    MetadataEntry,
}

/// How long fsyncs spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spread {
    Fixed,
    Uniform,
    Exponential,
}

/// Open pipelines: who is in them, who leads, where their logs lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Each pipeline's nodes.
    pub trios: Vec<Trio>,
    /// Each pipeline's leader, as a place in its trio.
    pub led: Vec<u8>,
    /// Each node's pipelines, ascending.
    pub of_node: Vec<Vec<u32>>,
    /// The disk of each of these logs.
    pub log_of: Vec<Vec<u32>>,
}

impl Layout {
    /// A pipeline's log goes to the directory with the fewest (`RaftServerProxy`).
    fn new(nodes: u32, log_disks: u32, trios: Vec<Trio>, led: Vec<u8>) -> Layout {
        let mut of_node = vec![Vec::new(); nodes as usize];
        for (p, trio) in (0u32..).zip(&trios) {
            trio.iter().for_each(|&node| of_node[node as usize].push(p))
        }
        let logs = |all: &Vec<u32>| (0..).take(all.len()).map(|i: u32| i % log_disks).collect();
        let log_of = of_node.iter().map(logs).collect();
        Layout { trios, led, of_node, log_of }
    }

    /// Who leads a pipeline.
    pub fn leader_of(&self, pipeline: u32) -> u32 {
        self.trios[pipeline as usize][usize::from(self.led[pipeline as usize])]
    }

    /// The two others.
    pub fn followers(&self, pipeline: u32) -> [u32; 2] {
        let [a, b, c] = self.trios[pipeline as usize];
        match self.led[pipeline as usize] {
            0 => [b, c],
            1 => [a, c],
            _ => [a, b],
        }
    }

    /// Which of the two a follower is.
    pub(crate) fn slot(&self, pipeline: u32, node: u32) -> u8 {
        u8::from(self.followers(pipeline)[1] == node)
    }

    /// The disk of a pipeline's log on a node.
    pub fn log_disk(&self, node: u32, pipeline: u32) -> u32 {
        let place = self.of_node[node as usize].binary_search(&pipeline).expect("a member");
        self.log_of[node as usize][place]
    }

    /// How many pipelines each node leads.
    pub fn leads(&self) -> Vec<u32> {
        let mut leads = vec![0; self.of_node.len()];
        (0u32..).take(self.trios.len()).for_each(|p| leads[self.leader_of(p) as usize] += 1);
        leads
    }
}

/// The limit that SCM goes by: that of the key, else by log disks.
pub(crate) fn limit(sheet: &Sheet) -> u32 {
    let limit = sheet.count32("ozone-site.ozone.scm.datanode.pipeline.limit");
    let per_disk = sheet.count32("ozone-site.ozone.scm.pipeline.per.metadata.disk");
    if limit > 0 { limit } else { per_disk * log_disks(sheet) }
}

fn log_disks(sheet: &Sheet) -> u32 {
    sheet.count32("hardware.log_disks")
}

/// The rack of each node.
pub fn racks(sheet: &Sheet) -> Vec<u32> {
    let told = sheet.find("cluster.rack_of").map(|_| sheet.text("cluster.rack_of")).unwrap_or("");
    let told: Vec<u32> = told.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let nodes = sheet.count("cluster.nodes");
    match told.len() as u64 == nodes {
        true => told,
        false => Site::new(sheet.count32("cluster.nodes"), sheet.count32("cluster.racks"), 0).racks,
    }
}

/// The pipelines of a scenario, from a seed.
///
/// # Panics
/// A policy that nobody knows, pipelines that are none: the scenario's check refuses them.
pub fn layout(sheet: &Sheet, seed: u64) -> Layout {
    let nodes = sheet.count32("cluster.nodes");
    let site = Site { racks: racks(sheet), limit: limit(sheet) };
    let mut dice = Dice(seed);
    let name = sheet.text("policy.pipeline");
    if name == "as-imported" {
        let text = sheet.text("cluster.pipelines");
        let (trios, led) = imported(text, nodes).expect("checked");
        return Layout::new(nodes, log_disks(sheet), trios, led);
    }
    let trios = policy::placement(name).expect("checked").place(&site, &mut dice);
    let led = policy::leaders(sheet.text("policy.leader"), nodes, &trios, &mut dice);
    Layout::new(nodes, log_disks(sheet), trios, led)
}

/// Pipelines as `cluster.pipelines` writes them: "0-1-2:1 …".
pub(crate) fn imported(text: &str, nodes: u32) -> Result<(Vec<Trio>, Vec<u8>), String> {
    let (mut trios, mut led) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        let wrong =
            || format!("\"{word}\": expected three nodes below {nodes} and one of them: 0-1-2:1");
        let (of, leader) = word.split_once(':').ok_or_else(wrong)?;
        let of: Result<Vec<u32>, _> = of.split('-').map(str::parse).collect();
        let mut of = of.map_err(|_| wrong())?;
        of.sort_unstable();
        of.dedup();
        let leader: u32 = leader.parse().map_err(|_| wrong())?;
        let place = of.iter().position(|&node| node == leader).ok_or_else(wrong)?;
        if of.len() != 3 || of[2] >= nodes {
            return Err(wrong());
        }
        trios.push([of[0], of[1], of[2]]);
        led.push(u8::try_from(place).expect("three"))
    }
    Ok((trios, led))
}

/// What never changes in a run.
pub(crate) struct Settings {
    pub(crate) layout: Layout,
    pub(crate) om: Lp<Event>,
    pub(crate) nodes: Lps<Event>,
    pub(crate) gateways: u32,
    pub(crate) objects: u64,
    sizes: (u64, u64),
    /// Mean between two bursts of one gateway; `None`: clients write one after the other.
    pub(crate) every: Option<Nanos>,
    pub(crate) burst: u64,
    pub(crate) om_time: Nanos,
    pub(crate) latency: Nanos,
    pub(crate) nic: BytesPerSec,
    pub(crate) disks: u32,
    pub(crate) first_data_disk: u32,
    pub(crate) rate: BytesPerSec,
    pub(crate) seek: Nanos,
    pub(crate) flush_time: Nanos,
    pub(crate) flush_shape: Spread,
    pub(crate) flush_first: bool,
    /// Dirty bytes of a disk.
    pub(crate) room: u64,
    pub(crate) sync: bool,
    pub(crate) watch_all: bool,
    pub(crate) notice: Notice,
    pub(crate) heartbeat: Nanos,
    pub(crate) patience: Nanos,
    pub(crate) backoff: Nanos,
    pub(crate) block: u64,
    pub(crate) chunk: u64,
    pub(crate) containers: u32,
    pub(crate) container_size: u64,
    /// Of all pipelines.
    pub(crate) slots: u32,
    pub(crate) choice: Choice,
    pub(crate) volume: Volume,
    pub(crate) fault_slows: bool,
    pub(crate) fault_factor: u64,
}

impl Settings {
    pub(crate) fn of(sheet: &Sheet, layout: Layout, om: Lp<Event>, nodes: Lps<Event>) -> Settings {
        let gateways = gateways(sheet);
        let disks = sheet.count32("hardware.disks_per_node");
        let apart = sheet.flag("hardware.log_apart");
        let burst = sheet.count("workload.burst");
        let rate = sheet.find("workload.rate").map(|_| sheet.number("workload.rate"));
        let every = rate.map(|rate| Nanos::from_secs(burst as f64 * f64::from(gateways) / rate));
        let least = sheet.bytes("workload.object_bytes").0;
        let most =
            sheet.find("workload.largest_bytes").map(|_| sheet.bytes("workload.largest_bytes").0);
        let containers = sheet.count32("ozone-site.ozone.scm.pipeline.owner.container.count");
        let slots = containers * u32::try_from(layout.trios.len()).expect("few pipelines");
        let site = |key: &str| sheet.time(&format!("ozone-site.{key}"));
        let size = |key: &str| sheet.bytes(&format!("ozone-site.ozone.scm.{key}.size")).0;
        let named = |key: &str| sheet.text(key).to_string();
        Settings {
            om,
            nodes,
            gateways,
            objects: sheet.count("workload.objects"),
            sizes: (least, most.unwrap_or(least).max(least)),
            every,
            burst,
            om_time: sheet.time("om.time"),
            latency: sheet.time("hardware.nic_latency"),
            nic: sheet.rate("hardware.nic"),
            disks,
            first_data_disk: if apart { sheet.count32("hardware.log_disks") } else { 0 },
            rate: sheet.rate("hardware.disk"),
            seek: sheet.time("hardware.disk_seek"),
            flush_time: sheet.time("hardware.flush_time"),
            flush_shape: match sheet.text("hardware.flush_shape") {
                "fixed" => Spread::Fixed,
                "exponential" => Spread::Exponential,
                _ => Spread::Uniform,
            },
            flush_first: sheet.flag("hardware.flush_first"),
            room: sheet.bytes("hardware.page_cache").0 / u64::from(disks),
            sync: sheet.flag("ozone-site.hdds.container.chunk.write.sync"),
            watch_all: named("ozone-site.hdds.ratis.client.request.watch.type") == "ALL_COMMITTED",
            notice: match sheet.text("policy.commit_notice") {
                "next-entry" => Notice::NextEntry,
                "metadata-entry" => Notice::MetadataEntry,
                _ => Notice::AtOnce,
            },
            heartbeat: Nanos(site("hdds.ratis.leader.election.minimum.timeout.duration").0 / 2),
            patience: site("hdds.ratis.client.request.write.timeout"),
            backoff: site("hdds.ratis.client.exponential.backoff.base.sleep"),
            block: size("block"),
            chunk: size("chunk"),
            containers,
            container_size: size("container"),
            slots,
            choice: Choice::named(sheet.text("policy.choice")).expect("checked"),
            volume: Volume::named(sheet.text("policy.volume")).expect("checked"),
            fault_slows: sheet.text("fault.kind") == "slow",
            fault_factor: sheet.count("fault.factor"),
            layout,
        }
    }

    /// A DataNode's address.
    pub(crate) fn data(&self, node: u32) -> Lp<Event> {
        self.nodes.at(node)
    }

    /// The size of an object that drew `part` (0–1): log-uniform.
    pub(crate) fn size(&self, part: f64) -> u64 {
        let (least, most) = self.sizes;
        if least == most {
            return least;
        }
        let (a, b) = (libm::log(least as f64), libm::log(most as f64));
        units::rounded_u64(libm::exp(a + (b - a) * part)).clamp(least, most)
    }
}

/// Gateways that have a client.
pub(crate) fn gateways(sheet: &Sheet) -> u32 {
    sheet.count32("workload.gateways").min(sheet.count32("workload.clients"))
}
