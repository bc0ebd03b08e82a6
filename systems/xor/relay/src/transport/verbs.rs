//! RDMA verbs: the peer's device writes blocks into the slots of a ring, past both kernels.
//!
//! Connections, certificates, messages and the liveness of a peer are those of TCP, and so is the
//! memory of rings. Over TCP both ends say how their queue pairs are reached and which rings may be
//! written (`side`). Blocks then go by RDMA write with immediate on a reliable connection:
//!
//! ```text
//! write, 4 bytes inline ──► word of the slot: the sender's 32 bits    (end, pair)
//! write with immediate  ──► the slot; its completion names ring and slot
//! ```
//!
//! The immediate of the wire has 32 bits, and so has that of the trait: the first says which slot,
//! and the second lies in a word beside the ring, written before on the same connection, which
//! keeps the order. The length is the completion's own. One receive is used up for a block, and
//! none has a buffer.
//!
//! A ring that is given back stays pinned until every peer has said that it will not write any
//! more, or its connection is gone: a late block is dropped and never lies in other memory.
mod connections;
mod device;
mod end;
mod pair;
mod ring;
mod side;
mod sys;

pub use connections::Connections;
