//! Data of the pages of racks, nodes and transfers of one run.
use crate::attribution::{self, Attribution};
use crate::chains::Chains;
use crate::load::{Load, NodeTraffic, transfers};
use crate::moments::Moments;
use crate::shown_resources::{ShownResources, hue};
use crate::words::num;
use analysis::Bins;
use analysis::balance::hottest;
use hdfs_trace::{
    Cause, Interval, Node, NodeId, RackId, Resource, ResourceId, Trace, block, bytes, disk, kind,
    rack,
};
use page::{
    Envelope, Fleet, FleetCause, FleetNode, FleetResource, Kind, Operations, Share, Shares,
};
use std::collections::{BTreeMap, BTreeSet};
use trace::reading::{HolderShare, Role};
use trace::series::Series;
use units::{Nanos, floored_u64, u32_of};

/// Maximum cells in a row of `usage`.
const CELLS: usize = 120;
/// Maximum copies on a page: ten columns of 20 000 are 1.5 MB.
pub const TRANSFERS: usize = 20_000;

/// Replaces a disk if bytes stay in memory, or a log does not name the disk.
pub const NO_DISK: u16 = u16::MAX;

/// `of`: the run ("now, seed 1"); `since`: time 0 in words.
pub fn fleet(
    trace: &Trace,
    uses: &Series<'_>,
    shown: &ShownResources,
    (of, since): (&str, &str),
) -> Fleet {
    let moments = Moments::of(trace);
    let bins = bins(&moments);
    let chains = Chains::of(trace);
    let (operations, causes, left_out) = copies(&chains, &moments);
    let kept = shown.ids.iter().map(|id| &trace.resources[id.at()]);
    let load = Load::of(trace);
    Fleet {
        of: of.into(),
        since: since.into(),
        tags: shown.tag(trace).into_iter().chain(left_out).collect(),
        racks: trace.racks.clone(),
        nodes: trace.nodes.iter().zip(&load.nodes).map(node).collect(),
        resources: kept.map(|row| resource(trace, row)).collect(),
        cell_s: bins.width.as_secs(),
        usage: shown.ids.iter().map(|&id| percents(&uses.utilisation_in(id, &bins))).collect(),
        envelopes: if shown.reduced { envelopes(trace, uses, &bins) } else { Vec::new() },
        operations,
        causes,
        waited: waited(&attribution::mean_wait(&chains, uses)),
    }
}

fn waited(mean: &Attribution) -> Vec<Share> {
    let kind = |role: Role| match role {
        Role::Setting => Kind::Setting,
        Role::Disk => Kind::Disk,
        Role::Network => Kind::Network,
        Role::Unexplained => Kind::Unexplained,
        _ => Kind::Wait,
    };
    let row = |held: &HolderShare| Share::new(kind(held.role), held.holder.clone(), held.waited_s);
    Shares::of_whole("s", "waited", mean.shares.iter().map(row).collect()).rows
}

fn node((node, carried): (&Node, &NodeTraffic)) -> FleetNode {
    FleetNode {
        name: node.name.clone(),
        rack: u32_of(rack(node)),
        alive: node.alive,
        sent_bytes: carried.sent_bytes,
        received_bytes: carried.received_bytes,
    }
}

fn resource(trace: &Trace, resource: &Resource) -> FleetResource {
    FleetResource {
        name: resource.name.clone(),
        kind: hue(&trace.kinds[resource.kind.at()]),
        node: resource.node.map(|node| u32_of(node.at())),
        rack: resource.rack.map(|rack| u32_of(rack.at())),
        capacity: resource.capacity.unwrap_or(0),
    }
}

/// Bins of all drill-down curves and of each resource's peak.
pub fn bins(moments: &Moments) -> Bins {
    Bins::round(moments.declared.unwrap_or_default(), moments.repaired(), CELLS)
}

pub fn whole_percent(utilisation: f64) -> u8 {
    u8::try_from(floored_u64(libm::round(100.0 * utilisation)).min(100)).expect("at most 100")
}

/// Integer percent; empty if all are 0.
fn percents(cells: &[f64]) -> Vec<u8> {
    let percents: Vec<u8> = cells.iter().map(|&u| whole_percent(u)).collect();
    if percents.iter().all(|&p| p == 0) { Vec::new() } else { percents }
}

