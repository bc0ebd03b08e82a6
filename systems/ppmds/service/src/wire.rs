//! Frames between clients, servers and operators.
//!
//! ```text
//!  length of the body, 4 bytes │ CRC32C of the body, 4 bytes │ body
//!
//!  caller ── Hello: magic, version, cluster, caller ──► node
//!         ◄── Welcome: the node's number, or Refused: why ──
//!         ── Body ──►  ◄── Body ──                            until one of them closes
//! ```
//!
//! Numbers are little endian; bodies are postcard. A frame that is too long, fails its checksum or
//! does not decode ends the connection.
mod admission;
mod hello;
mod replica;
pub use admission::check;
pub use hello::{Caller, Hello, Reply, Session, VERSION, decode_hello, encode_hello};
pub use replica::{Replica, ReplicaReply};

use crate::cluster::Members;
use crate::disk::Row;
use crate::status::Status;
use ppmds_protocol::MOST_CONTENTS;
use ppmds_protocol::message::Message;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bytes of length and checksum.
pub const HEADER: usize = 8;

/// Longest body of a handshake \[bytes\].
pub const MOST_HELLO: usize = 1 << 10;
/// Longest body of the reply, which may name 64 servers and their standbys \[bytes\].
pub const MOST_WELCOME: usize = 64 << 10;
/// Longest body that a node accepts from a client or operator \[bytes\]: the contents of a file.
pub const MOST_REQUEST: usize = MOST_CONTENTS + (64 << 10);
/// Longest body from a server \[bytes\]: the rows of a directory that moves.
pub const MOST_BODY: usize = 64 << 20;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Body {
    Message(Message),
    /// From a client that has all its answers: another session may continue with this number.
    Goodbye(u32),
    Query(Query),
    QueryReply(QueryReply),
    Replica(Replica),
    ReplicaReply(ReplicaReply),
}

/// A question of an operator's command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Query {
    Status,
    /// Clients' requests wait from now on.
    Freeze,
    /// Ends transactions that lock rows and were lost in a crash.
    FreeLocks,
    /// Keeps the rows of this moment; requests still wait.
    Snapshot,
    Thaw,
    /// A page of the snapshot behind this key of the store.
    Rows(Vec<u8>),
    /// The cluster has these servers from now on, unless the node knows later ones.
    Members(Box<Members>),
    /// Starts moves of directories to where new ones would be.
    Rebalance,
    /// To a standby: becomes the server.
    Promote,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum QueryReply {
    Status(Box<Status>),
    Done,
    /// Transactions of this server that run, and its locked rows.
    Frozen(u64, u64),
    /// The flag: more rows follow.
    Rows(Vec<Row>, bool),
    Rebalanced(Misplaced),
    /// To the generation that starts with it.
    Promoted(u32),
    Refused(String),
}

/// Directories whose home is here, but which are not where new ones would be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Misplaced {
    pub all: u64,
    pub too_large: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WireError {
    /// Length of the body, and the limit.
    TooLong(usize, usize),
    /// The first bytes are a TLS handshake.
    Tls,
    Checksum,
    Form,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::TooLong(length, most) => {
                write!(f, "a frame of {length} bytes: expected at most {most}")
            }
            WireError::Tls => f.write_str("TLS: start this node with --keys"),
            WireError::Checksum => f.write_str("a frame with a wrong checksum"),
            WireError::Form => f.write_str("a frame that is not a message of this version"),
        }
    }
}

/// Appends a frame with this body.
pub fn put_frame(to: &mut Vec<u8>, body: &impl Serialize) {
    let start = to.len();
    to.extend([0; HEADER]);
    let mut all = postcard::to_extend(body, std::mem::take(to)).expect("memory is written to");
    let (length, sum) = (all.len() - start - HEADER, crc32c::crc32c(&all[start + HEADER..]));
    let length = u32::try_from(length).expect("a body is shorter than 4 GiB");
    all[start..start + 4].copy_from_slice(&length.to_le_bytes());
    all[start + 4..start + HEADER].copy_from_slice(&sum.to_le_bytes());
    *to = all
}

/// The length of the body that a header announces.
///
/// # Errors
/// It exceeds `most`.
pub fn length(header: [u8; HEADER], most: usize) -> Result<usize, WireError> {
    let [a, b, c, d, ..] = header;
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    match length <= most {
        true => Ok(length),
        false if header.starts_with(&[22, 3]) => Err(WireError::Tls),
        false => Err(WireError::TooLong(length, most)),
    }
}

/// # Errors
/// The checksum differs, or the body is not exactly one value.
pub fn body<'a, T: Deserialize<'a>>(header: [u8; HEADER], body: &'a [u8]) -> Result<T, WireError> {
    let [.., a, b, c, d] = header;
    if crc32c::crc32c(body) != u32::from_le_bytes([a, b, c, d]) {
        return Err(WireError::Checksum);
    }
    match postcard::take_from_bytes(body) {
        Ok((value, [])) => Ok(value),
        _ => Err(WireError::Form),
    }
}

#[cfg(test)]
mod tests;
