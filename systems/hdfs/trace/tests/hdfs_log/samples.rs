//! Logs of real mini-clusters, and what their operator measured from outside.
use super::support::{about, logs, path, text};
use cluster::BlockIndex;
use hdfs_scenario::Redundancy;
use hdfs_trace::ingest::hdfs::Input;
use hdfs_trace::ingest::hdfs_log::{ImportedLogs, Sources, import};
use hdfs_trace::{Cause, NodeId, block, bytes, kind};
use std::collections::BTreeMap;

fn sample(name: &str) -> ImportedLogs {
    let logs = vec![Input::File(path(name))];
    import(&Sources { name: "mini".into(), logs, conf: None }, &mut |_| {}).unwrap()
}

/// Six nodes, 400 blocks of 256 KiB, 208 of them on the stopped node. A program that polled every
/// 0.1 s measured: dead after 11.95 s, safe 25.57 s later.
#[test]
fn a_loss_and_its_repair() {
    let logged = sample("default-nn+dn.log.gz");
    assert!((about(&logged, "declared_s") - 11.95).abs() < 0.1);
    let recovery = about(&logged, "redundant_s") - about(&logged, "declared_s");
    assert!((recovery - 25.57).abs() < 0.3, "{recovery}");
    assert_eq!(about(&logged, "unrepaired"), 0.0);
    let (trace, cluster) = (&logged.trace, &logged.cluster);
    assert_eq!(cluster.counts.nodes, 6);
    assert_eq!((cluster.counts.blocks, cluster.counts.replicas), (400, 1200));
    let lost = trace.nodes.iter().position(|node| !node.alive).unwrap();
    assert_eq!(trace.nodes[lost].address.as_deref(), Some("127.0.0.1:44199"));
    let held = cluster.blocks.unpack_all().replica.iter().filter(|r| r.node.at() == lost).count();
    assert_eq!(held, 208);
    let first = trace.counters.iter().find(|c| c.counter.at() == 0).unwrap();
    assert_eq!((first.at.0, first.value), (0, Some(208.0)), "at risk from the moment of the loss");
    let copies: Vec<_> = trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER).collect();
    assert_eq!(copies.len(), 208);
    assert!(copies.iter().all(|c| bytes(c) == 262_144 && c.node.is_some() && c.start <= c.end));
    assert_eq!(logged.losses, [("127.0.0.1:44199".to_string(), 0)]);
}

/// Progress counts the compressed bytes of all files and ends at 100 %.
#[test]
fn progress_is_of_all_files() {
    let sample = path("default-nn+dn.log.gz");
    let other = b"2026-11-20 17:00:59,962 INFO x: y\n".to_vec();
    let all = std::fs::metadata(&sample).unwrap().len() + other.len() as u64;
    let other = Input::Memory { name: "dn.log".into(), bytes: other };
    let logs = vec![Input::File(sample), other];
    let mut told: Vec<(String, u64)> = Vec::new();
    let sources = Sources { name: "mini".into(), logs, conf: None };
    import(&sources, &mut |p| {
        assert_eq!(p.total, Some(all));
        told.push((p.file.to_string(), p.read))
    })
    .unwrap();
    assert!(told.windows(2).all(|pair| pair[0].1 <= pair[1].1), "it never goes back");
    assert_eq!(told[0].0, "2 files");
    assert!(told.iter().any(|(file, read)| file == "2 files, 1 read" && *read < all));
    assert_eq!(told.last().unwrap(), &("2 files, 2 read".to_string(), all));
}

/// Each block's intervals follow one another without a gap, from the declaration to the last byte.
#[test]
fn chains_are_whole() {
    let logged = sample("default-nn+dn.log.gz");
    let mut by_block = BTreeMap::<i64, Vec<_>>::new();
    for interval in &logged.trace.intervals {
        if let Some(block) = block(&logged.trace, interval) {
            by_block.entry(block).or_default().push(interval)
        }
    }
    assert_eq!(by_block.len(), 208);
    let declared = about(&logged, "declared_s");
    for (block, mut chain) in by_block {
        chain.sort_by_key(|i| (i.start, i.end));
        assert!((chain[0].start.as_secs() - declared).abs() < 0.05, "blk_{block}");
        let gap = |pair: &[&hdfs_trace::Interval]| pair[1].start > pair[0].end;
        assert!(!chain.windows(2).any(gap), "blk_{block}: {chain:?}");
    }
}

