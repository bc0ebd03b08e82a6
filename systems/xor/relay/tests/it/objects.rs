//! Objects are written, read without some nodes, removed, repaired, scrubbed; no other faults.
use crate::world::{World, bytes, get, put};
use xor_relay::client::{Damage, Error, Strategy};
use xor_relay::disk::Disk;

#[test]
fn what_is_put_is_got_with_any_two_nodes_gone() {
    for (seed, (_, strategy)) in Strategy::ALL.into_iter().enumerate() {
        for n in 3..=7 {
            let world = World::new(n, seed as u64);
            let content = bytes(seed as u64, 20_000 + 17 * n);
            let receipt = put(&mut world.client(), "a/b", &content, 512, strategy);
            let receipt = receipt.unwrap_or_else(|e| panic!("n = {n} {strategy:?}: {e}"));
            assert_eq!(receipt.length, content.len() as u64);
            let gone: &[usize] = if n == 3 { &[seed % 3] } else { &[seed % n, (seed + 2) % n] };
            gone.iter().for_each(|&node| world.kill(node));
            let got = get(&mut world.client(), "a/b").unwrap_or_else(|e| panic!("n = {n}: {e}"));
            assert!(got == content, "n = {n} {strategy:?}");
            // Plus the file `cluster`.
            world.disks.iter().for_each(|d| assert_eq!(d.list().expect("files").len(), 4));
        }
    }
}

#[test]
fn all_schedules_store_the_same_bytes() {
    let content = bytes(9, 50_000);
    let stored = |strategy| {
        let world = World::new(5, 3);
        put(&mut world.client(), "x", &content, 1024, strategy).expect("all nodes are there");
        let blocks = |disk: &crate::faulty_disk::FaultyDisk| {
            let names = disk.list().expect("files");
            let name = names.iter().find(|n| n.ends_with(".blocks")).expect("blocks");
            let blob = disk.open(name).expect("it is there");
            let mut all = vec![0; blob.length().expect("a length") as usize];
            blob.read_at(&mut all, 0).expect("readable");
            all
        };
        world.disks.iter().map(blocks).collect::<Vec<Vec<u8>>>()
    };
    let naive = stored(Strategy::Naive);
    for (_, strategy) in Strategy::ALL {
        assert!(stored(strategy) == naive, "{strategy:?}");
    }
}

#[test]
fn odd_lengths_come_back() {
    let world = World::new(5, 1);
    let mut hand = world.client();
    for length in [0, 1, 63, 64, 12 * 256 - 1, 12 * 256, 12 * 256 + 1, 99_999] {
        let content = bytes(length as u64, length);
        put(&mut hand, "odd", &content, 256, Strategy::Auto).expect("all nodes are there");
        assert!(get(&mut hand, "odd").expect("just written") == content, "{length} bytes");
    }
    world.assert_tidy("only the last is left");
}

#[test]
fn a_removed_object_stays_removed() {
    let world = World::new(5, 2);
    put(&mut world.client(), "x", &bytes(1, 5000), 256, Strategy::Pivot).expect("put");
    world.kill(1);
    world.kill(4);
    world.client().remove("x").expect("three of five are enough");
    world.revive(1);
    world.revive(4);
    let error = get(&mut world.client(), "x").expect_err("it is removed");
    assert!(matches!(error, Error::BadInput(_)), "{error}");
    world.client().scrub(&mut |_, _| true).expect("scrub");
    world.assert_tidy("ghosts are gone");
    assert_eq!(world.versions(1), (0, 0));
}

#[test]
fn lost_nodes_are_rebuilt_and_then_others_may_go() {
    for n in [3, 4, 5, 6] {
        let world = World::new(n, n as u64);
        let content = bytes(5, 30_000);
        for name in ["one", "two", "three"] {
            put(&mut world.client(), name, &content, 512, Strategy::Auto).expect("put");
        }
        let lost: &[usize] = if n == 3 { &[1] } else { &[0, n - 1] };
        for &node in lost {
            world.kill(node);
            world.disks[node].wipe();
            world.start(node);
        }
        let healed = world.client().repair(lost, &mut |_, _| true).expect("repair");
        assert_eq!((healed.objects, healed.rebuilt), (3, 3 * lost.len()), "{healed:?}");
        let others: &[usize] = if n == 3 { &[0] } else { &[1, 2] };
        others.iter().for_each(|&node| world.kill(node));
        assert!(get(&mut world.client(), "two").expect("two nodes are gone") == content);
    }
}

#[test]
fn a_scrub_finds_and_heals_what_rotted() {
    let world = World::new(5, 4);
    let content = bytes(6, 40_000);
    put(&mut world.client(), "x", &content, 256, Strategy::Pivot).expect("put");
    for (node, at) in [(0, 3), (2, 5000), (3, 700), (3, 6000), (4, 10)] {
        let names = world.disks[node].list().expect("files");
        let blocks = names.iter().find(|n| n.ends_with(".blocks")).expect("blocks");
        world.disks[node].rot(blocks, at);
    }
    let names = world.disks[1].list().expect("files");
    world.disks[1].spoil(names.iter().find(|n| n.ends_with(".blocks")).expect("blocks"), 512, 768);
    assert!(get(&mut world.client(), "x").expect("degraded reads") == content);
    let got = world.client().get("x", &mut |_| Ok(()), &mut |_, _| true).expect("it is there");
    // A read sees bad parities only if it rebuilds something.
    let is_told = |node: usize| got.bypassed.iter().any(|(bad, _)| *bad == node);
    assert!([0, 2, 3].into_iter().all(is_told), "{:?}", got.bypassed);
    let found = world.client().scrub(&mut |_, _| true).expect("scrub");
    assert_eq!((found.bad, found.inconsistent), (6, 0), "{found:?}");
    let named = |d: &Damage| (d.object.clone(), d.node, d.bad, d.is_healed);
    let damage: Vec<_> = found.damage.iter().map(named).collect();
    let expected = [(0, 1), (1, 1), (2, 1), (3, 2), (4, 1)];
    assert_eq!(damage, expected.map(|(node, bad)| ("x".to_string(), node, Some(bad), true)));
    assert!(found.failed.is_empty(), "{found:?}");
    let again = world.client().scrub(&mut |_, _| true).expect("scrub");
    assert_eq!((again.bad, again.blocks), (0, found.blocks), "{again:?}");
    world.kill(0);
    world.kill(3);
    assert!(get(&mut world.client(), "x").expect("two nodes are gone") == content);
}

