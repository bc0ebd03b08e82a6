//! Copies of the pages of racks and nodes.
use crate::draw::{limited, trace};
use hdfs_reading::copies::with_copies;
use hdfs_trace::{block, kind};
use page::{Fleet, Kind};

#[test]
fn a_wait_in_the_queue_has_the_name_of_what_can_be_looked_up() {
    // 1 never waited, 2 waited for a setting, 3 for the copy of 1, which a disk limited, and 4 for
    // that of 2, of which nothing is known.
    let mut trace = trace(
        0,
        Some(12),
        "1 |tttttt      |
           |dddddd      |
         2 |qqqqtttttt  |
           |mmmm======  |
         3 |qqqqqqttt   |
           |111111nnn   |
         4 |qqqqqqqqqqtt|
           |2222222222nn|",
    );
    let copy =
        |row: &&hdfs_trace::Interval| row.kind == kind::TRANSFER && block(&trace, row) == Some(1);
    let first = trace.intervals.iter().position(|row| copy(&row)).unwrap();
    trace.intervals[first].cause = limited(0);
    let fleet = with_copies(Fleet::default(), &trace);
    let held = |place: &u32| {
        let cause = &fleet.causes[*place as usize];
        (cause.kind, cause.name.as_str())
    };
    let found: Vec<(Kind, &str)> = fleet.operations.held.iter().map(held).collect();
    let multiplier = "dfs.namenode.replication.work.multiplier.per.iteration = 2";
    assert_eq!(
        found,
        [
            (Kind::Unexplained, "not queued"),
            (Kind::Setting, multiplier),
            (Kind::Wait, "another copy, limited by a disk 0"),
            (Kind::Wait, "another copy of blk_2"),
        ]
    );
}
