//! Counts by hand: what is written, and what is left out.
use super::support::{Page, between, memory};
use hdfs_trace::ingest::foreground::{Imported, Sources, import};

/// Two DataNodes, 300 s.
fn pair() -> ([Page; 2], [Page; 2]) {
    let before = [Page::new("dn-1-9866", 1_000_000), Page::new("dn-2-9866", 2_000_000)];
    let [a, b] = before.clone();
    let a = a.with(&[
        ("ReadsFromLocalClient", 900),
        ("ReadsFromRemoteClient", 300),
        ("BytesRead", 6_000_000_000),
        ("RemoteBytesRead", 3_000_000_000),
        ("WritesFromLocalClient", 30),
        ("WritesFromRemoteClient", 60),
        ("RemoteBytesWritten", 6_000_000_000),
        ("BlocksWritten", 90),
    ]);
    let b = b.with(&[
        ("ReadsFromRemoteClient", 600),
        ("BytesRead", 3_000_000_000),
        ("RemoteBytesRead", 3_000_000_000),
        ("WritesFromRemoteClient", 90),
        ("RemoteBytesWritten", 9_000_000_000),
        ("BlocksWritten", 90),
    ]);
    let mut after = [a, b];
    after.iter_mut().for_each(|page| page.uptime += 300_000);
    (before, after)
}

fn pasted(imported: &Imported) -> (String, String) {
    (imported.toml("clients-shares.csv"), imported.csv())
}

/// 1 800 reads and 60 blocks (180 hops) in 300 s; 9 GB are 5 MB a read; of 60 blocks, 30 are
/// local to dn-1, and the others' first hops fall as all remote hops: 60 to 90.
#[test]
fn counts_by_hand() {
    let (before, after) = pair();
    let imported = between(&before, &after).expect("sound");
    let (toml, csv) = pasted(&imported);
    let wanted = "\
# Made by `tenbin import foreground`.
[workload.foreground]      # from 2 DataNodes, 300 s
reads = 6                  # per second, whole cluster
read_bytes = \"5MB\"         # mean
local = 0.5                # without short-circuit reads
writes = 0.2               # blocks per second, whole cluster
write_bytes = \"100MB\"      # mean
shares = \"clients-shares.csv\" # node,reads,writes: each node's part
";
    assert_eq!(toml, wanted);
    let rows = "node,reads,writes\ndn-1,4,0.14\ndn-2,2,0.06\n";
    assert_eq!(csv.split_once('\n').expect("a comment").1, rows);
    assert!(Imported::is_shares(&csv) && !Imported::is_shares("node;reads\n"));
    assert_eq!(imported.notes.len(), 2, "{:?}", imported.notes);
    assert!(imported.notes[0].contains("HDFS's default of dfs.replication"));
    assert!(imported.notes[1].contains("without short-circuit reads"));
}

#[test]
fn replication_is_an_option_or_a_setting() {
    let (before, after) = pair();
    let inputs = |pages: &[Page]| pages.iter().map(|p| p.input("x")).collect::<Vec<_>>();
    let site = "<configuration><property><name>dfs.replication</name><value>2</value></property>\
                </configuration>";
    let writes = |conf: Option<&str>, replication| {
        let conf = conf.map(|text| memory("hdfs-site.xml", text));
        let (before, after) = (inputs(&before), inputs(&after));
        let imported =
            import(&Sources { before, after, conf, replication }, &mut |_| ()).expect("sound");
        assert_eq!(imported.notes.len(), 1, "{:?}", imported.notes);
        imported.load.writes
    };
    assert_eq!(writes(Some(site), None), 0.3);
    assert_eq!(writes(None, Some(1)), 0.6);
    assert_eq!(writes(Some(site), Some(1)), 0.6);
}

#[test]
fn clients_that_wrote_more_than_hops_allow() {
    let (before, mut after) = pair();
    after[0].count("WritesFromLocalClient", 100);
    after[0].count("BlocksWritten", 100);
    let imported = between(&before, &after).expect("sound");
    assert!(imported.notes.iter().any(|n| n.contains("give --replication")));
    let sum: f64 = imported.load.shares.iter().map(|s| s.writes).sum();
    assert!((sum - imported.load.writes).abs() < 1e-12);
}

