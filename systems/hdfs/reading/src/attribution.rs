//! What held the repair up: the critical path of the last block, and the mean wait of all blocks.
use crate::chains::Chains;
use crate::moments::Moments;
use crate::plausible::Plausible;
use crate::shown::hue;
use hdfs_trace::{Trace, block};
use page::{Behind, Kind};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use trace::ResourceId;
use trace::series::Series;
use trace::walk::{Holder, Piece};
use units::Nanos;

/// What kind of evidence a share has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributionKind {
    /// A pacing limit, an interval, a timeout.
    Setting,
    /// Disks, NICs, links; and the node or the replica that the cluster lacks.
    Resource,
    /// Another interval, of which the trace does not say what limited it.
    Interval,
    /// None.
    Unexplained,
}

/// One holder's part of a wait.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Held {
    /// "key = value" of a setting, else the class: "Disk", "NIC", "Rack uplink", "another copy",
    /// "unexplained"; what the cluster lacks in words: "no source: no readable replica is left".
    pub holder: String,
    pub kind: AttributionKind,
    /// Of the whole wait, 0–1. The shares of one attribution sum to 1.
    pub share: f64,
    /// Waited \[s\].
    pub waited_s: f64,
    /// Of a class of resources: the one that was waited for longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hottest: Option<String>,
    #[serde(skip)]
    pub hue: Kind,
    /// The longest intervals behind it.
    #[serde(skip)]
    pub behind: Vec<Behind>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Attribution {
    /// HDFS's id of the block whose path it is; `None` for the mean of all blocks.
    pub block: Option<i64>,
    /// The whole wait \[s\].
    pub total_s: f64,
    /// Most first, unexplained last; empty where nothing waited.
    pub shares: Vec<Held>,
}

/// How many intervals stand behind a bar.
const BEHIND: usize = 12;

/// The critical path: from the declaration until the last block was safe that has a replica left
/// (or, if that never came, until its last wait ended).
pub fn attribution(trace: &Trace) -> Attribution {
    let (chains, moments) = (Chains::of(trace), Moments::of(trace));
    let end = moments.declared.zip(end_of_path(&chains, &moments));
    let Some((declared, (block, top))) = end else { return Attribution::default() };
    let pieces = chains.path(block, top, declared);
    Attribution { block, ..charged(&chains, &Series::of(trace), &moments, &pieces, 1) }
}

/// The mean wait of all blocks that waited: each charged by its own chain, without following what
/// it waited for further than one step.
pub fn blocked_time(trace: &Trace) -> Attribution {
    mean_wait(&Chains::of(trace), &Series::of(trace))
}

/// [`blocked_time`] of these chains.
pub(crate) fn mean_wait(chains: &Chains<'_>, uses: &Series<'_>) -> Attribution {
    let moments = Moments::of(chains.trace);
    let Some(declared) = moments.declared else { return Attribution::default() };
    let by = moments.mended.unwrap_or(Nanos::MAX);
    let mut pieces = Vec::new();
    let mut blocks = 0;
    for block in chains.blocks() {
        let safe = chains.ends(block, by).filter(|&(end, _)| end > declared);
        if let Some((safe, _)) = safe {
            let waits = chains.waits(block, safe, declared);
            // Before its loss a block waits for nothing.
            pieces.extend(waits.into_iter().filter(|piece| piece.holder != Holder::Idle));
            blocks += 1;
        }
    }
    if blocks == 0 {
        return Attribution::default();
    }
    charged(chains, uses, &moments, &pieces, blocks)
}

/// The last block to become safe, if any waited, and when the critical path ends; `None` where
/// nothing was ever declared, or all was safe then.
pub(crate) fn end_of_path(chains: &Chains<'_>, moments: &Moments) -> Option<(Option<i64>, Nanos)> {
    let declared = moments.declared?;
    let by = moments.mended.unwrap_or(Nanos::MAX);
    let ends = chains.blocks().filter_map(|block| Some((chains.ends(block, by)?, block)));
    // Of blocks that end together one that something can be done for, then the one with the lowest
    // id, so that the answer is one.
    let last = ends.max_by_key(|&(end, block)| (end, !chains.is_hopeless(block), Reverse(block)));
    let top = moments.mended.or(last.map(|((end, _), _)| end))?;
    // Where nothing waited there may still be a loss that nobody came to miss.
    (top > declared).then(|| (last.map(|(_, block)| block), top))
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Group<'a> {
    Class(&'a str, Kind),
    /// Anything else by itself.
    One(Holder),
}

#[derive(Default)]
struct Sum<'a> {
    waited: Nanos,
    by_resource: BTreeMap<ResourceId, Nanos>,
    pieces: Vec<&'a Piece>,
}

