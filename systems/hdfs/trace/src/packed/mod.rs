//! A compressed block map: 1 to 2 bytes per replica including blocks; a [`BlockMap`] takes 8, and
//! 23 per block. It is filled in block order and read in pieces.
mod column;
use cluster::{DiskId, NodeId};
pub(crate) use column::Column;
use hdfs_scenario::{BlockMap, Redundancy, Replica, ReplicaState};
use units::u32_of;

/// Blocks per piece; the last piece has the rest.
pub const PIECE: usize = 1 << 14;

/// All blocks and replicas; a decompressed piece is a [`BlockMap`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PackedBlocks {
    id: Column<true>,
    bytes: Column<false>,
    redundancy: Column<false>,
    count: Column<false>,
    replica: Column<false>,
    blocks: usize,
    replicas: u64,
}

impl PackedBlocks {
    pub fn len(&self) -> usize {
        self.blocks
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn replicas(&self) -> u64 {
        self.replicas
    }
    /// Without the buffer of the last piece \[bytes\].
    pub fn memory(&self) -> usize {
        let columns = [&self.bytes, &self.redundancy, &self.count, &self.replica];
        self.id.memory() + columns.map(Column::memory).iter().sum::<usize>()
    }
    pub fn push(&mut self, id: i64, bytes: u64, redundancy: Redundancy, replicas: &[Replica]) {
        self.replica.extend(replicas.iter().map(number_of_replica));
        self.id.push(id.cast_unsigned());
        self.bytes.push(bytes);
        self.redundancy.push(number_of_redundancy(&redundancy));
        self.count.push(replicas.len() as u64);
        self.blocks += 1;
        self.replicas += replicas.len() as u64;
        if self.id.open() == 0 {
            self.replica.seal()
        }
    }
    /// Pieces of [`PIECE`] blocks, in order, decompressed one at a time.
    pub fn pieces(&self) -> impl Iterator<Item = BlockMap> + '_ {
        (0..self.len().div_ceil(PIECE)).map(|at| self.piece(at))
    }
    pub fn unpack_all(&self) -> BlockMap {
        let mut whole = BlockMap { first: vec![0], ..BlockMap::default() };
        for piece in self.pieces() {
            let before = u32_of(whole.replica.len());
            whole.first.extend(piece.first[1..].iter().map(|first| before + first));
            whole.id.extend(piece.id);
            whole.bytes.extend(piece.bytes);
            whole.redundancy.extend(piece.redundancy);
            whole.replica.extend(piece.replica)
        }
        whole
    }
    pub(crate) fn ids(&self) -> impl Iterator<Item = i64> + '_ {
        self.id.numbers().map(|id| id as i64)
    }
    pub(crate) fn without_replicas(&self) -> usize {
        self.count.numbers().filter(|count| *count == 0).count()
    }
    /// Changes each piece in order; number, ids and lengths of blocks must stay.
    pub(crate) fn change(&mut self, mut change: impl FnMut(&mut BlockMap)) {
        self.replicas = 0;
        for at in 0..self.len().div_ceil(PIECE) {
            let mut piece = self.piece(at);
            change(&mut piece);
            self.replicas += piece.replica.len() as u64;
            let counts = piece.first.windows(2).map(|w| u64::from(w[1] - w[0]));
            self.count.replace(at, counts.collect());
            let wished = piece.redundancy.iter().map(number_of_redundancy);
            self.redundancy.replace(at, wished.collect());
            self.replica.replace(at, piece.replica.iter().map(number_of_replica).collect())
        }
    }
    fn piece(&self, at: usize) -> BlockMap {
        let mut end = 0;
        let ends = self.count.run(at).into_iter().map(|count| {
            end += u32::try_from(count).expect("a piece is no longer");
            end
        });
        BlockMap {
            first: std::iter::once(0).chain(ends).collect(),
            id: self.id.run(at).into_iter().map(|id| id as i64).collect(),
            bytes: self.bytes.run(at),
            redundancy: self.redundancy.run(at).into_iter().map(redundancy).collect(),
            replica: self.replica.run(at).into_iter().map(replica).collect(),
        }
    }
}

impl From<&BlockMap> for PackedBlocks {
    fn from(map: &BlockMap) -> PackedBlocks {
        let mut packed = PackedBlocks::default();
        for block in (0..map.len()).map(cluster::BlockIndex) {
            let (id, redundancy) = (map.id[block.at()], map.redundancy[block.at()]);
            packed.push(id, map.bytes[block.at()], redundancy, map.replicas(block))
        }
        packed
    }
}

fn number_of_redundancy(redundancy: &Redundancy) -> u64 {
    u64::from(match *redundancy {
        Redundancy::Replicated(n) => u32::from(n),
        Redundancy::ErasureCoded { data, parity } => u32::from_le_bytes([data, parity, 1, 0]),
    })
}

fn redundancy(number: u64) -> Redundancy {
    match number.to_le_bytes() {
        [low, high, 0, ..] => Redundancy::Replicated(u16::from_le_bytes([low, high])),
        [data, parity, ..] => Redundancy::ErasureCoded { data, parity },
    }
}

fn number_of_replica(replica: &Replica) -> u64 {
    let Replica { node, disk, state, index } = replica;
    u64::from(node.0) | u64::from(disk.0) << 32 | (*state as u64) << 48 | u64::from(*index) << 56
}

fn replica(number: u64) -> Replica {
    let [a, b, c, d, e, f, state, index] = number.to_le_bytes();
    let (node, disk) = (u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([e, f]));
    let state = ReplicaState::ALL[usize::from(state)];
    Replica { node: NodeId(node), disk: DiskId(disk), state, index }
}
