//! Changes of lists: replacement of a node, growth of a cluster.
use crate::world::{Hand, World, bytes, get, put};
use std::collections::BTreeMap;
use xor_relay::client::{Error, Strategy, grow, replace};

type Objects = BTreeMap<String, Vec<u8>>;

/// In bytes.
const BLOCK: u32 = 64;

/// Some objects: an empty one, one of a byte, two with more stripes than are in transit at a time.
fn fill(world: &World, list: &[String]) -> Objects {
    let mut all = Objects::new();
    for (nth, length) in [0, 1, 900, 120_000, 120_000].into_iter().enumerate() {
        let (name, content) = (format!("object {nth}"), bytes(nth as u64 + 1, length));
        put(&mut world.client_of(list), &name, &content, BLOCK, Strategy::Auto).expect("all nodes");
        all.insert(name, content);
    }
    all
}

fn assert_there(hand: &mut Hand, all: &Objects, what: &str) {
    for (name, content) in all {
        let read = get(hand, name);
        assert!(read.as_ref() == Ok(content), "{what}: {name}: {:?}", read.err());
    }
    let listed: Vec<String> = hand.survey_all().expect("a list").objects.into_keys().collect();
    assert_eq!(listed, all.keys().cloned().collect::<Vec<_>>(), "{what}");
}

/// All objects are readable without any two nodes of the list.
fn assert_safe(world: &World, list: &[usize], all: &Objects, what: &str) {
    for (nth, one) in list.iter().enumerate() {
        for two in &list[nth + 1..] {
            [one, two].into_iter().for_each(|node| world.kill(*node));
            let mut hand = world.client_of(&world.some(list.iter().copied()));
            assert_there(&mut hand, all, &format!("{what}, without {one} and {two}"));
            [one, two].into_iter().for_each(|node| world.start(*node));
        }
    }
}

fn words(error: Result<impl Sized, Error>) -> String {
    match error {
        Err(Error::BadInput(text) | Error::Failed(text)) => text,
        Err(Error::Stopped) => panic!("stopped"),
        Ok(_) => panic!("it is accepted"),
    }
}

const NEW: [usize; 5] = [0, 1, 5, 3, 4];

fn change(world: &World) -> Result<xor_relay::client::ReplacementReport, Error> {
    let mut former = world.client_of(&world.some(0..5));
    let mut new = world.client_of(&world.some(NEW));
    replace(&mut new, &mut former, 2, &mut |_, _| true)
}

#[test]
fn a_lost_node_is_replaced_at_another_address() {
    let world = World::new(6, 31);
    let all = fill(&world, &world.some(0..5));
    world.kill(2);
    let replaced = change(&world).expect("five are there");
    assert!(!replaced.is_informed && replaced.verified > 0, "{replaced:?}");
    assert_eq!((replaced.healed.objects, replaced.healed.rebuilt), (5, 5));
    assert_safe(&world, &NEW, &all, "replaced");
    // By the former list, with the lost node down, and back.
    let old = || world.client_of(&world.some(0..5));
    let why = words(put(&mut old(), "new", b"1", 256, Strategy::Naive));
    assert!(why.contains("the cluster’s node 2 is now n5"), "{why}");
    world.start(2);
    let why = words(put(&mut old(), "new", b"1", 256, Strategy::Naive));
    assert!(why.contains("node 2 (n2): the cluster’s node 2 is now n5"), "{why}");
    assert_there(&mut old(), &all, "the former list reads");
    world.client_of(&world.some(NEW)).remove("object 3").expect("all nodes");
    assert!(get(&mut old(), "object 3").is_err(), "removed for the former list, too");
}

