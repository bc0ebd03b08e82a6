//! `tenbin relay …` with real processes: nodes are killed as a power cut would.
use crate::tenbin::Place;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use xor_relay::Children;
use xor_relay::transport::Kind;

/// A cluster of children, and how to name it.
pub(crate) fn cluster(place: &Place, nodes: usize) -> (Children, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_tenbin"));
    let children = Children::start(program, &place.dir.join("cluster"), nodes).expect("nodes");
    let addresses = children.addresses();
    place.write("nodes.txt", format!("# the cluster\n{}\n", addresses.join("\n")));
    (children, addresses.join(","))
}

/// Bytes that do not repeat.
pub(crate) fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn the_demo_shows_what_it_says() {
    let place = Place::new("relay-demo");
    for how in [&["relay", "demo"][..], &["relay", "demo", "--tls"]] {
        let shown = place.json(how);
        assert_eq!((&shown["killed"], &shown["compared"]), (&4.into(), &2.into()), "{shown}");
    }
}

#[test]
fn keys_open_a_cluster_and_nothing_else_does() {
    let place = Place::new("relay-keys");
    let program = Path::new(env!("CARGO_BIN_EXE_tenbin"));
    place.ok(&["relay", "keys", "init", "keys"]);
    for party in ["0", "1", "2", "backup"] {
        place.ok(&["relay", "keys", "add", "keys", party]);
    }
    let keys = place.dir.join("keys");
    let children =
        Children::start_with(program, &place.dir.join("cluster"), 3, Some(&keys), Kind::Tcp);
    let nodes = children.as_ref().expect("nodes").addresses().join(",");
    place.write("in", bytes(2, 100_000));
    let on = ["--nodes", &nodes];
    let put = [&["relay", "put", "in", "a"][..], &on].concat();
    let with = ["--keys", "keys/backup"];
    assert_eq!(place.json(&[&put[..], &with].concat())["may_lose"], 1);
    let lost = place.ok(&["relay", "keys", "add", "keys", "lost"]).out;
    let lost = lost.split_whitespace().last().expect("its fingerprint").to_string();
    let listed = format!("{}\nrevoked {lost}\n", nodes.replace(',', "\n"));
    place.write("nodes.txt", &listed);
    place.ok(&[&["relay", "ls", "--cluster", "nodes.txt"][..], &with].concat());
    place.write("bad.txt", format!("{listed}revoked me\n"));
    let without = [&["relay", "ls"][..], &on].concat();
    let nowhere = [&put[..], &["--keys", "nowhere"]].concat();
    for (args, code, words) in [
        (&without[..], 1, "requires a client certificate: pass --keys DIR"),
        (&nowhere, 2, "nowhere/authority.pem"),
        (&["relay", "ls", "--cluster", "bad.txt"], 2, "bad.txt:5: \"revoked me\""),
        (&["relay", "keys", "add", "keys", "1"], 2, "node-1 exists"),
    ] {
        let done = place.tenbin(args);
        assert!(done.code == Some(code) && done.err.contains(words), "{args:?}: {}", done.err);
    }
}

#[test]
fn a_file_comes_back_without_two_nodes_and_is_repaired() {
    let place = Place::new("relay-file");
    let (mut children, nodes) = cluster(&place, 5);
    let content = bytes(1, 3_000_000);
    place.write("in", &content);
    let on = ["--nodes", &nodes];
    let receipt = place.json(&[&["relay", "put", "in", "a/b", "--block", "16k"][..], &on].concat());
    assert_eq!((&receipt["bytes"], &receipt["may_lose"]), (&3_000_000.into(), &2.into()));
    children.kill(0);
    children.kill(3);
    let got = place.json(&[&["relay", "get", "a/b", "out"][..], &on].concat());
    assert_eq!((&got["sha256"], &got["without"]), (&receipt["sha256"], &serde_json::json!([0, 3])));
    assert!(std::fs::read(place.dir.join("out")).expect("it is there") == content);
    children.replace(0).expect("a node");
    children.replace(3).expect("a node");
    let from = ["--cluster", "nodes.txt"];
    let addresses = children.addresses();
    let lost = format!("{},{}", addresses[0], addresses[3]);
    let healed = place.json(&[&["relay", "repair", "--lost", &lost][..], &from].concat());
    assert_eq!((&healed["objects"], &healed["rebuilt"]), (&1.into(), &2.into()), "{healed}");
    let scrubbed = place.json(&[&["relay", "scrub"][..], &from].concat());
    assert_eq!((&scrubbed["bad"], &scrubbed["inconsistent"]), (&0.into(), &0.into()), "{scrubbed}");
    let listed = place.json(&[&["relay", "ls"][..], &from].concat());
    assert_eq!(listed["objects"][0]["name"], "a/b");
    assert_eq!(listed["objects"][0]["lacking"], serde_json::json!([]));
    let told = place.ok(&[&["relay", "stat", "a/b"][..], &from].concat());
    assert!(told.out.contains("3000000 bytes in blocks of 16384"), "{}", told.out);
    place.ok(&[&["relay", "rm", "a/b"][..], &from].concat());
    let gone = place.tenbin(&[&["relay", "get", "a/b", "out2"][..], &from].concat());
    assert_eq!(gone.code, Some(2), "{}", gone.err);
    assert!(gone.err.contains("no object has the name \"a/b\""), "{}", gone.err);
    assert!(!place.names().iter().any(|n| n.starts_with("out2")), "{:?}", place.names());
}