/// Mean and maximum use of each rack's disks and network, if single resources were left out.
fn envelopes(trace: &Trace, uses: &Series<'_>, bins: &Bins) -> Vec<Envelope> {
    let mut all: BTreeMap<(u32, Kind), CellSums> = BTreeMap::new();
    for (id, resource) in trace.resources.iter().enumerate() {
        let node_rack = resource.node.map(|n| rack(&trace.nodes[n.at()]));
        let Some(rack) = resource.rack.map(RackId::at).or(node_rack) else { continue };
        let hue = hue(&trace.kinds[resource.kind.at()]);
        let pile = all.entry((u32_of(rack), hue)).or_insert_with(|| CellSums::new(bins.count));
        pile.add(uses.utilisation_in(ResourceId::of(id), bins));
    }
    let envelope = |((rack, kind), pile): ((u32, Kind), CellSums)| {
        let n = f64::from(pile.members);
        let mean: Vec<f64> = pile.sum.iter().map(|sum| sum / n).collect();
        let (mean, max) = (percents(&mean), percents(&pile.max));
        Envelope { rack, kind, members: pile.members, mean, max }
    };
    all.into_iter().map(envelope).collect()
}

/// Sum and maximum over rows of cells.
struct CellSums {
    members: u32,
    sum: Vec<f64>,
    max: Vec<f64>,
}

impl CellSums {
    fn new(cells: usize) -> CellSums {
        CellSums { members: 0, sum: vec![0.0; cells], max: vec![0.0; cells] }
    }

    fn add(&mut self, cells: Vec<f64>) {
        self.members += 1;
        for (cell, used) in cells.into_iter().enumerate() {
            self.sum[cell] += used;
            self.max[cell] = self.max[cell].max(used);
        }
    }
}

/// Copies by start with their causes, and a tag if some were left out.
fn copies(chains: &Chains<'_>, moments: &Moments) -> (Operations, Vec<FleetCause>, Option<String>) {
    let trace = chains.trace;
    let between_nodes = |copy: &&Interval| copy.node.is_some() && copy.peer.is_some();
    let mut all: Vec<&Interval> = transfers(trace).filter(between_nodes).collect();
    let total = all.len();
    if total > TRANSFERS {
        let nodes = busy_nodes(trace, &all);
        let at = |node: Option<NodeId>| node.is_some_and(|n| nodes.contains(&n));
        all.retain(|copy| at(copy.node) || at(copy.peer));
        all.truncate(TRANSFERS);
    }
    let tag = (all.len() < total).then(|| {
        let (kept, total) = (num(all.len() as f64, 0), num(total as f64, 0));
        format!("{kept} of {total} copies shown, of the busiest nodes")
    });
    all.sort_by_key(|copy| (copy.start, block(trace, copy)));
    let mut columns = Columns::default();
    all.iter().for_each(|copy| columns.push(chains, moments, copy));
    (columns.operations, columns.causes, tag)
}

/// The busiest nodes with at most `TRANSFERS` copies in total (each counted at both ends).
fn busy_nodes(trace: &Trace, all: &[&Interval]) -> BTreeSet<NodeId> {
    let mut copies = vec![0.0; trace.nodes.len()];
    for node in all.iter().flat_map(|copy| [copy.node, copy.peer]).flatten() {
        copies[node.at()] += 1.0;
    }
    let mut room = TRANSFERS as f64;
    let order = hottest(&copies, copies.len()).into_iter();
    let fits = order.take_while(|&node| {
        room -= copies[node];
        room >= 0.0
    });
    let mut nodes: BTreeSet<NodeId> = fits.map(NodeId::of).collect();
    if nodes.is_empty() {
        nodes.extend(hottest(&copies, 1).into_iter().map(NodeId::of));
    }
    nodes
}

#[derive(Default)]
struct Columns {
    operations: Operations,
    causes: Vec<FleetCause>,
    places: BTreeMap<Wait, u32>,
}

/// Limit of a copy, or cause of its block's wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wait {
    None,
    For(Cause),
    /// Behind another copy with this limit.
    Behind(Cause),
}

impl Columns {
    fn push(&mut self, chains: &Chains<'_>, moments: &Moments, copy: &Interval) {
        let trace = chains.trace;
        let since = |at| libm::round(moments.since_declared(at) * 1e4) / 1e4;
        let cause = self.cause(trace, Wait::For(copy.cause));
        let held = self.cause(trace, held(chains, copy));
        let columns = &mut self.operations;
        let place = |node: Option<NodeId>| node.map_or(0, |node| u32_of(node.at()));
        columns.block.push(block(trace, copy).unwrap_or_default() as f64);
        columns.source.push(place(copy.node));
        columns.target.push(place(copy.peer));
        columns.source_disk.push(disk(trace, copy.resource).unwrap_or(NO_DISK));
        columns.target_disk.push(disk(trace, copy.peer_resource).unwrap_or(NO_DISK));
        columns.decided_s.push(since(decided(chains, copy)));
        columns.start_s.push(since(copy.start));
        columns.end_s.push(since(copy.end));
        columns.bytes.push(bytes(copy));
        columns.cause.push(cause);
        columns.held.push(held);
    }

