//! Builds a scenario from its layers.
use super::balancer;
use super::foreground;
use super::import::Imports;
use super::{Balancer, Blocks, Scenario, Workload, hash, resolve, typed};
use crate::cluster_file::ImportedFile;
use crate::keys::BALANCER_START;
use crate::{ImportedBlocks, synthetic};
use cluster::document::{Document, Entry, Place};
use cluster::paths::{beside, stem};
use cluster::sheet::layers::Layer;
use cluster::sheet::values::{Defaults, Values};
use cluster::sheet::{Assemble, Source, events};
use cluster::{Cluster, InterRack, Origin, Problem, Sheet};
use std::sync::Arc;

/// More nodes than any real cluster has, and than a run can hold.
const MOST_NODES: u64 = 1_000_000;

/// Builds scenarios from documents; reads each imported cluster file once.
pub fn assembly() -> Box<Assemble> {
    let mut imports = Imports::default();
    Box::new(move |source| assemble(source, &mut imports))
}

/// Builds a sheet without rows, whose `own` is the scenario.
fn assemble(source: &Source, imports: &mut Imports) -> Result<Sheet, Vec<Problem>> {
    let Source { document, sets, vocabulary, .. } = source;
    refuse_cluster_file(document)?;
    let mut values = Values::default();
    let import = import_entry(document, sets).map(|entry| imports.load(entry)).transpose();
    let import = import.unwrap_or_else(|problems| {
        values.problems = problems;
        None
    });
    for entry in import.iter().flat_map(|file| &file.entries) {
        values.take(vocabulary, entry, Layer::ClusterFile)
    }
    document.entries.iter().for_each(|entry| values.take(vocabulary, entry, Layer::Scenario));
    sets.iter().for_each(|entry| values.take(vocabulary, entry, Layer::CommandLine));
    let parts = events::read(vocabulary, document, sets, &mut values.problems);
    let import_failed = import.is_none() && import_entry(document, sets).is_some();
    let shape_is_clear = refuse_mixed_shape(document, sets, &mut values) && !import_failed;
    values.fill(vocabulary, &defaults(document, &values, import.as_deref()));
    if !shape_is_clear {
        return Err(values.problems);
    }
    let cluster = cluster(&mut values, import.as_deref());
    let Some(cluster) = cluster else { return Err(values.problems) };
    let blocks = blocks(&mut values, import.as_deref());
    let disks = values.narrow("hardware.disks_per_node");
    let others = values.problems.len();
    let events = resolve::resolve(&parts, &cluster, disks, &mut values.problems);
    say_who_is_there(&mut values, others);
    let until = values.slot("run.until").clone();
    events::refuse_late(&parts, &until, &mut values.problems);
    let foreground = foreground::read(&mut values, &cluster, &events);
    if import.is_none() && parts.is_empty() {
        refuse_no_event(document, &mut values)
    }
    balancer::refuse(&mut values, &events, &cluster);
    refuse_idle_disks(&mut values, &cluster, import.as_deref());
    let hardware = typed::hardware(&values);
    refuse_three_racks_on_one_link(&mut values, &cluster, hardware.inter_rack_kind);
    refuse_groups(&mut values, &cluster);
    refuse_lists_in_rounds(&mut values);
    let (Some(blocks), true) = (blocks, values.problems.is_empty()) else {
        return Err(values.problems);
    };
    let mut sheet = Sheet::of(source, values, parts, String::new());
    let values = &sheet.values;
    let mut scenario = Scenario {
        name: sheet.name.clone(),
        file: sheet.file.clone(),
        hash: String::new(),
        cluster,
        blocks,
        foreground,
        hardware,
        hdfs: typed::hdfs(values),
        balancer: Balancer::read(values),
        policy: typed::policy(values),
        model: typed::model(values),
        events,
        run: typed::run(values),
        settings: sheet.settings.clone(),
    };
    scenario.hash = hash::hash(&scenario, values);
    sheet.hash.clone_from(&scenario.hash);
    sheet.import = import.map(|file| file.file.to_path_buf());
    sheet.own = Some(Arc::new(scenario));
    Ok(sheet)
}

/// Reports a cluster file that was passed as a scenario.
fn refuse_cluster_file(document: &Document) -> Result<(), Vec<Problem>> {
    let Some(nodes) = document.get("cluster.nodes") else { return Ok(()) };
    let name = document.file.file_name().unwrap_or_default().to_string_lossy();
    let expected = format!("a scenario that names it: [cluster] import = \"{name}\"");
    Err(vec![nodes.place.problem("cluster.nodes", "this is a cluster file", expected)])
}

fn import_entry<'a>(document: &'a Document, sets: &'a [Entry]) -> Option<&'a Entry> {
    let set = sets.iter().rev().find(|entry| entry.key == "cluster.import");
    set.or_else(|| document.get("cluster.import"))
}

