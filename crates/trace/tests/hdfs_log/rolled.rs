//! Rolled logs: they begin at the loss, or a part is missing.
use super::support::{about, logs, text};
use trace::ingest::hdfs_log::Logged;

/// The sample from this line on (and up to that one, from 1).
fn lines(from: usize, to: usize) -> String {
    let whole = text("default-nn+dn.log.gz");
    whole.lines().skip(from - 1).take(to + 1 - from).map(|line| format!("{line}\n")).collect()
}

fn most(logged: &Logged) -> f64 {
    logged.trace.counters.iter().filter(|c| c.name == 0).map(|c| c.value).fold(0.0, f64::max)
}

#[track_caller]
fn noted(logged: &Logged, text: &str) {
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
        let map = &logged.cluster.blocks;
        let held = map.replica.iter().filter(|r| r.node.at() == lost).count();
        assert_eq!(held, 208, "from line {first}");
        noted(&logged, "are older than the logs");
    }
    // How long the node had been silent is no log's word there: no default is told for it.
    let after = logs(&[&lines(10_640, usize::MAX - 1)]).unwrap();
    assert_eq!(about(&after, "fault_s"), about(&after, "declared_s"));
    noted(&after, "how long that took is not told");
    let whole = logs(&[&lines(1, usize::MAX - 1)]).unwrap();
    assert_eq!(whole.trace.about("blocks_inferred"), None, "nothing is inferred where all is told");
}

/// The part is missing in which the NameNode strikes out replicas: who is asked tells the rest.
#[test]
fn a_part_is_missing() {
    let logged = logs(&[&lines(10_640, 10_654), &lines(11_000, usize::MAX - 1)]).unwrap();
    assert_eq!(most(&logged), 208.0);
    assert_eq!(about(&logged, "unrepaired"), 0.0);
    assert_eq!(about(&logged, "blocks_inferred"), 208.0);
}

/// At INFO nobody is asked, and no replica is struck out: what was at risk is not known.
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
