//! What is read: the scenarios of the repository, an import, layers, rows, hashes.
use crate::common::{EIGHT, LOSS, Read, SHOP, folder, golden};
use cluster::*;
use hdfs_scenario::{keys, *};
use std::path::{Path, PathBuf};
use units::{Bytes, BytesPerSec, Nanos};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn eight(sets: &[(&str, &str)]) -> Read {
    read(EIGHT, sets)
}

fn read(text: &str, sets: &[(&str, &str)]) -> Read {
    let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Read::of(text, "x.toml", &sets)
}

fn shop(name: &str, loss: &str, sets: &[(String, String)]) -> (PathBuf, Read) {
    let folder = folder(name);
    std::fs::write(folder.join("shop.toml"), SHOP).expect("written");
    let file = folder.join("loss.toml");
    std::fs::write(&file, loss).expect("written");
    let scenario = Read::file(&file, sets).unwrap_or_else(|e| panic!("{e}"));
    (folder, scenario)
}

fn origin<'a>(s: &'a Scenario, key: &str) -> &'a Origin {
    &s.settings.iter().find(|setting| setting.key == key).expect(key).origin
}

#[test]
fn s0_is_the_document_s_set_up() {
    let file = repository().join("scenarios/s0.toml");
    let text = std::fs::read_to_string(file).expect("scenarios/s0.toml");
    let s = Read::of(&text, "scenarios/s0.toml", &[]);
    assert_eq!((s.cluster.nodes.len(), s.cluster.racks.len()), (8, 1));
    assert_eq!(s.hardware.disk.rate, BytesPerSec::mb(65));
    assert_eq!((s.hardware.disk.seek, s.hardware.disk.channels), (Nanos::ZERO, Channels::Shared));
    assert_eq!(
        (s.hardware.nic, s.hardware.inter_rack),
        (BytesPerSec::mb(125), BytesPerSec::mb(125))
    );
    assert_eq!(
        (s.hardware.nic_latency, s.hardware.inter_rack_latency),
        (Nanos(100_000), Nanos(100_000))
    );
    let workload = Workload {
        blocks_on_lost_node: 80 * 7,
        block_bytes: Bytes::mb(67),
        code: None,
        concerned_only: false,
    };
    assert_eq!(s.blocks, Blocks::Drawn(workload));
    assert_eq!(s.policy.pacing, Pacing::EventDriven);
    assert_eq!(s.0.assumed().count(), 0, "the document says all that matters");
    golden("check_s0.txt", &s.checked());
}

/// Each cluster of Higai et al. 2014 is a valid row.
#[test]
fn s0_has_room_for_all_claims() {
    let file = repository().join("scenarios/s0.toml");
    for (racks, nodes) in [(1, 6), (1, 8), (1, 16), (1, 32), (2, 8), (2, 16), (2, 32)] {
        for (link, latency) in [("125MB/s", "0.1ms"), ("1.25GB/s", "1ms")] {
            let sets = [
                ("cluster.racks", racks.to_string()),
                ("cluster.nodes_per_rack", nodes.to_string()),
                ("workload.blocks_on_lost_node", (80 * (racks * nodes - 1)).to_string()),
                ("hardware.inter_rack", link.to_string()),
                ("hardware.inter_rack_latency", latency.to_string()),
                ("hardware.disk", "105MB/s".to_string()),
            ];
            let s = Scenario::read(&file, &sets.map(|(k, v)| (k.to_string(), v))).expect("valid");
            assert_eq!(s.cluster.nodes.len(), racks * nodes);
        }
    }
}

/// `scenarios/shop.toml` names the file of an import; the test replaces it with a similar one.
#[test]
fn shop_reads_with_its_cluster() {
    let text =
        std::fs::read_to_string(repository().join("scenarios/shop.toml")).expect("shop.toml");
    let folder = folder("shop_scenario");
    std::fs::create_dir_all(folder.join("examples/shop")).expect("made");
    std::fs::create_dir_all(folder.join("scenarios")).expect("made");
    let cluster = SHOP.replace("dn3.shop", "dn-r2-05.shop");
    std::fs::write(folder.join("examples/shop/shop.toml"), cluster).expect("written");
    let s = Read::of(&text, folder.join("scenarios/shop.toml"), &[]);
    let names: Vec<&str> = s.0.variants.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names[..3], ["default (now)", "ring", "multiplier 4"]);
    assert_eq!(
        s.blocks,
        Blocks::Parquet {
            path: folder.join("examples/shop/shop.blocks.parquet"),
            sha256: "0123456789abcdef".repeat(4),
            blocks: 12_000,
            replicas: 36_000,
        }
    );
}

