//! No command loses data, whatever nodes have lost, cannot read or do not answer. This runs the
//! real commands; `kept` of `xor-protocol` checks the pure rule.
use crate::faulty_disk::FaultyDisk;
use crate::world::{World, bytes, get, put};
use std::collections::BTreeMap;
use xor_relay::client::{Error, Strategy, grow, look_before_replacing, replace};
use xor_relay::disk::Disk;

const LENGTH: usize = 3_000;

/// A node's record of the object before a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Record {
    Whole,
    /// Its record is unreadable: a byte changed, cut, or empty.
    Unreadable(usize),
    /// The disk is from before the last write.
    Older,
    /// The disk is from before the object.
    Absent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Command {
    Get,
    Scrub,
    Repair,
    Replace,
    Grow,
    Dry,
}

const COMMANDS: [Command; 6] =
    [Command::Get, Command::Scrub, Command::Repair, Command::Replace, Command::Grow, Command::Dry];

fn losses(nodes: usize) -> usize {
    if nodes == 3 { 1 } else { 2 }
}

fn image(disk: &FaultyDisk) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let blob = disk.open(&name).expect("it is there");
        let mut content = vec![0; blob.length().expect("a length") as usize];
        blob.read_at(&mut content, 0).expect("readable");
        (name, content)
    };
    disk.list().expect("files").into_iter().map(read).collect()
}

fn write(disk: &FaultyDisk, files: &BTreeMap<String, Vec<u8>>) {
    for name in disk.list().expect("files") {
        disk.remove(&name).expect("no faults")
    }
    for (name, content) in files {
        let blob = disk.create(name).expect("room");
        blob.write_at(content, 0).expect("room");
        blob.sync().expect("room")
    }
    disk.sync().expect("room")
}

/// A cluster of nodes with these records of the last write of "x", and two new nodes.
fn world_of(records: &[Record], seed: u64) -> World {
    let nodes = records.len();
    let world = World::new(nodes + 1, 2 * seed);
    let hand = || world.client_of(&world.some(0..nodes));
    let images = || (0..nodes).map(|node| image(&world.disks[node])).collect::<Vec<_>>();
    put(&mut hand(), "other", &bytes(9, LENGTH), 256, Strategy::Auto).expect("all");
    let none = images();
    put(&mut hand(), "x", &bytes(1, LENGTH), 256, Strategy::Auto).expect("all");
    let older = images();
    put(&mut hand(), "x", &bytes(2, LENGTH), 256, Strategy::Auto).expect("all");
    let mut whole = images();
    for (node, record) in records.iter().enumerate() {
        world.kill(node);
        match record {
            Record::Whole => {}
            Record::Older => write(&world.disks[node], &older[node]),
            Record::Absent => write(&world.disks[node], &none[node]),
            Record::Unreadable(how) => {
                let is_new = |name: &&String| {
                    name.ends_with(".committed") && !older[node].contains_key(*name)
                };
                let name = whole[node].keys().find(is_new).expect("a record").clone();
                let content = whole[node].get_mut(&name).expect("its record");
                match how {
                    0 => content[40] ^= 1,
                    1 => content.truncate(30),
                    _ => content.clear(),
                }
                write(&world.disks[node], &whole[node])
            }
        }
        world.start(node)
    }
    world
}

/// Runs a command by the cluster's list. Returns the list that is valid afterwards.
fn run(world: &World, command: Command, nodes: usize) -> (Vec<usize>, Result<(), Error>) {
    let list: Vec<usize> = (0..nodes).collect();
    let hand = |list: &[usize]| world.client_of(&world.some(list.iter().copied()));
    let other: Vec<usize> = [nodes].into_iter().chain(1..nodes).collect();
    let watch = &mut |_: u64, _: u64| true;
    match command {
        Command::Get => (list.clone(), get(&mut hand(&list), "x").map(drop)),
        Command::Scrub => (list.clone(), hand(&list).scrub(watch).map(drop)),
        Command::Repair => (list.clone(), hand(&list).repair(&[0], watch).map(drop)),
        Command::Dry => {
            let (mut new, mut former) = (hand(&other), hand(&list));
            (list, look_before_replacing(&mut new, &mut former, 0).map(drop))
        }
        Command::Replace => {
            let (mut new, mut former) = (hand(&other), hand(&list));
            let done = replace(&mut new, &mut former, 0, watch).map(drop);
            (if done.is_ok() { other } else { list }, done)
        }
        Command::Grow => {
            let larger: Vec<usize> = (0..=nodes).collect();
            let (mut writer, mut reader) = (hand(&larger), hand(&larger));
            let done = grow(&mut writer, &mut reader, watch).map(drop);
            (if done.is_ok() { larger } else { list }, done)
        }
    }
}

