//! Requests, answers, and who is asked.
use crate::Map;
use rewind::Scalar;

/// What a client wants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Op {
    /// A directory's inode with its map: the document's `GET_INODE`.
    Fetch,
    /// A new entry: the document's `STORE_INODE`.
    Create,
    /// Whether a name is there.
    Lookup,
    /// A name's attributes.
    Stat,
    /// A name away.
    Unlink,
    /// All entries: the servers of the directory are asked one after the other.
    List,
}

impl Op {
    /// All, in order.
    pub const ALL: [Op; 6] = [Op::Fetch, Op::Create, Op::Lookup, Op::Stat, Op::Unlink, Op::List];

    /// As people say it.
    pub fn name(self) -> &'static str {
        ["fetch", "create", "lookup", "stat", "unlink", "readdir"][self as usize]
    }

    /// Whether it changes the store.
    pub fn writes(self) -> bool {
        matches!(self, Op::Create | Op::Unlink)
    }
}

/// A request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Ask {
    /// Whose.
    pub client: u32,
    /// The client's own number of it.
    pub number: u32,
    /// The client has heard the answers of all numbers below.
    pub oldest: u32,
    /// What it wants.
    pub op: Op,
    /// Which part of the directory is meant: a partition, of a list the place among the servers.
    pub part: u32,
    /// In which directory.
    pub directory: u32,
    /// The entry's name, as a number of 64 bits that stands for it.
    pub name: u64,
}

/// What came of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Outcome {
    /// As wanted.
    Done,
    /// Somebody else's entry has this name.
    Exists,
    /// No such entry.
    Absent,
    /// So many entries here.
    Entries(u32),
    /// Not here any more: the map says where.
    Stale,
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Response {
    /// To which request.
    pub number: u32,
    /// To which of its steps.
    pub op: Op,
    /// Of which part.
    pub part: u32,
    /// What came of it.
    pub outcome: Outcome,
    /// The directory as the server knows it.
    pub map: Map,
}

/// Where entries lie: the one decision that a metadata policy takes.
pub trait Placement {
    /// The server that keeps a directory's own inode.
    fn home(&self, directory: u32) -> u32;
    /// Of a name's hash: the partition and its server, by what the map says.
    fn owner(&self, directory: u32, hash: u64, map: Map) -> (u32, u32);
    /// Of how many servers a directory's entries lie on, by the map, the `at`-th; `None` behind
    /// the last.
    fn listed(&self, directory: u32, at: u32, map: Map) -> Option<u32>;
    /// What clients know of any directory before they have fetched its inode.
    fn known(&self) -> Option<Map> {
        None
    }
    /// Entries of a partition beyond which it is split; `None`: never.
    fn split_at(&self) -> Option<u32> {
        None
    }
    /// How many partitions a directory may have.
    fn most_partitions(&self) -> u32 {
        1
    }
}

/// Where a name falls: all bits depend on all bits of both (SplitMix64's steps: Steele, Lea, Flood,
/// 2014).
pub fn hash(directory: u32, name: u64) -> u64 {
    let mut z = name ^ u64::from(directory).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
