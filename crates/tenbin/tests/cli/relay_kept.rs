//! What `tenbin relay repair`, `replace`, `grow` and `scrub` keep, with real processes: unreadable
//! records, lists of before, a disk that is lost.
use crate::relay::{bytes, cluster};
use crate::tenbin::Place;
use std::path::{Path, PathBuf};
use xor_relay::Children;

/// The record of the object that was written last, on a node.
fn record(place: &Place, node: usize) -> PathBuf {
    let folder = place.dir.join(format!("cluster/node-{node}"));
    let files = std::fs::read_dir(folder).expect("its data").flatten().map(|file| file.path());
    let records = files.filter(|path| path.extension().is_some_and(|e| e == "committed"));
    let written = |path: &PathBuf| path.metadata().and_then(|m| m.modified()).expect("a time");
    records.max_by_key(written).expect("a record")
}

/// Damages the record on a node, which starts again then.
fn spoil(place: &Place, children: &mut Children, node: usize, how: fn(&mut Vec<u8>)) {
    let path = record(place, node);
    let mut content = std::fs::read(&path).expect("readable");
    how(&mut content);
    children.kill(node);
    std::fs::write(&path, content).expect("writable");
    children.restart(node).expect("it comes back")
}

/// A healthy node is replaced while records of others cannot be read.
#[test]
fn a_replacement_restores_records_before_it_moves_anything() {
    let program = Path::new(env!("CARGO_BIN_EXE_tenbin"));
    let damages: [fn(&mut Vec<u8>); 3] = [|c| c[40] ^= 1, |c| c.truncate(30), Vec::clear];
    for (nodes, how) in [(3, damages[0]), (4, damages[1]), (5, damages[2])] {
        let place = Place::new(&format!("relay-kept-{nodes}"));
        let (mut children, list) = cluster(&place, nodes);
        let spare = Children::start(program, &place.dir.join("spare"), 1).expect("a node");
        let (own, spare) = (children.addresses(), spare.addresses()[0].clone());
        let content = bytes(nodes as u64, 50_000);
        place.write("in", &content);
        place.ok(&["relay", "put", "in", "x", "--nodes", &list]);
        (1..nodes.min(3)).for_each(|node| spoil(&place, &mut children, node, how));
        let replace = ["relay", "replace", &own[0], "--with", &spare, "--nodes", &list];
        let dry = place.json(&[&replace[..], &["--dry-run"]].concat());
        let bad = dry["unreadable"].as_array().map(Vec::len);
        assert_eq!((bad, &dry["out_of_reach"]), (Some(nodes.min(3) - 1), &Vec::<u8>::new().into()));
        assert_eq!(dry["unreadable"][0]["object"], "x", "{dry}");
        place.ok(&["relay", "put", "in", "y", "--nodes", &list]);
        let done = place.ok(&replace);
        assert!(done.err.contains("the record of \"x\" cannot be read"), "{}", done.err);
        let list = std::iter::once(&spare).chain(&own[1..]).cloned().collect::<Vec<_>>().join(",");
        place.ok(&["relay", "get", "x", "out", "--force", "--nodes", &list]);
        assert!(std::fs::read(place.dir.join("out")).expect("it is there") == content);
        let scrubbed = place.json(&["relay", "scrub", "--nodes", &list]);
        assert_eq!((&scrubbed["bad"], &scrubbed["rebuilt"]), (&0.into(), &0.into()), "{scrubbed}");
    }
}

/// A list that differs from the cluster's in another place than the lost one.
#[test]
fn a_repair_refuses_a_list_that_is_not_the_clusters() {
    let place = Place::new("relay-other-list");
    let program = Path::new(env!("CARGO_BIN_EXE_tenbin"));
    let (mut children, list) = cluster(&place, 4);
    let spare = Children::start(program, &place.dir.join("spare"), 2).expect("nodes");
    let (own, spare) = (children.addresses(), spare.addresses());
    place.write("in", bytes(1, 50_000));
    place.ok(&["relay", "put", "in", "x", "--nodes", &list]);
    children.kill(1);
    let join = |all: [&str; 4]| all.join(",");
    let typo = join([&own[0], &spare[0], "127.0.0.1:1", &own[3]]);
    let right = join([&own[0], &spare[0], &own[2], &own[3]]);
    let repair =
        |list: &str| place.tenbin(&["relay", "repair", "--lost", &spare[0], "--nodes", list]);
    let done = repair(&typo);
    assert_eq!(done.code, Some(2), "{}", done.err);
    for words in [&typo, &list, "node 2 is"] {
        assert!(done.err.contains(words), "{words}: {}", done.err)
    }
    assert_eq!(repair(&right).code, Some(0), "the right one");
    place.ok(&["relay", "put", "in", "x", "--force", "--nodes", &right]);
    // The list of before: of another lost node, and of the place itself.
    children.restart(1).expect("it comes back");
    for lost in [&own[3], &own[1]] {
        let done = place.tenbin(&["relay", "repair", "--lost", lost, "--nodes", &list]);
        assert!(done.code == Some(2) && done.err.contains(&right), "{lost}: {}", done.err);
    }
    place.ok(&["relay", "put", "in", "x", "--force", "--nodes", &right]);
    for wrong in ["a:b:1", "http://a:1", "a:+1", "a"] {
        let done = place.tenbin(&["relay", "ls", "--nodes", &format!("{wrong},b:1,c:1")]);
        assert!(done.code == Some(2) && done.err.contains("expected HOST:PORT"), "{}", done.err);
    }
}

/// Unreachable data is listed and kept until the user accepts its loss.
#[test]
fn a_loss_is_named_before_it_is_taken() {
    let place = Place::new("relay-give-up");
    let (mut children, list) = cluster(&place, 3);
    place.write("in", bytes(1, 50_000));
    place.ok(&["relay", "put", "in", "x", "--nodes", &list]);
    let own = children.addresses();
    [0, 1].into_iter().for_each(|node| children.replace(node).expect("an empty node"));
    let lost = format!("{},{}", own[0], own[1]);
    let repair = ["relay", "repair", "--lost", &lost, "--nodes", &list];
    let done = place.tenbin(&repair);
    assert!(done.code == Some(1) && done.err.contains("\"x\" is out of reach"), "{}", done.err);
    let dry = place.json(&[&repair[..], &["--give-up", "--dry-run"]].concat());
    assert_eq!(dry["given_up"], serde_json::json!(["x"]));
    let done = place.ok(&[&repair[..], &["--give-up"]].concat());
    assert!(done.err.contains("! \"x\" is given up"), "{}", done.err);
    place.ok(&["relay", "put", "in", "x", "--nodes", &list]);
}