/// A scenario has either a synthetic cluster or an import.
fn refuse_mixed_shape(document: &Document, sets: &[Entry], values: &mut Values) -> bool {
    const SYNTHETIC: [&str; 8] = [
        "cluster.racks",
        "cluster.nodes_per_rack",
        "workload.blocks_on_lost_node",
        "workload.block_bytes",
        "workload.redundancy",
        "workload.blocks",
        "workload.balancer.mean_utilisation",
        "workload.balancer.new_nodes_per_rack",
    ];
    let all = || document.entries.iter().chain(sets);
    if import_entry(document, sets).is_some() {
        let mixed: Vec<_> = all().filter(|e| SYNTHETIC.contains(&e.key.as_str())).collect();
        for entry in &mixed {
            let problem = "belongs to a synthetic cluster, but `cluster.import` is set";
            let expected = "one of the two";
            values.problems.push(entry.place.problem(&entry.key, problem, expected))
        }
        return mixed.is_empty();
    }
    let given = |key: &str| all().any(|entry| entry.key == key);
    let missing: Vec<_> = SYNTHETIC[..3].iter().filter(|key| !given(key)).collect();
    for key in &missing {
        let mut problem = Problem::of_file(&document.file, "is missing", "a whole number above 0");
        if !given("cluster.racks") && !given("cluster.nodes_per_rack") {
            if **key != "cluster.racks" {
                continue;
            }
            problem.expected = "racks and nodes_per_rack, or import = \"CLUSTER.toml\"".into();
        }
        problem.key = key.to_string();
        values.problems.push(problem)
    }
    missing.is_empty() && SYNTHETIC[..3].iter().all(|key| values.find(key).is_some())
}

fn defaults(document: &Document, values: &Values, import: Option<&ImportedFile>) -> Defaults {
    let one_rack = match import {
        Some(file) => file.imported.cluster.racks.len() == 1,
        None => values.find("cluster.racks").is_some_and(|slot| slot.text == "1"),
    };
    Defaults {
        name: import.map_or(stem(&document.file), |file| file.imported.cluster.name.clone()),
        imported: import.is_some(),
        one_rack,
        disks_origin: import.and_then(disks_told),
    }
}

/// The line of `nodes`, if the import has the disks of every node.
fn disks_told(file: &ImportedFile) -> Option<Origin> {
    let all = file.imported.cluster.nodes.iter().all(|node| node.disks > 0);
    match &file.nodes_at {
        Place::File(file, line) if all => {
            Some(Origin::Imported { file: file.to_path_buf(), line: *line })
        }
        _ => None,
    }
}

fn cluster(values: &mut Values, import: Option<&ImportedFile>) -> Option<Cluster> {
    let disks = values.narrow("hardware.disks_per_node");
    let name = values.text("cluster.name").to_string();
    if let Some(file) = import {
        let mut cluster = Cluster { name, ..file.imported.cluster.clone() };
        let untold = cluster.nodes.iter_mut().filter(|node| node.disks == 0);
        untold.for_each(|node| node.disks = disks);
        return Some(cluster);
    }
    let (racks, nodes) = (values.count("cluster.racks"), values.count("cluster.nodes_per_rack"));
    if racks * nodes > MOST_NODES {
        let problem = format!("{racks} racks of {nodes} nodes are {} nodes", racks * nodes);
        let (key, place) = values.reported_key(&["cluster.nodes_per_rack", "cluster.racks"]);
        let expected = format!("at most {MOST_NODES}");
        values.problems.push(place.problem(key, problem, expected));
        return None;
    }
    Some(synthetic::cluster(
        &name,
        values.narrow("cluster.racks"),
        values.narrow("cluster.nodes_per_rack"),
        disks,
    ))
}

/// Explains targets that are missing because `--set` changed the cluster: extends the problems
/// after the first `others`.
fn say_who_is_there(values: &mut Values, others: usize) {
    let (key, place) =
        values.reported_key(&["cluster.racks", "cluster.nodes_per_rack", "cluster.import"]);
    if !matches!(place, Place::CommandLine) || values.find(key).is_none() {
        return;
    }
    for problem in values.problems.iter_mut().skip(others) {
        problem.expected += &format!("; `--set {key}` has changed the nodes")
    }
}

