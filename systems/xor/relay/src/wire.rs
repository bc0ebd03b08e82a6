//! The wire format: frames with messages, as in `systems/xor/docs/relay-format.md`.
//!
//! The reader checks every field. It allocates no more than the received bytes justify; excess
//! bytes are an error.
mod codec;
mod entry;
mod member;
mod message;
mod stripe;

pub use codec::Field;
pub use member::REPLACED;
pub use message::{Entry, Fault, Member, Message, Mode, NodeStatus, Resolution};

pub(crate) use entry::check_name;
pub(crate) use member::short;
pub(crate) use message::record;
pub(crate) use stripe::{bits, imm, kinds, of_imm};

/// Version of the wire format; both ends must agree. Version 2: nodes know their cluster. 3: and
/// how often its list has changed. 4: blocks may have their heads together. 5: a node that is being
/// filled is no evidence. 6: nodes name unreadable records and discarded versions, operators take a
/// lock, messages have a checksum.
pub const VERSION: u32 = 6;

/// In bytes.
pub const MAX_MESSAGE: usize = 256 << 10;

/// Longest information about RDMA \[bytes\].
pub const MAX_RDMA_MESSAGE: u32 = 64;

/// Blocks with their heads together.
pub const MOST_BLOCKS: usize = 32;

/// Length of a frame's head \[bytes\].
pub const HEAD: usize = 20;

/// First bytes of a connection, in place of the ring.
const MAGIC: u32 = u32::from_le_bytes(*b"TBXR");

/// `number`: of the request that the message is or answers; 0 if it is neither.
pub fn numbered(number: u32, message: &Message) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.extend_from_slice(&message.to_bytes());
    bytes
}

/// `None`: not a valid message.
pub fn unnumbered(mut bytes: &[u8]) -> Option<(u32, Message)> {
    let number = u32::take(&mut bytes)?;
    Some((number, Message::from_bytes(bytes)?))
}

/// A frame's head. Little-endian on the wire: kind, length, ring, slot, immediate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// The first frame in both directions.
    Hello { version: u32 },
    Message {
        /// At most [`MAX_MESSAGE`].
        length: u32,
        /// CRC32C of the message.
        sum: u32,
    },
    /// A block follows, for a slot of a ring at the receiver.
    Block {
        /// In bytes.
        length: u32,
        /// The receiver's number of the ring.
        ring: u32,
        slot: u32,
        imm: u32,
    },
    /// `length` bytes about queue pairs and rings follow, between ends with RDMA devices.
    RdmaMessage {
        /// At most [`MAX_RDMA_MESSAGE`].
        length: u32,
    },
    /// The heads of `count` blocks follow, then the blocks, so that one read can take all.
    Blocks {
        /// From 2 to [`MOST_BLOCKS`].
        count: u32,
    },
}

impl Head {
    pub fn of_message(message: &[u8]) -> Head {
        Head::Message { length: message.len() as u32, sum: crc32c::crc32c(message) }
    }

    pub fn to_bytes(self) -> [u8; HEAD] {
        let fields = match self {
            Head::Hello { version } => [0, 0, MAGIC, version, 0],
            Head::Message { length, sum } => [1, length, sum, 0, 0],
            Head::Block { length, ring, slot, imm } => [2, length, ring, slot, imm],
            Head::RdmaMessage { length } => [3, length, 0, 0, 0],
            Head::Blocks { count } => [4, count, 0, 0, 0],
        };
        let mut bytes = [0; HEAD];
        for (field, place) in fields.iter().zip(bytes.chunks_exact_mut(4)) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        bytes
    }

    /// `None`: not a valid head.
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
            [3, length @ 1..=MAX_RDMA_MESSAGE, 0, 0, 0] => Some(Head::RdmaMessage { length }),
            [4, count, 0, 0, 0] if (2..=MOST_BLOCKS).contains(&(count as usize)) => {
                Some(Head::Blocks { count })
            }
            _ => None,
        }
    }
}
