//! Settings of a run, from its scenario.
use super::message::Event;
use super::retry_sleeps::RetrySleeps;
use crate::policy::{self, Choice, Dice, Site, Trio, Volume};
use crate::version;
use cluster::Sheet;
use engine::*;
use units::BytesPerSec;

pub(crate) const WINDOW_KEY: &str =
    "ozone-site.hdds.ratis.raft.grpc.server.leader.outstanding.appends.max";

pub(crate) const SLEEPS_KEY: &str = "ozone-site.hdds.ratis.client.multilinear.random.retry.policy";

/// `raft.server.rpc.timeout.max` minus the minimum (Ozone's `XceiverServerRatis`).
const ELECTION_SPREAD: Nanos = Nanos::millis(200);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoticeMode {
    AtOnce,
    NextEntry,
    MetadataEntry,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimeDistribution {
    Fixed,
    Uniform,
    Exponential,
}

/// Pipelines: their nodes, first leaders, and log disks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub trios: Vec<Trio>,
    /// Number of pipelines open at the start; SCM opens the others after it has missed a node.
    pub at_first: usize,
    /// Index of each pipeline's first leader in its trio.
    pub led: Vec<u8>,
    /// Each node's pipelines, ascending.
    pub of_node: Vec<Vec<u32>>,
    /// Disk of each log, in the order of `of_node`.
    pub log_of: Vec<Vec<u32>>,
}

impl Layout {
    fn new(nodes: u32, log_disks: u32, trios: Vec<Trio>, led: Vec<u8>) -> Layout {
        let (of_node, log_of) =
            (vec![Vec::new(); nodes as usize], vec![Vec::new(); nodes as usize]);
        let at_first = trios.len();
        let mut layout = Layout { trios: Vec::new(), at_first, led: Vec::new(), of_node, log_of };
        for (trio, led) in trios.into_iter().zip(led) {
            layout.open(trio, led, log_disks, &|_| true)
        }
        layout
    }

    /// Adds a pipeline. Its log goes to the directory with the fewest logs of pipelines that
    /// `counts` selects (`RaftServerProxy`).
    fn open(&mut self, trio: Trio, led: u8, log_disks: u32, counts: &dyn Fn(&Trio) -> bool) {
        let pipeline = units::u32_of(self.trios.len());
        for node in trio {
            let mine = &mut self.of_node[node as usize];
            let logs = &mut self.log_of[node as usize];
            let mut held = vec![0u32; log_disks as usize];
            for (&p, &disk) in mine.iter().zip(logs.iter()) {
                held[disk as usize] += u32::from(counts(&self.trios[p as usize]))
            }
            let disk =
                (0..log_disks).min_by_key(|disk| held[*disk as usize]).expect("one at least");
            mine.push(pipeline);
            logs.push(disk)
        }
        self.trios.push(trio);
        self.led.push(led)
    }

    pub fn leader_of(&self, pipeline: u32) -> u32 {
        self.member(pipeline, self.led[pipeline as usize])
    }

    /// `place`: index in the pipeline's trio.
    pub fn member(&self, pipeline: u32, place: u8) -> u32 {
        self.trios[pipeline as usize][usize::from(place)]
    }

    pub(crate) fn place(&self, pipeline: u32, node: u32) -> u8 {
        policy::place_in(&self.trios[pipeline as usize], node)
    }

    /// The other two members, if the one at index `leader` leads.
    pub fn followers(&self, pipeline: u32, leader: u8) -> [u32; 2] {
        let [a, b, c] = self.trios[pipeline as usize];
        match leader {
            0 => [b, c],
            1 => [a, c],
            _ => [a, b],
        }
    }

    pub fn log_disk(&self, node: u32, pipeline: u32) -> u32 {
        let place = self.of_node[node as usize].binary_search(&pipeline).expect("a member");
        self.log_of[node as usize][place]
    }

    /// Number of pipelines that each node leads at the start.
    pub fn leads(&self) -> Vec<u32> {
        let mut leads = vec![0; self.of_node.len()];
        (0u32..).take(self.at_first).for_each(|p| leads[self.leader_of(p) as usize] += 1);
        leads
    }
}