#[test]
fn an_import() {
    let (folder, s) = shop("import", LOSS, &[]);
    let text = s.checked().replace(&format!("{}/", folder.display()), "");
    golden("check_import.txt", &text);
    assert_eq!(s.policy.pacing, Pacing::Hdfs3);
    assert_eq!(s.events, [Event { at: Nanos::secs(5), kind: EventKind::NodeLost(NodeId(3)) }]);
    assert_eq!(s.cluster.nodes.iter().map(|n| n.disks).collect::<Vec<_>>(), [12, 12, 12, 2]);
    assert_eq!(s.cluster.racks[1].nodes, [NodeId(2), NodeId(3)]);
    assert_eq!(s.hdfs.max_streams, 4);
}

#[test]
fn where_values_come_from() {
    let sets = [("hardware.nic".to_string(), "1GbE".to_string())];
    let (folder, s) = shop("origins", LOSS, &sets);
    let file = folder.join("shop.toml");
    let imported = |line| Origin::Imported { file: file.clone(), line };
    assert_eq!(*origin(&s, "hardware.nic"), Origin::CommandLine);
    assert_eq!(s.hardware.nic, BytesPerSec::gbit(1));
    assert_eq!(*origin(&s, "hardware.disk"), Origin::Assumed, "marked and not edited");
    assert_eq!(*origin(&s, "hardware.disks_per_node"), imported(14));
    assert_eq!(*origin(&s, "hdfs-site.dfs.blocksize"), imported(21));
    assert_eq!(*origin(&s, "hdfs-site.dfs.heartbeat.interval"), Origin::Default);
    let line = Origin::File { file: folder.join("loss.toml"), line: 5 };
    assert_eq!(*origin(&s, "hardware.inter_rack_latency"), line);
    assert_eq!(
        *origin(&s, "event[1].target"),
        Origin::File { file: folder.join("loss.toml"), line: 10 }
    );

    let (_, s) = shop("origins2", LOSS, &[]);
    let edited = Origin::File { file: file.with_file_name("shop.toml"), line: 16 };
    let Origin::File { line, .. } = origin(&s, "hardware.nic") else { panic!("edited: no guess") };
    assert_eq!(Origin::File { file, line: *line }, edited, "marked, but edited");
    let assumed: Vec<&str> = s.0.assumed().map(|s| s.key.as_str()).collect();
    assert_eq!(assumed, ["hardware.disk", "hardware.nic_latency", "hardware.inter_rack"]);
}

#[test]
fn what_does_not_matter_is_not_assumed() {
    let one_rack = eight(&[("cluster.racks", "1")]);
    let assumed: Vec<&str> = one_rack.0.assumed().map(|s| s.key.as_str()).collect();
    assert_eq!(assumed, ["hardware.disks_per_node", "hardware.nic_latency"]);
    let marked = EIGHT.replace("nic = \"125MB/s\"", "nic = \"10Gbit/s\"  # ASSUMED");
    assert_eq!(*origin(&read(&marked, &[]), "hardware.nic"), Origin::Assumed);
}

#[test]
fn rows() {
    let names = |s: &Read| s.0.variants.iter().map(|v| v.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&eight(&[])), ["default (now)", "ring", "faster disks"]);
    assert_eq!(
        names(&eight(&[("policy.rereplication", "ring")])),
        ["ring (now)", "default", "faster disks"]
    );
    let elsewhere = eight(&[("policy.rereplication", "optimised")]);
    assert_eq!(names(&elsewhere), ["optimised (now)", "default", "ring", "faster disks"]);
    assert!(elsewhere.0.variants[0].set.is_empty());

    let list = "\"policy.rereplication\" = [\"default\", \"ring\"]";
    let multiplier =
        "\"hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration\" = [2, 4]";
    let both = EIGHT.replace(list, &format!("{multiplier}\n{list}"));
    let rows = [
        "multiplier 2, default (now)",
        "multiplier 2, ring",
        "multiplier 4, default",
        "multiplier 4, ring",
        "faster disks",
    ];
    assert_eq!(names(&read(&both, &[])), rows);
    let first = &read(&both, &[]).0.variants[0];
    assert_eq!(first.set[1], ("policy.rereplication".to_string(), "default".to_string()));
}

