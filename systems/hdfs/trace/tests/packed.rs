//! Blocks that are kept packed are the blocks that were pushed.
use cluster::{BlockIndex, DiskId, NodeId};
use hdfs_scenario::{BlockMap, Redundancy, Replica, ReplicaState};
use hdfs_trace::ingest::hdfs::{ImportError, Imported, Input, Sources, import};
use hdfs_trace::packed::{PIECE, PackedBlocks};

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// Of any size, and now and then the least or the greatest.
    fn number(&mut self) -> u64 {
        match self.any() % 8 {
            0 => 0,
            1 => u64::MAX,
            _ => self.any() >> (self.any() % 64),
        }
    }
    fn replica(&mut self) -> Replica {
        let state = ReplicaState::ALL[self.any() as usize % 8];
        let (node, disk) = (NodeId(self.number() as u32), DiskId(self.number() as u16));
        Replica { node, disk, state, index: self.number() as u8 }
    }
    fn redundancy(&mut self) -> Redundancy {
        let [data, parity] = [self.number() as u8, self.number() as u8];
        match self.any() % 2 {
            0 => Redundancy::Replicated(self.number() as u16),
            _ => Redundancy::ErasureCoded { data, parity },
        }
    }
    /// `most`: replicas of a block.
    fn map(&mut self, blocks: usize, most: u64) -> BlockMap {
        let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
        let mut id = 0i64;
        for _ in 0..blocks {
            id = if self.any().is_multiple_of(4) {
                self.number() as i64
            } else {
                id.wrapping_add(1)
            };
            let count =
                if self.any().is_multiple_of(50) { 30 * most } else { self.any() % (most + 1) };
            let replicas: Vec<Replica> = (0..count).map(|_| self.replica()).collect();
            let (bytes, redundancy) = (self.number(), self.redundancy());
            map.push(id, bytes, redundancy, &replicas)
        }
        map
    }
}

/// Each piece is compared with its part of the map, so that all together are the map.
fn check(map: &BlockMap) {
    let packed = PackedBlocks::from(map);
    assert_eq!((packed.len(), packed.replicas()), (map.id.len(), map.replica.len() as u64));
    assert_eq!(packed.is_empty(), map.is_empty());
    assert_eq!(packed.unpack_all(), *map);
    let mut before = 0;
    for (at, piece) in packed.pieces().enumerate() {
        let expected = PIECE.min(map.id.len() - at * PIECE);
        assert_eq!(
            (piece.id.len(), piece.first.len(), piece.first[0]),
            (expected, expected + 1, 0)
        );
        for block in (0..piece.len()).map(BlockIndex) {
            let of_map = BlockIndex((before + block.at()) as u32);
            assert_eq!(piece.id[block.at()], map.id[of_map.at()]);
            assert_eq!(piece.replicas(block), map.replicas(of_map))
        }
        before += piece.id.len()
    }
    assert_eq!(before, map.id.len());
    assert_eq!(packed, PackedBlocks::from(map), "the same blocks are equal")
}

#[test]
fn blocks_of_any_kind() {
    let mut dice = Dice(1);
    for round in 0..200u64 {
        let below = if round.is_multiple_of(20) { 3 * PIECE } else { 60 };
        let blocks = dice.any() as usize % below;
        check(&dice.map(blocks, round % 7))
    }
}

#[test]
fn lengths_around_a_piece() {
    let mut dice = Dice(2);
    for (blocks, most) in [(PIECE - 1, 3), (PIECE, 3), (PIECE + 1, 0), (2 * PIECE, 1)] {
        check(&dice.map(blocks, most))
    }
    check(&dice.map(2 * PIECE + 7, 4))
}

#[test]
fn little_room() {
    let mut map = BlockMap::default();
    let mut dice = Dice(3);
    for block in 0..2 * PIECE as i64 {
        let replica = |node| Replica {
            node: NodeId(node),
            disk: DiskId(0),
            state: ReplicaState::Live,
            index: 0,
        };
        let replicas = [0; 3].map(|_| replica((dice.any() % 200) as u32));
        map.push(1_073_741_825 + block, 134_217_728, Redundancy::Replicated(3), &replicas)
    }
    let packed = PackedBlocks::from(&map);
    let each = packed.memory() as f64 / packed.replicas() as f64;
    // One node of 200 is 7.6 bits; whatever is alike takes nothing.
    assert!(each < 1.1, "{each:.2} bytes a replica");
}

fn listing(ids: impl Iterator<Item = i64>, form: &str) -> Vec<u8> {
    let date = "Sat Nov 21 01:00:00 UTC 2026";
    let mut blocks = 0;
    let mut lines = String::new();
    for (place, id) in ids.enumerate() {
        let (a, b) = (place % 3, 3 + place % 4);
        let at = format!("[/r/10.0.0.{a}:9866, /r/10.0.0.{b}:9866]");
        lines += &format!("{place}. BP-1-10.0.0.1-1:blk_{id}_1 len={} {form}=2  {at}\n", 5 + place);
        blocks += 1
    }
    let wished = if form == "repl" { "" } else { " replicated: replication=2," };
    format!(
        "FSCK started by hdfs (auth:SIMPLE) from /10.0.0.1 for path / at {date}\n\n\
         /a 10 bytes,{wished} {blocks} block(s):  OK\n{lines}\n\
         Status: HEALTHY\n Total blocks (validated):\t{blocks}\n Default replication factor:\t2\n\
         FSCK ended at {date} in 1 milliseconds\n"
    )
    .into_bytes()
}

fn imported(bytes: Vec<u8>) -> Result<Imported, ImportError> {
    let fsck = Some(Input::Memory { name: "fsck.txt".into(), bytes });
    import(&Sources { fsck, ..Sources::default() }, &mut |_| {})
}

#[test]
fn a_listing_of_many_pieces() {
    const BLOCKS: usize = 2 * PIECE + 100;
    for form in ["Live_repl", "repl"] {
        let ids = (0..BLOCKS as i64).map(|n| 1_000_000 + n * 11 % 1_000_003);
        let imported = imported(listing(ids.clone(), form)).unwrap();
        let map = imported.blocks.unpack_all();
        assert!(map.id.iter().copied().eq(ids), "{form}");
        assert!(map.redundancy.iter().all(|r| *r == Redundancy::Replicated(2)), "{form}");
        for block in (0..map.len()).map(BlockIndex) {
            let nodes: Vec<usize> = map.replicas(block).iter().map(|r| r.node.at()).collect();
            assert_eq!(nodes, [block.at() % 3, 3 + block.at() % 4], "{form}");
            assert_eq!(map.bytes(block).0, 5 + block.at() as u64)
        }
        let counts = &imported.counts;
        assert_eq!((counts.blocks, counts.replicas), (BLOCKS as u64, 2 * BLOCKS as u64));
        assert_eq!(counts.replica_bytes, map.bytes.iter().sum::<u64>() * 2)
    }
}

#[test]
fn a_block_twice_is_told_across_pieces() {
    // Line 4 has the first block. Of two duplicates the error names the lower id.
    let ids = |place: i64| match place {
        p if p == PIECE as i64 + 5 => 10,
        p if p == 2 * PIECE as i64 + 5 => 9,
        p if p == 2 * PIECE as i64 + 9 => 9,
        p => p,
    };
    let blocks = 0..2 * PIECE as i64 + 50;
    let error = imported(listing(blocks.map(ids), "Live_repl")).unwrap_err().to_string();
    let second = 4 + 2 * PIECE + 5;
    let expected = format!("fsck.txt:{second}: block blk_9 again (line 13)");
    assert!(error.starts_with(&expected), "{error}: expected {expected}")
}
