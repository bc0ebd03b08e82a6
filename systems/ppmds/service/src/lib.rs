//! PPMDS as a real service: the protocol's state machines on sockets and disks.
//!
//! ```text
//!  client ── frames (wire) ──► node: sockets ──► core ──► disk
//!                                    (tokio)     (no I/O)  (fjall)
//! ```
//!
//! [`core`] and [`rows`] have no sockets, clock or disk; the tests drive them in a simulated
//! network with crashes. [`node`] and [`client`] drive the same code in real time.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod backup;
mod channel;
pub mod client;
pub mod clock;
pub mod cluster;
pub mod core;
pub mod disk;
pub mod durability;
pub mod folder;
mod frames;
pub mod fsck;
pub mod growth;
pub mod histogram;
mod journal;
pub mod load;
pub mod mount;
pub mod node;
pub mod operator;
pub mod rows;
pub mod runtime;
mod sessions;
pub mod status;
pub mod wire;
pub use keys;
pub use keys::Error;
