//! One cluster from all inputs: nodes joined by transfer address, numbered by rack and name.
use super::error::{ImportError, bad};
use super::fsck::Fsck;
use super::inputs::Inputs;
use super::natural;
use super::topology::PlacedNode;
use cluster::{Admin, BlockMap, Cluster, DiskId, Node, NodeId, Rack, RackId, ReplicaState};
use std::collections::BTreeMap;
use units::Bytes;

/// The rack of nodes without one (`NetworkTopology.DEFAULT_RACK`).
pub(super) const DEFAULT_RACK: &str = "/default-rack";

/// What is taken for a node's disks where no capacity is known \[bytes\].
const ASSUMED_DISK: u64 = 8_000_000_000_000;
const ASSUMED_DISKS: u64 = 12;

/// A node as far as the inputs tell.
#[derive(Default)]
struct Member {
    host: Option<String>,
    rack: Option<String>,
    dead: bool,
    admin: Option<Admin>,
    /// Capacity, remaining \[bytes\].
    space: Option<(u64, u64)>,
    xceivers: u32,
    /// In the listing.
    seen: Option<NodeId>,
}

/// The joined cluster, and what had to be guessed.
pub(super) struct Joined {
    pub(super) cluster: Cluster,
    pub(super) blocks: BlockMap,
    /// Keys, and a note for each.
    pub(super) assumed: Vec<(&'static str, String)>,
    pub(super) notes: Vec<String>,
    /// The listing named storages.
    pub(super) disks_known: bool,
}

/// Joins them.
pub(super) fn join(name: &str, inputs: &mut Inputs) -> Result<Joined, ImportError> {
    let mut notes = Vec::new();
    let mut members = members(inputs, &mut notes)?;
    if members.is_empty() {
        let found = bad("no block, and no other input names a node", "at least one DataNode");
        return Err(found.advice("Give --report, too.").at(&inputs.fsck.0, None));
    }
    let mut assumed = Vec::new();
    infer_dead(inputs, &mut members, &mut assumed);
    infer_admin(inputs, &mut members);
    assume_racks(inputs, &mut members, &mut assumed);
    let (fsck, disks_known) = (&inputs.fsck.1, inputs.fsck.1.locations.storages);
    if !disks_known {
        let why = "the fsck listing has no storage ids (run it without -racks)";
        notes.push(format!("{why}: a node's replicas are dealt out to its disks in turn"))
    }
    if inputs.report.is_none() {
        let why = "no `hdfs dfsadmin -report`: every disk is taken to have 8 TB";
        assumed.push(("nodes.capacity", why.into()))
    }
    let held = held_bytes(fsck);
    if let (Some((file, report)), None) = (&inputs.report, &inputs.topology)
        && report.has_live
        && !report.has_dead
    {
        let unknown = "if it was made with -live, nodes that were dead already are not known";
        notes.push(format!("{file} lists no dead node: {unknown}"))
    }
    let (cluster, places) = number(name, members, inputs, &held);
    let blocks = renumber(inputs, &cluster, &places, &mut notes);
    Ok(Joined { cluster, blocks, assumed, notes, disks_known })
}

/// All nodes by address. A replica on a node that the report or the topology lacks is an error.
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
        member.seen = Some(NodeId(at as u32));
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
            "{where_}: {} is not in the report: were they taken apart?",
            node.address
        ))
    }
    let member = members.entry(node.address.clone()).or_default();
    if let Some(rack) = member.rack.as_ref().filter(|r| **r != node.rack) {
        let both = format!("in {rack} by the report, in {} here", node.rack);
        notes.push(format!("{file}:{}: {} is {both}: the report holds", node.line, node.address))
    }
    member.rack.get_or_insert_with(|| node.rack.clone());
    member.host = member.host.take().or_else(|| node.host.clone());
    member.admin = member.admin.or(node.admin)
}

fn unknown(inputs: &Inputs, address: &str) -> super::error::Bad {
    let lists: Vec<&str> = [
        inputs.report.as_ref().map(|(f, _)| f.as_str()),
        inputs.topology.as_ref().map(|(f, _)| f.as_str()),
    ]
    .into_iter()
    .flatten()
    .collect();
    bad(format!("a replica on {address}"), format!("only nodes that {} lists", lists.join(" or ")))
        .advice("Take all files of one cluster at one time, the report without -live or -dead.")
}

