//! Bytes of whatever file system the job reads and writes.
use crate::made::Made;
use mapreduce::why::JobExplanation;

/// A job of 64 maps on 4 nodes which read so much by these counters, 3 s each.
fn job(number: u32, counters: &[(&str, &str, u64)]) -> JobExplanation {
    let group = |(group, name, n): &(&str, &str, u64)| {
        format!(r#"{{"name": "{group}", "counts": [{{"name": "{name}", "value": {n}}}]}}"#)
    };
    let groups: Vec<String> = counters.iter().map(group).collect();
    let counters = format!(r#", "counters": {{"groups": [{}]}}"#, groups.join(", "));
    let mut made = Made::job(number, 64, 0);
    for map in 0..64 {
        let (task, begun) = (format!("m_{map:06}"), 5.0 + 4.0 * f64::from(map / 4));
        made = made
            .task(&task, 3.0)
            .starts(&format!("{task}_0"), &format!("n{}", map % 4), begun, "")
            .ends(&format!("{task}_0"), "FINISHED", begun + 3.0, &counters)
            .over(&task, "SUCCEEDED", begun + 3.0)
    }
    made.done("SUCCEEDED", 70.0).why()
}

const FS: &str = "org.apache.hadoop.mapreduce.FileSystemCounter";
const INPUT: &str = "org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter";

#[test]
fn what_maps_read_of_any_store_is_their_input() {
    let block = 134_217_728;
    let split = (FS, "HDFS_BYTES_READ", 112);
    let mut number = 200;
    let mut small = |counters: &[(&str, &str, u64)]| {
        number += 1;
        let why = job(number, counters);
        let small = why.verdicts.into_iter().find(|v| v.cause == "small splits");
        small.map(|v| (v.by.replace(['\u{a0}', '\u{202f}'], " "), v.evidence[0].source))
    };
    for scheme in
        ["S3A", "S3", "S3N", "OFS", "O3FS", "ABFS", "ABFSS", "WASB", "GS", "VIEWFS", "NEW"]
    {
        let name = format!("{scheme}_BYTES_READ");
        assert_eq!(small(&[split, (FS, &name, block)]), None, "{scheme}");
    }
    assert_eq!(small(&[split, (INPUT, "BYTES_READ", block)]), None);
    for (counters, source) in [
        (vec![(FS, "HDFS_BYTES_READ", 2_000_000)], "HDFS_BYTES_READ"),
        (vec![split, (FS, "S3A_BYTES_READ", 2_000_000)], "S3A_BYTES_READ"),
        (
            vec![(FS, "HDFS_BYTES_READ", 2_000_000), (FS, "VIEWFS_BYTES_READ", 2_000_000)],
            "HDFS_BYTES_READ",
        ),
    ] {
        let (by, named) = small(&counters).expect("2 MB a map");
        assert!(by.contains("read 2.0 MB each"), "{by}");
        assert_eq!(named, source);
    }
}
