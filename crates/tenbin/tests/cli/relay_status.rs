//! `tenbin relay status`, and the relay under faults.
use crate::relay::{bytes, cluster};
use crate::tenbin::Place;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use xor_relay::Children;

/// A node's file of the one object that there is.
fn file(place: &Place, node: usize, ending: &str) -> PathBuf {
    let folder = place.dir.join(format!("cluster/node-{node}"));
    let mut files = std::fs::read_dir(folder).expect("its data").map(|f| f.expect("a file").path());
    files.find(|path| path.extension().is_some_and(|e| e == ending)).expect("it is there")
}

#[test]
fn status_says_what_an_operator_has_to_know() {
    let place = Place::new("relay-status");
    let (mut children, nodes) = cluster(&place, 5);
    let status = ["relay", "status", "--nodes", &nodes];
    let fresh = place.ok(&status);
    assert!(fresh.out.starts_with("no cluster yet: the first put makes one"), "{}", fresh.out);
    place.write("in", bytes(1, 300_000));
    place.ok(&["relay", "put", "in", "x", "--nodes", &nodes]);
    let well = place.json(&status);
    assert_eq!((&well["wrong"], &well["filling"]), (&json!([]), &json!([])), "{well}");
    assert_eq!((&well["list"], &well["may_lose"]), (&json!(0), &json!(2)), "{well}");
    assert_eq!(well["addresses"], json!(children.addresses()));
    for node in well["nodes"].as_array().expect("five") {
        assert_eq!((&node["answers"], &node["versions"]), (&json!(true), &json!(1)), "{node}");
        assert_eq!((&node["ring_bytes"], &node["writers"]), (&json!(0), &json!(0)), "{node}");
        assert!(node["disk_free_bytes"].as_u64() < node["disk_bytes"].as_u64(), "{node}");
    }
    let told = place.ok(&status).out;
    assert!(told.starts_with("cluster ") && told.contains("rings 0 of 160 MiB"), "{told}");

    children.kill(3);
    let record = file(&place, 1, "committed");
    std::fs::write(&record, b"not a record").expect("writable");
    children.restart(1).expect("it starts all the same");
    let done = place.tenbin(&[&status[..], &["--json"]].concat());
    assert_eq!(done.code, Some(1), "{}", done.err);
    let said: Value = serde_json::from_str(&done.out).expect("one object");
    assert_eq!(said["nodes"][1]["unreadable"], 1, "{said}");
    assert_eq!(
        (&said["nodes"][3]["answers"], &said["nodes"][0]["answers"]),
        (&json!(false), &json!(true))
    );
    let address = &children.addresses()[3];
    let gone = format!("node 3 ({address}): no process listens there");
    assert!(
        done.err.contains("1 records cannot be read (") && done.err.contains(&gone),
        "{}",
        done.err
    );

    let mixed = [&children.addresses()[2..], &children.addresses()[..2]].concat().join(",");
    let wrong = place.tenbin(&["relay", "status", "--nodes", &mixed]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
    assert!(wrong.err.contains("expected node"), "{}", wrong.err);
}

#[test]
fn a_put_waits_for_a_node_that_restarts() {
    let place = Place::new("relay-wait");
    let (mut children, nodes) = cluster(&place, 3);
    place.write("in", bytes(1, 10_000));
    let put = |name, wait| {
        ["relay", "put", "in", name, "--nodes", &nodes, "--wait", wait].map(String::from)
    };
    children.kill(1);
    let at_once = put("x", "0");
    let done = place.tenbin(&at_once.each_ref().map(String::as_str));
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.err.contains("a write needs all nodes: node 1"), "{}", done.err);
    let patient = put("x", "20");
    let mut child = place.command(&patient.each_ref().map(String::as_str));
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(700));
    children.restart(1).expect("it comes back");
    let done = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success() && err.contains("is back"), "{err}");
}

/// The sum of a block as nodes have it.
fn crc32c(bytes: &[u8]) -> u32 {
    let bit = |sum: u32| if sum & 1 == 1 { sum >> 1 ^ 0x82f6_3b78 } else { sum >> 1 };
    !bytes.iter().fold(!0u32, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| bit(sum)))
}

