//! The wire form: frames, and the messages in them, as `systems/xor/docs/relay-format.md` has it.
//!
//! Everything that is read is checked: nothing is allocated for a length that the bytes at hand do
//! not bear out, and what is left over is an error.
mod codec;
mod entry;
mod member;
mod message;
mod stripe;

pub use codec::Field;
pub use member::REPLACED;
pub use message::{Entry, Fault, Member, Message, Mode, NodeStatus, Settling};

pub(crate) use entry::check_name;
pub(crate) use member::short;
pub(crate) use message::record;
pub(crate) use stripe::{bits, imm, kinds, of_imm};

/// Version of the wire form; both ends must have the same. Since 2 nodes know their cluster, since
/// 3 how often its list has changed, since 4 blocks may have their heads together, since 5 a node
/// that is being filled is nobody's witness, since 6 nodes name records that they cannot read and
/// versions that were discarded, operators take a lock, and messages have a checksum.
pub const VERSION: u32 = 6;

/// Bytes of a message, at most.
pub const MAX_MESSAGE: usize = 256 << 10;

/// Bytes of what is said about RDMA, at most.
pub const MAX_SIDE: u32 = 64;

/// Blocks that have their heads together, at most.
pub const MOST_BLOCKS: usize = 32;

/// Bytes of a frame's head.
pub const HEAD: usize = 20;

/// What stands at a connection's beginning, in place of the ring.
const MAGIC: u32 = u32::from_le_bytes(*b"TBXR");

/// A message with the number of the request that it is or answers; 0 if it is neither.
pub fn numbered(number: u32, message: &Message) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.extend_from_slice(&message.to_bytes());
    bytes
}

/// The same, read; `None` if it is none.
pub fn unnumbered(mut bytes: &[u8]) -> Option<(u32, Message)> {
    let number = u32::take(&mut bytes)?;
    Some((number, Message::from_bytes(bytes)?))
}

/// A frame's head. Little-endian on the wire: kind, length, ring, slot, immediate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// First of all, from both ends.
    Hello { version: u32 },
    /// A message of so many bytes follows.
    Message {
        /// At most [`MAX_MESSAGE`].
        length: u32,
        /// CRC32C of the message.
        sum: u32,
    },
    /// A block follows, for a slot of a ring at the receiver.
    Block {
        /// Bytes.
        length: u32,
        /// Which ring, by the receiver's number.
        ring: u32,
        slot: u32,
        imm: u32,
    },
    /// So many bytes about queue pairs and rings follow, between ends that have RDMA devices.
    Side {
        /// At most [`MAX_SIDE`].
        length: u32,
    },
    /// The heads of so many blocks follow, and then these blocks: who reads them can do it at once.
    Blocks {
        /// From 2 to [`MOST_BLOCKS`].
        count: u32,
    },
}

impl Head {
    pub fn of_message(message: &[u8]) -> Head {
        Head::Message { length: message.len() as u32, sum: crc32c::crc32c(message) }
    }

    /// As it goes over the wire.
    pub fn to_bytes(self) -> [u8; HEAD] {
        let fields = match self {
            Head::Hello { version } => [0, 0, MAGIC, version, 0],
            Head::Message { length, sum } => [1, length, sum, 0, 0],
            Head::Block { length, ring, slot, imm } => [2, length, ring, slot, imm],
            Head::Side { length } => [3, length, 0, 0, 0],
            Head::Blocks { count } => [4, count, 0, 0, 0],
        };
        let mut bytes = [0; HEAD];
        for (field, place) in fields.iter().zip(bytes.chunks_exact_mut(4)) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        bytes
    }

    /// From the wire; `None` if it is no head.
    pub fn from_bytes(bytes: &[u8; HEAD]) -> Option<Head> {
        let mut fields = [0u32; 5];
        for (field, place) in fields.iter_mut().zip(bytes.chunks_exact(4)) {
            *field = u32::from_le_bytes(place.try_into().ok()?);
        }
        match fields {
            [0, 0, MAGIC, version, 0] => Some(Head::Hello { version }),
            [1, length, sum, 0, 0] if length as usize <= MAX_MESSAGE => {
                Some(Head::Message { length, sum })
            }
            [2, length, ring, slot, imm] => Some(Head::Block { length, ring, slot, imm }),
            [3, length @ 1..=MAX_SIDE, 0, 0, 0] => Some(Head::Side { length }),
            [4, count, 0, 0, 0] if (2..=MOST_BLOCKS).contains(&(count as usize)) => {
                Some(Head::Blocks { count })
            }
            _ => None,
        }
    }
}