#[test]
fn a_node_that_is_replaced_while_it_runs_is_informed() {
    let world = World::new(6, 32);
    let all = fill(&world, &world.some(0..5));
    assert!(change(&world).expect("all are there").is_informed);
    let why = words(put(&mut world.client_of(&world.some(0..5)), "new", b"1", 256, Strategy::Auto));
    assert!(why.contains("node 2 (n2): another node has replaced it"), "{why}");
    assert_safe(&world, &NEW, &all, "replaced");
    assert!(change(&world).expect("again").is_informed, "a second time changes nothing");
    // After a wipe it is as good as any other node.
    world.kill(2);
    world.disks[2].wipe();
    world.start(2);
    let mut former = world.client_of(&world.some(NEW));
    let mut new = world.client_of(&world.some(0..5));
    replace(&mut new, &mut former, 2, &mut |_, _| true).expect("and back");
    assert_safe(&world, &[0, 1, 2, 3, 4], &all, "and back");
}

#[test]
fn a_replacement_goes_on_where_it_stopped() {
    for seed in 0..60 {
        let world = World::new(6, 100 + seed);
        let mut all = fill(&world, &world.some(0..5));
        let is_down = seed % 2 == 0;
        if is_down {
            world.kill(2);
        }
        let mut former = world.client_of(&world.some(0..5));
        let mut new = world.client_of(&world.some(NEW));
        world.kill_client_in(1 + seed * 23);
        let _ = replace(&mut new, &mut former, 2, &mut |_, _| true);
        world.forget_deaths();
        drop((former, new));
        world.settle();
        // A client with the former list may still write, or is refused.
        let late = bytes(seed, 5_000);
        let mut old = world.client_of(&world.some(0..5));
        if put(&mut old, "object 2", &late, 256, Strategy::Auto).is_ok() {
            assert!(!is_down, "a write needs all nodes");
            all.insert("object 2".into(), late);
        }
        drop(old);
        change(&world).expect("it goes on");
        assert_safe(&world, &NEW, &all, &format!("seed {seed}"));
    }
}

/// Writes by a list; a refusal must state the remedy.
fn write_by(world: &World, list: &[String], name: &str, all: &mut Objects, seed: u64) -> bool {
    let content = bytes(seed, 5_000);
    match put(&mut world.client_of(list), name, &content, 256, Strategy::Auto) {
        Ok(_) => drop(all.insert(name.into(), content)),
        Err(e) => {
            let why = e.to_string();
            let words = ["being filled", "has replaced it", "is now n5", "in no cluster"];
            assert!(words.iter().any(|w| why.contains(w)), "seed {seed}: {why}");
            return false;
        }
    }
    true
}

const CUTS: u64 = 45;

/// The step at which a client dies: anywhere, but mostly near the end, when one list replaces the
/// other.
fn cut(seed: u64, steps: u64) -> u64 {
    match seed % 3 {
        0 => 1 + seed * steps / CUTS,
        _ => steps.saturating_sub(seed * 5) + 60,
    }
}

/// The client is killed half way, and both lists write. Then the replaced disk is lost, and two
/// more nodes are away for a time.
#[test]
fn a_replacement_that_was_killed_leaves_one_list_that_takes_writes() {
    let mut taken = [0; 3];
    for seed in 0..CUTS {
        let whole = World::new(6, 400 + seed);
        fill(&whole, &whole.some(0..5));
        let before = whole.steps();
        change(&whole).expect("all are there");
        let steps = whole.steps() - before;
        let world = World::new(6, 400 + seed);
        let mut all = fill(&world, &world.some(0..5));
        let (old, list) = (world.some(0..5), world.some(NEW));
        let (mut former, mut new) = (world.client_of(&old), world.client_of(&list));
        world.kill_client_in(cut(seed, steps));
        let _ = replace(&mut new, &mut former, 2, &mut |_, _| true);
        world.forget_deaths();
        drop((former, new));
        world.settle();
        let by_old = write_by(&world, &old, "by the former list", &mut all, seed);
        let by_new = write_by(&world, &list, "by the new list", &mut all, seed);
        assert!(!(by_old && by_new), "seed {seed}: both lists take writes");
        taken[usize::from(by_old) + 2 * usize::from(by_new)] += 1;
        if by_old && world.client_of(&old).remove("object 4").is_ok() {
            all.remove("object 4");
        }
        world.kill(2);
        world.disks[2].wipe();
        let away = [0, 1, 3, 4][seed as usize / 3 % 4];
        world.kill(away);
        for by in [&old, &list] {
            let what = format!("seed {seed}, without 2 and {away}");
            assert_there(&mut world.client_of(by), &all, &what)
        }
        world.start(away);
        // A client with too few nodes discards nothing.
        [0, 4].into_iter().for_each(|node| world.kill(node));
        let _ = world.client_of(&list).scrub(&mut |_, _| true);
        let _ = world.client_of(&old).repair(&[1], &mut |_, _| true);
        [0, 4].into_iter().for_each(|node| world.start(node));
        change(&world).expect("it goes on");
        assert_safe(&world, &NEW, &all, &format!("seed {seed}"));
        assert!(write_by(&world, &list, "afterwards", &mut all, seed), "seed {seed}");
    }
    // For a few steps neither list takes writes. The number of cuts there varies from run to run,
    // since the steps of five nodes' threads are counted in order of arrival.
    let [_neither, old, new] = taken;
    assert!(old > 3 && new > 3, "either list goes on in some runs: {taken:?}");
}

