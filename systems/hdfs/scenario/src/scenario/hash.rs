use super::{Blocks, EventKind, Foreground, Scenario, Workload};
use crate::Synthesis;
use crate::keys::{self, Key, KeyDefault};
use cluster::sheet::values::{Slot, Values};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Keys that affect display or comparison only.
const NOT_HASHED: [&str; 7] = [
    "model.system",
    "cluster.import",
    "cluster.name",
    "cluster.namenode",
    "run.seeds",
    "workload.foreground.shares",
    "workload.blocks_on_lost_node",
];

/// Keys added later. They are not hashed at their defaults, so that older scenarios keep their
/// hash.
const LATER: [&str; 4] = [
    "policy.sources_chosen",
    "workload.redundancy",
    "hdfs-site.dfs.datanode.ec.reconstruction.xmits.weight",
    "hdfs-site.dfs.datanode.ec.reconstruction.threads",
];

/// SHA-256 in hexadecimal over everything that determines a run except its seed: modelled keys with
/// normalised values, nodes, events and the block map. Not hashed: file names, comments, order,
/// `[compare]`, and keys that no model reads.
pub(super) fn hash(scenario: &Scenario, values: &Values) -> String {
    let mut text = String::new();
    let idle = |key: &str| scenario.balancer.is_none() && keys::is_balancers(key);
    let later = |key: &Key, slot: &Slot| {
        let is_default = matches!(key.absent, KeyDefault::Default(text) if text == slot.text);
        LATER.contains(&key.name) && is_default
    };
    let counts = |key: &Key, slot: &Slot| {
        !NOT_HASHED.contains(&key.name) && !idle(key.name) && !later(key, slot)
    };
    for (key, slot) in values.all(&keys::HDFS).filter(|(key, slot)| counts(key, slot)) {
        // The first two networks keep the text of the key before, so that old hashes stay valid.
        let _ = match (key.name, slot.text.as_str()) {
            ("model.network", "fair") => writeln!(text, "model.latency_weights = false"),
            ("model.network", "CM02") => writeln!(text, "model.latency_weights = true"),
            _ => writeln!(text, "{} = {}", key.name, slot.typed),
        };
    }
    for node in &scenario.cluster.nodes {
        let rack = &scenario.cluster.racks[node.rack.at()].name;
        let _ = writeln!(text, "{rack} {node:?}");
    }
    for event in &scenario.events {
        // Node losses keep the format of the first version, so that old hashes stay valid.
        let _ = match event.kind {
            EventKind::NodeLost(node) => writeln!(text, "{} lost {}", event.at, node.0),
            kind => writeln!(text, "{} {kind:?}", event.at),
        };
    }
    if let Some(Foreground { shares: Some(shares), .. }) = &scenario.foreground {
        let _ = writeln!(text, "shares {shares:?}");
    }
    let _ = match &scenario.blocks {
        Blocks::Parquet { sha256, .. } => writeln!(text, "blocks {sha256}"),
        Blocks::Synthesised(synthesis) => writeln!(text, "blocks {}", counted(synthesis)),
        Blocks::Drawn(workload) => writeln!(text, "blocks {}", drawn(workload)),
        Blocks::Given(map) => writeln!(text, "blocks {map:?}"),
    };
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Keeps the text of versions that always drew the complete map, so that old hashes stay valid.
fn counted(synthesis: &Synthesis) -> String {
    let Synthesis { blocks, under_replicated, groups, coded, held, concerned } = synthesis;
    let part = if *concerned { " concerned" } else { "" };
    format!(
        "Synthesis {{ blocks: {blocks:?}, under_replicated: {under_replicated:?}, groups: \
         {groups:?}, coded: {coded:?}, held: {held:?} }}{part}"
    )
}

/// Keeps the text of versions without erasure-coded groups, so that old hashes stay valid.
fn drawn(workload: &Workload) -> String {
    let Workload { blocks_on_lost_node, block_bytes, code, concerned_only } = workload;
    let groups = code.map_or(String::new(), |(data, parity)| format!(" {data}+{parity}"));
    format!(
        "Workload {{ blocks_on_lost_node: {blocks_on_lost_node:?}, block_bytes: {block_bytes:?}, \
         concerned_only: {concerned_only:?} }}{groups}"
    )
}