/// Two of five real processes are killed while a second file goes over the first.
#[test]
fn processes_that_are_killed_cost_nothing_that_was_acknowledged() {
    let place = Place::new("relay-kills");
    let (mut children, nodes) = cluster(&place, 5);
    let on = ["--nodes", &nodes];
    let mut current = bytes(1, 2_000_000);
    place.write("in", &current);
    place.ok(&[&["relay", "put", "in", "x"][..], &on].concat());
    for run in 0..20usize {
        let next = bytes(run as u64 + 2, 2_000_000 + run);
        place.write("next", &next);
        let put =
            [&["relay", "put", "next", "x", "--force", "--block", "4k", "--wait", "0"][..], &on]
                .concat();
        let mut writer = place.command(&put);
        let mut writer = writer.stderr(std::process::Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(5 * run as u64));
        let victims = [run % 5, (run * 3 + 1) % 5];
        victims.iter().for_each(|&node| children.kill(node));
        let is_acknowledged = writer.wait().expect("it ends").success();
        place.ok(&[&["relay", "get", "x", "out", "--force"][..], &on].concat());
        let got = std::fs::read(place.dir.join("out")).expect("it is there");
        assert!(got == next || !is_acknowledged && got == current, "run {run}");
        victims.iter().for_each(|&node| children.restart(node).expect("it comes back"));
        let scrubbed = place.json(&[&["relay", "scrub"][..], &on].concat());
        assert_eq!(scrubbed["failed"], serde_json::json!([]), "run {run}: {scrubbed}");
        place.ok(&[&["relay", "get", "x", "out", "--force"][..], &on].concat());
        assert!(std::fs::read(place.dir.join("out")).expect("there") == got, "run {run}");
        current = got;
        for node in 0..5 {
            let folder = place.dir.join(format!("cluster/node-{node}"));
            let left = std::fs::read_dir(folder).expect("its data").count();
            let most = "a version, its lock and its cluster";
            assert_eq!(left, 5, "run {run}: node {node} has more than {most}");
        }
    }
}

/// A command with its standard input.
fn fed(place: &Place, args: &[&str], input: &[u8]) -> std::process::Output {
    let mut command = place.command(args);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn pipes_go_in_and_out_and_nothing_is_overwritten_unasked() {
    let place = Place::new("relay-pipes");
    let (_children, nodes) = cluster(&place, 3);
    let on = ["--nodes", &nodes];
    let content = bytes(5, 500_000);
    let put = fed(&place, &[&["relay", "put", "-", "x"][..], &on].concat(), &content);
    assert!(put.status.success(), "{}", String::from_utf8_lossy(&put.stderr));
    let got = fed(&place, &[&["relay", "get", "x", "-"][..], &on].concat(), b"");
    assert!(got.status.success() && got.stdout == content, "all of it and nothing else");
    let told = String::from_utf8_lossy(&got.stderr).into_owned();
    assert!(told.contains("500000 bytes in "), "{told}");
    place.write("in", b"other");
    let cases: [(&[&str], &str); 3] = [
        (&["relay", "put", "in", "x"], "\"x\" exists (500000 bytes, write 1"),
        (&["relay", "get", "x", "in"], "in exists: --force replaces it"),
        (&["relay", "get", "x", "-", "--json"], "--json writes to standard output"),
    ];
    for (args, expected) in cases {
        let done = place.tenbin(&[args, &on].concat());
        assert_eq!(done.code, Some(2), "{args:?}: {}", done.err);
        assert!(done.err.contains(expected), "{args:?}: {}", done.err);
    }
    assert_eq!(std::fs::read(place.dir.join("in")).expect("as it was"), b"other");
    place.ok(&[&["relay", "put", "in", "x", "--force"][..], &on].concat());
    place.write("out.part", b"my own");
    place.ok(&[&["relay", "get", "x", "out"][..], &on].concat());
    assert_eq!(std::fs::read(place.dir.join("out")).expect("the new one"), b"other");
    assert_eq!(std::fs::read(place.dir.join("out.part")).expect("as it was"), b"my own");
    let is_part = |name: &str| name.starts_with(".out");
    let left = std::fs::read_dir(&place.dir).expect("a folder").flatten();
    assert!(!left.map(|f| f.file_name()).any(|name| is_part(&name.to_string_lossy())));
    // A device is written to, and never replaced.
    place.ok(&[&["relay", "get", "x", "/dev/null"][..], &on].concat());
    let about = std::fs::metadata("/dev/null").expect("it is there");
    assert!(!about.is_file());
}

/// Nodes take a client for dead that takes nothing for ten seconds; this one has a slow reader.
#[test]
fn a_slow_reader_gets_all_of_it() {
    let place = Place::new("relay-slow");
    let (_children, nodes) = cluster(&place, 3);
    let content = bytes(6, 40_000_000);
    place.write("in", &content);
    place.ok(&["relay", "put", "in", "x", "--nodes", &nodes]);
    let get = ["relay", "get", "x", "-", "--nodes", &nodes];
    let mut child = place.command(&get).stdout(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(12));
    let mut got = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut got).expect("it comes");
    assert!(child.wait().expect("it ends").success() && got == content);
}

