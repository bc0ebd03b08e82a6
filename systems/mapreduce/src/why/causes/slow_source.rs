//! Blocks of one host are read slowly, by maps on any node.
//!
//! # What it looks at
//! The hosts with each map's block (`splitLocations` of its request), and the maps' time per byte.
//! Maps that read from the host are slow on its own node and on others. Maps on that node that read
//! from elsewhere are not slow. With several replicas, a map on one of their hosts reads there.
//!
//! # The bound
//! The job with those maps as fast as the others.
//!
//! # What to do
//! Check that host's disk, its throttle (`dfs.datanode.data.read.bandwidthPerSec`) and its link. A
//! second replica of the input (`hdfs dfs -setrep`) lets maps read elsewhere.
//!
//! # What would confirm it
//! A history does not show the reason: the host's disk, a throttle
//! (`dfs.datanode.data.read.bandwidthPerSec`) or its network. The DataNode's curves or log do.
use super::rule::{Finding, Rule, TimePart, counter, interval};
use super::view::View;
use crate::plain::{count, duration};
use crate::why::stats::{grouped, middle, quantile};
use crate::why::{Attempt, Remedy};

pub(super) const RULE: Rule = Rule {
    name: "slow source",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "medium",
    confirm: "node curves of that host (sadf -j, or tenbin monitor): its disk or its network",
    remedy: ("", ""),
    source: include_str!("slow_source.rs"),
};

/// A pace of at least this many times the others' is slow.
const TIMES: f64 = 1.5;

/// Host that a map read from: its own if it has the block, else the only one with the block.
fn source<'j>(view: &View<'j>, a: &'j Attempt) -> Option<&'j str> {
    let holders = &view.job.tasks[a.task].holders;
    let own = holders.iter().find(|host| **host == a.host);
    let only = if holders.len() == 1 { holders.first() } else { None };
    own.or(only).map(String::as_str)
}

/// Seconds per byte of input; seconds if no bytes are counted.
pub(super) fn seconds_per_byte(a: &Attempt) -> f64 {
    a.duration_s() / a.number("HDFS_BYTES_READ").max(1.0)
}

/// Maps with enough bytes to compare: maps of a few kilobytes start for longer than they read.
pub(super) fn comparable<'j>(view: &View<'j>) -> Vec<&'j Attempt> {
    let (all, read) = (view.successful("MAP"), |a: &Attempt| a.number("HDFS_BYTES_READ"));
    let typical = middle(all, read);
    all.iter().filter(|a| read(a) >= 0.25 * typical).copied().collect()
}

/// The other attempts, and their median pace, if `own` are slow. Slow: the fastest quarter of `own`
/// is slower than the slowest quarter of the others. `None`: not slow, or too few.
pub(super) fn slow<'a>(
    own: &[&Attempt],
    all: &[&'a Attempt],
    pace: &dyn Fn(&Attempt) -> f64,
) -> Option<(Vec<&'a Attempt>, f64)> {
    let others: Vec<&Attempt> = all.iter().filter(|a| !own.contains(a)).copied().collect();
    if own.len() < 2 || others.len() < 3 {
        return None;
    }
    let paces = |of: &[&Attempt]| of.iter().map(|a| pace(a)).collect::<Vec<f64>>();
    let apart = quantile(paces(own), 0.25) > quantile(paces(&others), 0.75);
    let usual = middle(&others, pace);
    (apart && middle(own, pace) >= TIMES * usual).then_some((others, usual))
}

fn find(view: &View<'_>) -> Option<Finding> {
    let all = comparable(view);
    let by = grouped(all.iter().copied(), |a| source(view, a));
    let found = by.iter().filter_map(|(host, read)| of_host(view, &all, host, read));
    found.max_by(|a, b| a.gain.total_cmp(&b.gain))
}

fn of_host(view: &View<'_>, all: &[&Attempt], host: &str, read: &[&Attempt]) -> Option<Finding> {
    let (others, usual) = slow(read, all, &seconds_per_byte)?;
    let away: Vec<&Attempt> = read.iter().filter(|a| a.host != host).copied().collect();
    let beside: Vec<&Attempt> = others.iter().filter(|a| a.host == host).copied().collect();
    // The source is slow, not the node: slow also elsewhere, or fast here with others' blocks.
    let elsewhere = !away.is_empty() && middle(&away, seconds_per_byte) >= TIMES * usual;
    let not_node = !beside.is_empty() && middle(&beside, seconds_per_byte) < TIMES * usual;
    if !(elsewhere || (not_node && away.is_empty())) {
        return None;
    }
    let fast = |a: &Attempt, work: f64| {
        let slow = read.iter().any(|b| b.name == a.name);
        Some(if slow { work.min(usual * a.number("HDFS_BYTES_READ").max(1.0)) } else { work })
    };
    let took = |all: &[&Attempt]| duration(middle(all, Attempt::duration_s));
    let cpu = |all: &[&Attempt]| duration(middle(all, Attempt::cpu));
    let located = |says: String| interval("splitLocations, starts and ends", says);
    let many = count(read.len(), "map");
    let (own, rest) = (took(read), took(&others));
    let what = format!("{many} of {host}’s blocks take {own}, the others {rest}");
    let ran_away = || format!("{} of them ran elsewhere: {}", away.len(), took(&away));
    let ran_beside = || {
        let many = count(beside.len(), "map");
        format!("{many} that ran on {host} and read from elsewhere: {}", took(&beside))
    };
    let waits = format!("CPU of a map {}, of the others {}: it waits", cpu(read), cpu(&others));
    let remedy = format!(
        "Check the disk, the throttle and the link of the DataNode on {host}; a second replica of \
         the input lets maps read elsewhere"
    );
    let by = format!("reads from {host}: {what}, on all nodes");
    let found = Finding::new(by, format!("blocks of {host}: {what}"))
        .without(view, &fast)
        .certainty(if elsewhere { "high" } else { "medium" })
        .remedy(Remedy::new(remedy, "dfs.datanode.data.read.bandwidthPerSec"))
        .tasks(read.iter().map(|a| a.task))
        .with([located(what)])
        .with((!away.is_empty()).then(|| located(ran_away())))
        .with((!beside.is_empty()).then(|| located(ran_beside())))
        .with([counter("CPU_MILLISECONDS", waits)]);
    Some(found)
}
