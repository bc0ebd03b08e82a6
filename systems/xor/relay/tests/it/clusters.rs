//! Membership of clusters: wrong lists, foreign objects, new nodes, old stores.
use crate::faulty_disk::FaultyDisk;
use crate::world::{World, bytes, get, put};
use xor_relay::client::{Availability, Error, Strategy};
use xor_relay::disk::Disk;

/// Eight nodes: the first five have "x", the others "y".
fn two_clusters() -> World {
    let world = World::new(8, 1);
    let mut five = world.client_of(&world.some(0..5));
    put(&mut five, "x", &bytes(1, 9000), 256, Strategy::Auto).expect("five nodes");
    let mut three = world.client_of(&world.some(5..8));
    put(&mut three, "y", &bytes(2, 5000), 256, Strategy::Auto).expect("three nodes");
    world
}

fn words(error: Result<impl Sized, Error>) -> String {
    match error {
        Err(Error::BadInput(text)) => text,
        Err(other) => panic!("no bad input: {other}"),
        Ok(_) => panic!("it is accepted"),
    }
}

#[test]
fn a_put_with_a_wrong_list_is_refused_and_leaves_nothing() {
    let world = two_clusters();
    for list in [[0, 1, 2, 3, 5], [0, 1, 2, 4, 3]] {
        let mut hand = world.client_of(&world.some(list));
        let why = words(put(&mut hand, "z", &bytes(3, 900), 256, Strategy::Naive));
        assert!(why.contains(&format!("node 4 (n{})", list[4])), "{why}");
        assert!(why.contains("expected node 4 of 5"), "{why}");
    }
    // A part of the cluster, and more than the cluster.
    for list in [world.some(0..3), world.some(0..6), world.some(0..8)] {
        let mut hand = world.client_of(&list);
        let why = words(put(&mut hand, "z", &bytes(3, 900), 256, Strategy::Naive));
        assert!(why.contains("node 0 of the 5 of cluster "), "{why}");
    }
    (0..8).for_each(|node| assert_eq!(world.versions(node), (1, 0), "node {node}"));
    let mut hand = world.client_of(&world.some(0..5));
    let survey = hand.survey_all().expect("its own list");
    assert_eq!((survey.whole().len(), survey.foreign.len()), (1, 0));
    let found = hand.scrub(&mut |_, _| true).expect("its own list");
    assert!(found.unverified.is_empty() && found.damage.is_empty(), "{found:?}");
}

#[test]
fn a_list_in_another_order_reads_and_changes_nothing() {
    let world = World::new(5, 12);
    put(&mut world.client(), "x", &bytes(1, 9000), 256, Strategy::Auto).expect("five nodes");
    let by = || world.client_of(&world.some([0, 1, 3, 2, 4]));
    let tries = [
        words(by().remove("x")),
        words(by().remove_foreign("x")),
        words(by().scrub(&mut |_, _| true)),
        words(by().repair(&[0], &mut |_, _| true)),
        words(put(&mut by(), "x", b"1", 256, Strategy::Auto)),
    ];
    for why in tries {
        assert!(why.contains("node 2 (n3): node 3 of the 5 of cluster"), "{why}");
        assert!(why.ends_with(" is n0,n1,n2,n3,n4"), "{why}");
    }
    assert!(get(&mut by(), "x").expect("three are in their place") == bytes(1, 9000));
    let found = world.client().scrub(&mut |_, _| true).expect("the right list");
    assert!(found.damage.is_empty() && found.unverified.is_empty(), "{found:?}");
}

#[test]
fn a_removal_names_the_nodes_that_were_away() {
    let world = World::new(5, 13);
    for name in ["x", "y"] {
        put(&mut world.client(), name, &bytes(1, 900), 256, Strategy::Auto).expect("five nodes");
    }
    assert_eq!(world.client().remove("y"), Ok(Vec::new()));
    world.kill(3);
    assert_eq!(world.client().remove("x"), Ok(vec![3]));
    world.start(3);
    let why = words(get(&mut world.client(), "x"));
    assert!(why.contains("was removed while nodes were absent"), "{why}");
    world.client().scrub(&mut |_, _| true).expect("all are there");
    assert!(words(get(&mut world.client(), "x")).contains("no object has the name"));
    world.assert_tidy("scrubbed")
}

#[test]
fn a_get_goes_on_without_a_node_that_is_wrong() {
    let world = two_clusters();
    for list in [[0, 1, 2, 3, 5], [0, 1, 7, 3, 6], [0, 1, 2, 4, 3]] {
        let mut hand = world.client_of(&world.some(list));
        assert!(get(&mut hand, "x").expect("three are right") == bytes(1, 9000), "{list:?}");
        assert!(hand.missing().iter().all(|(_, why)| why.contains("by this list")), "{list:?}");
    }
    let why = words(get(&mut world.client_of(&world.some([0, 1, 5, 6, 7])), "x"));
    assert!(why.contains("these nodes are not one cluster in its order"), "{why}");
    let mut hand = world.client_of(&world.some([0, 1, 2, 3, 6]));
    let found = hand.scrub(&mut |_, _| true).expect("four are right");
    assert_eq!(found.unverified.into_iter().collect::<Vec<_>>(), [4], "it says what it left out");
}

