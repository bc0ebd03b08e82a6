//! `tenbin import foreground`, and what reads its files.
use crate::tenbin::Place;
use serde_json::Value;

/// A page of a DataNode that has served 300 reads of 16 MB and 15 hops of 128 MB blocks in each
/// step of 300 s, rack 1 twice as many reads.
fn page(node: &str, rack: usize, step: u64) -> String {
    let reads = step * if rack == 1 { 600 } else { 300 };
    let (local, remote) = (reads / 3, reads - reads / 3);
    let (uptime, hops) = (1_000_000 + step * 300_000, step * 15);
    let bytes = |n: u64| n * 16_000_000;
    let name = format!("DataNodeActivity-{node}-9866");
    format!(
        "{{ \"beans\" : [ {{ \"name\" : \"Hadoop:service=DataNode,name={name}\",\n\
         \"BytesWritten\" : {}, \"BytesRead\" : {}, \"BlocksWritten\" : {hops},\n\
         \"ReadsFromLocalClient\" : {local}, \"ReadsFromRemoteClient\" : {remote},\n\
         \"WritesFromLocalClient\" : {}, \"WritesFromRemoteClient\" : {},\n\
         \"RemoteBytesRead\" : {}, \"RemoteBytesWritten\" : {} }}, {{\n\
         \"name\" : \"java.lang:type=Runtime\", \"StartTime\" : 7, \"Uptime\" : {uptime} }} ] }}\n",
        hops * 128_000_000,
        bytes(reads),
        step * 5,
        step * 10,
        bytes(remote),
        step * 10 * 128_000_000,
    )
}

/// Two snapshots of the shop's 40 DataNodes.
pub(crate) fn snapshots(place: &Place) {
    for (step, moment) in ["before", "after"].iter().enumerate() {
        std::fs::create_dir(place.dir.join(moment)).expect("a folder");
        for rack in 1..=4 {
            for n in 1..=10 {
                let node = format!("dn-r{rack}-{n:02}");
                place.write(&format!("{moment}/{node}.json"), page(&node, rack, step as u64))
            }
        }
    }
}

const IMPORT: [&str; 6] = ["import", "foreground", "--before", "before", "--after", "after"];

#[test]
fn a_plan_weighs_the_clients_of_two_snapshots() {
    let place = Place::with_everything("foreground");
    snapshots(&place);
    let told = place.json(&IMPORT);
    let load = |key: &str| told[key].as_f64().expect("a number");
    assert_eq!((load("nodes"), load("seconds")), (40.0, 300.0));
    // 30 nodes with 1 read a second, 10 with 2; 40 × 15 hops in 300 s are 2/3 of a block a second.
    assert!((load("reads") - 50.0).abs() < 1e-9 && (load("local") - 1.0 / 3.0).abs() < 1e-9);
    assert!((load("writes") - 2.0 / 3.0).abs() < 1e-9, "{told:#}");
    assert_eq!((load("read_bytes"), load("write_bytes")), (16e6, 128e6));
    let shares = std::fs::read_to_string(place.dir.join("clients-shares.csv")).expect("shares");
    assert!(shares.contains("\ndn-r1-05,2,0.0166667\ndn-r1-06,2"), "{shares}");
    assert!(shares.contains("\ndn-r2-05,1,0.0166667\n"), "{shares}");
    let said = place.ok(&IMPORT);
    let text = std::fs::read_to_string(place.dir.join("clients.toml")).expect("written again");
    assert_eq!(said.out, format!("{text}clients.toml\n"));
    assert!(said.err.contains("note: without short-circuit reads"), "{}", said.err);
    let plan = place.json(&[
        "plan",
        "rebuild",
        "examples/shop/shop.toml",
        "--lose",
        "dn-r2-05",
        "--foreground",
        "clients.toml",
        "--seeds",
        "2",
        "-o",
        "planned",
    ]);
    let before = plan["foreground"]["before_p99_ms"].as_f64().expect("enough requests");
    let beside = plan["current"]["foreground_p99_ms"].as_f64().expect("enough requests");
    // Two seeds that selected nothing give the 99th percentile within a small factor: their order
    // is not tested.
    assert!(before > 0.0 && beside > 0.0, "{plan:#}");
    // Pasted into a scenario it is the same load.
    let scenario = "[cluster]\nimport = \"examples/shop/shop.toml\"\n[[event]]\nat = \"60s\"\n\
                    kind = \"node-lost\"\ntarget = \"dn-r2-05\"\n";
    place.write("s.toml", format!("{scenario}{text}"));
    let checked = place.json(&["check", "s.toml"]);
    assert!(checked.to_string().contains("clients-shares.csv"), "{checked}");
}

#[test]
fn what_is_no_snapshot_leaves_nothing() {
    let place = Place::new("no-foreground");
    snapshots(&place);
    let refused = |args: &[&str], said: &str| {
        let done = place.tenbin(&[&IMPORT[..], args].concat());
        assert_eq!(done.code, Some(2), "{args:?}\n{}{}", done.out, done.err);
        assert!(done.err.contains(said), "{said}: {}", done.err);
        assert!(done.out.is_empty());
    };
    place.write("after/dn-r3-03.json", "{ \"beans\" : [ {");
    refused(&[], "after/dn-r3-03.json:1: the JSON ends in the middle");
    place.write("after/dn-r3-03.json", "");
    refused(&[], "after/dn-r3-03.json: 0 bytes");
    place.write("after/dn-r3-03.json", page("dn-r3-03", 3, 1));
    refused(&["--replication", "0"], "--replication");
    refused(&["-o", "before"], "is a folder");
    refused(&["-o", "nowhere/clients.toml"], "is in a folder that does not exist");
    place.write("prod.toml", "[cluster]\nracks = 2\n");
    refused(&["-o", "prod.toml"], "prod.toml: is another file, which would be overwritten");
    place.write("mine-shares.csv", "node;share\n");
    refused(&["-o", "mine.toml"], "mine-shares.csv: is another file, which would be overwritten");
    assert_eq!(place.names(), ["after", "before", "mine-shares.csv", "prod.toml"]);
    // A node that did not answer is left out.
    std::fs::remove_file(place.dir.join("after/dn-r3-03.json")).expect("it is there");
    let told = place.json(&IMPORT);
    assert_eq!(told["left_out"], Value::from(vec!["dn-r3-03:9866"]));
    assert_eq!(told["nodes"], 39);
}