/// SCM's limit of pipelines per node: its own key, or by log disks if that is 0.
pub(crate) fn limit(sheet: &Sheet) -> u32 {
    let limit = sheet.count32("ozone-site.ozone.scm.datanode.pipeline.limit");
    let per_disk = sheet.count32("ozone-site.ozone.scm.pipeline.per.metadata.disk");
    if limit > 0 { limit } else { per_disk * log_disks(sheet) }
}

/// The cluster for SCM's placement policies.
fn site(sheet: &Sheet) -> Site {
    let cap = sheet.count32("ozone-site.ozone.scm.ratis.pipeline.limit");
    Site {
        racks: racks(sheet),
        limit: limit(sheet),
        cap: if cap > 0 { cap } else { u32::MAX },
        rule: version::of_sheet(sheet).racks,
    }
}

fn log_disks(sheet: &Sheet) -> u32 {
    sheet.count32("hardware.log_disks")
}

pub fn racks(sheet: &Sheet) -> Vec<u32> {
    let racks = sheet.find("cluster.rack_of").map(|_| sheet.text("cluster.rack_of")).unwrap_or("");
    let racks: Vec<u32> = racks.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let nodes = sheet.count("cluster.nodes");
    match racks.len() as u64 == nodes {
        true => racks,
        false => Site::new(sheet.count32("cluster.nodes"), sheet.count32("cluster.racks"), 0).racks,
    }
}

/// Pipelines of a scenario: those open at the start, and those that SCM opens after the fault.
///
/// # Panics
/// If the scenario was not checked: an unknown policy, or invalid pipelines.
pub fn layout(sheet: &Sheet, seed: u64) -> Layout {
    let nodes = sheet.count32("cluster.nodes");
    let site = site(sheet);
    let mut dice = Dice(seed);
    let (name, led_by) = (sheet.text("policy.pipeline"), sheet.text("policy.leader"));
    let (trios, led) = match name {
        "as-imported" => imported(sheet.text("cluster.pipelines"), nodes).expect("checked"),
        _ => {
            let trios = policy::placement(name).expect("checked").place(&site, &mut dice);
            let led = policy::leaders(led_by, nodes, &trios, &mut dice);
            (trios, led)
        }
    };
    let logs = log_disks(sheet);
    let mut layout = Layout::new(nodes, logs, trios, led);
    if sheet.text("fault.kind") == "crash" {
        let lost = sheet.count32("fault.node");
        let left = |trio: &Trio| !trio.contains(&lost);
        let open: Vec<Trio> = layout.trios.iter().filter(|trio| left(trio)).copied().collect();
        // After the fault of an imported cluster, SCM's own placement opens pipelines.
        let policy = policy::placement(name).unwrap_or(policy::PLACEMENTS[0]);
        let (site, most) = (policy.limited(&site), policy.max_pipelines(&site));
        let new = policy::reopen(&site, open, lost, most, &mut dice);
        let led = policy::leaders(led_by, nodes, &new, &mut dice);
        for (trio, led) in new.into_iter().zip(led) {
            layout.open(trio, led, logs, &left)
        }
    }
    layout
}

/// Parses `cluster.pipelines`: "0-1-2:1 …".
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