/// Copies all files of a disk except `cluster`.
fn copy(from: &FaultyDisk, to: &FaultyDisk) {
    for name in from.list().expect("files").iter().filter(|name| *name != "cluster") {
        let blob = from.open(name).expect("it is there");
        let mut content = vec![0; blob.length().expect("a length") as usize];
        blob.read_at(&mut content, 0).expect("readable");
        let copy = to.create(name).expect("room");
        copy.write_at(&content, 0).expect("room");
        copy.sync().expect("room")
    }
    to.sync().expect("room")
}

/// Objects from a wrong list, as written before nodes knew their cluster.
#[test]
fn foreign_objects_block_nothing_and_can_be_removed() {
    let other = World::new(3, 3);
    for name in ["x", "stray"] {
        put(&mut other.client(), name, &bytes(7, 4000), 256, Strategy::Naive).expect("three");
    }
    let world = World::new(5, 4);
    for (name, seed) in [("w", 1), ("x", 2), ("y", 3)] {
        put(&mut world.client(), name, &bytes(seed, 9000), 256, Strategy::Auto).expect("five");
    }
    for node in 0..3 {
        copy(&other.disks[node], &world.disks[node]);
        world.restart(node)
    }
    let survey = world.client().survey_all().expect("its own list");
    assert_eq!((survey.whole().len(), survey.foreign.len()), (3, 6));
    put(&mut world.client(), "x", &bytes(4, 8000), 256, Strategy::Auto).expect("an overwrite");
    let found = world.client().scrub(&mut |_, _| true).expect("scrub");
    assert!(found.failed.is_empty() && found.objects == 3, "{found:?}");
    world.client().repair(&[0], &mut |_, _| true).expect("repair");
    assert!(get(&mut world.client(), "x").expect("the new one") == bytes(4, 8000));
    assert!(matches!(get(&mut world.client(), "stray"), Err(Error::BadInput(_))));
    world.client().remove("x").expect("our own");
    let left = world.client().survey_all().expect("its own list").foreign.len();
    assert_eq!(left, 6, "nothing foreign goes unasked");
    for name in ["x", "stray"] {
        assert_eq!(world.client().remove_foreign(name), Ok(3));
    }
    assert!(world.client().remove_foreign("w").is_err(), "it is our own");
    world.assert_tidy("foreign parts are gone");
}

#[test]
fn stores_from_before_are_read_and_told_by_the_next_write() {
    let world = World::new(5, 5);
    put(&mut world.client(), "x", &bytes(1, 9000), 256, Strategy::Auto).expect("five");
    for node in 0..5 {
        world.disks[node].remove("cluster").expect("a file");
        world.restart(node)
    }
    assert!(get(&mut world.client(), "x").expect("reading changes nothing") == bytes(1, 9000));
    let has_file =
        |node: usize| world.disks[node].list().expect("files").iter().any(|name| name == "cluster");
    assert!((0..5).all(|node| !has_file(node)));
    let why = words(put(&mut world.client_of(&world.some(0..4)), "y", b"1", 256, Strategy::Naive));
    assert!(why.contains("its objects were written for node 0 of 5"), "{why}");
    // A node is down and learns the cluster when it is back.
    world.kill(4);
    world.client().remove("nothing").expect_err("there is none");
    world.start(4);
    put(&mut world.client(), "y", &bytes(2, 500), 256, Strategy::Auto).expect("five");
    assert!((0..5).all(has_file));
    assert!(get(&mut world.client(), "x").expect("it is still there") == bytes(1, 9000));
}

#[test]
fn an_empty_node_is_taken_in_as_a_replacement_only() {
    let world = World::new(5, 6);
    put(&mut world.client(), "x", &bytes(1, 9000), 256, Strategy::Auto).expect("five");
    world.kill(2);
    world.disks[2].wipe();
    world.start(2);
    let error = put(&mut world.client(), "y", b"1", 256, Strategy::Naive).expect_err("a new node");
    let error = error.to_string();
    assert!(error.contains("node 2 (n2): in no cluster, and empty"), "{error}");
    assert!(error.contains("`tenbin relay repair --lost n2`"), "{error}");
    let found = world.client().scrub(&mut |_, _| true).expect("four are there");
    assert_eq!(found.unverified.into_iter().collect::<Vec<_>>(), [2]);
    assert_eq!(world.versions(2), (0, 0), "nothing was written to it");
    let healed = world.client().repair(&[2], &mut |_, _| true).expect("a replacement");
    assert_eq!((healed.rebuilt, healed.out_of_reach.len()), (1, 0));
    put(&mut world.client(), "y", b"1", 256, Strategy::Naive).expect("five again");
}