/// Killed half way; then another operator replaces another node. Whichever list is valid, the same
/// commands end with one list that takes writes.
#[test]
fn another_replacement_after_one_that_was_killed_ends_with_one_list() {
    let whole = World::new(7, 600);
    fill(&whole, &whole.some(0..5));
    let before = whole.steps();
    change(&whole).expect("all are there");
    let (steps, mut refused) = (whole.steps() - before, 0);
    for seed in 0..CUTS {
        let world = World::new(7, 600 + seed);
        let mut all = fill(&world, &world.some(0..5));
        let (old, list) = (world.some(0..5), world.some(NEW));
        let (mut former, mut new) = (world.client_of(&old), world.client_of(&list));
        world.kill_client_in(cut(seed, steps));
        let _ = replace(&mut new, &mut former, 2, &mut |_, _| true);
        world.forget_deaths();
        drop((former, new));
        world.settle();
        let other = |by: &[usize]| {
            let mut to = by.to_vec();
            to[1] = 6;
            let (mut former, mut new) = (
                world.client_of(&world.some(by.iter().copied())),
                world.client_of(&world.some(to.iter().copied())),
            );
            replace(&mut new, &mut former, 1, &mut |_, _| true)
        };
        let last = match other(&[0, 1, 2, 3, 4]) {
            // No node knows the first replacement: its new node is still empty.
            Ok(_) => {
                let (now, to) = (world.some([0, 6, 2, 3, 4]), world.some([0, 6, 5, 3, 4]));
                let (mut former, mut new) = (world.client_of(&now), world.client_of(&to));
                replace(&mut new, &mut former, 2, &mut |_, _| true).expect("by the list of now")
            }
            Err(e) => {
                refused += 1;
                let why = e.to_string();
                let words = ["n0,n1,n5,n3,n4", "is n5 now"];
                assert!(words.iter().any(|w| why.contains(w)), "seed {seed}: {why}");
                change(&world).expect("run the same command again to continue");
                other(&NEW).expect("then the other one")
            }
        };
        assert!(last.is_informed, "seed {seed}");
        let list = [0, 6, 5, 3, 4];
        assert!(write_by(&world, &world.some(list), "afterwards", &mut all, seed), "seed {seed}");
        assert_safe(&world, &list, &all, &format!("seed {seed}"));
    }
    assert!((3..CUTS).contains(&refused), "{refused} of {CUTS} were half told");
}

