//! RDMA verbs: a peer's device writes blocks into the slots of a ring, bypassing both kernels.
//!
//! TCP provides connections, certificates, messages and the detection of dead peers; the rings'
//! memory is the same. Over TCP both ends exchange the addresses of their queue pairs and the
//! writable rings (`rdma_message`). Blocks go by RDMA write with immediate on a reliable
//! connection:
//!
//! ```text
//! write, 4 bytes inline ──► word of the slot: the sender's 32 bits    (end, pair)
//! write with immediate  ──► the slot; its completion names ring and slot
//! ```
//!
//! The immediate on the wire holds ring and slot. The trait's own 32 bits go into a word next to
//! the ring, by an earlier write on the same connection, which keeps the order. The length is that
//! of the completion. A block consumes one receive, without a buffer.
//!
//! A released ring stays pinned until every peer has confirmed that it writes no more, or is
//! disconnected. A late block is dropped and never reaches other memory.
mod connections;
mod device;
mod end;
mod pair;
mod rdma_message;
mod ring;
mod sys;

pub use connections::Connections;