/// Without a report nobody says who is dead. If as many nodes hold nothing as fsck misses, it is
/// they.
fn infer_dead(
    inputs: &Inputs,
    members: &mut BTreeMap<String, Member>,
    assumed: &mut Vec<(&'static str, String)>,
) {
    if inputs.report.as_ref().is_some_and(|(_, r)| r.has_live) {
        return;
    }
    let (_, fsck) = &inputs.fsck;
    let Some(live) = fsck.summary.get(super::fsck::Half::Replicated, "Number of data-nodes") else {
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
        let guess = format!("{why}: the {short} without a replica are taken to be dead");
        assumed.push(("nodes.alive", guess))
    } else {
        let cannot = format!("{why}: only `hdfs dfsadmin -report` tells who is dead");
        assumed.push(("nodes.alive", cannot))
    }
}

/// Without a report and a topology the replicas' states tell the operator's wish.
fn infer_admin(inputs: &Inputs, members: &mut BTreeMap<String, Member>) {
    let (_, fsck) = &inputs.fsck;
    let mut by_node = BTreeMap::new();
    for replica in &fsck.blocks.replica {
        if let Some(admin) = admin_of(replica.state) {
            by_node.insert(replica.node, admin);
        }
    }
    for member in members.values_mut().filter(|m| m.admin.is_none()) {
        member.admin = member.seen.and_then(|node| by_node.get(&node).copied())
    }
}

fn admin_of(state: ReplicaState) -> Option<Admin> {
    match state {
        ReplicaState::Decommissioning => Some(Admin::Decommissioning),
        ReplicaState::Decommissioned => Some(Admin::Decommissioned),
        ReplicaState::EnteringMaintenance => Some(Admin::EnteringMaintenance),
        ReplicaState::InMaintenance => Some(Admin::InMaintenance),
        _ => None,
    }
}

fn assume_racks(
    inputs: &Inputs,
    members: &mut BTreeMap<String, Member>,
    assumed: &mut Vec<(&'static str, String)>,
) {
    let told = inputs.report.is_some() || inputs.topology.is_some();
    let none = members.values().all(|m| m.rack.is_none());
    let said = inputs.fsck.1.summary.get(super::fsck::Half::Replicated, "Number of racks");
    if none && !told && !members.is_empty() {
        let count = match said {
            Some(n) if n > 1 => format!(", but fsck counts {n} racks"),
            _ => String::new(),
        };
        let fix = "`hdfs dfsadmin -report` or -printTopology tells them";
        let note = format!("no input names racks: all nodes in {DEFAULT_RACK}{count}: {fix}");
        if said != Some(1) {
            assumed.push(("cluster.racks", note))
        }
    }
    for member in members.values_mut() {
        member.rack.get_or_insert_with(|| DEFAULT_RACK.into());
    }
}

/// Bytes that each node of the listing holds.
fn held_bytes(fsck: &Fsck) -> Vec<u64> {
    let mut held = vec![0u64; fsck.locations.nodes.len()];
    let blocks = &fsck.blocks;
    for at in 0..blocks.id.len() {
        for replica in &blocks.replica[blocks.first[at] as usize..blocks.first[at + 1] as usize] {
            let node = &mut held[replica.node.at()];
            *node = node.saturating_add(blocks.bytes[at])
        }
    }
    held
}

/// Racks and nodes in natural order; for each node of the listing its number.
fn number(
    name: &str,
    members: BTreeMap<String, Member>,
    inputs: &Inputs,
    held: &[u64],
) -> (Cluster, Vec<NodeId>) {
    let rack_of = |m: &Member| m.rack.clone().unwrap_or_else(|| DEFAULT_RACK.into());
    let mut order: Vec<(String, Member)> = members.into_iter().collect();
    order.sort_by_cached_key(|(address, m)| {
        let host = m.host.as_deref().unwrap_or(address);
        (natural::key(&rack_of(m)), natural::key(host), natural::key(address))
    });
    let mut cluster = Cluster { name: name.into(), nodes: Vec::new(), racks: Vec::new() };
    let mut places = vec![NodeId(0); held.len()];
    for (at, (address, member)) in order.into_iter().enumerate() {
        let (id, rack) = (NodeId(at as u32), rack_of(&member));
        if cluster.racks.last().is_none_or(|r: &Rack| r.name != rack) {
            cluster.racks.push(Rack { name: rack, nodes: Vec::new() })
        }
        let last = cluster.racks.len() - 1;
        cluster.racks[last].nodes.push(id);
        let mut used = 0;
        if let Some(seen) = member.seen {
            places[seen.at()] = id;
            used = held[seen.at()]
        }
        cluster.nodes.push(node(address, member, RackId(last as u32), inputs, used))
    }
    (cluster, places)
}

fn node(address: String, member: Member, rack: RackId, inputs: &Inputs, used: u64) -> Node {
    let storages = member.seen.map(|n| inputs.fsck.1.locations.nodes[n.at()].storages.len() as u16);
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

/// Nodes by their new numbers, disks by the order of their storage ids, states by their nodes'.
fn renumber(
    inputs: &mut Inputs,
    cluster: &Cluster,
    places: &[NodeId],
    notes: &mut Vec<String>,
) -> BlockMap {
    let fsck = &mut inputs.fsck.1;
    let mut blocks = std::mem::take(&mut fsck.blocks);
    let disks: Vec<Vec<DiskId>> =
        fsck.locations.nodes.iter().map(|n| sorted_places(&n.storages)).collect();
    for replica in &mut blocks.replica {
        let disks = &disks[replica.node.at()];
        replica.disk = disks.get(replica.disk.0 as usize).copied().unwrap_or(DiskId(0));
        replica.node = places[replica.node.at()];
        replica.state = state(replica.state, cluster.nodes[replica.node.at()].admin)
    }
    notes.extend(super::check::unexplained(&blocks, &fsck.live));
    let twice = drop_doubles(&mut blocks);
    if twice > 0 {
        notes.push(format!("{twice} replicas stand twice on one node: one of each is kept"))
    }
    blocks
}

/// Place of each storage id in the sorted list.
fn sorted_places(storages: &[String]) -> Vec<DiskId> {
    let mut order: Vec<usize> = (0..storages.len()).collect();
    order.sort_by_key(|&at| &storages[at]);
    let mut places = vec![DiskId(0); storages.len()];
    for (place, at) in order.into_iter().enumerate() {
        places[at] = DiskId(place as u16)
    }
    places
}

/// fsck says LIVE for maintenance unless asked with `-maintenance`, and nothing without
/// `-replicaDetails`.
fn state(said: ReplicaState, admin: Admin) -> ReplicaState {
    match (said, admin) {
        (ReplicaState::Live | ReplicaState::Stale, Admin::Decommissioning) => {
            ReplicaState::Decommissioning
        }
        (ReplicaState::Live | ReplicaState::Stale, Admin::Decommissioned) => {
            ReplicaState::Decommissioned
        }
        (ReplicaState::Live | ReplicaState::Stale, Admin::EnteringMaintenance) => {
            ReplicaState::EnteringMaintenance
        }
        (ReplicaState::Live | ReplicaState::Stale, Admin::InMaintenance) => {
            ReplicaState::InMaintenance
        }
        (said, _) => said,
    }
}

/// A replica that moves between two disks of a node is listed on both; one of them is kept.
fn drop_doubles(blocks: &mut BlockMap) -> u64 {
    let (mut kept, mut from, mut dropped) = (0usize, 0usize, 0);
    for block in 0..blocks.id.len() {
        let (start, end) = (kept, blocks.first[block + 1] as usize);
        for at in from..end {
            let replica = blocks.replica[at];
            let same = |r: &cluster::Replica| r.node == replica.node && r.index == replica.index;
            if blocks.replica[start..kept].iter().any(same) {
                dropped += 1
            } else {
                blocks.replica[kept] = replica;
                kept += 1
            }
        }
        from = end;
        blocks.first[block + 1] = kept as u32
    }
    blocks.replica.truncate(kept);
    dropped
}
