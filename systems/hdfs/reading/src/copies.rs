//! Copies of one run, for the pages of racks, nodes and transfers.
use crate::attribution::{self, Attribution};
use crate::chains::Chains;
use crate::load::{Load, transfers};
use crate::moments::Moments;
use crate::words::num;
use analysis::balance::hottest;
use hdfs_trace::{Cause, Interval, NodeId, Trace, block, bytes, disk, kind};
use page::{Fleet, FleetCause, Kind, Operations, Share, Shares};
use std::collections::{BTreeMap, BTreeSet};
use trace::reading::{HolderShare, Role};
use trace::series::Series;
use trace::{KindRole, ResourceRole};
use units::{Nanos, u32_of};

/// Maximum copies on a page: ten columns of 20 000 are 1.5 MB.
pub const TRANSFERS: usize = 20_000;

/// Replaces a disk if bytes stay in memory, or a log does not name the disk.
pub const NO_DISK: u16 = u16::MAX;

/// Adds copies and the bytes that nodes sent and received.
pub fn with_copies(mut fleet: Fleet, trace: &Trace) -> Fleet {
    let chains = Chains::of(trace);
    let (operations, causes, left_out) = copies(&chains, &Moments::of(trace));
    fleet.tags.extend(left_out);
    for (node, carried) in fleet.nodes.iter_mut().zip(Load::of(trace).nodes) {
        (node.sent_bytes, node.received_bytes) = (carried.sent_bytes, carried.received_bytes)
    }
    let waited = waited(&attribution::mean_wait(&chains, &Series::of(trace)));
    Fleet { operations, causes, waited, ..fleet }
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

/// Colour of a resource kind.
pub(crate) fn hue(kind: &trace::Kind) -> Kind {
    match kind.role {
        KindRole::Resource(ResourceRole::Disk) => Kind::Disk,
        _ => Kind::Network,
    }
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