pub(crate) struct Settings {
    pub(crate) layout: Layout,
    pub(crate) om: Lp<Event>,
    pub(crate) gates: Lps<Event>,
    pub(crate) nodes: Lps<Event>,
    pub(crate) gateways: u32,
    pub(crate) objects: u64,
    sizes: (u64, u64),
    /// Mean time between two bursts of a gateway; `None`: closed loop.
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
    pub(crate) flush_shape: TimeDistribution,
    pub(crate) flush_first: bool,
    /// Maximum of dirty bytes per disk.
    pub(crate) room: u64,
    pub(crate) sync: bool,
    pub(crate) watch_all: bool,
    pub(crate) notice: NoticeMode,
    pub(crate) heartbeat: Nanos,
    /// Election timeout: minimum, and maximum random addition.
    pub(crate) election: (Nanos, Nanos),
    /// Maximum number of entries in flight to a follower.
    pub(crate) window: u64,
    /// After this time a client stops waiting for the third replica; the key that sets it.
    pub(crate) watch: (&'static str, Nanos),
    pub(crate) patience: Nanos,
    pub(crate) backoff: Nanos,
    pub(crate) sleeps: RetrySleeps,
    pub(crate) block: u64,
    pub(crate) chunk: u64,
    pub(crate) containers: u32,
    pub(crate) container_size: u64,
    pub(crate) slots: u32,
    pub(crate) choice: Choice,
    pub(crate) volume: Volume,
    pub(crate) fault_slows: bool,
    pub(crate) fault_factor: u64,
}

impl Settings {
    pub(crate) fn of(
        sheet: &Sheet,
        layout: Layout,
        (om, gates, nodes): (Lp<Event>, Lps<Event>, Lps<Event>),
    ) -> Settings {
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
        let least_election = site("hdds.ratis.leader.election.minimum.timeout.duration");
        Settings {
            om,
            gates,
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
                "fixed" => TimeDistribution::Fixed,
                "exponential" => TimeDistribution::Exponential,
                _ => TimeDistribution::Uniform,
            },
            flush_first: sheet.flag("hardware.flush_first"),
            room: sheet.bytes("hardware.page_cache").0 / u64::from(disks),
            sync: sheet.flag("ozone-site.hdds.container.chunk.write.sync"),
            watch_all: watches_all(sheet),
            notice: match sheet.text("policy.commit_notice") {
                "next-entry" => NoticeMode::NextEntry,
                "metadata-entry" => NoticeMode::MetadataEntry,
                _ => NoticeMode::AtOnce,
            },
            heartbeat: Nanos(least_election.0 / 2),
            election: (least_election, ELECTION_SPREAD),
            window: sheet.count(WINDOW_KEY),
            watch: watch(sheet),
            patience: site("hdds.ratis.client.request.write.timeout"),
            backoff: site("hdds.ratis.client.exponential.backoff.base.sleep"),
            sleeps: RetrySleeps::read(sheet.text(SLEEPS_KEY)).expect("checked"),
            block: size("block"),
            chunk: size("chunk"),
            containers,
            container_size: size("container"),
            slots,
            choice: policy::CHOICES.of(sheet),
            volume: policy::VOLUMES.of(sheet),
            fault_slows: sheet.text("fault.kind") == "slow",
            fault_factor: sheet.count("fault.factor"),
            layout,
        }
    }

    pub(crate) fn member(&self, pipeline: u32, place: u8) -> Lp<Event> {
        self.nodes.at(self.layout.member(pipeline, place))
    }

    /// Log-uniform size; `part`: random, 0–1.
    pub(crate) fn size(&self, part: f64) -> u64 {
        let (least, most) = self.sizes;
        if least == most {
            return least;
        }
        let (a, b) = (libm::log(least as f64), libm::log(most as f64));
        units::rounded_u64(libm::exp(a + (b - a) * part)).clamp(least, most)
    }
}

/// Clients wait for all three replicas; before Ozone 2.0 they always do.
fn watches_all(sheet: &Sheet) -> bool {
    let by_version = !version::of_sheet(sheet).has_watch_type;
    by_version || sheet.text("ozone-site.hdds.ratis.client.request.watch.type") == "ALL_COMMITTED"
}

/// The shorter of the client's and the leader's watch timeout (`WatchRequests`), with its key.
fn watch(sheet: &Sheet) -> (&'static str, Nanos) {
    let keys = [
        "ozone-site.hdds.ratis.client.request.watch.timeout",
        "ozone-site.hdds.ratis.raft.server.watch.timeout",
    ];
    let [client, server] = keys.map(|key| (key, sheet.time(key)));
    if server.1 < client.1 { server } else { client }
}

/// Gateways with at least one client.
pub(crate) fn gateways(sheet: &Sheet) -> u32 {
    sheet.count32("workload.gateways").min(sheet.count32("workload.clients"))
}