/// A row and its `set` give the same scenario.
#[test]
fn a_row_is_a_scenario() {
    let s = eight(&[]);
    for row in &s.0.variants {
        let of_row = Scenario::from_str(EIGHT, "x.toml", &row.set).expect("a valid row");
        assert_eq!(of_row.hash == s.hash, row.name.ends_with("(now)"), "{}", row.name);
    }
}

#[test]
fn equal_scenarios_have_equal_hashes() {
    let hash = |text: &str, sets: &[(&str, &str)]| read(text, sets).hash.clone();
    let now = hash(EIGHT, &[]);
    for (what, text) in [
        ("comments", format!("# hello\n{EIGHT}")),
        ("units", EIGHT.replace("65MB/s", "520Mbit/s")),
        ("a default written out", EIGHT.replace("[policy]", "[policy]\npacing = \"hdfs3\"")),
        ("a Hadoop default", EIGHT.replace("= 3\n", "= \"3\"\n\"dfs.heartbeat.interval\" = 3\n")),
        ("rows", EIGHT.replace("[\"default\", \"ring\"]", "[\"ring\"]")),
        ("the same node", EIGHT.replace("dn-r1-01", "10.0.1.1:9866")),
        ("not modelled", EIGHT.replace("[policy]", "\"dfs.nameservices\" = \"x\"\n[policy]")),
    ] {
        assert_eq!(hash(&text, &[]), now, "{what}");
    }
    for set in [
        ("hardware.disk", "66MB/s"),
        ("policy.rereplication", "ring"),
        ("event.target", "dn-r1-02"),
        ("event.at", "1ns"),
        ("workload.blocks_on_lost_node", "561"),
        ("hdfs-site.dfs.heartbeat.interval", "4"),
        ("cluster.racks", "3"),
    ] {
        assert_ne!(hash(EIGHT, &[set]), now, "{set:?}");
    }
    assert_eq!(hash(EIGHT, &[("run.seeds", "3")]), now);
    assert!(now.len() == 64 && now.bytes().all(|b| b.is_ascii_hexdigit()));
}

#[test]
fn hadoop_1_has_its_own_defaults() {
    let s = eight(&[("policy.pacing", "hdfs1")]);
    assert_eq!((s.hdfs.max_streams, s.hdfs.max_streams_hard_limit), (2, 2));
    assert_eq!(s.hdfs.blocksize, Bytes::mib(64));
    assert_eq!(
        s.blocks,
        Blocks::Drawn(Workload {
            blocks_on_lost_node: 560,
            block_bytes: Bytes::mib(64),
            code: None,
            concerned_only: false,
        })
    );
    let limit = ("hdfs-site.dfs.namenode.replication.max-streams", "5");
    let s = eight(&[("policy.pacing", "hdfs1"), limit]);
    assert_eq!(s.hdfs.max_streams_hard_limit, 5, "one limit only");
    let s = eight(&[("policy.pacing", "hdfs3"), limit]);
    assert_eq!(s.hdfs.max_streams_hard_limit, 4);
}

#[test]
fn old_names_and_plain_keys() {
    let old = EIGHT
        .replace("\"dfs.replication\" = 3", "\"dfs.max-repl-streams\" = 7\ndfs.replication = 2");
    let s = read(&old, &[]);
    assert_eq!((s.hdfs.max_streams, s.hdfs.replication), (7, 2));
    let old = ("hdfs-site.dfs.namenode.replication.interval", "5");
    assert_eq!(eight(&[old]).hdfs.redundancy_interval, Nanos::secs(5));
    let off = ("hdfs-site.dfs.namenode.replication.pending.timeout-sec", "-1");
    assert_eq!(eight(&[off]).hdfs.pending_timeout, Nanos::secs(300));
    let loud = ("hdfs-site.dfs.namenode.redundancy.considerLoad", "FALSE");
    assert!(!eight(&[loud]).hdfs.consider_load);
}

