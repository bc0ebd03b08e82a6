//! Facts about a scenario that the report's sentences need in addition to the traces.
use cluster::{NodeId, Origin, RackId, catalogue};
use hdfs_reading::{AffectedPart, Context, EventType};
use hdfs_scenario::{Blocks, Event, EventKind, Imported, Pacing, Scenario, cluster_file};
use page::Provenance;
use std::path::{Path, PathBuf};
use units::{BytesPerSec, Nanos};

/// `blocks`: blocks of the scenario's first run.
pub fn context(scenario: &Scenario, blocks: u64) -> Context {
    Context {
        lost: lost(scenario),
        besides: besides(scenario),
        pacing: pacing(scenario.policy.pacing).into(),
        blocks,
        replication: u32::from(scenario.hdfs.replication),
        detection: detection(scenario),
        namenode: setting(scenario, "cluster.namenode").map(str::to_string),
        hadoop: imported(scenario).and_then(|file| file.hadoop),
        settings: settings(scenario),
        logged: false,
    }
}

/// Detection time (least, most) \[s\] as in `HeartbeatManager`: a node is dead after 2 recheck
/// intervals and 10 heartbeats of silence, checked once per recheck interval.
fn detection(scenario: &Scenario) -> Option<(f64, f64)> {
    let h = &scenario.hdfs;
    let recheck = h.heartbeat_recheck_interval.as_secs();
    let least = 2.0 * recheck + 10.0 * h.heartbeat_interval.as_secs();
    let is_timed = scenario.policy.pacing != Pacing::EventDriven;
    is_timed.then_some((least, least + recheck))
}

/// The file of the imported cluster, as the scenario names it.
pub fn cluster_file(scenario: &Scenario) -> Option<&Path> {
    setting(scenario, "cluster.import").map(Path::new)
}

/// Path of that file: relative to the scenario, or to the current folder if the command line has
/// it.
pub fn cluster_path(scenario: &Scenario) -> Option<PathBuf> {
    let import = scenario.settings.iter().find(|s| s.key == "cluster.import")?;
    Some(match &import.origin {
        Origin::File { file, .. } => file.with_file_name(&import.value),
        _ => PathBuf::from(&import.value),
    })
}

/// Content of that file, with which the scenario was read.
pub fn imported(scenario: &Scenario) -> Option<Imported> {
    cluster_path(scenario).and_then(|path| cluster_file::read(&path).ok())
}

fn setting<'a>(scenario: &'a Scenario, key: &str) -> Option<&'a str> {
    scenario.settings.iter().find(|s| s.key == key).map(|s| s.value.as_str())
}

/// Caveats about the input data for every page and exported text.
pub fn caveats(scenario: &Scenario) -> Vec<String> {
    let synthesised = matches!(scenario.blocks, Blocks::Synthesised(_));
    let synthesised = synthesised.then(|| "block map synthesised".into());
    synthesised.into_iter().chain(without_seeks(scenario)).collect()
}

/// Largest rate of a hard disk.
const HARD_DISK: BytesPerSec = BytesPerSec::mb(300);

/// A caveat for a real cluster whose disks are given as a rate, without seeks between streams.
fn without_seeks(scenario: &Scenario) -> Option<String> {
    let disk = &scenario.hardware.disk;
    let is_rate = setting(scenario, "hardware.disk").is_some_and(|v| catalogue::disk(v).is_none());
    let is_real = cluster_file(scenario).is_some();
    let hard = catalogue::disk("hdd-7200").expect("a disk of the catalogue");
    (is_real && is_rate && disk.seek == Nanos::ZERO && disk.rate <= HARD_DISK).then(|| {
        format!(
            "hardware.disk is a rate without seeks: for hard disks set hardware.disk_seek = {} as \
             {} has it",
            hard.seek, hard.name
        )
    })
}

/// Source of the block map, for `--json` and a trace's run table.
pub fn block_map(scenario: &Scenario) -> &'static str {
    match scenario.blocks {
        Blocks::Parquet { .. } => "listed",
        Blocks::Synthesised(_) => "synthesised",
        Blocks::Drawn(_) => "drawn",
        Blocks::Given(_) => "given",
    }
}

/// Row of a trace's run table for a synthesised map.
pub fn drawn_map(scenario: &Scenario) -> Option<(String, String)> {
    let synthesised = matches!(scenario.blocks, Blocks::Synthesised(_));
    synthesised.then(|| ("block_map".into(), "synthesised".into()))
}