/// Killed half way; then other clients look, and two more nodes are away for a time.
#[test]
fn a_node_that_a_killed_repair_left_half_full_is_nobodys_witness() {
    let mut refused = 0u64;
    let with_an_empty_node = |seed| {
        let world = World::new(5, 500 + seed);
        let all = fill(&world, &world.some(0..5));
        world.kill(2);
        world.disks[2].wipe();
        world.start(2);
        (world, all)
    };
    for seed in 0..CUTS {
        let (whole, _) = with_an_empty_node(seed);
        let before = whole.steps();
        whole.client().repair(&[2], &mut |_, _| true).expect("four are there");
        let steps = whole.steps() - before;
        let (world, mut all) = with_an_empty_node(seed);
        let list = world.some(0..5);
        let mut hand = world.client_of(&list);
        world.kill_client_in(cut(seed, steps));
        let _ = hand.repair(&[2], &mut |_, _| true);
        world.forget_deaths();
        drop(hand);
        world.settle();
        if !write_by(&world, &list, "late", &mut all, seed) {
            refused += 1;
            world.client_of(&list).remove("object 1").expect("four nodes are enough");
            all.remove("object 1");
        }
        // Of all objects two nodes are left, and one with nothing or a part.
        [0, 4].into_iter().for_each(|node| world.kill(node));
        let _ = world.client_of(&list).scrub(&mut |_, _| true);
        if world.client_of(&list).remove("object 3").is_ok() {
            all.remove("object 3");
        }
        let _ = world.client_of(&list).repair(&[2], &mut |_, _| true);
        [0, 4].into_iter().for_each(|node| world.start(node));
        world.client_of(&list).repair(&[2], &mut |_, _| true).expect("it goes on");
        assert_safe(&world, &[0, 1, 2, 3, 4], &all, &format!("seed {seed}"));
        assert!(write_by(&world, &list, "afterwards", &mut all, seed), "seed {seed}");
        world.assert_tidy(&format!("seed {seed}"))
    }
    assert!((10..CUTS).contains(&refused), "{refused} are cut in the middle");
}

/// A repair accepts a new node at another address; the former one is ignored.
#[test]
fn a_repair_with_another_address_ends_the_former_list() {
    let world = World::new(6, 36);
    let mut all = fill(&world, &world.some(0..5));
    let (old, list) = (world.some(0..5), world.some(NEW));
    let why = words(world.client_of(&list).repair(&[2], &mut |_, _| true));
    assert!(why.contains("node 2 is n2, which answers"), "{why}");
    world.kill(2);
    world.client_of(&list).repair(&[2], &mut |_, _| true).expect("five are there");
    world.start(2);
    // By the former list, whichever node is called lost.
    for lost in [1, 2] {
        world.kill(5);
        let why = words(world.client_of(&old).repair(&[lost], &mut |_, _| true));
        world.start(5);
        assert!(why.contains("this is not the cluster’s list"), "{lost}: {why}");
        assert!(why.contains("given: n0,n1,n2,n3,n4; the cluster’s: n0,n1,n5,n3,n4"), "{why}");
    }
    assert!(!write_by(&world, &old, "by the former list", &mut all, 1));
    assert!(write_by(&world, &list, "by the new list", &mut all, 2));
    assert_safe(&world, &NEW, &all, "repaired");
}

fn grown(world: &World, nodes: usize) -> Result<xor_relay::client::RepairReport, Error> {
    let list = world.some(0..nodes);
    let (mut reader, mut writer) = (world.client_of(&list), world.client_of(&list));
    grow(&mut writer, &mut reader, &mut |_, _| true)
}

#[test]
fn a_cluster_grows_node_by_node() {
    let world = World::new(7, 33);
    let all = fill(&world, &world.some(0..3));
    for nodes in 4..=7 {
        let grown = grown(&world, nodes).expect("all are there");
        assert_eq!((grown.rewritten, grown.failed.len()), (5, 0), "{nodes} nodes: {grown:?}");
        let list: Vec<usize> = (0..nodes).collect();
        assert_safe(&world, &list, &all, &format!("{nodes} nodes"));
        let why = words(put(
            &mut world.client_of(&world.some(0..nodes - 1)),
            "new",
            b"1",
            256,
            Strategy::Auto,
        ));
        assert!(why.contains(&format!("node 0 of the {nodes} of cluster")), "{why}");
    }
    world.assert_tidy("grown");
}