#[test]
fn more_losses_than_that_are_told() {
    let world = World::new(5, 5);
    put(&mut world.client(), "x", &bytes(1, 3000), 256, Strategy::Naive).expect("put");
    [0, 2, 3].into_iter().for_each(|node| world.kill(node));
    let error = get(&mut world.client(), "x").expect_err("three are gone").to_string();
    assert!(error.contains("2 of 5 nodes answer, 3 are needed"), "{error}");
    let error = put(&mut world.client(), "y", b"y", 256, Strategy::Naive).expect_err("no put");
    assert!(error.to_string().contains("node 0 (n0): no process listens there"), "{error}");
}

#[test]
fn bad_names_and_blocks_are_refused() {
    let world = World::new(3, 7);
    let mut hand = world.client();
    let long = "x".repeat(256);
    for name in ["", "a\nb", &long] {
        let error = put(&mut hand, name, b"1", 256, Strategy::Naive).expect_err("a bad name");
        assert!(matches!(error, Error::BadInput(_)), "{error}");
    }
    for block in [0, 100, 8 << 20] {
        assert!(put(&mut hand, "x", b"1", block, Strategy::Naive).is_err(), "{block}");
    }
    put(&mut hand, "../../etc/passwd", b"1", 256, Strategy::Naive).expect("a name is only a name");
    for disk in &world.disks {
        let files = disk.list().expect("files");
        for file in files.iter().filter(|name| *name != "cluster") {
            let id = file.split('.').next().expect("a first part");
            assert!(id.len() == 32 && id.chars().all(|c| c.is_ascii_hexdigit()), "{file}");
        }
    }
}

#[test]
fn a_full_disk_fails_the_put_and_keeps_the_old_object() {
    let world = World::new(5, 8);
    let content = bytes(1, 20_000);
    put(&mut world.client(), "x", &content, 256, Strategy::Pivot).expect("put");
    let full = crate::faulty_disk::Crash { capacity: Some(8_000), after: None };
    world.disks[2].set_crash(full);
    let error = put(&mut world.client(), "x", &bytes(2, 20_000), 256, Strategy::Pivot);
    let error = error.expect_err("the disk is full").to_string();
    assert!(error.contains("node 2 (n2)") && error.contains("free space"), "{error}");
    world.disks[2].set_crash(crate::faulty_disk::Crash::default());
    assert!(get(&mut world.client(), "x").expect("the old one") == content);
    world.assert_tidy("after a failed put");
}

#[test]
fn of_two_who_replace_nothing_the_second_to_end_is_refused() {
    for seed in 0..20 {
        let world = World::new(4, seed);
        let (mut one, mut two) = (world.client(), world.client());
        one.replace_nothing();
        two.replace_nothing();
        let (content, mut other) = (bytes(1, 9000), Some(two));
        let mut feed = |at: u64, to: &mut [u8]| {
            to.copy_from_slice(&content[at as usize..][..to.len()]);
            Ok(())
        };
        let mut watch = |_: u64, _: u64| {
            if let Some(mut two) = other.take() {
                put(&mut two, "x", &bytes(2, 500), 256, Strategy::Naive).expect("first to end");
            }
            true
        };
        let refused = one.put("x", 9000, 256, Strategy::Auto, &mut feed, &mut watch);
        let why = refused.expect_err("another client was first").to_string();
        assert!(why.contains("another client wrote"), "{why}");
        assert!(get(&mut world.client(), "x").expect("the first one's") == bytes(2, 500));
        world.client().scrub(&mut |_, _| true).expect("scrub");
        world.assert_tidy("nothing of the second is left")
    }
}

/// A watcher can stop after the last byte: nothing is acknowledged yet.
#[test]
fn a_put_can_be_stopped_at_its_last_byte() {
    let world = World::new(3, 1);
    let mut feed = |_: u64, to: &mut [u8]| {
        to.fill(7);
        Ok(())
    };
    for length in [0, 10, 9000] {
        let mut ends = |done, all| done < all;
        let stopped = world.client().put("x", length, 256, Strategy::Auto, &mut feed, &mut ends);
        assert_eq!(stopped.err(), Some(Error::Stopped), "{length} bytes");
        assert!(matches!(get(&mut world.client(), "x"), Err(Error::BadInput(_))), "{length} bytes");
    }
}

#[test]
fn a_sink_that_has_no_room_is_asked_again() {
    let world = World::new(5, 2);
    let content = bytes(1, 9000);
    put(&mut world.client(), "x", &content, 256, Strategy::Auto).expect("five");
    let (mut taken, mut asked) = (Vec::new(), 0);
    let mut sink = |bytes: &[u8]| {
        asked += 1;
        if asked % 3 > 0 {
            return Err(std::io::ErrorKind::WouldBlock.into());
        }
        taken.extend_from_slice(bytes);
        Ok(())
    };
    world.client().get("x", &mut sink, &mut |_, _| true).expect("all of it");
    assert!(taken == content);
}
