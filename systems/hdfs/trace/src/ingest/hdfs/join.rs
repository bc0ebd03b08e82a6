//! Joins all inputs into one cluster: nodes by transfer address, numbered by rack and name.
use super::block_resolver::resolve_blocks;
use super::counts::Counts;
use super::inputs::Inputs;
use super::natural;
use super::topology::PlacedNode;
use crate::packed::PackedBlocks;
use cluster::{Admin, Cluster, Node, NodeId, Rack, RackId};
use import::{ImportError, issue};
use std::collections::BTreeMap;
use units::{Bytes, u32_of};

/// Rack of nodes without one (`NetworkTopology.DEFAULT_RACK`).
pub(super) const DEFAULT_RACK: &str = "/default-rack";

/// Assumed capacity of a disk, if the node's is unknown \[bytes\].
const ASSUMED_DISK: u64 = 8_000_000_000_000;
const ASSUMED_DISKS: u64 = 12;

#[derive(Default)]
struct Member {
    host: Option<String>,
    rack: Option<String>,
    dead: bool,
    admin: Option<Admin>,
    /// (capacity, remaining) \[bytes\].
    space: Option<(u64, u64)>,
    xceivers: u32,
    seen: Option<NodeId>,
}

pub(super) struct JoinedInputs {
    pub(super) cluster: Cluster,
    pub(super) blocks: PackedBlocks,
    pub(super) counts: Counts,
    /// (key, note) of each assumption.
    pub(super) assumed: Vec<(&'static str, String)>,
    pub(super) notes: Vec<String>,
    pub(super) disks_known: bool,
}

pub(super) fn join(name: &str, inputs: &mut Inputs) -> Result<JoinedInputs, ImportError> {
    let mut notes = Vec::new();
    let mut members = members(inputs, &mut notes)?;
    if members.is_empty() {
        let found = issue("no block, and no other input names a node", "at least one DataNode");
        return Err(found.advice("Give --report, too.").at(&inputs.fsck.0, None));
    }
    let mut assumed = Vec::new();
    infer_dead(inputs, &mut members, &mut assumed);
    infer_admin(inputs, &mut members);
    assume_racks(inputs, &mut members, &mut assumed);
    let disks_known = inputs.fsck.1.locations.storages;
    if !disks_known {
        let why = "the fsck listing has no storage ids (run it without -racks)";
        notes.push(format!("{why}: a node's replicas are distributed over its disks round-robin"))
    }
    if inputs.report.is_none() {
        let why = "no `hdfs dfsadmin -report`: every disk is assumed to have 8 TB";
        assumed.push(("nodes.capacity", why.into()))
    }
    if let (Some((file, report)), None) = (&inputs.report, &inputs.topology)
        && report.has_live
        && !report.has_dead
    {
        let unknown = "if it was made with -live, earlier dead nodes are unknown";
        notes.push(format!("{file} lists no dead node: {unknown}"))
    }
    let (cluster, places) = number(name, members, inputs);
    let (blocks, mut counts) = resolve_blocks(&mut inputs.fsck.1, &cluster, &places, &mut notes);
    counts.count_nodes(&cluster);
    Ok(JoinedInputs { cluster, blocks, counts, assumed, notes, disks_known })
}

/// All nodes by address. Fails for a replica on a node that the report or the topology lacks.
fn members(
    inputs: &Inputs,
    notes: &mut Vec<String>,
) -> Result<BTreeMap<String, Member>, ImportError> {
    let mut members = BTreeMap::<String, Member>::new();
    if let Some((_, report)) = &inputs.report {
        for node in &report.nodes {
            let member = Member {
                host: node.host.clone(),
                rack: node.rack.clone(),
                dead: !node.alive,
                admin: Some(node.admin),
                space: Some((node.capacity, node.remaining)),
                xceivers: node.xceivers,
                seen: None,
            };
            members.insert(node.address.clone(), member);
        }
    }
    if let Some((file, topology)) = &inputs.topology {
        let complete = inputs.report.as_ref().is_some_and(|(_, r)| r.has_live && r.has_dead);
        for node in topology {
            place(&mut members, node, file, complete, notes)
        }
    }
    let listed = members.len();
    let (file, fsck) = &inputs.fsck;
    for (at, seen) in fsck.locations.nodes.iter().enumerate() {
        if listed > 0 && !members.contains_key(&seen.address) {
            return Err(unknown(inputs, &seen.address).at(file, Some(seen.line)));
        }
        let member = members.entry(seen.address.clone()).or_default();
        member.seen = Some(NodeId(u32_of(at)));
        if member.rack.is_none() {
            member.rack = seen.rack.clone()
        }
    }
    Ok(members)
}

fn place(
    members: &mut BTreeMap<String, Member>,
    node: &PlacedNode,
    file: &str,
    complete: bool,
    notes: &mut Vec<String>,
) {
    if complete && !members.contains_key(&node.address) {
        let where_ = format!("{file}:{}", node.line);
        notes.push(format!(
            "{where_}: {} is not in the report: are they of different times?",
            node.address
        ))
    }
    let member = members.entry(node.address.clone()).or_default();
    if let Some(rack) = member.rack.as_ref().filter(|r| **r != node.rack) {
        let both = format!("in {rack} by the report, in {} here", node.rack);
        notes.push(format!("{file}:{}: {} is {both}: the report applies", node.line, node.address))
    }
    member.rack.get_or_insert_with(|| node.rack.clone());
    member.host = member.host.take().or_else(|| node.host.clone());
    member.admin = member.admin.or(node.admin)
}

fn unknown(inputs: &Inputs, address: &str) -> import::Issue {
    let lists: Vec<&str> = [
        inputs.report.as_ref().map(|(f, _)| f.as_str()),
        inputs.topology.as_ref().map(|(f, _)| f.as_str()),
    ]
    .into_iter()
    .flatten()
    .collect();
    issue(
        format!("a replica on {address}"),
        format!("only nodes that {} lists", lists.join(" or ")),
    )
    .advice("Take all outputs of one cluster at one time, the report without -live or -dead.")
}

/// Without a report, infers dead nodes: nodes without replicas, if their number matches fsck's
/// missing nodes.
fn infer_dead(
    inputs: &Inputs,
    members: &mut BTreeMap<String, Member>,
    assumed: &mut Vec<(&'static str, String)>,
) {
    if inputs.report.as_ref().is_some_and(|(_, r)| r.has_live) {
        return;
    }
    let (_, fsck) = &inputs.fsck;
    let Some(live) =
        fsck.summary.get(super::fsck::SummarySection::Replicated, "Number of data-nodes")
    else {
        return;
    };
    let short = (members.len() as u64).saturating_sub(live);
    let empty = members.values().filter(|m| m.seen.is_none()).count() as u64;
    if short == 0 || !fsck.root {
        return;
    }
    let why = format!("{} nodes are listed and {live} live ones counted", members.len());
    if empty == short {
        members.values_mut().filter(|m| m.seen.is_none()).for_each(|m| m.dead = true);
        let guess = format!("{why}: the {short} without a replica are assumed dead");
        assumed.push(("nodes.alive", guess))
    } else {
        let cannot = format!("{why}: only `hdfs dfsadmin -report` lists dead nodes");
        assumed.push(("nodes.alive", cannot))
    }
}

/// Without a report and a topology, the replicas' states show the admin state.
fn infer_admin(inputs: &Inputs, members: &mut BTreeMap<String, Member>) {
    let nodes = &inputs.fsck.1.locations.nodes;
    for member in members.values_mut().filter(|m| m.admin.is_none()) {
        member.admin = member.seen.and_then(|node| nodes[node.at()].admin)
    }
}

fn assume_racks(
    inputs: &Inputs,
    members: &mut BTreeMap<String, Member>,
    assumed: &mut Vec<(&'static str, String)>,
) {
    let told = inputs.report.is_some() || inputs.topology.is_some();
    let none = members.values().all(|m| m.rack.is_none());
    let said =
        inputs.fsck.1.summary.get(super::fsck::SummarySection::Replicated, "Number of racks");
    if none && !told && !members.is_empty() {
        let count = match said {
            Some(n) if n > 1 => format!(", but fsck counts {n} racks"),
            _ => String::new(),
        };
        let fix = "`hdfs dfsadmin -report` or -printTopology has them";
        let note = format!("no input names racks: all nodes in {DEFAULT_RACK}{count}: {fix}");
        if said != Some(1) {
            assumed.push(("cluster.racks", note))
        }
    }
    for member in members.values_mut() {
        member.rack.get_or_insert_with(|| DEFAULT_RACK.into());
    }
}

/// Sorts racks and nodes in natural order; returns the new id of each listed node.
fn number(
    name: &str,
    members: BTreeMap<String, Member>,
    inputs: &Inputs,
) -> (Cluster, Vec<NodeId>) {
    let rack_of = |m: &Member| m.rack.clone().unwrap_or_else(|| DEFAULT_RACK.into());
    let mut order: Vec<(String, Member)> = members.into_iter().collect();
    order.sort_by_cached_key(|(address, m)| {
        let host = m.host.as_deref().unwrap_or(address);
        (natural::key(&rack_of(m)), natural::key(host), natural::key(address))
    });
    let mut cluster = Cluster { name: name.into(), nodes: Vec::new(), racks: Vec::new() };
    let seen_nodes = &inputs.fsck.1.locations.nodes;
    let mut places = vec![NodeId(0); seen_nodes.len()];
    for (at, (address, member)) in order.into_iter().enumerate() {
        let (id, rack) = (NodeId(u32_of(at)), rack_of(&member));
        if cluster.racks.last().is_none_or(|r: &Rack| r.name != rack) {
            cluster.racks.push(Rack { name: rack, nodes: Vec::new() })
        }
        let last = cluster.racks.len() - 1;
        cluster.racks[last].nodes.push(id);
        let mut used = 0;
        if let Some(seen) = member.seen {
            places[seen.at()] = id;
            used = seen_nodes[seen.at()].bytes
        }
        cluster.nodes.push(node(address, member, RackId(u32_of(last)), inputs, used))
    }
    (cluster, places)
}

fn node(address: String, member: Member, rack: RackId, inputs: &Inputs, used: u64) -> Node {
    let storages = member.seen.map(|n| inputs.fsck.1.locations.nodes[n.at()].disks());
    let disks = storages.unwrap_or(0).max(inputs.data_dirs.unwrap_or(0));
    let assumed = ASSUMED_DISK * if disks == 0 { ASSUMED_DISKS } else { u64::from(disks) };
    let room = assumed.max(used.saturating_mul(2));
    let (capacity, remaining) = member.space.unwrap_or((room, room - used));
    Node {
        host: member.host.unwrap_or_else(|| address.clone()),
        address,
        rack,
        alive: !member.dead,
        admin: member.admin.unwrap_or_default(),
        capacity: Bytes(capacity),
        remaining: Bytes(remaining),
        xceivers: member.xceivers,
        disks,
    }
}
