//! What only the fsck of Hadoop 2 prints.
use super::support::{listing, refused};
use hdfs_scenario::Redundancy;

/// Hadoop 2 prints a dot a file before its summary, on the same line.
#[test]
fn dots_before_the_status() {
    let begin = "FSCK started by root (auth:SIMPLE) from /192.0.2.2 for path / at Mon Dec 25\n";
    for status in ["Status: HEALTHY", "Status: CORRUPT"] {
        let dotted = format!("{begin}...{status}\n Total size:\t300 B\n Total files:\t3\n");
        let blocks = " Total blocks (validated):\t3\n";
        for blocks in [blocks, ""] {
            let error = refused(listing(format!("{dotted}{blocks}FSCK ended at Mon Dec 25\n")));
            assert!(error.contains("fsck was run without `-files`"), "{error}")
        }
    }
}

/// Hadoop 2 prints the target only in the message of a block with too few replicas; otherwise it is
/// the number of replicas, unless some blocks have too many.
#[test]
fn wanted_replicas_of_hadoop_2() {
    let held = |n: usize| (1..=n).map(|n| format!("10.0.0.{n}:50010")).collect::<Vec<_>>();
    let block = |at: u32, n: usize| {
        format!("0. BP-1-10.0.0.1-1:blk_{at}_1 len=10 repl={n} [{}]\n\n", held(n).join(", "))
    };
    let short = " Under replicated BP-1-10.0.0.1-1:blk_3_1. Target Replicas is 10 but found 4 \
                 replica(s).";
    let text = |over: u32| {
        format!(
            "FSCK started by hdfs (auth:SIMPLE) from /10.0.0.1 for path / at Mon Dec 25\n\
             /a 10 bytes, 1 block(s):  OK\n{}/b 10 bytes, 1 block(s):  OK\n{}\
             /c 10 bytes, 1 block(s): {short}\n{}Status: HEALTHY\n Total size:\t30 B\n \
             Total files:\t3\n Total blocks (validated):\t3\n \
             Over-replicated blocks:\t{over} (0.0 %)\n \
             Under-replicated blocks:\t1 (33.3 %)\n Default replication factor:\t3\n\
             FSCK ended at Mon Dec 25 12:18:37 UTC 2017 in 4 milliseconds\n",
            block(1, 2),
            block(2, 4),
            block(3, 4)
        )
    };
    for (over, second) in [(0, 4), (1, 3)] {
        let imported = listing(text(over)).unwrap();
        let map = imported.blocks.unpack_all();
        let wanted = [2, second, 10].map(Redundancy::Replicated);
        assert_eq!(map.redundancy, wanted, "{over} over-replicated");
        let named = imported.notes.iter().find(|n| n.contains("more replicas than the 4 live"));
        assert!(named.is_some_and(|n| n.contains("`/c` (10; fsck.txt:8)")), "{:?}", imported.notes);
    }
}
