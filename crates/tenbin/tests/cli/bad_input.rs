//! Bad input: exit code 2, file, line and key named, nothing written, no panic.
use crate::tenbin::{Done, Place, root};

fn refused(place: &Place, args: &[&str], says: &[&str]) {
    let before = place.names();
    let done = place.tenbin(args);
    assert_eq!(done.code, Some(2), "{args:?}\n{}{}", done.out, done.err);
    assert_eq!(done.out, "", "{args:?}: nothing on stdout");
    assert!(!done.err.contains("panicked"), "{}", done.err);
    for part in says {
        assert!(done.err.contains(part), "{args:?}: no {part:?} in\n{}", done.err);
    }
    assert_eq!(place.names(), before, "{args:?}: nothing written");
}

/// s0 with one text replaced.
fn changed(from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(root().join("scenarios/s0.toml")).expect("s0");
    assert!(text.contains(from), "{from} is not in s0.toml any more");
    text.replacen(from, to, 1)
}

#[test]
fn wrong_scenarios_are_refused_with_their_place() {
    let place = Place::new("scenario");
    let cases: [(&str, &str, &[&str]); 10] = [
        (
            "until = \"redundant\"",
            "until = \"0s\"",
            &["x.toml:", "event.at", "would never happen", "run.until = \"0s\""],
        ),
        ("racks = 1", "rakcs = 1", &["x.toml:4", "cluster.rakcs", "racks"]),
        ("\"65MB/s\"", "\"65MB\"", &["x.toml:", "hardware.disk", "65MB", "expected"]),
        ("\"65MB/s\"", "\"65mb/s\"", &["hardware.disk", "expected"]),
        ("\"125MB/s\"", "\"-125MB/s\"", &["hardware.nic", "expected"]),
        ("nodes_per_rack = 8", "nodes_per_rack = -8", &["cluster.nodes_per_rack", "expected"]),
        ("\"dn-r1-01\"", "\"dn-r1-77\"", &["target", "dn-r1-77", "expected"]),
        ("= \"default\"", "= \"rnig\"", &["policy.rereplication", "rnig", "did you mean \"ring\""]),
        ("[policy]", "[policy", &["x.toml:"]),
        ("\"node-lost\"", "\"node-lsot\"", &["kind", "node-lsot", "node-lost"]),
    ];
    for (from, to, says) in cases {
        place.write("x.toml", changed(from, to));
        for command in ["run", "compare", "check"] {
            refused(&place, &[command, "x.toml"], says);
        }
    }
}

#[test]
fn a_rule_without_an_order_is_refused_with_what_is_meant() {
    let place = Place::with_everything("rule");
    for (wrong, meant) in [
        ("disk-rate", "\"fair+disk-rate\""),
        ("fair,disk-rate", "\"fair+disk-rate\""),
        ("fair+dsk-rate", "\"fair+disk-rate\""),
        ("fifo + recieve-rate", "\"fifo + receive-rate\""),
    ] {
        let set = format!("policy.scheduling={wrong}");
        let says = ["policy.scheduling", wrong, "then rules", "did you mean ", meant];
        refused(&place, &["run", "scenarios/mapreduce-lab.toml", "--set", &set], &says);
    }
}

#[test]
fn what_no_machine_has_room_for_is_refused() {
    let place = Place::with_s0("room");
    let sets = [
        "cluster.nodes_per_rack=100000",
        "cluster.racks=2",
        "workload.blocks_on_lost_node=1000000",
    ];
    let sets = sets.map(|set| ["--set", set]).concat();
    let says = ["workload.blocks_on_lost_node", "200.0 billion replicas", "TB", "at most"];
    for command in ["run", "compare"] {
        refused(&place, &[&[command, "s0.toml"][..], &sets].concat(), &says);
    }
}

#[test]
fn a_changed_block_map_is_refused() {
    let place = Place::with_everything("changed");
    let map = "examples/shop/shop.blocks.parquet";
    let mut bytes = std::fs::read(place.dir.join(map)).expect("the map");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    place.write(map, bytes);
    let says = [map, "has changed", "SHA-256", "examples/shop/shop.toml", "import hdfs` again"];
    for command in ["check", "run", "compare"] {
        refused(&place, &[command, "scenarios/shop.toml"], &says);
    }
}

