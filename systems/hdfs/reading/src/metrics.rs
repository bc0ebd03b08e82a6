//! Metrics of one run; formulas: `systems/hdfs/docs/analysis.md`.
use crate::copies::hue;
use crate::curves::counter;
use crate::foreground;
use crate::load::{Load, transfers};
use crate::moments::Moments;
use crate::risk;
use analysis::balance::Spread;
use hdfs_trace::{Trace, bytes as bytes_of, has_requests};
use page::Kind;
use std::collections::BTreeMap;
use trace::series::utilisations;
use units::Nanos;

/// By name, as in `run --json`. An undefined metric (a recovery or exposure without an end, the
/// balance of nothing) is absent, never 0.
pub type Metrics = BTreeMap<String, f64>;

pub fn metrics(trace: &Trace) -> Metrics {
    let moments = Moments::of(trace);
    let load = Load::of(trace);
    let mut all = Metrics::new();
    durations(trace, &moments, &mut all);
    copies(trace, &moments, &mut all);
    clients(trace, &moments, &mut all);
    risk(trace, &moments, &mut all);
    add_reported(
        trace,
        &mut all,
        &["blocks_inferred", "blocks_untold", "clock_back_s", "lines_unread"],
    );
    add_reported(trace, &mut all, &["blocks_beyond_nodes"]);
    balancer(trace, &mut all);
    spread("send", &load.live_sent(), &mut all);
    spread("receive", &load.live_received(), &mut all);
    spread("disk", &load.live_disks(), &mut all);
    if let Some(busiest) = busiest_disk(trace, &moments) {
        all.insert("busiest_disk".into(), busiest);
    }
    all
}

fn durations(trace: &Trace, moments: &Moments, all: &mut Metrics) {
    let mut put = |name: &str, from: Option<Nanos>, to: Option<Nanos>| {
        if let (Some(from), Some(to)) = (from, to) {
            all.insert(name.into(), to.saturating_sub(from).as_secs());
        }
    };
    put("detection_s", moments.fault, moments.declared);
    let redundant = recovery_end(trace, moments);
    put("recovery_s", moments.zero(), redundant);
    put("exposed_s", moments.fault, redundant);
}

/// Time when all blocks are safe; `None`: never.
pub(crate) fn recovery_end(trace: &Trace, moments: &Moments) -> Option<Nanos> {
    // Blocks never at risk are safe immediately, if the logs prove the loss.
    let unharmed = trace.about("blocks_untold").is_none()
        && counter(trace, "at_risk").is_some_and(|at_risk| at_risk.max() == 0.0);
    let redundant = moments.redundant.or(moments.declared.filter(|_| unharmed));
    // A node that returns before it is declared dead leaves nothing to repair.
    redundant.or(moments.back)
}

fn copies(trace: &Trace, moments: &Moments, all: &mut Metrics) {
    let bytes: u64 = transfers(trace).map(bytes_of).sum();
    all.insert("blocks_copied".into(), transfers(trace).count() as f64);
    all.insert("bytes_copied".into(), bytes as f64);
    let last = transfers(trace).map(|t| t.end).max();
    let (Some(from), Some(to)) = (moments.declared, moments.redundant.or(last)) else { return };
    let makespan = to.saturating_sub(from).as_secs();
    if makespan > 0.0 {
        all.insert("throughput_mb_s".into(), bytes as f64 / 1e6 / makespan);
    }
}

/// `foreground_p50_ms`, `foreground_p99_ms` and `foreground_requests` during the repair, the same
/// with `_before` before it, and `foreground_slowdown`: relative increase of the p99.
fn clients(trace: &Trace, moments: &Moments, all: &mut Metrics) {
    if !has_requests(trace) {
        return;
    }
    let (before, during) = foreground::windows(trace, moments);
    for (window, when) in [(&before, "_before"), (&during, "")] {
        all.insert(format!("foreground{when}_requests"), window.len() as f64);
        for (percent, part) in [("p50", 0.5), ("p99", 0.99)] {
            if let Some(latency) = window.percentile(part) {
                all.insert(format!("foreground{when}_{percent}_ms"), 1e3 * latency);
            }
        }
    }
    if let (Some(before), Some(during)) = (before.percentile(0.99), during.percentile(0.99))
        && before > 0.0
    {
        all.insert("foreground_slowdown".into(), during / before - 1.0);
    }
}

/// The balancer's metrics from the run table, if it ran.
fn balancer(trace: &Trace, all: &mut Metrics) {
    let names = [
        "balancer_moves",
        "balancer_moved_bytes",
        "balancer_broken_moves",
        "balancer_iterations",
        "balancer_ends_s",
        "balancer_s",
        "balancer_balanced",
        "balancer_spread_before",
        "balancer_spread_after",
    ];
    add_reported(trace, all, &names)
}

fn add_reported(trace: &Trace, all: &mut Metrics, names: &[&str]) {
    for name in names {
        if let Some(value) = trace.about(name).and_then(|value| value.parse().ok()) {
            all.insert((*name).into(), value);
        }
    }
}

fn risk(trace: &Trace, moments: &Moments, all: &mut Metrics) {
    let (from, to) = (Nanos::ZERO, moments.end);
    let mut put = |name: &str, value: f64| all.insert(name.into(), value);
    if let Some(zero) = counter(trace, "at_zero_replicas") {
        put("blocks_lost", zero.at(to));
        put("blocks_lost_before", risk::before(&zero, moments.fault));
    }
    if moments.fault.or(moments.declared).is_none() {
        return;
    }
    // A duration without an end is undefined.
    let ended = |name| counter(trace, name).filter(|count| count.at(to) == 0.0);
    if let Some(one) = ended("at_one_replica") {
        put("at_one_replica_s", one.time_above_zero(from, to));
        put("at_one_replica_block_s", one.integral(from, to));
        put("at_one_replica_max", one.max());
        if let Some(declared) = moments.declared {
            put("last_copy_s", one.time_above_zero(declared, to));
        }
    }
    if let Some(one_rack) = ended("one_rack_only") {
        put("one_rack_only_s", one_rack.time_above_zero(from, to));
    }
}

fn spread(of: &str, loads: &[f64], all: &mut Metrics) {
    if let Some(spread) = Spread::of(loads) {
        all.insert(format!("{of}_max_over_mean"), spread.max_over_mean);
        all.insert(format!("{of}_cv"), spread.cv);
        all.insert(format!("{of}_gini"), spread.gini);
    }
}

/// Mean utilisation of the busiest disk during the repair.
fn busiest_disk(trace: &Trace, moments: &Moments) -> Option<f64> {
    busiest(trace, moments)?.0
}

/// Mean utilisation during the repair of (the busiest disk, the busiest NIC or uplink).
pub fn busiest(trace: &Trace, moments: &Moments) -> Option<(Option<f64>, Option<f64>)> {
    let all = utilisations(trace, moments.declared?, moments.repaired());
    let of = |what: Kind| {
        let hues = trace.resources.iter().map(|row| hue(&trace.kinds[row.kind.at()]));
        let mine = all.iter().zip(hues).filter(|(_, kind)| *kind == what);
        mine.filter_map(|(used, _)| *used).reduce(f64::max)
    };
    Some((of(Kind::Disk), of(Kind::Network)))
}