/// Each cause of a wait needs two clues in the log.
#[test]
fn causes_are_settings_that_the_log_bears_out() {
    let logged = sample("default-nn+dn.log.gz");
    let mut waited = BTreeMap::<(trace::IntervalKind, String), f64>::new();
    for i in &logged.trace.intervals {
        let cause = match i.cause {
            Cause::Setting(s) => logged.trace.settings[s.at()].key.clone(),
            Cause::Unexplained => "unexplained".into(),
            other => panic!("{other:?}"),
        };
        *waited.entry((i.kind, cause)).or_default() += (i.end - i.start).as_secs()
    }
    let of = |kind, key: &str| waited.get(&(kind, key.to_string())).copied().unwrap_or(0.0);
    let queued = kind::QUEUED;
    let multiplier = of(queued, "dfs.namenode.replication.work.multiplier.per.iteration");
    let all: f64 = waited.iter().filter(|((k, _), _)| *k == queued).map(|(_, s)| s).sum();
    assert!(multiplier > 0.8 * all, "{waited:?}");
    assert!(of(kind::HANDOUT, "dfs.heartbeat.interval") > 0.0);
    assert!(of(kind::TRANSFER, "unexplained") > 0.0, "no log has disks or links");
    let heartbeat = logged.trace.settings.iter().find(|s| s.key == "dfs.heartbeat.interval");
    assert_eq!(heartbeat.unwrap().value, "1s");
}

/// The NameNode was passive and a program moved the replicas with `replaceBlock`.
#[test]
fn moves_from_outside() {
    let logged = sample("external-nn+dn.log.gz");
    let trace = &logged.trace;
    let copies: Vec<_> = trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER).collect();
    assert_eq!(copies.len(), 204);
    assert!(copies.iter().all(|c| c.node.is_some() && c.peer.is_some() && c.node != c.peer));
    assert_eq!(about(&logged, "unrepaired"), 0.0);
    assert!(logged.cluster.notes.iter().any(|n| n.starts_with("204 of 204 copies: made by")));
}

/// The same lines, split into two files by daemon, give the same run.
#[test]
fn several_files_are_one() {
    let whole = text("default-nn+dn.log.gz");
    let is_node = |line: &&str| line.contains("server.datanode.DataNode");
    let nodes: String = whole.lines().filter(is_node).map(|l| format!("{l}\n")).collect();
    let names: String = whole.lines().filter(|l| !is_node(l)).map(|l| format!("{l}\n")).collect();
    let (one, two) = (logs(&[&whole]).unwrap(), logs(&[&nodes, &names]).unwrap());
    assert_eq!(one.trace.counters, two.trace.counters);
    let copies = |of: &ImportedLogs| -> BTreeMap<(i64, Option<NodeId>, Option<NodeId>), f64> {
        let all = of.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER);
        all.map(|i| ((block(&of.trace, i).unwrap(), i.node, i.peer), i.end.as_secs())).collect()
    };
    let (one_copies, two_copies) = (copies(&one), copies(&two));
    assert!(one_copies.keys().eq(two_copies.keys()));
    // Threads stamp their lines before they write them, so times in a file go back by milliseconds.
    let near = |(a, b): (&f64, &f64)| (a - b).abs() < 0.02;
    assert!(one_copies.values().zip(two_copies.values()).all(near));
    let alone = logs(&[&names]).unwrap();
    assert_eq!(alone.trace.counters, one.trace.counters, "the NameNode's log alone has the risk");
    let told = |n: &String| n.starts_with("208 of 208 copies: no DataNode's log");
    assert!(alone.cluster.notes.iter().any(told), "{:?}", alone.cluster.notes);
}

/// The rebuilt map is the one that HDFS had: three replicas each, the right lengths.
#[test]
fn the_block_map_at_the_loss() {
    let map = sample("default-nn+dn.log.gz").cluster.blocks.unpack_all();
    for block in (0..map.len()).map(BlockIndex) {
        assert_eq!(map.replicas(block).len(), 3);
        assert_eq!(map.bytes(block).0, 262_144);
        assert_eq!(map.redundancy[block.at()], Redundancy::Replicated(3));
    }
}