#[test]
fn what_is_no_scenario_is_refused() {
    let place = Place::new("nothing");
    place.write("empty.toml", "");
    place.write("latin1.toml", b"[cluster]\nname = \"caf\xe9\"\n");
    place.write("fsimage", b"HDFSIMG1\0\0\0\x12binary");
    place.write("binary", (0u8..=255).cycle().take(5000).collect::<Vec<u8>>());
    std::fs::create_dir(place.dir.join("folder")).expect("a folder");
    refused(&place, &["run", "missing.toml"], &["missing.toml"]);
    refused(&place, &["run", "empty.toml"], &["empty.toml", "empty"]);
    refused(&place, &["run", "latin1.toml"], &["latin1.toml:2", "UTF-8"]);
    refused(&place, &["run", "fsimage"], &["fsimage", "hdfs fsck"]);
    refused(&place, &["run", "binary"], &["binary"]);
    refused(&place, &["run", "folder"], &["folder"]);
}

#[test]
fn wrong_argument_lines_are_refused() {
    let place = Place::with_s0("arguments");
    refused(&place, &[], &["Usage"]);
    refused(&place, &["comapre", "s0.toml"], &["compare"]);
    refused(&place, &["run", "s0.toml", "--seed", "x"], &["--seed"]);
    refused(&place, &["run", "s0.toml", "--set", "nonsense"], &["TABLE.KEY=VALUE"]);
    refused(&place, &["run", "s0.toml", "--set", "hardware.dsik=65MB/s"], &["hardware.disk"]);
    refused(&place, &["run", "s0.toml", "--set", "policy.rereplication=rnig"], &["ring"]);
    refused(&place, &["compare", "s0.toml", "--vary", "policy.rereplication=ring,rnig"], &["rnig"]);
    refused(&place, &["compare", "s0.toml", "--vary", "policy.rereplication"], &["KEY=A,B"]);
    refused(&place, &["compare", "s0.toml", "--seeds", "0"], &["--seeds"]);
    let minus = ["'-1'", "'--seed", "a whole number from 0 to 18446744073709551615"];
    refused(&place, &["run", "s0.toml", "--seed", "-1"], &minus);
    refused(&place, &["compare", "s0.toml", "--seeds", "-1"], &["'-1'", "1..=100000"]);
    let vary = |values: &'static str| ["--vary", values];
    let twice = [vary("policy.rereplication=ring"), vary("policy.rereplication=default")].concat();
    let twice = [&["compare", "s0.toml"][..], &twice].concat();
    refused(&place, &twice, &["policy.rereplication: is varied twice", "KEY=A,B,C"]);
    refused(&place, &["run", "s0.toml", "-o", ".."], &["--out ..", "no folder name"]);
    refused(&place, &["reproduce", "s9"], &["s0"]);
    refused(&place, &["reproduce", "echo", "--claim", "E9", "--seeds", "2"], &["--claim", "E1"]);
    refused(&place, &["reproduce", "s4", "--claim", "C9.9"], &["--claim", "C4.7a"]);
    refused(&place, &["reproduce", "s1", "--runs", "3"], &["--real"]);
    refused(&place, &["bench", "phold", "--remote", "1.5"], &["--remote"]);
    refused(&place, &["bench", "phold", "--lookahead", "nan"], &["--lookahead"]);
    refused(&place, &["bench", "phold", "--awake", "0"], &["--awake"]);
    let hot = ["bench", "phold", "--remote", "0", "--hot", "0.5"];
    refused(&place, &hot, &["--hot 0.5", "a --remote above 0"]);
    let alone = ["bench", "phold", "--rollback-stress", "--threads", "1"];
    refused(&place, &alone, &["--rollback-stress with --threads 1", "at least 2"]);
    refused(&place, &["bench", "scaling", "--lookahead", "9e-10"], &["--lookahead 9e-10", "1e-9"]);
    refused(&place, &["bench", "scaling", "--lps", "1"], &["--lps 1", "at least 2"]);
    refused(&place, &["bench", "scaling", "--events", "0"], &["--events 0", "at least"]);
    refused(&place, &["bench", "scaling", "--scheduler", "auto"], &["--scheduler"]);
    refused(&place, &["bench", "scaling", "--set", "run.seeds=1"], &["SCENARIO"]);
    refused(&place, &["bench", "scaling", "s0.toml", "--lps", "9"], &["--lps", "SCENARIO"]);
    let short = ["bench", "scaling", "s0.toml", "--set", "workload.blocks_on_lost_node=1"];
    refused(&place, &short, &["s0.toml: a run of", "at least 10000"]);
    for other in ["auto", "sequential"] {
        let stress = ["bench", "phold", "--rollback-stress", "--scheduler", other];
        refused(&place, &stress, &["--rollback-stress", "only optimistic", other]);
    }
    refused(&place, &["explain", "what-is-this"], &["tenbin list"]);
}

