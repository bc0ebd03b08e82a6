//! How often a byte is copied on its way: by the processes themselves, counted by a library in
//! front of `memcpy`, and by the kernel for them, as `/proc/PID/io` has it.
//!
//! ```text
//!             client              node                     next node
//!  file ─read─► slot ─send──► ··· ─readv─► slot ─send──► ··· ─readv─► slot
//!                                            └─pwrite──► page cache, or the device itself (direct)
//! ```
//! Between a slot and a socket, and between a slot and a disk, nothing is copied but by the kernel.
use crate::preloaded;
use crate::tenbin::Place;
use std::path::{Path, PathBuf};
use std::process::Command;
use xor_relay::Children;
use xor_relay::disk::Folder;

/// Bytes of the object, in blocks of which the last stripe is full, too.
const BYTES: usize = 12 * 16_384 * 160;

/// A program that runs `tenbin` with more arguments, and the file of what it copied.
fn counted(place: &Place, name: &str, more: &str) -> (PathBuf, PathBuf) {
    let counts = place.dir.join(format!("{name}.copies"));
    let lines = format!("export COPIES={}; set -- \"$@\" {more}", counts.display());
    (preloaded::program(place, name, "relay_copies/count_copies.c", &lines), counts)
}

/// What a process has read and written by system calls.
fn calls(process: u32) -> [u64; 2] {
    let text = std::fs::read_to_string(format!("/proc/{process}/io")).expect("it runs");
    ["rchar: ", "wchar: "].map(|key| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.and_then(|n| n.parse().ok()).expect("a number")
    })
}

/// Bytes that all nodes together read and write for a put by a schedule.
fn put(place: &Place, children: &Children, schedule: &str) -> [u64; 2] {
    let all = |children: &Children| {
        let each = children.processes().into_iter().map(calls);
        each.fold([0; 2], |sum, [read, written]| [sum[0] + read, sum[1] + written])
    };
    let nodes = children.addresses().join(",");
    let before = all(children);
    let put = ["relay", "put", "in", schedule, "--block", "16k", "--schedule", schedule];
    let client = place.dir.join("client");
    let mut client = Command::new(client);
    let done = client.args(put).args(["--nodes", &nodes]).current_dir(&place.dir).output();
    let done = done.expect("it starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let after = all(children);
    [after[0] - before[0], after[1] - before[1]]
}

fn is_about(found: u64, expected: u64, what: &str) {
    let (least, slack) = (expected - expected / 100, (expected / 33).max(BYTES as u64 / 100));
    let is_it = (least..expected + slack).contains(&found);
    assert!(is_it, "{what}: {found} bytes, and not {expected}");
}

/// The copies that a process made, when it has ended.
fn copies(counts: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(counts).expect("they have ended");
    text.lines().map(|line| line.parse().expect("a count")).collect()
}

#[test]
fn bytes_are_copied_by_the_kernel_alone() {
    let place = Place::new("relay-copies");
    place.write("in", vec![7; BYTES]);
    let (_, of_client) = counted(&place, "client", "");
    run(&place, "buffered", 1);
    // Past the page cache the device takes blocks from their slots.
    match Folder::may_bypass_cache(&place.dir.join("probe")) {
        Ok(()) => run(&place, "direct", 0),
        Err(e) => println!("no direct writes here: {e}"),
    }
    // Four puts.
    assert_eq!(copies_are_few(&of_client) % 2, 0);
}

/// `copies`: those of a byte on its way from a slot to a disk.
fn run(place: &Place, io: &str, copies: u64) {
    let (node, of_nodes) = counted(place, io, &format!("--io {io}"));
    let folder = place.dir.join(format!("cluster-{io}"));
    let mut children = Children::start(&node, &folder, 5).expect("nodes");
    // 12 data blocks take 20 on disk. Naive sends all of them; pivot 12, and 16 between nodes.
    let part = BYTES as u64 / 12;
    let [read, written] = put(place, &children, "naive");
    is_about(read, 20 * part, "naive, nodes receive");
    is_about(written, 20 * part * copies, "naive, nodes store");
    let [read, written] = put(place, &children, "pivot");
    is_about(read, (12 + 16) * part, "pivot, nodes receive");
    // What is sent is counted where it is read.
    is_about(written, 20 * part * copies, "pivot, nodes store");
    children.end();
    assert_eq!(copies_are_few(&of_nodes), 5);
}

/// No process has copied blocks itself; how many there were.
fn copies_are_few(counts: &Path) -> usize {
    let all = copies(counts);
    let most = BYTES as u64 / 100;
    assert!(all.iter().any(|copied| *copied > 0), "it counts what is copied otherwise");
    assert!(all.iter().all(|copied| *copied < most), "{all:?} bytes were copied by processes");
    all.len()
}
