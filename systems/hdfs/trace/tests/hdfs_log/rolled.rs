//! Rolled logs: they begin at the loss, or a part is missing.
use super::support::{about, logs, text};
use hdfs_trace::ingest::hdfs_log::ImportedLogs;

/// The sample from this line on (and up to that one, from 1).
fn lines(from: usize, to: usize) -> String {
    let whole = text("default-nn+dn.log.gz");
    whole.lines().skip(from - 1).take(to + 1 - from).map(|line| format!("{line}\n")).collect()
}

fn most(logged: &ImportedLogs) -> f64 {
    let at_risk = logged.trace.counters.iter().filter(|c| c.counter.at() == 0);
    at_risk.filter_map(|c| c.value).fold(0.0, f64::max)
}

#[track_caller]
fn noted(logged: &ImportedLogs, text: &str) {
    assert!(logged.cluster.notes.iter().any(|n| n.contains(text)), "{:?}", logged.cluster.notes)
}

/// All blocks are older than the log; it is the same loss: 208 blocks, 25.6 s.
#[test]
fn begins_at_the_loss() {
    for first in [10_640, 8_000, 5_000, 3_000] {
        let logged = logs(&[&lines(first, usize::MAX - 1)]).unwrap();
        assert_eq!(most(&logged), 208.0, "from line {first}");
        let recovery = about(&logged, "redundant_s") - about(&logged, "declared_s");
        assert!((recovery - 25.57).abs() < 0.3, "from line {first}: {recovery}");
        assert_eq!(about(&logged, "unrepaired"), 0.0);
        assert!(about(&logged, "blocks_inferred") > 0.0);
        let lost = logged.trace.nodes.iter().position(|node| !node.alive).unwrap();
        let map = logged.cluster.blocks.unpack_all();
        let held = map.replica.iter().filter(|r| r.node.at() == lost).count();
        assert_eq!(held, 208, "from line {first}");
        noted(&logged, "are older than the logs");
    }
    // The logs do not show how long the node was silent, and no default replaces it.
    let after = logs(&[&lines(10_640, usize::MAX - 1)]).unwrap();
    assert_eq!(about(&after, "fault_s"), about(&after, "declared_s"));
    noted(&after, "the real time is unknown");
    let whole = logs(&[&lines(1, usize::MAX - 1)]).unwrap();
    assert_eq!(whole.trace.about("blocks_inferred"), None, "complete logs need no inference");
}

/// Without the part in which the NameNode removes replicas, the copies' sources show the holders.
#[test]
fn a_part_is_missing() {
    let logged = logs(&[&lines(10_640, 10_654), &lines(11_000, usize::MAX - 1)]).unwrap();
    assert_eq!(most(&logged), 208.0);
    assert_eq!(about(&logged, "unrepaired"), 0.0);
    assert_eq!(about(&logged, "blocks_inferred"), 208.0);
}

/// INFO logs have no requests and no removed replicas: the blocks at risk are unknown.
#[test]
fn begins_at_the_loss_without_decisions() {
    let after = lines(10_640, usize::MAX - 1);
    let info: String = after
        .lines()
        .filter(|line| !line.contains(" DEBUG "))
        .map(|line| format!("{line}\n"))
        .collect();
    let logged = logs(&[&info]).unwrap();
    assert_eq!(about(&logged, "blocks_untold"), 208.0);
    assert_eq!(logged.trace.about("redundant_s"), None, "nobody knows");
    noted(&logged, "208 blocks get replicas after the loss");
}

/// Without the logger of replicas, no line proves that no block was at risk.
#[test]
fn without_block_state_changes() {
    let quiet = |text: String| -> String {
        text.lines()
            .filter(|line| !line.contains("BlockStateChange"))
            .map(|line| format!("{line}\n"))
            .collect()
    };
    // With the allocations (the 208 blocks that the lost node was given), up to the loss, and
    // without them.
    for (from, to, blocks) in
        [(1, usize::MAX - 1, 208.0), (1, 10_654, 208.0), (10_640, usize::MAX - 1, 0.0)]
    {
        let logged = logs(&[&quiet(lines(from, to))]).unwrap();
        assert_eq!(about(&logged, "blocks_untold"), blocks, "{from}–{to}");
        assert_eq!(logged.trace.about("redundant_s"), None, "nobody knows");
        let told = match blocks > 0.0 {
            true => "208 blocks were assigned to a lost node, but no line has the receivers",
            false => "no line has a block of a lost node",
        };
        noted(&logged, told);
        let ends = logged.cluster.notes.iter().any(|note| note.contains("before the repair"));
        assert!(!ends, "{:?}", logged.cluster.notes);
    }
}

/// A node that came within the logs, and got no block by any line, had none.
#[test]
fn an_empty_node_is_lost() {
    let new = "26/11/20 10:00:00 INFO net.NetworkTopology: Adding a new node: /r1/10.0.0.9:50010\n";
    let dead = "26/11/20 10:20:00 INFO hdfs.StateChange: BLOCK* removeDeadDatanode: lost \
                heartbeat from 10.0.0.9:50010, removeBlocksFromBlockMap true\n";
    let whole = include_str!("hadoop_2.txt").replace("/r2/", "/r1/");
    let until = whole.find("26/11/20 10:20:00").unwrap();
    let logged = logs(&[&format!("{new}{}{dead}", &whole[..until])]).unwrap();
    assert_eq!(logged.trace.about("blocks_untold"), None, "{:?}", logged.cluster.notes);
    assert_eq!(most(&logged), 0.0);
}

/// A file that is deleted is not lost.
#[test]
fn a_deleted_block_is_not_lost() {
    let whole = text("default-nn+dn.log.gz");
    let more = "2026-11-20 17:03:03,000 INFO BlockStateChange: BLOCK* addToInvalidates: \
                blk_1073742224_1400 127.0.0.1:35435 127.0.0.1:41191 127.0.0.1:37517 \n";
    let logged = logs(&[&whole, more]).unwrap();
    assert_eq!(about(&logged, "unrepaired"), 0.0);
    assert_eq!(most(&logged), 207.0, "it is left out");
}
