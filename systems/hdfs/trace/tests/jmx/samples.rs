//! Real NameNodes' dumps against what their clusters are known to hold.
use super::support::{counts, file, run};
use cluster::Admin;
use hdfs_scenario::{Blocks, Scenario};
use hdfs_trace::ingest::hdfs::{Imported, Sources};

const NAMES: [&str; 9] = [
    "nodes",
    "live",
    "dead",
    "decommissioning",
    "racks",
    "blocks",
    "replicas",
    "under_replicated",
    "missing",
];

fn imported(jmx: &str) -> Imported {
    let conf = file("examples/shop/hdfs-site.xml");
    run(Sources { name: "shop".into(), jmx: file(jmx), conf, ..Sources::default() }).unwrap()
}

#[test]
fn shop_as_its_readme_says() {
    let shop = imported("examples/shop/nn-jmx.json.gz");
    assert_eq!(counts(&shop, &NAMES), [40, 40, 0, 0, 4, 12000, 36000, 0, 0]);
    // `used` has checksums, too: without them it is what the replicas have, to 4 in a million.
    let bytes = counts(&shop, &["replica_bytes"])[0];
    assert!(bytes.abs_diff(4_175_588_692_626) < 4_175_588_692_626 / 250_000, "{bytes}");
    let synthesis = shop.synthesis.as_ref().unwrap();
    let most = synthesis.held.iter().zip(&shop.cluster.nodes).max_by_key(|(h, _)| h.blocks);
    let (held, node) = most.unwrap();
    assert_eq!((held.blocks, node.address.as_str(), node.disks), (1403, "10.0.1.3:9866", 12));
    assert_eq!(node.host, "dn-r1-03.shop.example");
    assert_eq!(shop.date, "2026-11-21");
    assert_eq!(shop.namenode.as_deref(), Some("nn1.shop.example:8020"));
    assert!(shop.blocks.is_empty() && shop.notes[0].starts_with("block map SYNTHESISED"));
    assert!(!shop.assumed.iter().any(|key| key.contains("rack") && !key.contains("inter_rack")));
}

#[test]
fn shop_after_the_loss() {
    let shop = imported("jmx/after-loss-nn-jmx.json.gz");
    assert_eq!(counts(&shop, &NAMES), [40, 39, 1, 1, 4, 12000, 35102, 1610, 0]);
    let node = |address: &str| shop.cluster.nodes.iter().find(|n| n.address == address).unwrap();
    assert!(!node("10.0.2.5:9866").alive);
    assert_eq!(node("10.0.3.4:9866").admin, Admin::Decommissioning);
    let under_way = "a repair is in progress: 1610 blocks are under-replicated, dead nodes: 1";
    assert!(shop.notes.iter().any(|note| note.contains(under_way)), "{:?}", shop.notes);
    assert_eq!(shop.synthesis.unwrap().under_replicated, 1610 + 127, "and those on their way");
}

/// One JVM with a mini-cluster: its page has the beans of NameNode and DataNodes, all nodes share
/// one address with different ports, and names are invented.
#[test]
fn a_mini_cluster() {
    let mini = imported("jmx/two-racks-nn-jmx.json.gz");
    assert_eq!(counts(&mini, &NAMES), [8, 7, 1, 0, 2, 400, 1200, 0, 0]);
    assert!(mini.cluster.nodes.iter().all(|n| n.address.starts_with("127.0.0.1:")));
}

/// With a listing, the dump replaces `hdfs dfsadmin -report` and gives the same cluster.
#[test]
fn it_serves_as_the_report() {
    let fsck = file("examples/shop/fsck-files-blocks-replicaDetails.txt.gz");
    let sources = |jmx: Option<&str>, report: Option<&str>| Sources {
        fsck: fsck.clone(),
        jmx: jmx.and_then(file),
        report: report.and_then(file),
        ..Sources::default()
    };
    let by_jmx = run(sources(Some("examples/shop/nn-jmx.json.gz"), None)).unwrap();
    let by_report = run(sources(None, Some("examples/shop/dfsadmin-report.txt"))).unwrap();
    assert_eq!(by_jmx.counts, by_report.counts);
    assert_eq!(by_jmx.blocks, by_report.blocks);
    let shape = |of: &Imported| {
        let node = |n: &cluster::Node| (n.host.clone(), n.address.clone(), n.rack, n.capacity);
        of.cluster.nodes.iter().map(node).collect::<Vec<_>>()
    };
    assert_eq!(shape(&by_jmx), shape(&by_report));
    assert!(by_jmx.synthesis.is_none() && by_jmx.unknown.is_empty());
}

#[test]
fn a_scenario_opens_what_was_written() {
    let dir = std::env::temp_dir().join(format!("tenbin-jmx-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let shop = imported("examples/shop/nn-jmx.json.gz");
    shop.write(&dir.join("prod.toml")).unwrap();
    let names: Vec<_> = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["prod.toml"], "no block map beside it");
    let text = "[cluster]\nimport = \"prod.toml\"\n";
    let scenario = Scenario::from_str(text, dir.join("s.toml"), &[]).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(scenario.blocks, Blocks::Synthesised(shop.synthesis.unwrap()));
    assert_eq!(scenario.cluster.nodes, shop.cluster.nodes);
    assert!(
        hdfs_scenario::check::about(&scenario).what.contains("12000 blocks, their map synthesised")
    );
}