/// Lost and leaving targets, each once; whole racks by name.
fn lost(scenario: &Scenario) -> Vec<AffectedPart> {
    let labels = scenario.cluster.labels();
    let mut all: Vec<AffectedPart> = Vec::new();
    for event in &scenario.events {
        let (event_type, id) = match event.kind {
            EventKind::NodeLost(node) => (EventType::Node, node),
            EventKind::DiskLost(node, _) => (EventType::Disk, node),
            EventKind::Decommission(node) => (EventType::Leaving, node),
            EventKind::Maintenance(node) => (EventType::Maintenance, node),
            _ => continue,
        };
        let rack = scenario.cluster.nodes[id.at()].rack;
        let (label, place) = (&labels[id.at()], scenario.cluster.racks[rack.at()].name.clone());
        let (name, event_type) = match (event.kind, whole_rack(scenario, rack, event.at)) {
            (EventKind::DiskLost(_, disk), _) => (format!("{label} disk {}", disk.0), event_type),
            (EventKind::NodeLost(_), Some(nodes)) => (place.clone(), EventType::Rack { nodes }),
            _ => (label.clone(), event_type),
        };
        let one = AffectedPart { name, rack: place, event_type };
        if !all.contains(&one) {
            all.push(one)
        }
    }
    all
}

/// Number of nodes of a rack that fall silent at `at`, if it is several and all live ones.
fn whole_rack(scenario: &Scenario, rack: RackId, at: Nanos) -> Option<u32> {
    let silent = |node: NodeId| {
        let mut events = scenario.events.iter();
        events.any(|event| event.at == at && event.kind == EventKind::NodeLost(node))
    };
    let mut nodes = scenario.cluster.racks[rack.at()].nodes.clone();
    nodes.retain(|node| scenario.cluster.nodes[node.at()].alive);
    let whole = nodes.len() > 1 && nodes.iter().all(|node| silent(*node));
    whole.then(|| u32::try_from(nodes.len()).expect("ids of nodes are no longer"))
}

/// Other events: returned nodes, slow hardware.
fn besides(scenario: &Scenario) -> Vec<String> {
    let labels = scenario.cluster.labels();
    let racks = &scenario.cluster.racks;
    let said = |event: &Event| match event.kind {
        EventKind::NodeBack(node) => Some(format!("{} back", labels[node.at()])),
        EventKind::SlowDisk(node, disk, _) => {
            Some(format!("{} disk {} slow", labels[node.at()], disk.0))
        }
        EventKind::SlowNic(node, _) => Some(format!("NIC of {} slow", labels[node.at()])),
        EventKind::SlowUplink(rack, _) => Some(format!("uplink of {} slow", racks[rack.at()].name)),
        _ => None,
    };
    scenario.events.iter().filter_map(said).collect()
}

/// Value of `policy.pacing`.
pub fn pacing(pacing: Pacing) -> &'static str {
    match pacing {
        Pacing::EventDriven => "event-driven",
        Pacing::Hdfs1 => "hdfs1",
        Pacing::Hdfs3 => "hdfs3",
    }
}

/// Keys of real systems without their table; other keys unchanged.
fn settings(scenario: &Scenario) -> Vec<(String, String)> {
    let real = |key: &str| hdfs_reading::advice::real_key(key).to_string();
    scenario.settings.iter().map(|s| (real(&s.key), s.value.clone())).collect()
}

/// Lines of the page's foot: sources of the block map and of the cluster.
pub fn provenance(scenario: &Scenario) -> Vec<Provenance> {
    let row = |name: &str, value: String| Provenance { name: name.into(), value };
    let mut rows = Vec::new();
    if let Blocks::Synthesised(counted) = &scenario.blocks {
        let drawn = match scenario.concerned() {
            None => "synthesised: drawn for each seed to match every node’s numBlocks and used",
            Some(_) => {
                "synthesised: those that events concern are drawn for each seed to match their \
                 nodes’ numBlocks and used"
            }
        };
        rows.push(row("Block map", format!("{} blocks, {drawn}", counted.blocks)));
    }
    if let Blocks::Parquet { .. } | Blocks::Synthesised(_) = scenario.blocks {
        let imported = scenario.settings.iter().find_map(|s| match &s.origin {
            Origin::Imported { file, .. } => Some(file.display().to_string()),
            _ => None,
        });
        rows.extend(imported.map(|file| row("Cluster", file)));
    }
    rows
}