    fn cause(&mut self, trace: &Trace, wait: Wait) -> u32 {
        let causes = &mut self.causes;
        *self.places.entry(wait).or_insert_with(|| {
            causes.push(match wait {
                Wait::None => FleetCause { kind: Kind::Unexplained, name: "not queued".into() },
                Wait::For(cause) => named(trace, cause),
                Wait::Behind(cause) => {
                    let name = format!("another copy, limited by {}", named(trace, cause).name);
                    FleetCause { kind: Kind::Wait, name }
                }
            });
            u32_of(causes.len()) - 1
        })
    }
}

fn named(trace: &Trace, cause: Cause) -> FleetCause {
    let (kind, name) = match cause {
        Cause::Unexplained | Cause::Phase => (Kind::Unexplained, "unexplained".into()),
        Cause::Resource(r) => (hue(trace.resource_kind(r)), trace.resources[r.at()].name.clone()),
        Cause::Shortage(s) => {
            let shortage = &trace.lacks[s.at()];
            (Kind::Wait, format!("{}: {}", shortage.name, shortage.why))
        }
        Cause::Setting(s) => {
            let setting = &trace.settings[s.at()];
            (Kind::Setting, format!("{} = {}", setting.key, setting.value))
        }
        Cause::Interval(id) => {
            let block = block(trace, &trace.intervals[id.at()]);
            let of = block.map(|block| format!(" of blk_{block}")).unwrap_or_default();
            (Kind::Wait, format!("another copy{of}"))
        }
    };
    FleetCause { kind, name }
}

/// End of the block's last wait in the queue before the copy; else the copy's start.
fn decided(chains: &Chains<'_>, copy: &Interval) -> Nanos {
    queued(chains, copy).map(|link| link.end).max().unwrap_or(copy.start)
}

/// Cause of the block's longest wait in the queue before the copy. For another copy it is that
/// copy's limit, which the user can look up.
fn held(chains: &Chains<'_>, copy: &Interval) -> Wait {
    let Some(longest) = queued(chains, copy).max_by_key(|link| link.end - link.start) else {
        return Wait::None;
    };
    match longest.cause {
        Cause::Interval(id) => match chains.trace.intervals[id.at()].cause {
            cause @ (Cause::Resource(_) | Cause::Setting(_) | Cause::Shortage(_)) => {
                Wait::Behind(cause)
            }
            _ => Wait::For(Cause::Interval(id)),
        },
        cause => Wait::For(cause),
    }
}

fn queued<'a>(chains: &'a Chains<'a>, copy: &'a Interval) -> impl Iterator<Item = &'a Interval> {
    let chain = block(chains.trace, copy).into_iter().flat_map(|block| chains.chain(block));
    chain.filter(|link| link.kind == kind::QUEUED && link.end <= copy.start)
}

/// Link addresses of racks and nodes, by index.
pub struct Paths {
    racks: Vec<String>,
    nodes: Vec<String>,
}

impl Paths {
    pub fn of(trace: &Trace) -> Paths {
        let nodes: Vec<&str> = trace.nodes.iter().map(|node| node.name.as_str()).collect();
        let racks: Vec<&str> = trace.racks.iter().map(String::as_str).collect();
        Paths { racks: written(&racks), nodes: written(&nodes) }
    }

    pub fn rack(&self, place: usize) -> String {
        format!("rack/{}", self.racks[place])
    }

    pub fn node(&self, place: usize) -> String {
        format!("node/{}", self.nodes[place])
    }
}

/// Addresses use names, or indices for duplicate names.
fn written(names: &[&str]) -> Vec<String> {
    let mut times: BTreeMap<&str, u32> = BTreeMap::new();
    names.iter().for_each(|name| *times.entry(name).or_default() += 1);
    let address = |(place, name): (usize, &&str)| match !name.is_empty() && times[name] == 1 {
        true => name.trim_start_matches('/').to_string(),
        false => place.to_string(),
    };
    names.iter().enumerate().map(address).collect()
}
