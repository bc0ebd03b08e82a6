//! Dumps of other versions and sizes, made for the purpose.
use super::support::{counts, dump, run};
use cluster::Admin;
use hdfs_trace::ingest::hdfs::{Input, Sources};
use std::fmt::Write;

/// A page with these texts as `LiveNodes` and `DeadNodes`, and these further beans.
fn page(live: &str, dead: &str, more: &str) -> String {
    let text = |json: &str| serde_json::to_string(json).unwrap();
    format!(
        "{{\"beans\":[{{\"name\":\"Hadoop:service=NameNode,name=NameNodeInfo\",\"TotalBlocks\":10,\
         \"Safemode\":\"\",\"LiveNodes\":{},\"DeadNodes\":{}}}{more}]}}",
        text(live),
        text(dead)
    )
}

fn node(name: &str, address: &str, more: &str) -> String {
    format!(
        "\"{name}\":{{\"xferaddr\":\"{address}\",\"numBlocks\":10,\"used\":1290,\"capacity\":9000,\
         \"remaining\":7000{more}}}"
    )
}

/// Hadoop 2 and 3.3 print no `location`: all nodes are in one rack, with a note on the page's
/// version, unless a topology is given.
#[test]
fn racks_are_assumed_or_told_by_the_topology() {
    let live = format!("{{{},{}}}", node("a:1", "10.0.0.1:1", ""), node("b:1", "10.0.0.2:1", ""));
    let alone = dump(page(&live, "{}", "")).unwrap();
    assert_eq!(counts(&alone, &["nodes", "racks", "blocks", "replicas"]), [2, 1, 10, 20]);
    assert!(alone.assumed.contains(&"cluster.racks".to_string()), "{:?}", alone.assumed);
    for (version, said) in [("3.3.0", "JMX (Hadoop 3.3.0) names no racks"), ("", "JMX names no")] {
        let says = format!("\"SoftwareVersion\":\"{version}\",\"Safemode\"");
        let made = dump(page(&live, "{}", "").replace("\"Safemode\"", &says)).unwrap();
        assert!(made.notes.iter().any(|note| note.contains(said)), "{version}: {:?}", made.notes);
    }
    let topology =
        "Rack: /r1\n   10.0.0.1:1 (a) In Service\nRack: /r2\n   10.0.0.2:1 (b) In Service\n";
    let memory = |name: &str, text: &str| {
        Some(Input::Memory { name: name.into(), bytes: text.as_bytes().to_vec() })
    };
    let jmx = memory("nn-jmx.json", &page(&live, "{}", ""));
    let topology = memory("topology.txt", topology);
    let told = run(Sources { jmx, topology, ..Sources::default() }).unwrap();
    assert_eq!(counts(&told, &["racks"]), [2]);
    assert!(!told.assumed.contains(&"cluster.racks".to_string()));
}

/// `-reconfig` of the settings that a plan proposes came with HDFS-14560.
#[test]
fn versions_that_must_be_restarted() {
    let live = format!("{{{}}}", node("a:1", "10.0.0.1:1", ""));
    for (version, restart) in [
        ("2.7.3", true),
        ("3.0.0", true),
        ("3.1.2", true),
        ("3.1.3", false),
        ("3.2.0", true),
        ("3.2.1", false),
        ("3.3.0-SNAPSHOT", false),
        ("3.4.3", false),
        ("", false),
    ] {
        let says = format!("\"SoftwareVersion\":\"{version}\",\"Safemode\"");
        let made = dump(page(&live, "{}", "").replace("\"Safemode\"", &says)).unwrap();
        let told = made.notes.iter().any(|note| note.contains("restart the NameNode"));
        assert_eq!(told, restart, "{version}");
        assert_eq!(made.hadoop.as_deref().unwrap_or(""), version);
    }
}

#[test]
fn states_standby_and_safe_mode() {
    let state = |state: &str| format!(",\"adminState\":\"{state}\",\"location\":\"/r\"");
    let live = format!(
        "{{{},{},{}}}",
        node("a:1", "10.0.0.1:1", &state("Decommissioned")),
        node("b:1", "10.0.0.2:1", &state("Entering Maintenance")),
        node("c:1", "10.0.0.3:1", &state("In Maintenance")),
    );
    let dead = "{\"d:1\":{\"xferaddr\":\"10.0.0.4:1\",\"decommissioned\":true}}";
    let more = ",{\"name\":\"Hadoop:service=NameNode,name=NameNodeStatus\",\"State\":\"standby\"}";
    let imported = dump(page(&live, dead, more)).unwrap();
    let admins: Vec<Admin> = imported.cluster.nodes.iter().map(|n| n.admin).collect();
    use Admin::*;
    let by_rack = [Decommissioned, Decommissioned, EnteringMaintenance, InMaintenance];
    assert_eq!(admins, by_rack, "the dead one, in /default-rack, first");
    assert!(imported.notes.iter().any(|n| n.contains("this NameNode is standby")));
    let safe =
        page(&live, "{}", "").replace("\"Safemode\":\"\"", "\"Safemode\":\"Safe mode is ON.\"");
    assert!(dump(safe).unwrap().notes.iter().any(|n| n.contains("in safe mode")));
}

#[test]
fn groups_are_counted_and_their_policy_taken_from_the_enabled_ones() {
    let live = format!("{{{}}}", node("a:1", "10.0.0.1:1", ""));
    let more = ",{\"name\":\"Hadoop:service=NameNode,name=FSNamesystem\",\"BlocksTotal\":7,\
                \"TotalReplicatedBlocks\":5,\"TotalECBlockGroups\":2,\
                \"tag.EnabledEcPolicies\":\"XOR-2-1-1024k, RS-3-2-1024k\"}";
    let imported = dump(page(&live, "{}", more)).unwrap();
    assert_eq!(counts(&imported, &["blocks", "erasure_coded_groups", "replicas"]), [5, 2, 4]);
    assert_eq!(imported.synthesis.unwrap().coded, (2, 1));
    assert!(imported.unknown.contains(&"replica_bytes"));
}

/// A large cluster's page is read in a second even in a debug build.
#[test]
fn ten_thousand_nodes() {
    let mut live = String::from("{");
    for n in 0..10_000 {
        let comma = if n == 0 { "" } else { "," };
        let address = format!("10.{}.{}.{}:9866", n / 2500, n / 50 % 50, n % 50);
        let rack = format!(",\"location\":\"/r{}\",\"adminState\":\"In Service\"", n / 50);
        let _ = write!(live, "{comma}{}", node(&format!("dn{n}:9866"), &address, &rack));
    }
    let imported = dump(page(&(live + "}"), "{}", "")).unwrap();
    assert_eq!(counts(&imported, &["nodes", "racks", "replicas"]), [10_000, 200, 100_000]);
}