#[test]
fn of_two_first_writers_one_takes_the_others_number() {
    let world = World::new(4, 7);
    let (mut one, mut two) = (world.client(), world.client());
    one.identify().expect("new nodes");
    two.identify().expect("new nodes");
    put(&mut one, "x", &bytes(1, 900), 256, Strategy::Auto).expect("the first");
    put(&mut two, "y", &bytes(2, 900), 256, Strategy::Auto).expect("the second");
    assert_eq!(world.client().survey_all().expect("one cluster").whole().len(), 2);
}

#[test]
fn a_cluster_is_made_once_and_again_only_of_nodes_that_hold_nothing() {
    let world = World::new(5, 8);
    let number = world.client_of(&world.some(0..3)).init(false).expect("three new nodes");
    let again = world.client_of(&world.some(0..3)).init(false);
    assert_eq!(again.as_ref(), Ok(&number), "it is one already");
    let why = words(world.client().init(false));
    assert!(why.contains("these nodes are not one cluster"), "{why}");
    assert_ne!(world.client().init(true).expect("they are empty"), number);
    put(&mut world.client(), "x", &bytes(1, 900), 256, Strategy::Auto).expect("five");
    let why = words(world.client_of(&world.some(0..3)).init(true));
    assert!(why.contains("node 0 (n0) holds objects"), "{why}");
    assert!(get(&mut world.client(), "x").expect("as before") == bytes(1, 900));
}

#[test]
fn what_is_out_of_reach_is_named() {
    let world = World::new(5, 9);
    for name in ["one", "two"] {
        put(&mut world.client(), name, &bytes(1, 900), 256, Strategy::Auto).expect("five");
    }
    [0, 1].into_iter().for_each(|node| world.kill(node));
    let mut hand = world.client();
    let survey = hand.survey_all().expect("three are there");
    assert!(survey.out_of_reach().is_empty() && hand.shortage().is_none());
    world.kill(2);
    let mut hand = world.client();
    let survey = hand.survey_all().expect("two are there");
    assert_eq!(survey.out_of_reach(), ["one", "two"]);
    assert_eq!(
        (survey.availability("one"), survey.availability("three")),
        (Availability::Unavailable, Availability::Absent)
    );
    let why = hand.shortage().expect("two are too few");
    assert!(why.starts_with("2 of 5 nodes answer, 3 are needed: node 0 (n0)"), "{why}");
    let found = world.client().scrub(&mut |_, _| true).expect("it says what it could not do");
    assert_eq!(found.out_of_reach, ["one", "two"]);
}

#[test]
fn what_a_repair_could_only_discard_stays_until_somebody_takes_the_loss() {
    let world = World::new(3, 10);
    put(&mut world.client(), "x", &bytes(1, 9000), 256, Strategy::Auto).expect("three");
    for node in 0..2 {
        world.kill(node);
        world.disks[node].wipe();
        world.start(node)
    }
    for lost in [&[0][..], &[0, 1]] {
        let error = world.client().repair(lost, &mut |_, _| true).expect_err("it would go");
        let why = error.to_string();
        assert!(
            why.contains("no changes were made") && why.contains("\"x\" is out of reach"),
            "{why}"
        );
        assert_eq!(world.versions(2), (1, 0), "what is left of it is still there");
    }
    let mut hand = world.client();
    hand.accept_loss();
    hand.repair(&[0, 1], &mut |_, _| true).expect("it is given up");
    put(&mut world.client(), "x", &bytes(2, 900), 256, Strategy::Auto).expect("a new beginning");
    world.assert_tidy("nothing of the former is left")
}

/// An unacknowledged put is no loss that a repair must prevent.
#[test]
fn what_was_not_written_to_its_end_holds_no_repair_up() {
    let world = World::new(3, 11);
    put(&mut world.client(), "x", &bytes(1, 9000), 256, Strategy::Auto).expect("three");
    let mut stops = |done, _| done < 4000;
    let mut feed = |_: u64, to: &mut [u8]| {
        to.fill(7);
        Ok(())
    };
    let mut hand = world.client();
    let stopped = hand.put("y", 9000, 256, Strategy::Auto, &mut feed, &mut stops);
    assert_eq!(stopped.err(), Some(Error::Stopped));
    world.kill(1);
    world.disks[1].wipe();
    world.start(1);
    let healed = world.client().repair(&[1], &mut |_, _| true).expect("one is enough");
    assert_eq!((healed.rebuilt, healed.out_of_reach.len()), (1, 0));
}
