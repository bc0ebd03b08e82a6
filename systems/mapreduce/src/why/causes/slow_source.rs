//! Blocks of one host are read slowly, wherever the map runs.
//!
//! # What it looks at
//! The hosts that hold each map's block (`splitLocations` of its request) and the maps' time a
//! byte. Maps that read from the host are slow on its own node and on others; maps that run there
//! and read from elsewhere are not. With several replicas a map on one of their hosts reads there.
//!
//! # The bound
//! The job with those maps as fast as the others.
//!
//! # What to do
//! Look at that host's disk, its throttle (`dfs.datanode.data.read.bandwidthPerSec`) and its link.
//! A second replica of the input (`hdfs dfs -setrep`) lets maps read elsewhere.
//!
//! # What would confirm it
//! A history does not say why: the host's disk, a throttle
//! (`dfs.datanode.data.read.bandwidthPerSec`) or its network. The DataNode's curves or log do.
use super::super::job::Attempt;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, count, interval, middle, quantile, s};
use std::collections::BTreeMap;

/// The name of the cause.
const NAME: &str = "slow source";

/// So many times the others' time a byte is slow.
const TIMES: f64 = 1.5;

/// The host a map read from: its own where that holds the block, else the only one that does.
fn source<'j>(view: &View<'j>, a: &'j Attempt) -> Option<&'j str> {
    let holders = &view.job.tasks[a.task].holders;
    let own = holders.iter().find(|host| **host == a.host);
    let only = if holders.len() == 1 { holders.first() } else { None };
    own.or(only).map(String::as_str)
}

/// Seconds a byte of input; of maps without counted bytes seconds.
pub(super) fn pace(a: &Attempt) -> f64 {
    a.took() / a.number("HDFS_BYTES_READ").max(1.0)
}

/// Maps with bytes that can be compared: those of a few kilobytes start for longer than they read.
pub(super) fn comparable<'j>(view: &View<'j>) -> Vec<&'j Attempt> {
    let all = view.good("MAP");
    let typical = middle(&all, |a| a.number("HDFS_BYTES_READ"));
    all.into_iter().filter(|a| a.number("HDFS_BYTES_READ") >= 0.25 * typical).collect()
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all = comparable(view);
    let mut by: BTreeMap<&str, Vec<&Attempt>> = BTreeMap::new();
    for a in &all {
        if let Some(host) = source(view, a) {
            by.entry(host).or_default().push(a)
        }
    }
    let hosts: Vec<(&str, Vec<&Attempt>)> = by.into_iter().collect();
    let of = |(host, read): &(&str, Vec<&Attempt>)| of_host(view, &all, host, read);
    hosts.iter().filter_map(of).max_by(|a, b| a.share.total_cmp(&b.share)).into_iter().collect()
}

fn of_host(view: &View<'_>, all: &[&Attempt], host: &str, read: &[&Attempt]) -> Option<Verdict> {
    let others: Vec<&Attempt> = all.iter().filter(|a| !read.contains(a)).copied().collect();
    if read.len() < 2 || others.len() < 3 {
        return None;
    }
    let paces = |of: &[&Attempt]| of.iter().map(|a| pace(a)).collect::<Vec<f64>>();
    let (slow, usual) = (middle(read, pace), middle(&others, pace));
    let apart = quantile(paces(read), 0.25) > quantile(paces(&others), 0.75);
    let away: Vec<&Attempt> = read.iter().filter(|a| a.host != host).copied().collect();
    let beside: Vec<&Attempt> = others.iter().filter(|a| a.host == host).copied().collect();
    // Slow also elsewhere, or not slow there with others' blocks: the source, and not the node.
    let elsewhere = !away.is_empty() && middle(&away, pace) >= TIMES * usual;
    let not_node = !beside.is_empty() && middle(&beside, pace) < TIMES * usual;
    if slow < TIMES * usual || !apart || !(elsewhere || (not_node && away.is_empty())) {
        return None;
    }
    let fast = |a: &Attempt, work: f64| {
        let slow = read.iter().any(|b| b.name == a.name);
        Some(if slow { work.min(usual * a.number("HDFS_BYTES_READ").max(1.0)) } else { work })
    };
    let times = (s(middle(read, Attempt::took)), s(middle(&others, Attempt::took)));
    let what = format!(
        "{} of {host}’s blocks take {}, the others {}",
        count(read.len(), "map"),
        times.0,
        times.1
    );
    let mut evidence = vec![interval("splitLocations, starts and ends", what.clone())];
    if !away.is_empty() {
        let says =
            format!("{} of them ran elsewhere: {}", away.len(), s(middle(&away, Attempt::took)));
        evidence.push(interval("splitLocations, starts and ends", says))
    }
    if !beside.is_empty() {
        let says = format!(
            "{} that ran on {host} and read from elsewhere: {}",
            count(beside.len(), "map"),
            s(middle(&beside, Attempt::took))
        );
        evidence.push(interval("splitLocations, starts and ends", says))
    }
    let cpu = (s(middle(read, Attempt::cpu)), s(middle(&others, Attempt::cpu)));
    let says = format!("CPU of a map {}, of the others {}: it waits", cpu.0, cpu.1);
    evidence.push(super::view::counter("CPU_MILLISECONDS", says));
    let found = Found {
        cause: NAME,
        logged: false,
        holder: format!("blocks of {host}: {what}"),
        by: format!("reads from {host}: {what}, wherever they run"),
        gain: view.gain(&fast),
        bound: view.on_path(&fast),
        certainty: if elsewhere { "high" } else { "medium" },
        surer: "node curves of that host (sadf -j, or tenbin monitor): its disk or its network",
        cure: Cure::new(
            format!(
                "Look at the disk, the throttle and the link of the DataNode on {host}; a second \
                 replica of the input lets maps read elsewhere"
            ),
            "dfs.datanode.data.read.bandwidthPerSec",
        ),
        tasks: read.iter().map(|a| a.task).collect(),
        evidence,
    };
    Some(found.verdict(view))
}