#[test]
fn real_keys_that_look_misspelt_are_accepted() {
    for key in keys::ELSEWHERE {
        let s = read(&EIGHT.replace("\"dfs.replication\" = 3", &format!("\"{key}\" = 1")), &[]);
        let setting = s.settings.iter().find(|s| s.key == format!("hdfs-site.{key}"));
        assert!(keys::find(&setting.expect(key).key).is_none(), "{key} is not modelled");
    }
}

#[test]
fn a_node_by_any_of_its_names() {
    for (name, node) in [
        ("dn1", 0),
        ("dn1.", 0),
        ("dn1.shop.example", 0),
        ("dn1.shop.example:9866", 0),
        ("10.0.1.1", 0),
        ("10.0.1.1:9866", 0),
        ("dn10", 1),
        ("10.0.1.10", 1),
        ("10.0.2.2:", 3),
    ] {
        let (_, s) = shop("names", &LOSS.replace("dn3", name), &[]);
        assert_eq!(s.events[0].kind, EventKind::NodeLost(NodeId(node)), "{name}");
    }
    for (racks, nodes, name) in
        [(3, 120, "dn-r2-01"), (3, 120, "dn-r2-10"), (300, 300, "dn-r300-300")]
    {
        let (racks, nodes) = (racks.to_string(), nodes.to_string());
        let s = eight(&[
            ("cluster.racks", &racks),
            ("cluster.nodes_per_rack", &nodes),
            ("event.target", name),
        ]);
        let node = s.events[0].kind.node().expect("a node is lost");
        assert_eq!(s.cluster.nodes[node.at()].host, name);
        let mut addresses: Vec<_> = s.cluster.nodes.iter().map(|n| &n.address).collect();
        addresses.sort();
        addresses.dedup();
        assert_eq!(addresses.len(), s.cluster.nodes.len());
    }
}

#[test]
fn half_and_double() {
    let s = eight(&[("hardware.disk", "hdd-7200"), ("hardware.nic", "10GbE")]);
    let half = s.0.scaled("hardware.disk", 1, 2).expect("a rate");
    let sets: Vec<_> = half.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    let halved = eight(&sets).hardware.disk.clone();
    assert_eq!(halved, DiskSpec { rate: BytesPerSec::mb(75), ..s.hardware.disk });
    let one = |key, times, over| s.0.scaled(key, times, over).map(|sets| sets[0].1.clone());
    assert_eq!(one("hardware.nic", 2, 1).as_deref(), Some("2.5GB/s"));
    assert_eq!(one("hardware.disks_per_node", 1, 2).as_deref(), Some("6"));
    assert_eq!(one("hardware.nic_latency", 1, 2).as_deref(), Some("50us"));
    assert_eq!(one("policy.rereplication", 1, 2), None);
    for setting in s.0.assumed() {
        let sets = s.0.scaled(&setting.key, 2, 1).expect(&setting.key);
        assert!(Scenario::from_str(EIGHT, "x.toml", &sets).is_ok(), "{sets:?}");
    }
}

#[test]
fn oversubscription_and_latency() {
    let s = eight(&[("hardware.nic", "10Gbit/s"), ("hardware.inter_rack", "10Gbit/s")]);
    let topology = Topology::new(&s.cluster, &s.hardware);
    assert_eq!(topology.racks[1].oversubscription(), Some(4.0));
    let latency = |a, b| topology.latency(&s.cluster, NodeId(a), NodeId(b));
    assert_eq!([latency(0, 0), latency(0, 3), latency(0, 4)], [0, 100_000, 200_000].map(Nanos));
    let alone = eight(&[("cluster.racks", "1")]);
    assert_eq!(Topology::new(&alone.cluster, &alone.hardware).racks[0].oversubscription(), None);
}

