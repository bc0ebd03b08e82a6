//! The disk, link or node far busier than others of its kind, and which work causes that.
use crate::reporter::Case;
use page::words::{NB, num, percent};
use page::{Sentence, say};
use std::collections::BTreeMap;
use trace::reading::{Hotspot, Load};
use trace::{Cause, ChargeTarget, Trace};

/// From this multiple of its even share on, a kind of work explains a hot resource.
const FAR: f64 = 2.0;

/// "mds7 port is busy 100 % of the time, the mean of 128 is 38 %: it does 57 % of all lookups."
pub fn sentence(case: &Case<'_>) -> Sentence {
    let Some(hot) = case.now().hotspots.first() else { return Sentence::default() };
    let why = reason(case, hot).map_or(String::new(), |why| format!(": {why}"));
    say("").strong(hot.name.clone()).say(format!(" {}{why}.", describe(hot)))
}

fn describe(hot: &Hotspot) -> String {
    let many = num(hot.many as f64, 0);
    match hot.waited > 0.0 && hot.used <= FAR * hot.used_mean {
        true => {
            format!("causes {} of the wait for all {many}{NB}of its kind", percent(hot.waited))
        }
        false => format!(
            "is busy {} of the time, the mean of {many} is {}",
            percent(hot.used),
            percent(hot.used_mean)
        ),
    }
}

/// The kind of work with far more than an even share on its node; else the operations that wait.
fn reason(case: &Case<'_>, hot: &Hotspot) -> Option<String> {
    by_work(case, hot).or_else(|| by_operation(case.trace, hot))
}

fn by_work(case: &Case<'_>, hot: &Hotspot) -> Option<String> {
    let trace = case.trace;
    let node = trace.resources.get(hot.resource.at())?.node?.at();
    let excess = |load: &&Load| {
        let all: f64 = load.times.iter().sum();
        load.times[node] - FAR * all / hot.many as f64
    };
    let loads = case.now().loads.iter().filter(|load| load.times.len() > node);
    let most = loads.max_by(|a, b| excess(a).total_cmp(&excess(b)))?;
    if excess(&most) <= 0.0 {
        return None;
    }
    let kind = trace.kinds.iter().find(|kind| kind.name == most.work);
    let label = kind.map_or(most.work.as_str(), |kind| kind.label.as_str());
    let share = most.times[node] / most.times.iter().sum::<f64>();
    let node = &trace.nodes[node].name;
    Some(format!("{node} has {} of \u{201c}{label}\u{201d}", percent(share)))
}

/// The operation that waits longest for the resource.
fn by_operation(trace: &Trace, hot: &Hotspot) -> Option<String> {
    let mut kinds: BTreeMap<usize, f64> = BTreeMap::new();
    for sum in trace.sums.iter().filter(|sum| sum.charged == ChargeTarget::Resource(hot.resource)) {
        *kinds.entry(sum.operation.at()).or_default() += sum.total as f64
    }
    if kinds.is_empty() {
        for row in trace.intervals.iter().filter(|row| row.cause == Cause::Resource(hot.resource)) {
            let whole = row.parent.map_or(row, |parent| &trace.intervals[parent.at()]);
            let took = row.end.saturating_sub(row.start).0 as f64;
            *kinds.entry(whole.kind.at()).or_default() += row.weight * took
        }
    }
    let all: f64 = kinds.values().sum();
    let (kind, most) = kinds.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let label = &trace.kinds[kind].label;
    (most > 0.0)
        .then(|| format!("{} of that wait is in \u{201c}{label}\u{201d}", percent(most / all)))
}