fn charged(
    chains: &Chains<'_>,
    uses: &Series<'_>,
    moments: &Moments,
    pieces: &[Piece],
    over: u64,
) -> Attribution {
    let plausible = Plausible::of(chains.trace, uses, pieces);
    let mut sums: BTreeMap<Group<'_>, Sum<'_>> = BTreeMap::new();
    for piece in pieces {
        let group = match piece.holder {
            Holder::Resource(r) if plausible.blames(r) => {
                let kind = chains.trace.resource_kind(r);
                Group::Class(&kind.label, hue(kind))
            }
            Holder::Resource(_) => Group::One(Holder::Unexplained),
            holder => Group::One(holder),
        };
        let sum = sums.entry(group).or_default();
        let waited = piece.length();
        sum.waited += waited;
        sum.pieces.push(piece);
        if let Holder::Resource(r) = piece.holder {
            *sum.by_resource.entry(r).or_default() += waited;
        }
    }
    let total: u64 = sums.values().map(|sum| sum.waited.0).sum();
    let held = |(group, sum)| held(chains, moments, group, sum, total, over);
    let mut shares: Vec<Held> = sums.into_iter().map(held).collect();
    sort(&mut shares);
    Attribution { block: None, total_s: total as f64 / 1e9 / over as f64, shares }
}

/// Most first, unexplained last, equal ones by name.
pub(crate) fn sort(shares: &mut [Held]) {
    shares.sort_by(|a, b| {
        let last = |held: &Held| held.kind == AttributionKind::Unexplained;
        let by_wait = b.waited_s.total_cmp(&a.waited_s);
        last(a).cmp(&last(b)).then(by_wait).then(a.holder.cmp(&b.holder))
    });
}

fn held(
    chains: &Chains<'_>,
    moments: &Moments,
    group: Group<'_>,
    mut sum: Sum<'_>,
    total: u64,
    over: u64,
) -> Held {
    let trace = chains.trace;
    let (holder, kind, hue) = name(chains, group);
    let most = sum.by_resource.iter().max_by_key(|&(r, waited)| (waited, Reverse(r)));
    let hottest = most.filter(|_| matches!(group, Group::Class(..)));
    sum.pieces.sort_by_key(|piece| (Reverse(piece.length()), piece.start));
    let behind = sum.pieces.iter().take(BEHIND).map(|piece| behind(trace, moments, piece));
    Held {
        holder,
        kind,
        share: sum.waited.0 as f64 / total as f64,
        waited_s: sum.waited.as_secs() / over as f64,
        hottest: hottest.map(|(r, _)| trace.resources[r.at()].name.clone()),
        hue,
        behind: behind.collect(),
    }
}

fn name(chains: &Chains<'_>, group: Group<'_>) -> (String, AttributionKind, Kind) {
    let holder = match group {
        Group::Class(label, hue) => return (label.into(), AttributionKind::Resource, hue),
        Group::One(holder) => holder,
    };
    let (kind, hue) = match holder {
        Holder::Setting(_) => (AttributionKind::Setting, Kind::Setting),
        Holder::Shortage(_) => (AttributionKind::Resource, Kind::Wait),
        Holder::Unexplained => (AttributionKind::Unexplained, Kind::Unexplained),
        _ => (AttributionKind::Interval, Kind::Wait),
    };
    (chains.name(holder), kind, hue)
}

fn behind(trace: &Trace, moments: &Moments, piece: &Piece) -> Behind {
    let label = match piece.interval.map(|id| &trace.intervals[id.at()]) {
        None => "no interval".into(),
        Some(interval) => {
            let what = &trace.interval_kind(interval.kind).label;
            let parent = interval.parent.and_then(|id| trace.intervals.get(id.at()));
            match block(trace, interval).or_else(|| block(trace, parent?)) {
                Some(block) => format!("blk_{block} {what}"),
                None => what.clone(),
            }
        }
    };
    // Microseconds: more digits than this only make files longer.
    let since = |at| libm::round(moments.since_declared(at) * 1e6) / 1e6;
    Behind { label, start_s: since(piece.start), end_s: since(piece.end) }
}
