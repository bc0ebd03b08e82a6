//! What the report's sentences need to know beyond the traces.
use crate::job;
use analysis::report::Provenance;
use analysis::{Assumption, Context, Lost};
use cluster::{Blocks, EventKind, Origin, Pacing, Scenario};
use std::path::Path;

/// Of a page about `scenario`, whose first run had `blocks` blocks and this trace hash.
pub fn context(
    scenario: &Scenario,
    blocks: u64,
    trace_hash: u128,
    assumptions: Vec<Assumption>,
) -> Context {
    Context {
        scenario: scenario.name.clone(),
        file: edited_in(scenario),
        lost: lost(scenario),
        pacing: pacing(scenario.policy.pacing).into(),
        blocks,
        replication: u32::from(scenario.hdfs.replication),
        namenode: setting(scenario, "cluster.namenode").map(str::to_string),
        settings: settings(scenario),
        assumptions,
        tags: doubts(scenario),
        command: job::command_line(),
        provenance: provenance(scenario, trace_hash),
    }
}

/// The imported cluster's file, as the scenario names it.
pub fn cluster_file(scenario: &Scenario) -> Option<&Path> {
    setting(scenario, "cluster.import").map(Path::new)
}

fn setting<'a>(scenario: &'a Scenario, key: &str) -> Option<&'a str> {
    scenario.settings.iter().find(|s| s.key == key).map(|s| s.value.as_str())
}

/// What every page must say of its data.
fn doubts(scenario: &Scenario) -> Vec<String> {
    let synthesised = matches!(scenario.blocks, Blocks::Synthesised(_));
    synthesised.then(|| "block map synthesised".into()).into_iter().collect()
}

/// Assumed values of an imported cluster are edited in its file.
fn edited_in(scenario: &Scenario) -> String {
    let file = cluster_file(scenario).unwrap_or(&scenario.file);
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Nodes that something happens to, each once.
fn lost(scenario: &Scenario) -> Vec<Lost> {
    let labels = scenario.cluster.labels();
    let mut all: Vec<Lost> = Vec::new();
    for event in &scenario.events {
        let Some(id) = event.kind.node() else { continue };
        let node = &scenario.cluster.nodes[id.at()];
        let name = match event.kind {
            EventKind::DiskLost(_, disk) => format!("{} disk {}", labels[id.at()], disk.0),
            _ => labels[id.at()].clone(),
        };
        let rack = scenario.cluster.racks[node.rack.at()].name.clone();
        let one = Lost { name, rack };
        if !all.contains(&one) {
            all.push(one)
        }
    }
    all
}

/// As the scenario writes it.
pub fn pacing(pacing: Pacing) -> &'static str {
    match pacing {
        Pacing::EventDriven => "event-driven",
        Pacing::Hdfs1 => "hdfs1",
        Pacing::Hdfs3 => "hdfs3",
    }
}

/// Real systems' keys without their table, the others as they are.
fn settings(scenario: &Scenario) -> Vec<(String, String)> {
    let real = |key: &str| analysis::advice::real_key(key).to_string();
    scenario.settings.iter().map(|s| (real(&s.key), s.value.clone())).collect()
}

fn provenance(scenario: &Scenario, trace_hash: u128) -> Vec<Provenance> {
    let row = |name: &str, value: String| Provenance { name: name.into(), value };
    let mut rows = vec![
        row("Scenario", scenario.hash[..8].to_string()),
        row("Trace", job::hash_text(trace_hash)),
        row("tenbin", env!("CARGO_PKG_VERSION").into()),
    ];
    if let Blocks::Synthesised(counted) = &scenario.blocks {
        let drawn = "synthesised: drawn for each seed to match every node’s numBlocks and used";
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
