//! Nodes with wrong blocks that have valid checksums.
use crate::world::{World, bytes, get, put};
use std::io;
use xor_relay::client::{Error, ReadReport, Sink, Strategy};
use xor_relay::disk::Disk as _;

const BLOCK: usize = 256;

/// A sink that can start over.
#[derive(Default)]
struct Anew(Vec<u8>);

impl Sink for Anew {
    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
    fn restart(&mut self) -> io::Result<bool> {
        self.0.clear();
        Ok(true)
    }
}

fn file(world: &World, node: usize, ending: &str) -> String {
    let names = world.disks[node].list().expect("files");
    names.into_iter().find(|name| name.ends_with(ending)).expect("it holds one object")
}

fn stored(world: &World) -> Vec<Vec<u8>> {
    let blocks = |node: usize| {
        let blob = world.disks[node].open(&file(world, node, ".blocks")).expect("it is there");
        let mut all = vec![0; blob.length().expect("a length") as usize];
        blob.read_at(&mut all, 0).expect("readable");
        all
    };
    (0..world.nodes()).map(blocks).collect()
}

/// Changes a block on disk, together with its checksum.
fn lie(world: &World, node: usize, block: usize) {
    let disk = &world.disks[node];
    let blocks = disk.open(&file(world, node, ".blocks")).expect("it is there");
    let mut bytes = [0; BLOCK];
    blocks.read_at(&mut bytes, (block * BLOCK) as u64).expect("readable");
    bytes[(3 * node + block) % BLOCK] ^= 0x40;
    blocks.write_at(&bytes, (block * BLOCK) as u64).expect("writable");
    let sums = disk.open(&file(world, node, ".sums")).expect("it is there");
    let sum = crc32c::crc32c(&bytes).to_le_bytes();
    sums.write_at(&sum, 4 * block as u64).expect("writable");
}

fn got(world: &World) -> Result<(ReadReport, Vec<u8>), Error> {
    let mut to = Anew::default();
    world.client().get_into("x", &mut to, &mut |_, _| true).map(|got| (got, to.0))
}

/// Nodes; wrong blocks as (node, block); absent nodes.
type Case = (usize, &'static [(usize, usize)], &'static [usize]);

#[test]
fn who_lies_is_left_out_and_named() {
    let all_of: &[(usize, usize)] = &[(2, 0), (2, 1), (2, 2), (2, 3), (2, 9), (2, 14)];
    let cases: [Case; 8] = [
        (3, &[(0, 1)], &[]),
        (3, &[(1, 0), (1, 1), (1, 2)], &[]),
        (4, &[(1, 0), (1, 1), (1, 2), (1, 3)], &[]),
        (5, all_of, &[]),
        (5, &[(0, 0), (3, 9)], &[]),
        (5, &[(1, 0), (1, 1), (1, 2), (1, 3), (4, 0), (4, 1), (4, 2), (4, 3)], &[]),
        (5, &[(1, 0), (1, 1), (1, 2), (1, 3)], &[3]),
        (7, &[(5, 0), (5, 1), (5, 2), (5, 3), (6, 7), (6, 8), (6, 9)], &[]),
    ];
    for (nth, (n, lies, away)) in cases.into_iter().enumerate() {
        let world = World::new(n, nth as u64);
        let content = bytes(nth as u64, 20_000);
        put(&mut world.client(), "x", &content, BLOCK as u32, Strategy::Auto).expect("put");
        let before = stored(&world);
        lies.iter().for_each(|&(node, block)| lie(&world, node, block));
        away.iter().for_each(|&node| world.kill(node));
        let (read, right) = got(&world).unwrap_or_else(|e| panic!("case {nth}: {e}"));
        assert!(right == content, "case {nth}");
        let mut expected: Vec<(usize, u64)> = Vec::new();
        for (node, _) in lies {
            match expected.last_mut() {
                Some((last, count)) if last == node => *count += 1,
                _ => expected.push((*node, 1)),
            }
        }
        assert_eq!(read.wrong_with_valid_checksum, expected, "case {nth}");
        let error = get(&mut world.client(), "x").expect_err("these bytes are gone already");
        let named = format!("node {} (n{}) holds", expected[0].0, expected[0].0);
        assert!(error.to_string().contains(&named), "case {nth}: {error}");
        away.iter().for_each(|&node| world.revive(node));
        let scrubbed = world.client().scrub(&mut |_, _| true).expect("scrub");
        let damage = scrubbed.damage.iter().filter(|d| d.is_healed);
        let healed: Vec<(usize, u64)> =
            damage.map(|d| (d.node, d.wrong_with_valid_checksum)).collect();
        assert_eq!(healed, expected, "case {nth}: {scrubbed:?}");
        assert_eq!((scrubbed.bad, scrubbed.inconsistent), (0, 0), "case {nth}");
        assert!(stored(&world) == before, "case {nth}");
        assert!(got(&world).expect("healed").0.wrong_with_valid_checksum.is_empty(), "case {nth}");
    }
}