#[test]
fn a_put_from_a_pipe_ends_at_the_first_signal() {
    let place = Place::new("relay-waits");
    let (_children, nodes) = cluster(&place, 3);
    let put = ["relay", "put", "-", "x", "--nodes", &nodes];
    let piped = place.command(&put).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = piped.expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&[7; 1000]).expect("it reads");
    std::thread::sleep(Duration::from_secs(1));
    let id = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).expect("it runs");
    let done = child.wait_with_output().expect("it ends although its input is open");
    assert_eq!(done.status.code(), Some(130), "{}", String::from_utf8_lossy(&done.stderr));
    drop(stdin);
    assert_eq!(place.tenbin(&["relay", "stat", "x", "--nodes", &nodes]).code, Some(2));
}

#[test]
fn a_wrong_list_is_refused_and_blocks_nothing() {
    let place = Place::new("relay-lists");
    let program = Path::new(env!("CARGO_BIN_EXE_tenbin"));
    let start = |name: &str, count| Children::start(program, &place.dir.join(name), count);
    let (mut five, three) = (start("five", 5).expect("nodes"), start("three", 3).expect("nodes"));
    let (own, other) = (five.addresses(), three.addresses());
    let (all, others) = (own.join(","), other.join(","));
    let made = place.json(&["relay", "init", "--nodes", &others]);
    assert_eq!(made["nodes"].as_array().map(Vec::len), Some(3), "{made}");
    let content = bytes(1, 100_000);
    place.write("in", &content);
    place.ok(&["relay", "put", "in", "x", "--nodes", &all]);
    let mixed = [&own[..4], &other[..1]].concat().join(",");
    let done = place.tenbin(&["relay", "put", "in", "y", "--nodes", &mixed]);
    assert_eq!(done.code, Some(2), "{}", done.err);
    let expected = format!("node 4 ({}): node 0 of the 3 of cluster", other[0]);
    assert!(done.err.contains(&expected), "{}", done.err);
    // A read continues without the node, with a warning; a scrub fails since it is incomplete.
    let got = place.ok(&["relay", "get", "x", "out", "--nodes", &mixed]);
    assert!(std::fs::read(place.dir.join("out")).expect("it is there") == content);
    assert!(got.err.contains(&format!("! {expected}")), "{}", got.err);
    let done = place.tenbin(&["relay", "scrub", "--nodes", &mixed]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.err.contains("blocks were not verified: node 4"), "{}", done.err);
    place.ok(&["relay", "ls", "--nodes", &all]);
    place.ok(&["relay", "scrub", "--nodes", &all]);
    [0, 1, 2].into_iter().for_each(|node| five.kill(node));
    let done = place.tenbin(&["relay", "ls", "--nodes", &all]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.out.contains("OUT OF REACH"), "{}", done.out);
    let expected = "\"x\" is out of reach: 2 of 5 nodes answer, 3 are needed: node 0 (";
    assert!(done.err.contains(expected), "{}", done.err);
}