#[test]
fn somebody_elses_folder_is_not_overwritten() {
    let place = Place::with_s0("foreign");
    std::fs::create_dir(place.dir.join("thesis")).expect("a folder");
    place.write("thesis/chapter.tex", "years");
    refused(&place, &["run", "s0.toml", "-o", "thesis"], &["thesis", "--out"]);
    refused(&place, &["compare", "s0.toml", "-o", "s0.toml"], &["s0.toml", "--out"]);
    refused(&place, &["reproduce", "s0", "-o", "thesis"], &["thesis", "--out"]);
    assert!(place.dir.join("thesis/chapter.tex").exists());
}

#[test]
fn wrong_imports_are_refused() {
    let place = Place::new("import");
    place.write("empty.txt", "");
    place.write("fsimage", b"HDFSIMG1\0\0\0\x12binary");
    place.write("prose.txt", "Dear Sir or Madam,\nthis is no listing.\n");
    let import = |fsck: &'static str| ["import", "hdfs", "--fsck", fsck, "-o", "c.toml"];
    refused(&place, &import("missing.txt"), &["missing.txt"]);
    refused(&place, &import("empty.txt"), &["empty.txt"]);
    refused(&place, &import("fsimage"), &["fsimage", "hdfs fsck"]);
    refused(&place, &import("prose.txt"), &["prose.txt"]);
    refused(&place, &["import", "hdfs", "-o", "c.toml"], &["--fsck"]);
    let onto = |out: &'static str| ["import", "hdfs", "--fsck", "prose.txt", "-o", out];
    refused(&place, &onto("prose.txt"), &["--out prose.txt", "would be overwritten"]);
    refused(&place, &onto("no/c.toml"), &["--out no/c.toml", "folder that does not exist"]);
    refused(&place, &onto("."), &["--out .", "is a folder"]);
    let kept = std::fs::read_to_string(place.dir.join("prose.txt")).expect("it is still there");
    assert!(kept.starts_with("Dear Sir"), "{kept}");
}

#[test]
fn a_cut_listing_is_refused() {
    let place = Place::new("cut");
    let whole = std::fs::read(root().join("examples/shop/fsck-files-blocks-replicaDetails.txt.gz"));
    let whole = whole.expect("the example");
    place.write("cut.txt.gz", &whole[..whole.len() / 2]);
    refused(&place, &["import", "hdfs", "--fsck", "cut.txt.gz", "-o", "c.toml"], &["cut.txt.gz"]);
}

#[test]
fn a_question_without_an_answer_gets_a_result_that_says_so() {
    let place = Place::with_s0("no-answer");
    // Three nodes, one lost, three replicas wanted: nowhere to put the third.
    let done: Done = place.ok(&[
        "run",
        "s0.toml",
        "--set",
        "cluster.nodes_per_rack=3",
        "--set",
        "workload.blocks_on_lost_node=10",
    ]);
    let object = place.json(&[
        "run",
        "s0.toml",
        "--set",
        "cluster.nodes_per_rack=3",
        "--set",
        "workload.blocks_on_lost_node=10",
    ]);
    assert!(object["metrics"].get("recovery_s").is_none(), "{object}");
    assert!(!done.out.contains("NaN"), "{}", done.out);
}