#[test]
fn a_wrong_policy_is_rejected_where_it_is_written() {
    let s = eight(&[("policy.rereplication", "rnig")]);
    let error = s.0.reject("policy.rereplication", &["default", "ring"]).to_string();
    assert_eq!(
        error,
        "command line: policy.rereplication: \"rnig\": expected \"default\" or \"ring\"; \
         did you mean \"ring\"?"
    );
    let error = eight(&[]).0.reject("policy.rereplication", &["hdfs3"]).to_string();
    assert_eq!(error, "x.toml:16: policy.rereplication: \"default\": expected \"hdfs3\"");
}

/// A real cluster was seen with `max-streams` = 0.
#[test]
fn limits_of_zero_are_allowed_and_told() {
    let soft = "hdfs-site.dfs.namenode.replication.max-streams";
    let hard = "hdfs-site.dfs.namenode.replication.max-streams-hard-limit";
    let told = |sets: &[(&str, &str)]| notes::notes(&eight(sets));
    assert_eq!(told(&[(soft, "1")]), [""; 0]);
    assert_eq!(
        told(&[(soft, "0"), (hard, "4")]),
        ["dfs.namenode.replication.max-streams = 0: no copy is ever made, as in HDFS itself"]
    );
    assert_eq!(told(&[(hard, "0")]).len(), 1);
    assert_eq!(told(&[(hard, "0"), ("policy.pacing", "hdfs1")]), [""; 0]);
    assert_eq!(told(&[(soft, "0"), ("policy.pacing", "event-driven")]), [""; 0]);
    assert_eq!(
        told(&[(soft, "8"), (hard, "4")]),
        ["dfs.namenode.replication.max-streams-hard-limit = 4 is below \
          dfs.namenode.replication.max-streams = 8: the lower one applies"]
    );
    let checked = eight(&[(hard, "0")]).checked();
    assert!(checked.contains("! dfs.namenode.replication.max-streams-hard-limit = 0: no copy"));
}

#[test]
fn keys_are_complete() {
    let mut names: Vec<&str> = keys::all().map(|key| key.name).collect();
    for key in keys::all() {
        assert!(!key.doc.is_empty() && !key.doc.ends_with('.'), "{}", key.name);
        let table = key.name.split('.').next().expect("a table");
        assert!(keys::HDFS.names_of_tables().contains(&table), "{table}");
        if let keys::KeyDefault::Default(text) | keys::KeyDefault::Assumed(text) = key.absent {
            assert!(key.kind.read(text).is_ok(), "{} = {text}", key.name);
        }
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), keys::all().count(), "each key once");
}

#[test]
fn the_catalogue() {
    golden("hardware.txt", &catalogue::text());
    for (i, disk) in catalogue::disks().iter().enumerate() {
        assert_eq!(disk.seek == Nanos::ZERO, disk.name.starts_with("ssd"), "{}", disk.name);
        assert!(disk.source.len() > 20 && disk.batch > Bytes(0), "{}", disk.name);
        assert!(catalogue::disks()[..i].iter().all(|d| d.rate < disk.rate), "slowest first");
    }
    for (i, network) in catalogue::networks().iter().enumerate() {
        assert!(catalogue::networks()[..i].iter().all(|n| n.rate < network.rate));
        assert!(network.source.starts_with("IEEE 802.3"));
    }
}

#[test]
fn a_rack_is_its_nodes_and_a_lost_node_may_come_back() {
    let edits = [
        ("kind = \"node-lost\"", "kind = \"rack-lost\""),
        ("target = \"dn-r1-01\"", "target = \"rack1\""),
        (
            "[run]",
            "[[event]]\nat = \"20min\"\nkind = \"node-back\"\ntarget = \"dn-r1-02\"\n[[event]]\n\
             at = \"1s\"\nkind = \"slow-link\"\ntarget = \"/rack2\"\nrate = \"1GbE\"\n[run]",
        ),
    ];
    let text = edits.iter().fold(EIGHT.to_string(), |text, (old, new)| text.replacen(old, new, 1));
    let s = Scenario::from_str(&text, "x.toml", &[]).expect("a scenario");
    let kinds: Vec<EventKind> = s.events.iter().map(|event| event.kind).collect();
    let mut expected: Vec<EventKind> = (0..4).map(|n| EventKind::NodeLost(NodeId(n))).collect();
    expected.push(EventKind::NodeBack(NodeId(1)));
    expected.push(EventKind::SlowUplink(cluster::RackId(1), "1Gbit/s".parse().unwrap()));
    assert_eq!(kinds, expected);
}