/// A wrong parity, or a damaged block together with a wrong one: a read misses it, a scrub finds
/// it.
#[test]
fn a_scrub_heals_what_no_reader_sees() {
    let world = World::new(5, 3);
    let content = bytes(1, 20_000);
    put(&mut world.client(), "x", &content, BLOCK as u32, Strategy::Auto).expect("put");
    let before = stored(&world);
    // Node 3 has the parity of row 0, node 1 one of its data blocks: neither is rebuilt from the
    // other.
    lie(&world, 3, 0);
    world.disks[1].rot(&file(&world, 1, ".blocks"), 5);
    let (read, right) = got(&world).expect("no parity is read");
    assert!(right == content && read.bypassed == [(1, 1)], "{read:?}");
    let scrubbed = world.client().scrub(&mut |_, _| true).expect("scrub");
    assert_eq!((scrubbed.bad, scrubbed.inconsistent), (1, 0), "{scrubbed:?}");
    assert!(scrubbed.damage.iter().all(|damage| damage.is_healed), "{scrubbed:?}");
    assert!(stored(&world) == before, "{scrubbed:?}");
}

/// A block can be changed without changing its checksum; only the SHA-256 reveals that.
#[test]
fn wrong_blocks_with_the_same_sum_are_found_by_leaving_nodes_out() {
    // CRC32C's polynomial, the first bit of the stream first: it changes no checksum.
    let bits = (0..33).filter(|bit| 0x1_1edc_6f41u64 >> (32 - bit) & 1 == 1);
    for (n, liars) in [(3, vec![0]), (5, vec![1]), (5, vec![0, 3])] {
        let world = World::new(n, 2);
        let content = bytes(1, 20_000);
        put(&mut world.client(), "x", &content, BLOCK as u32, Strategy::Auto).expect("put");
        for &node in &liars {
            let disk = &world.disks[node];
            let blocks = disk.open(&file(&world, node, ".blocks")).expect("it is there");
            let mut all = vec![0; 8 * BLOCK];
            blocks.read_at(&mut all, 0).expect("readable");
            for block in all.chunks_exact_mut(BLOCK) {
                let sum = crc32c::crc32c(block);
                bits.clone().for_each(|bit| block[100 + bit / 8] ^= 1 << (bit % 8));
                assert_eq!(crc32c::crc32c(block), sum);
            }
            blocks.write_at(&all, 0).expect("writable");
        }
        let (read, right) = got(&world).expect("nodes are excluded");
        let named: Vec<usize> =
            read.wrong_with_valid_checksum.iter().map(|(node, _)| *node).collect();
        assert!(
            right == content && named == liars,
            "{n} nodes: {:?}",
            read.wrong_with_valid_checksum
        );
    }
}

/// With more wrong nodes than permitted losses, nothing is delivered or changed.
#[test]
fn too_many_liars_are_an_error() {
    let world = World::new(3, 5);
    put(&mut world.client(), "x", &bytes(1, 9_000), BLOCK as u32, Strategy::Auto).expect("put");
    [(0, 0), (1, 0)].into_iter().for_each(|(node, block)| lie(&world, node, block));
    let before = stored(&world);
    let error = got(&world).expect_err("two of three lie").to_string();
    assert!(
        error.contains("differs from what was written, whichever nodes are excluded"),
        "{error}"
    );
    let scrubbed = world.client().scrub(&mut |_, _| true).expect("scrub");
    assert!(scrubbed.inconsistent > 0 && scrubbed.damage.is_empty(), "{scrubbed:?}");
    assert!(stored(&world) == before);
}

/// One record differs from those of other nodes: the majority counts.
#[test]
fn a_wrong_record_misleads_nobody() {
    // Distance of the changed byte from the record's checksum: in the SHA-256, in the length.
    for (n, liar, behind) in [(3, 0, 1), (5, 0, 32), (5, 4, 7), (5, 0, 40), (3, 0, 39)] {
        let world = World::new(n, 4);
        let content = bytes(1, 20_000);
        put(&mut world.client(), "x", &content, BLOCK as u32, Strategy::Auto).expect("put");
        world.kill(liar);
        let record =
            world.disks[liar].open(&file(&world, liar, ".committed")).expect("it is there");
        let mut all = vec![0; record.length().expect("a length") as usize];
        record.read_at(&mut all, 0).expect("readable");
        let end = all.len() - 4;
        all[end - behind] ^= 1;
        let sum = crc32c::crc32c(&all[..end]).to_le_bytes();
        all[end..].copy_from_slice(&sum);
        record.write_at(&all, 0).expect("writable");
        record.sync().expect("writable");
        world.revive(liar);
        let (_, right) = got(&world).unwrap_or_else(|e| panic!("{n} {liar} {behind}: {e}"));
        assert!(right == content, "{n} {liar} {behind}")
    }
}