#[test]
fn who_is_left_out_is_said() {
    let (before, after) = pair();
    let (mut before, mut after) = (before.to_vec(), after.to_vec());
    let mut add = |node: &str, then: Option<u64>, now: Option<u64>, start: u64, count: u64| {
        before.extend(then.map(|up| Page::new(node, up).with(&[("BytesRead", 5)])));
        let page = |up| Page { start, ..Page::new(node, up).with(&[("BytesRead", count)]) };
        after.extend(now.map(page))
    };
    let same = Page::new("", 0).start;
    add("gone-9866", Some(7), None, same, 5);
    add("new-9866", None, Some(7), same, 5);
    // Up for longer than before, and yet another process.
    add("again-9866", Some(7_000), Some(9_000), same + 300_000, 5);
    add("older-9866", Some(7_000), Some(6_000), same, 5);
    add("still-9866", Some(7_000), Some(7_000), same, 5);
    add("fell-9866", Some(7_000), Some(307_000), same, 4);
    let imported = between(&before, &after).expect("two are left");
    assert_eq!(imported.load.shares.len(), 2);
    assert!((imported.load.reads - 6.0).abs() + (imported.load.writes - 0.2).abs() < 1e-12);
    for note in [
        "left out, only in --before: gone:9866",
        "left out, only in --after: new:9866",
        "left out, restarted between the snapshots: again:9866",
        "left out, its --after page is older than its --before page: older:9866",
        "left out, its pages have the same time: still:9866",
        "left out, a counter decreased: fell:9866",
    ] {
        assert!(imported.notes.iter().any(|n| n == note), "{note}: {:?}", imported.notes)
    }
    assert_eq!(imported.left_out.len(), 6);
}

/// Without StartTime a smaller Uptime is a restart.
#[test]
fn a_restart_is_seen_without_a_start_time() {
    let (before, after) = pair();
    let without = |pages: [Page; 2]| pages.map(|page| Page { start: 0, ..page });
    let (before, mut after) = (without(before), without(after));
    after[1].uptime = 60_000;
    let imported = between(&before, &after).expect("one is left");
    assert_eq!(imported.left_out, ["dn-2:9866"]);
    assert!(imported.notes.iter().any(|n| n.contains("restarted between the snapshots: dn-2")));
}

/// Several DataNodes of a host, as in mini-clusters, need their ports.
#[test]
fn one_host_with_two_datanodes() {
    let (before, after) = pair();
    let rename = |pages: [Page; 2]| {
        let [a, b] = pages;
        [Page { node: "h-1".into(), ..a }, Page { node: "h-2".into(), ..b }]
    };
    let imported = between(&rename(before), &rename(after)).expect("sound");
    let names: Vec<&str> = imported.load.shares.iter().map(|s| s.node.as_str()).collect();
    assert_eq!(names, ["h:1", "h:2"]);
}

/// Hadoop 2.6 counts no remote bytes.
#[test]
fn older_pages_count_less() {
    let (before, after) = pair();
    let older = |pages: [Page; 2]| {
        pages.map(|mut page| {
            page.counters.retain(|(name, _)| !name.starts_with("Remote"));
            page
        })
    };
    let (before, mut after) = (older(before), older(after));
    after[0].count("BytesWritten", 9_000_000_000);
    after[1].count("BytesWritten", 9_000_000_000);
    let load = between(&before, &after).expect("sound").load;
    assert_eq!(load.read_bytes, Some(units::Bytes::mb(5)));
    assert_eq!(load.write_bytes, Some(units::Bytes::mb(100)));
}

/// A tenth of the bytes is what rebuilding erasure-coded blocks read.
#[test]
fn rebuilt_groups_are_taken_out_of_the_reads() {
    let (before, mut after) = pair();
    after[0].count("EcReconstructionTasks", 9);
    after[0].count("EcReconstructionBytesRead", 900_000_000);
    let imported = between(&before, &after).expect("sound");
    assert!((imported.load.reads - 5.4).abs() < 1e-12);
    assert!(imported.notes.iter().any(|n| n.starts_with("9 erasure-coded blocks were rebuilt")));
}