#[test]
fn objects_are_read_written_and_removed_while_it_grows() {
    let world = World::new(5, 34);
    let mut all = fill(&world, &world.some(0..4));
    let list = world.some(0..5);
    let (mut reader, mut writer) = (world.client_of(&list), world.client_of(&list));
    let mut before = all.clone();
    before.insert("object 2".into(), b"new".to_vec());
    let mut calls = 0;
    let mut meanwhile = |_: u64, _: u64| {
        calls += 1;
        let mut hand = world.client_of(&list);
        match calls {
            2 => drop(put(&mut hand, "object 2", b"new", 256, Strategy::Auto).expect("all")),
            5 => assert_there(&mut hand, &before, "meanwhile"),
            6 => drop(put(&mut hand, "object 3", b"new", 256, Strategy::Auto).expect("all")),
            9.. => drop(hand.remove("object 4")),
            _ => {}
        }
        true
    };
    let grown = grow(&mut writer, &mut reader, &mut meanwhile).expect("all are there");
    assert!(calls > 9 && grown.rewritten == 2, "{calls} calls, {grown:?}");
    assert!(grown.failed.is_empty(), "{grown:?}");
    all.remove("object 4");
    all.insert("object 2".into(), b"new".to_vec());
    all.insert("object 3".into(), b"new".to_vec());
    drop((reader, writer));
    assert_safe(&world, &[0, 1, 2, 3, 4], &all, "grown");
}

#[test]
fn growing_goes_on_where_it_stopped() {
    for seed in 0..60 {
        let world = World::new(5, 200 + seed);
        let mut all = fill(&world, &world.some(0..4));
        let list = world.some(0..5);
        let (mut reader, mut writer) = (world.client_of(&list), world.client_of(&list));
        world.kill_client_in(1 + seed * 31);
        let _ = grow(&mut writer, &mut reader, &mut |_, _| true);
        world.forget_deaths();
        drop((reader, writer));
        world.settle();
        // Half done: both layouts are readable; one object is written, one removed.
        let late = bytes(seed, 3_000);
        let mut hand = world.client_of(&list);
        if hand.identify().is_ok() && hand.missing().is_empty() {
            assert_there(&mut hand, &all, &format!("seed {seed}, half done"));
            if put(&mut hand, "object 2", &late, 256, Strategy::Auto).is_ok() {
                all.insert("object 2".into(), late);
            }
            if hand.remove("object 4").is_ok() {
                all.remove("object 4");
            }
        }
        drop(hand);
        let grown = grown(&world, 5).expect("it goes on");
        assert!(grown.failed.is_empty(), "seed {seed}: {grown:?}");
        assert_safe(&world, &[0, 1, 2, 3, 4], &all, &format!("seed {seed}"));
        world.assert_tidy(&format!("seed {seed}"));
    }
}

#[test]
fn what_cannot_grow_is_refused_and_left_as_it_is() {
    let world = World::new(8, 35);
    fill(&world, &world.some(0..4));
    put(&mut world.client_of(&world.some(5..8)), "y", b"1", 256, Strategy::Auto).expect("three");
    let try_with = |list: &[usize]| {
        let list = world.some(list.iter().copied());
        let (mut reader, mut writer) = (world.client_of(&list), world.client_of(&list));
        words(grow(&mut writer, &mut reader, &mut |_, _| true))
    };
    let why = try_with(&[0, 1, 2, 3, 5]);
    assert!(why.contains("node 4 (n5): node 0 of the 3 of cluster"), "{why}");
    let why = try_with(&[0, 1, 3, 2, 4]);
    assert!(why.contains("node 2 (n3): node 3 of the 4 of cluster"), "{why}");
    let why = try_with(&[0, 1, 2, 4]);
    assert!(why.contains("the first 3 of the list"), "{why}");
    world.kill(3);
    let why = try_with(&[0, 1, 2, 3, 4]);
    assert!(why.contains("growth needs all nodes of the cluster: node 3 (n3)"), "{why}");
    world.start(3);
    assert!(put(&mut world.client_of(&world.some(0..4)), "z", b"1", 256, Strategy::Auto).is_ok());
}