#[test]
fn damage_is_named_by_object_and_node() {
    let place = Place::new("relay-damage");
    let (children, nodes) = cluster(&place, 5);
    let on = ["--nodes", &nodes];
    place.write("in", bytes(3, 200_000));
    place.ok(&[&["relay", "put", "in", "x", "--block", "4k"][..], &on].concat());
    let folder = place.dir.join("cluster/node-1");
    let blocks = std::fs::read_dir(folder).expect("its data").map(|e| e.expect("a file").path());
    let blocks = blocks.into_iter().find(|p| p.extension().is_some_and(|e| e == "blocks"));
    let blocks = blocks.expect("blocks");
    let mut content = std::fs::read(&blocks).expect("readable");
    content[10] ^= 1;
    std::fs::write(&blocks, content).expect("writable");
    let address = &children.addresses()[1];
    let got = place.ok(&[&["relay", "get", "x", "out"][..], &on].concat());
    let expected = format!("node 1 ({address}): 1 bad block, rebuilt from the others");
    assert!(got.out.contains(&expected), "{}", got.out);
    let scrubbed = place.ok(&[&["relay", "scrub"][..], &on].concat());
    let expected = format!("\"x\", node 1 ({address}): 1 bad block, healed\n");
    assert!(scrubbed.out.contains(&expected), "{}", scrubbed.out);
    let again = place.json(&[&["relay", "scrub"][..], &on].concat());
    assert_eq!((&again["bad"], &again["damage"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn bad_input_of_the_relay_is_told() {
    let place = Place::new("relay-bad");
    place.write("nodes.txt", "127.0.0.1:1\nnodes = [\"a:1\"]\n");
    place.write("twice.txt", "a:1\nb:1\na:1\n");
    place.write("in", "x");
    let cases: [(&[&str], &str); 11] = [
        (&["relay", "ls", "--cluster", "nodes.txt"], "nodes.txt:2: \"nodes = "),
        (&["relay", "ls"], "--nodes"),
        (&["relay", "ls", "--nodes", "127.0.0.1:1,127.0.0.1:2"], "2 nodes: this layout has 3"),
        (&["relay", "node", "--listen", "0.0.0.0:0", "--data", "d"], "--insecure"),
        (&["relay", "put", "in", "x", "--nodes", "a:1,b:1,c:1", "--block", "100"], "64 bytes"),
        (&["relay", "bench"], "--local"),
        (&["relay", "ls", "--nodes", "a:1, b:2, c"], "\"c\": expected HOST:PORT"),
        (&["relay", "ls", "--nodes", "a:1, b:2, a:1"], "\"a:1\": this address is listed twice"),
        (
            &["relay", "ls", "--cluster", "twice.txt"],
            "twice.txt:3: \"a:1\": this address is listed twice",
        ),
        (&["relay", "bench", "--tls", "--nodes", "a:1,b:1,c:1"], "--tls"),
        (&["relay", "keys", "add", "keys", "0", "--days", "0"], "1..=3650"),
    ];
    for (args, expected) in cases {
        let done = place.tenbin(args);
        assert_eq!(done.code, Some(2), "{args:?}: {}", done.err);
        assert!(done.err.contains(expected), "{args:?}: {}", done.err);
    }
    let nobody = ["relay", "put", "in", "x", "--nodes", "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3"];
    let done = place.tenbin(&nobody);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.err.contains("node 0 (127.0.0.1:1): no process listens there"), "{}", done.err);
    assert_eq!(place.names(), ["in", "nodes.txt", "twice.txt"]);
}

/// Needs a machine without the device; elsewhere the test does nothing.
#[test]
fn verbs_without_a_device_are_bad_input_also_of_a_measurement() {
    let place = Place::new("relay-no-device");
    let bench = ["relay", "bench", "--local", "3", "--transport", "verbs", "--seconds", "1"];
    for args in [&bench[..], &["relay", "demo", "--transport", "verbs"]] {
        let done = place.tenbin(args);
        let is_there = done.code == Some(0);
        assert!(is_there || done.code == Some(2), "{args:?}: {:?} {}", done.code, done.err);
        assert!(is_there || done.err.contains("RDMA device"), "{args:?}: {}", done.err);
    }
}

#[test]
fn a_measurement_has_its_keys_and_a_drawing_its_table() {
    let place = Place::new("relay-bench");
    let line = ["relay", "bench", "--local", "3", "--block", "16k", "--schedule", "pivot"];
    let found = place.json(&[&line[..], &["--seconds", "1", "--link-mbit", "1000"]].concat());
    let keys = ["schedule", "n", "clients", "block", "link_mbit", "goodput_mbit", "ideal", "ratio"];
    assert_eq!(found.as_object().expect("an object").len(), keys.len());
    assert!(keys.iter().all(|key| !found[key].is_null()), "{found}");
    assert_eq!((&found["schedule"], &found["n"]), (&"pivot".into(), &3.into()));
    assert_eq!(found["ideal"], 1000.0, "one client, its link full of data");
    assert!(found["goodput_mbit"].as_f64() > Some(1.0), "{found}");
    let drawn = place.ok(&["relay", "draw", "--n", "5", "-o", "five.svg"]).out;
    assert!(drawn.contains("J+K+L  | J      | K      | L      | C+E+G\n"), "{drawn}");
    let picture = std::fs::read_to_string(place.dir.join("five.svg")).expect("a picture");
    assert!(picture.starts_with("<svg ") && picture.contains("node 4"));
}