/// The last write is not lost, and the former one is not current.
fn check(records: &[Record], away: Option<usize>, command: Command, seed: u64) {
    let nodes = records.len();
    let what = format!("{command:?} of {records:?} without {away:?}");
    let world = world_of(records, seed);
    if let Some(node) = away {
        world.kill(node)
    }
    let (list, done) = run(&world, command, nodes);
    if let Some(node) = away {
        world.start(node)
    }
    let mut hand = world.client_of(&world.some(list.iter().copied()));
    hand.scrub(&mut |_, _| true).unwrap_or_else(|e| panic!("{what}: {done:?}: {e}"));
    let has = |record: &&Record| matches!(record, Record::Whole | Record::Unreadable(_));
    let count = records.iter().filter(has).count();
    let is_explained = records.contains(&Record::Whole);
    let got = get(&mut world.client_of(&world.some(list.iter().copied())), "x");
    match (is_explained && count >= nodes - losses(nodes), got) {
        (true, got) => assert!(got == Ok(bytes(2, LENGTH)), "{what}: {done:?}: {got:?}"),
        (false, Ok(got)) => {
            let older = records.iter().filter(|r| **r == Record::Older).count();
            let is_former = got == bytes(1, LENGTH) && older >= nodes - losses(nodes);
            assert!(got == bytes(2, LENGTH) || is_former && !is_explained, "{what}: {done:?}")
        }
        (false, Err(Error::BadInput(why))) => assert!(!is_explained, "{what}: {done:?}: {why}"),
        (false, Err(_)) => {}
    }
    let other = get(&mut world.client_of(&world.some(list.iter().copied())), "other");
    assert!(other == Ok(bytes(9, LENGTH)), "{what}: {done:?}: {other:?}");
}

/// All states of three nodes. Of four and five nodes, a subset of those that the pure test
/// distinguishes.
#[test]
fn no_command_discards_what_was_acknowledged() {
    let records = [Record::Whole, Record::Unreadable(0), Record::Older, Record::Absent];
    let mut looked = 0;
    for (nodes, thin) in [(3, 5), (4, 53), (5, 331)] {
        for code in 0..4usize.pow(nodes) {
            let of = |at: u32| records[code / 4usize.pow(at) % 4];
            let mut state: Vec<Record> = (0..nodes).map(of).collect();
            for (record, how) in state.iter_mut().zip(code..) {
                if let Record::Unreadable(kind) = record {
                    *kind = how % 3
                }
            }
            for (at, command) in COMMANDS.into_iter().enumerate() {
                let case = code * COMMANDS.len() + at;
                for away in [None, Some(code % nodes as usize)] {
                    if case % thin == usize::from(away.is_some()) {
                        looked += 1;
                        check(&state, away, command, case as u64)
                    }
                }
            }
        }
    }
    assert!(looked > 150, "{looked}");
}

/// One unreadable record, or one on each of two nodes, on every node in sequence. It is restored
/// before anything changes.
#[test]
fn records_that_cannot_be_read_are_restored() {
    for nodes in [3, 4, 5, 6] {
        for (at, command) in COMMANDS.into_iter().enumerate() {
            for bad in 1..=losses(nodes) {
                let mut records = vec![Record::Whole; nodes];
                (0..bad).for_each(|n| records[(at + n) % nodes] = Record::Unreadable(at + n));
                check(&records, None, command, (nodes + at + bad) as u64)
            }
        }
    }
    let world = world_of(&[Record::Unreadable(0), Record::Whole, Record::Unreadable(2)], 1);
    let mut hand = world.client_of(&world.some(0..3));
    let found = hand.scrub(&mut |_, _| true).expect("all are there");
    let restored: Vec<_> = found.restored.iter().map(|(_, node)| *node).collect();
    assert_eq!((restored, found.bad, found.rebuilt), (vec![0, 2], 0, 0), "{found:?}");
    assert!(found.unexplained.is_empty(), "{found:?}");
}

/// No other node has the version of the record: it is kept and reported.
#[test]
fn a_record_that_nobody_explains_is_kept_and_named() {
    let records = [Record::Unreadable(0), Record::Older, Record::Older];
    let world = world_of(&records, 2);
    for _ in 0..2 {
        let mut hand = world.client_of(&world.some(0..3));
        let found = hand.scrub(&mut |_, _| true).expect("all are there");
        assert_eq!(found.unexplained.len(), 1, "{found:?}");
        assert_eq!(found.unexplained[0].node, 0);
        world.restart(0)
    }
    let files = world.disks[0].list().expect("files");
    assert_eq!(files.iter().filter(|name| name.ends_with(".blocks")).count(), 3, "{files:?}");
}

/// One of two concurrent replacements continues, and the other is refused.
#[test]
fn of_two_operators_one_is_refused() {
    let world = World::new(5, 3);
    put(&mut world.client_of(&world.some(0..3)), "x", &bytes(1, LENGTH), 256, Strategy::Auto)
        .expect("three");
    let mut refused = Vec::new();
    let mut is_tried = false;
    let (mut new, mut former) =
        (world.client_of(&world.some([3, 1, 2])), world.client_of(&world.some(0..3)));
    let mut watch = |_: u64, _: u64| {
        if !std::mem::replace(&mut is_tried, true) {
            let (mut new, mut former) =
                (world.client_of(&world.some([0, 4, 2])), world.client_of(&world.some(0..3)));
            let nothing = &mut |_: u64, _: u64| true;
            refused.push(replace(&mut new, &mut former, 1, nothing).map(drop));
            refused.push(former.repair(&[1], nothing).map(drop));
            let (mut new, mut former) = (
                world.client_of(&world.some([0, 1, 2, 4])),
                world.client_of(&world.some([0, 1, 2, 4])),
            );
            refused.push(grow(&mut new, &mut former, nothing).map(drop));
        }
        true
    };
    replace(&mut new, &mut former, 0, &mut watch).expect("the first");
    for refusal in refused {
        let why = refusal.expect_err("another operator is at work").to_string();
        assert!(why.contains("another operator command is running: replace n0 --with n3"), "{why}");
    }
    assert!(is_tried);
    let mut new = world.client_of(&world.some([3, 4, 2]));
    let mut former = world.client_of(&world.some([3, 1, 2]));
    replace(&mut new, &mut former, 1, &mut |_, _| true).expect("the lock is free");
}