#[test]
fn a_node_whose_sums_fit_wrong_blocks_is_left_out_and_named() {
    let place = Place::new("relay-liar");
    let (children, nodes) = cluster(&place, 3);
    let on = ["--nodes", &nodes];
    let content = bytes(3, 50_000);
    place.write("in", &content);
    place.ok(&[&["relay", "put", "in", "x", "--block", "4k"][..], &on].concat());
    for block in [0, 3, 4] {
        let (blocks, sums) = (file(&place, 1, "blocks"), file(&place, 1, "sums"));
        let mut all = std::fs::read(&blocks).expect("readable");
        let mut of_all = std::fs::read(&sums).expect("readable");
        let piece = &mut all[block * 4096..][..4096];
        piece[7] ^= 1;
        of_all[4 * block..][..4].copy_from_slice(&crc32c(piece).to_le_bytes());
        std::fs::write(&blocks, all).expect("writable");
        std::fs::write(&sums, of_all).expect("writable");
    }
    let liar = format!("node 1 ({})", children.addresses()[1]);
    let got = place.ok(&[&["relay", "get", "x", "out"][..], &on].concat());
    assert!(std::fs::read(place.dir.join("out")).expect("it is there") == content);
    assert!(
        got.err.contains(&format!(
            "! {liar}: 3\u{a0}blocks are wrong although their checksums are valid"
        )),
        "{}",
        got.err
    );
    let got = place.json(&[&["relay", "get", "x", "out", "--force"][..], &on].concat());
    assert_eq!(got["not_as_written"][0]["blocks"], 3, "{got}");
    let piped = place.tenbin(&[&["relay", "get", "x", "-"][..], &on].concat());
    assert_eq!(piped.code, Some(1), "what is out cannot be taken back");
    assert!(piped.err.contains(&format!("{liar} holds 3 wrong blocks")), "{}", piped.err);
    let scrubbed = place.ok(&[&["relay", "scrub"][..], &on].concat());
    let expected = format!("\"x\", {liar}: 3 blocks wrong with valid checksums, healed\n");
    assert!(scrubbed.out.contains(&expected), "{}", scrubbed.out);
    let got = place.json(&[&["relay", "get", "x", "out", "--force"][..], &on].concat());
    assert_eq!(got["not_as_written"], json!([]), "{got}");
}

/// Seconds that a process has had of all processors.
fn cpu(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("it runs");
    let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
    (11..13).map(|at| fields[at].parse::<f64>().expect("ticks")).sum::<f64>() / 100.0
}

#[test]
fn silent_strangers_lock_no_node() {
    let place = Place::new("relay-strangers");
    let limited = place.dir.join("limited");
    let program = env!("CARGO_BIN_EXE_tenbin");
    place.write("limited", format!("#!/bin/sh\nulimit -n 96\nexec {program} \"$@\"\n"));
    let may_run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&limited, may_run).expect("a file of ours");
    let children = Children::start(Path::new(&limited), &place.dir.join("cluster"), 3);
    let children = children.expect("nodes");
    let on = ["--nodes".to_string(), children.addresses().join(",")];
    let on = on.each_ref().map(String::as_str);
    place.write("in", bytes(3, 100_000));
    let connect = |_| TcpStream::connect(&children.addresses()[0]).expect("it listens");
    let silent: Vec<TcpStream> = (0..300).map(connect).collect();
    place.ok(&[&["relay", "put", "in", "x"][..], &on].concat());
    place.ok(&[&["relay", "get", "x", "out"][..], &on].concat());
    let node = children.processes()[0];
    let before = cpu(node);
    std::thread::sleep(Duration::from_secs(1));
    assert!(cpu(node) - before < 0.3, "a node that waits does not spin");
    let said = place.json(&[&["relay", "status"][..], &on].concat());
    let first = &said["nodes"][0];
    assert!(first["without_hello"].as_u64() <= Some(24), "{first}");
    assert!(first["refused"].as_u64() >= Some(300 - 24), "{first}");
    std::thread::sleep(Duration::from_secs(10));
    let said = place.json(&[&["relay", "status"][..], &on].concat());
    assert_eq!(said["nodes"][0]["without_hello"], 0, "10 s are up: {said}");
    drop(silent)
}
