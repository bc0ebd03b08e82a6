//! Blocks that no setting can repair, which a plan excludes.
use crate::failure::Failure;
use crate::job;
use cluster::{Admin, NodeId};
use hdfs_reading::Run;
use hdfs_reading::words::small_number;
use hdfs_scenario::{EventKind, Scenario};
use std::collections::BTreeSet;
use std::fmt::Write;

/// # Errors
/// If nothing is lost or can be repaired: no node is left, too few are for a block's replicas, or
/// no block at risk has a replica left.
pub fn refuse(scenario: &Scenario, runs: &[&Run]) -> Result<(), Failure> {
    refuse_nothing(scenario, runs)?;
    let why = none_left(runs).or_else(|| too_few(scenario, runs));
    let why = why.or_else(|| none_repairable(runs));
    let Some(why) = why else { return Ok(()) };
    let lost = runs.iter().map(|run| run.blocks_lost()).max().unwrap_or(0);
    let blocks = match lost {
        0 => String::new(),
        n => format!(" {} lost: no live replica is left.", are(n, "block")),
    };
    Err(job::bad(format!("{}.{blocks} {why}; nothing was written", are_silent(scenario))))
}

/// Without a loss, blocks already at risk are the repair: a rebuild under way.
fn refuse_nothing(scenario: &Scenario, runs: &[&Run]) -> Result<(), Failure> {
    if !scenario.events.is_empty() || runs.iter().any(|run| run.blocks_affected() > 0) {
        return Ok(());
    }
    let beyond = match runs.iter().map(|run| run.blocks_beyond_nodes()).max().unwrap_or(0) {
        0 => String::new(),
        n => format!(" except {n}, which want more replicas than there are nodes"),
    };
    Err(job::bad(format!(
        "no node is lost, and no block is under-replicated{beyond}: expected --lose NODE, --lose \
         rack=/RACK, --decommission NODE or rack=/RACK or @FILE, or --maintenance of the same; or, \
         to plan a rebuild in progress, an import of the cluster during the rebuild; nothing was \
         written",
    )))
}

/// Refuses, before any run, to remove too many nodes from service for the run to end.
///
/// # Errors
/// If fewer nodes stay than a block expects replicas, or none stays for the replica that
/// maintenance requires.
pub fn refuse_to_empty(scenario: &Scenario) -> Result<(), Failure> {
    refuse_to_decommission_all(scenario)?;
    refuse_to_rest_all(scenario)
}

fn refuse_to_decommission_all(scenario: &Scenario) -> Result<(), Failure> {
    let (mut leaving, mut gone) = (BTreeSet::new(), BTreeSet::new());
    for event in &scenario.events {
        match event.kind {
            EventKind::Decommission(node) => leaving.insert(node),
            EventKind::NodeLost(node) => gone.insert(node),
            _ => false,
        };
    }
    let all = scenario.cluster.nodes.iter().filter(|node| node.alive).count();
    let stay = all.saturating_sub(leaving.union(&gone).count());
    let wanted = usize::from(scenario.hdfs.replication);
    if leaving.is_empty() || stay >= wanted {
        return Ok(());
    }
    Err(job::bad(format!(
        "--decommission of {} of {all} nodes: a block wants {} replicas, but {} left for them, so \
         HDFS would never end; nothing was written",
        leaving.len(),
        small_number(wanted),
        are(stay as u64, "node")
    )))
}

/// Maintenance requires one replica in service elsewhere (default of
/// `dfs.namenode.maintenance.replication.min`).
fn refuse_to_rest_all(scenario: &Scenario) -> Result<(), Failure> {
    let (mut sent, mut out) = (BTreeSet::new(), BTreeSet::new());
    for event in &scenario.events {
        match event.kind {
            EventKind::Maintenance(node) => sent.insert(node),
            EventKind::Decommission(node) | EventKind::NodeLost(node) => out.insert(node),
            EventKind::NodeBack(node) => out.remove(&node),
            _ => false,
        };
    }
    out.extend(&sent);
    let serves = |node: &&cluster::Node| node.alive && node.admin == Admin::InService;
    let nodes = &scenario.cluster.nodes;
    let stays = (0..).map(NodeId).zip(nodes).any(|(id, node)| serves(&node) && !out.contains(&id));
    if sent.is_empty() || stays {
        return Ok(());
    }
    Err(job::bad(format!(
        "--maintenance of {} of {} nodes: each of their blocks needs a replica on a node in \
         service, but no node is left, so HDFS would never end; nothing was written",
        sent.len(),
        nodes.iter().filter(|node| node.alive).count()
    )))
}

/// Nodes in maintenance now or by an event.
pub fn resting(scenario: &Scenario) -> usize {
    let sent = |event: &hdfs_scenario::Event| match event.kind {
        EventKind::Maintenance(node) => Some(node),
        _ => None,
    };
    let rests = [Admin::InMaintenance, Admin::EnteringMaintenance];
    let nodes = scenario.cluster.nodes.iter().filter(|node| rests.contains(&node.admin));
    nodes.count() + scenario.events.iter().filter_map(sent).collect::<BTreeSet<NodeId>>().len()
}

/// Reports blocks that expect more replicas than there are nodes.
pub fn beyond_nodes<'a>(text: &mut String, runs: impl Iterator<Item = &'a Run>) {
    let _ = match runs.map(Run::blocks_beyond_nodes).max().unwrap_or(0) {
        0 => Ok(()),
        n => writeln!(
            text,
            "{n} {} more replicas than there are nodes; all times are those of the other blocks. \
             The import names the files; `hdfs dfs -setrep` lowers their replication.",
            if n == 1 { "block wants" } else { "blocks want" }
        ),
    };
}

fn none_left(runs: &[&Run]) -> Option<String> {
    let none = runs.iter().all(|run| run.live_nodes == 0);
    none.then(|| "No node is left for repairs, with any setting".into())
}

fn too_few(scenario: &Scenario, runs: &[&Run]) -> Option<String> {
    let wanted = u32::from(scenario.hdfs.replication);
    let few = |run: &&Run| run.recovery_s().is_none() && run.live_nodes < wanted;
    let live = runs.iter().map(|run| run.live_nodes).max()?;
    runs.iter().all(few).then(|| {
        format!(
            "A block wants {} replicas, but {} left: no setting repairs that",
            small_number(wanted as usize),
            are(live.into(), "node")
        )
    })
}

fn none_repairable(runs: &[&Run]) -> Option<String> {
    let gone = |run: &&Run| run.blocks_lost() > 0 && run.blocks_affected() <= run.blocks_lost();
    runs.iter().all(gone).then(|| "No other block is at risk: nothing to repair".into())
}

/// "20 of 40 nodes are lost"; counts nodes, also of lost racks.
fn are_silent(scenario: &Scenario) -> String {
    let node = |kind: &EventKind| match kind {
        EventKind::NodeLost(node) => Some(*node),
        _ => None,
    };
    let nodes: BTreeSet<NodeId> = scenario.events.iter().filter_map(|e| node(&e.kind)).collect();
    match (nodes.len(), scenario.cluster.nodes.len()) {
        (lost, all) if lost == all => format!("All {all} nodes are lost"),
        (lost, all) => format!("{lost} of {all} nodes are lost"),
    }
}

fn are(n: u64, what: &str) -> String {
    match n {
        1 => format!("1 {what} is"),
        n => format!("{n} {what}s are"),
    }
}