/// Two events, each with a key of its own.
const TWO: &str = r#"[cluster]
racks = 2
nodes_per_rack = 4
[workload]
blocks_on_lost_node = 9
[[event]]
at = "0s"
kind = "node-lost"
target = "dn-r1-01"
[[event]] # the second
at = "5s" # soon
kind = "node-lost"
target = "dn-r2-01"
"#;

fn set(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

#[test]
fn events_have_numbers() {
    let sets = set(&[("event[2].at", "7s"), ("event[1].target", "dn-r1-03")]);
    let s = Scenario::from_str(TWO, "two.toml", &sets).unwrap_or_else(|e| panic!("{e}"));
    let lost = |at, node| Event { at: Nanos::secs(at), kind: EventKind::NodeLost(NodeId(node)) };
    assert_eq!(s.events, [lost(0, 2), lost(7, 4)]);
    let refused = |sets: &[(&str, &str)]| {
        Scenario::from_str(TWO, "two.toml", &set(sets)).expect_err("refused").to_string()
    };
    let says = refused(&[("event.at", "7s")]);
    assert!(says.contains("event.at: the scenario has 2 events"), "{says}");
    assert!(says.contains("event[1] to event[2], in the file's order"), "{says}");
    assert!(refused(&[("event[3].at", "7s")]).contains("event[1] to event[2]"));
    let quoted = TWO.replace("[workload]", "[workload]\n\"event[1].at\" = \"3s\"");
    assert!(Scenario::from_str(&quoted, "two.toml", &[]).is_err(), "a file has tables for that");
}

#[test]
fn events_are_varied_by_their_numbers() {
    let compare = "[compare]\n\"event[2].at\" = [\"7s\", \"5000ms\"]\n";
    let s = Read::of(&format!("{TWO}{compare}"), "two.toml", &[]);
    let names: Vec<&str> = s.0.variants.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["event 2 at 5000ms (now)", "event 2 at 7s"]);
    assert_eq!(s.0.variants[1].set, set(&[("event[2].at", "7s")]));
    let one = TWO.split("[[event]] #").next().expect("a text");
    let twice = "[compare]\n\"event[1].at\" = [\"1s\"]\n\"event.at\" = [\"2s\"]\n";
    let error = Scenario::from_str(&format!("{one}{twice}"), "one.toml", &[]);
    assert!(error.expect_err("one key").to_string().contains("is varied twice"));
}

#[test]
fn a_copy_with_its_sets_is_the_scenario_that_they_make() {
    let sets = set(&[
        ("event[2].at", "7s"),
        ("event[1].kind", "slow-disk"),
        ("event[1].target", "dn-r1-02/0"),
        ("event[1].rate", "9MB/s"),
        ("hardware.disk", "\"65MB/s\""),
        ("cluster.racks", "3"),
        ("cluster.racks", "4"),
        ("model.network", "CM02"),
        ("hdfs-site.dfs.replication", "2"),
        ("hdfs-site.dfs.namenode.replication.max-streams", "9"),
    ]);
    let copy = cluster::with_sets(&keys::HDFS, TWO, &sets);
    let same =
        Scenario::from_str(&copy, "copy.toml", &[]).unwrap_or_else(|e| panic!("{e}\n{copy}"));
    let meant = Scenario::from_str(TWO, "two.toml", &sets).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(same.hash, meant.hash, "{copy}");
    assert_eq!(same.events, meant.events);
    assert!(copy.contains("at = \"7s\" # soon"), "comments stay: {copy}");
    assert_eq!(cluster::with_sets(&keys::HDFS, TWO, &[]), TWO);
    // An old name is the same key, and a number stays one.
    let old = "[hdfs-site]\n\"dfs.replication\" = 3\n\"dfs.block.size\" = \"64m\"\n";
    let new = set(&[("hdfs-site.dfs.blocksize", "128m"), ("hdfs-site.dfs.replication", "2")]);
    let text = cluster::with_sets(&keys::HDFS, old, &new);
    assert_eq!(text, old.replace("= 3", "= \"2\"").replace("64m", "128m"));
}