fn blocks(values: &mut Values, import: Option<&ImportedFile>) -> Option<Blocks> {
    let Some(file) = import else {
        return Some(Blocks::Drawn(Workload {
            blocks_on_lost_node: values.narrow("workload.blocks_on_lost_node"),
            block_bytes: values.bytes("workload.block_bytes"),
            code: typed::code(values),
            concerned_only: values.text("workload.blocks") == "concerned",
        }));
    };
    match &file.imported.blocks {
        Some(ImportedBlocks::File(map)) => {
            let (path, sha256) = (beside(&file.file, &map.file), map.sha256.clone());
            let (blocks, replicas) = (map.blocks, map.replicas);
            return Some(Blocks::Parquet { path, sha256, blocks, replicas });
        }
        Some(ImportedBlocks::Synthesised(synthesis)) => {
            return Some(Blocks::Synthesised(synthesis.clone()));
        }
        None => {}
    }
    let expected = "an import with `--fsck FILE`, which lists block locations, or `--jmx FILE`, \
                    which counts blocks";
    values.problems.push(Problem::of_file(&file.file, "has no [blocks]", expected));
    None
}

/// A scenario without an event has nothing to simulate, unless it runs the balancer.
fn refuse_no_event(document: &Document, values: &mut Values) {
    let event_is_wrong = values.problems.iter().any(|p| p.key.starts_with("event"));
    if !event_is_wrong && values.find(BALANCER_START).is_none() {
        let file = Problem::of_file(&document.file, "has no [[event]]", "at least one event");
        values.problems.push(file)
    }
}

/// If the import has the disks of every node, another number in the scenario has no effect.
fn refuse_idle_disks(values: &mut Values, cluster: &Cluster, import: Option<&ImportedFile>) {
    let Some(file) = import.filter(|file| disks_told(file).is_some()) else { return };
    let slot = values.slot("hardware.disks_per_node");
    let Some(place) = &slot.place else { return };
    let of_import = matches!(place, Place::File(at, _) if *at == file.file);
    let disks = values.count("hardware.disks_per_node");
    if !of_import && cluster.nodes.iter().any(|node| node.disks as u64 != disks) {
        let problem = format!("{disks} has no effect: the import has the disks of every node");
        let problem = place.problem("hardware.disks_per_node", problem, "no such line");
        values.problems.push(problem)
    }
}

fn refuse_three_racks_on_one_link(values: &mut Values, cluster: &Cluster, kind: InterRack) {
    const KIND: &str = "hardware.inter_rack_kind";
    let keys = [KIND, "cluster.racks", "cluster.import"];
    if kind != InterRack::OneLink || cluster.racks.len() <= 2 || values.have_problems(&keys) {
        return;
    }
    let racks = cluster.racks.len();
    let (key, place) = values.reported_key(&keys);
    let problem = match key == KIND {
        true => place.problem(
            key,
            format!("\"one-link\" joins two racks, but there are {racks}"),
            "\"uplinks\"",
        ),
        false => place.problem(
            key,
            format!("{racks} racks, and {KIND} = \"one-link\" joins two"),
            format!("two racks, or `--set {KIND}=uplinks`"),
        ),
    };
    values.problems.push(problem)
}

/// In rounds a source has no list of copies from the start.
fn refuse_lists_in_rounds(values: &mut Values) {
    let pacing = values.text("policy.pacing").to_string();
    if values.text("policy.sources_chosen") == "before" && pacing != "event-driven" {
        let (key, place) = values.reported_key(&["policy.sources_chosen", "policy.pacing"]);
        let problem = format!("pacing {pacing:?} cannot choose all sources before");
        let expected = "policy.pacing = \"event-driven\", or policy.sources_chosen = \"at-start\"";
        values.problems.push(place.problem(key, problem, expected))
    }
}

/// A group needs a node for each internal block, and a Hadoop version with erasure coding.
fn refuse_groups(values: &mut Values, cluster: &Cluster) {
    let Some((data, parity)) = typed::code(values) else { return };
    let sound = values.problems.is_empty();
    let balancer = sound.then(|| Balancer::read(values)).flatten();
    let new = balancer.map_or(0, |b| b.new_nodes(cluster).count());
    let (wanted, nodes) = (usize::from(data + parity), cluster.nodes.len() - new);
    if nodes < wanted {
        let slot = values.slot("workload.redundancy");
        let problem = format!(
            "{} puts {wanted} internal blocks on different nodes, but there are {nodes}",
            slot.text
        );
        let (key, place) = values.reported_key(&[
            "workload.redundancy",
            "cluster.nodes_per_rack",
            "cluster.racks",
        ]);
        let expected = format!("{wanted} nodes or more, or a smaller code");
        values.problems.push(place.problem(key, problem, expected))
    }
    if values.text("policy.pacing") != "hdfs3" {
        let (key, place) = values.reported_key(&["policy.pacing", "workload.redundancy"]);
        let pacing = &values.slot("policy.pacing").text;
        let problem = format!("pacing {pacing:?} has no erasure-coded groups");
        let expected = "policy.pacing = \"hdfs3\", or workload.redundancy = \"replicated\"";
        values.problems.push(place.problem(key, problem, expected))
    }
}
