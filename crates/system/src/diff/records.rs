//! The first different record: where two simulations with one seed diverge.
use super::data::{FirstRecord, Record};
use super::side::Side;
use trace::reading::label;
use trace::{EntityId, Interval, IntervalId, NodeId, Trace};
use units::Nanos;

/// Compares intervals in the order of their starts. Only if every row has weight 1.
pub(super) fn first([first, second]: &[Side; 2]) -> Option<FirstRecord> {
    let is_one = |side: &Side| side.trace.intervals.iter().all(|row| row.weight == 1.0);
    let comparable = !first.logged()
        && !second.logged()
        && first.about("seed") == second.about("seed")
        && is_one(first)
        && is_one(second);
    if !comparable {
        return None;
    }
    let traces = [&first.trace, &second.trace];
    let orders = traces.map(order);
    let mut found: Option<(Nanos, [Option<usize>; 2])> = None;
    for place in 0..orders[0].len().max(orders[1].len()) {
        let rows = orders.each_ref().map(|order| order.get(place).copied());
        let of = |side: usize| rows[side].map(|row| &traces[side].intervals[row]);
        let (a, b) = (of(0), of(1));
        let starts = [a, b].into_iter().flatten().map(|row| row.start).min()?;
        if found.is_some_and(|(at, _)| at <= starts) {
            break;
        }
        match (a, b) {
            (Some(a), Some(b)) if same_start(traces, [a, b]) => {
                if (a.end, a.outcome) != (b.end, b.outcome) {
                    let at = a.end.min(b.end);
                    found = found.filter(|(before, _)| *before <= at).or(Some((at, rows)))
                }
            }
            _ => {
                found = Some((starts, rows));
                break;
            }
        }
    }
    let (at, rows) = found?;
    let record = |side: usize| rows[side].map(|row| record(traces[side], row));
    Some(FirstRecord { at_s: at.as_secs(), records: [record(0), record(1)] })
}

/// Row order by start, then by content: ids follow ends, which may differ.
fn order(trace: &Trace) -> Vec<usize> {
    let name = |id: Option<NodeId>| id.map(|id| trace.nodes[id.at()].name.as_str());
    let what = |row: &Interval| {
        let entity = row.subject.map(|id| &trace.entities[id.at()]);
        let subject = entity.map(|of| (of.number, of.name.as_deref()));
        let resource = row.resource.map(|id| trace.resources[id.at()].name.as_str());
        let kind = trace.interval_kind(row.kind).name.as_str();
        (kind, name(row.node), name(row.peer), resource, subject, row.end)
    };
    let mut order: Vec<usize> = (0..trace.intervals.len()).collect();
    order.sort_by(|a, b| {
        let [a, b] = [a, b].map(|row| &trace.intervals[*row]);
        a.start.cmp(&b.start).then_with(|| what(a).cmp(&what(b)))
    });
    order
}

fn record(trace: &Trace, row: usize) -> Record {
    let of = &trace.intervals[row];
    Record {
        what: label(trace, Some(IntervalId::of(row))),
        start_s: of.start.as_secs(),
        end_s: of.end.as_secs(),
    }
}

/// Whether two rows have equal starts. Compares names, since each trace has its own ids.
fn same_start(traces: [&Trace; 2], rows: [&Interval; 2]) -> bool {
    let [a, b] = rows;
    let both = |of: fn(&Interval) -> Option<usize>, same: &dyn Fn([usize; 2]) -> bool| match (
        of(a),
        of(b),
    ) {
        (None, None) => true,
        (Some(a), Some(b)) => same([a, b]),
        _ => false,
    };
    let node = |[a, b]: [usize; 2]| traces[0].nodes[a].name == traces[1].nodes[b].name;
    let resource = |[a, b]: [usize; 2]| traces[0].resources[a].name == traces[1].resources[b].name;
    let entity = |[a, b]: [usize; 2]| same_entity(traces, [a, b].map(EntityId::of));
    a.start == b.start
        && traces[0].interval_kind(a.kind).name == traces[1].interval_kind(b.kind).name
        && both(|row| row.node.map(|id| id.at()), &node)
        && both(|row| row.peer.map(|id| id.at()), &node)
        && both(|row| row.resource.map(|id| id.at()), &resource)
        && both(|row| row.subject.map(|id| id.at()), &entity)
}

fn same_entity(traces: [&Trace; 2], ids: [EntityId; 2]) -> bool {
    let [a, b] = [0, 1].map(|side: usize| &traces[side].entities[ids[side].at()]);
    let kind = |side: usize, kind: trace::EntityKind| &traces[side].kinds[kind.at()].name;
    a.number == b.number && a.name == b.name && kind(0, a.kind) == kind(1, b.kind)
}
