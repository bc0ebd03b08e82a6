//! `tenbin relay repair`, `replace` and `grow` with real processes: ended, and killed half way.
use crate::relay::{bytes, cluster};
use crate::tenbin::Place;
use std::path::Path;
use std::time::Duration;
use xor_relay::Children;

#[test]
fn a_node_is_replaced_and_a_cluster_grows() {
    let place = Place::new("relay-change");
    let program = Path::new(env!("CARGO_BIN_EXE_tenbin"));
    let start = |name: &str, count| Children::start(program, &place.dir.join(name), count);
    let (mut nodes, spare) = (start("four", 4).expect("nodes"), start("spare", 2).expect("nodes"));
    let (own, spare) = (nodes.addresses(), spare.addresses());
    let content = bytes(1, 3_000_000);
    place.write("in", &content);
    let former = own.join(",");
    place.ok(&["relay", "put", "in", "x", "--nodes", &former]);
    nodes.kill(1);
    let replace = ["relay", "replace", &own[1], "--with", &spare[0], "--nodes", &former];
    let replaced = place.json(&replace);
    let list = [&own[0], &spare[0], &own[2], &own[3]].map(String::as_str);
    assert_eq!((&replaced["nodes"], &replaced["informed"]), (&list.into(), &false.into()));
    assert_eq!((&replaced["objects"], &replaced["rebuilt"]), (&1.into(), &1.into()), "{replaced}");
    assert!(replaced["verified"].as_u64() > Some(0), "{replaced}");
    nodes.restart(1).expect("it comes back");
    let done = place.tenbin(&["relay", "put", "in", "y", "--nodes", &former]);
    let expected = format!("the cluster’s node 1 is now {}", spare[0]);
    assert!(done.code == Some(2) && done.err.contains(&expected), "{:?} {}", done.code, done.err);
    let list = list.join(",");
    let grown = place.json(&["relay", "grow", "--with", &spare[1], "--nodes", &list]);
    assert_eq!((&grown["rewritten"], &grown["bytes"]), (&1.into(), &3_000_000.into()), "{grown}");
    let again = place.ok(&["relay", "grow", "--with", &spare[1], "--nodes", &list]);
    assert!(again.out.contains("0 objects, 0 bytes, rewritten for 5 nodes"), "{}", again.out);
    [0, 2].into_iter().for_each(|node| nodes.kill(node));
    let five = format!("{list},{}", spare[1]);
    place.ok(&["relay", "get", "x", "out", "--nodes", &five]);
    assert!(std::fs::read(place.dir.join("out")).expect("it is there") == content);
    for (args, words) in [
        (["relay", "replace", "a:1", "--with", &spare[1]], "a:1: none of the nodes"),
        (["relay", "replace", &own[0], "--with", &own[2]], "this address is already in the list"),
        (["relay", "replace", &own[0], "--with", "here"], "--with here: expected HOST:PORT"),
    ] {
        let done = place.tenbin(&[&args[..], &["--nodes", &five]].concat());
        assert!(done.code == Some(2) && done.err.contains(words), "{args:?}: {}", done.err);
    }
}

/// Runs a command until a node has begun to write a version, then kills it.
fn killed_half_way(place: &Place, args: &[&str], data: &Path) {
    let mut command = place.command(args);
    let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("it starts");
    let has_blocks = || {
        let files = std::fs::read_dir(data).expect("its data").flatten();
        files.map(|file| file.path()).any(|p| p.extension().is_some_and(|e| e == "blocks"))
    };
    while !has_blocks() {
        assert!(child.try_wait().expect("ours").is_none(), "it ends before");
        std::thread::sleep(Duration::from_millis(1))
    }
    child.kill().expect("it runs");
    let _ = child.wait();
}

#[test]
fn a_repair_that_was_killed_goes_on_and_nobody_uses_its_node_meanwhile() {
    let place = Place::new("relay-half-full");
    let (mut children, nodes) = cluster(&place, 4);
    let lost = children.addresses()[2].clone();
    let on = ["--nodes", &nodes];
    let content = bytes(1, 40_000_000);
    place.write("in", &content);
    place.ok(&[&["relay", "put", "in", "x"][..], &on].concat());
    children.replace(2).expect("an empty node");
    let repair = [&["relay", "repair", "--lost", &lost][..], &on].concat();
    killed_half_way(&place, &repair, &place.dir.join("cluster/node-2"));
    let done = place.tenbin(&[&["relay", "put", "in", "y"][..], &on].concat());
    let expected = format!("node 2 ({lost}): being filled, so objects are missing");
    assert!(done.code == Some(1) && done.err.contains(&expected), "{:?} {}", done.code, done.err);
    assert!(done.err.contains(&format!("`tenbin relay repair --lost {lost}`")), "{}", done.err);
    let got = place.ok(&[&["relay", "get", "x", "out"][..], &on].concat());
    assert!(std::fs::read(place.dir.join("out")).expect("it is there") == content);
    assert!(got.err.contains(&format!("! {expected}")), "{}", got.err);
    let repaired = place.ok(&repair);
    assert!(repaired.out.contains("1 part rebuilt"), "{}", repaired.out);
    place.ok(&[&["relay", "put", "in", "y"][..], &on].concat());
    [0, 1].into_iter().for_each(|node| children.kill(node));
    place.ok(&[&["relay", "get", "y", "out", "--force"][..], &on].concat());
    assert!(std::fs::read(place.dir.join("out")).expect("it is there") == content);
}

/// Two of three nodes are needed, and one has a bad block: what the third lacks cannot be made.
#[test]
fn a_repair_that_leaves_something_out_is_to_be_run_again() {
    let place = Place::new("relay-left-out");
    let (mut children, nodes) = cluster(&place, 3);
    let lost = children.addresses()[2].clone();
    let on = ["--nodes", &nodes];
    place.write("in", bytes(2, 300_000));
    place.ok(&[&["relay", "put", "in", "x", "--block", "4k"][..], &on].concat());
    children.replace(2).expect("an empty node");
    let files = std::fs::read_dir(place.dir.join("cluster/node-1")).expect("its data").flatten();
    let blocks = files.map(|f| f.path()).find(|p| p.extension().is_some_and(|e| e == "blocks"));
    let blocks = blocks.expect("blocks");
    let right = std::fs::read(&blocks).expect("readable");
    let mut wrong = right.clone();
    wrong[10] ^= 1;
    std::fs::write(&blocks, wrong).expect("writable");
    let repair = [&["relay", "repair", "--lost", &lost][..], &on].concat();
    let done = place.tenbin(&repair);
    assert_eq!(done.code, Some(1), "{}", done.err);
    let expected = format!("node 2 ({lost}): incomplete and excluded");
    assert!(done.err.contains(&expected), "{}", done.err);
    let put = [&["relay", "put", "in", "y"][..], &on].concat();
    let done = place.tenbin(&put);
    assert!(done.code == Some(1) && done.err.contains("being filled"), "{}", done.err);
    std::fs::write(&blocks, right).expect("writable");
    place.ok(&repair);
    place.ok(&put);
}
