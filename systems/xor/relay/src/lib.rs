//! Redundant writes by xor between nodes, with real bytes.
//!
//! ```text
//!  client ── Begin, Prepare, Commit ──► node ◄──► node        messages
//!     └───── blocks into rings ───────► node ───► node        write with immediate
//! ```
//! A [`Node`] and a [`client::Client`] each own a [`transport::Transport`] and run on one thread.
//! `xor-protocol` decides where each block goes, and [`store`] the order of durability.
//! `systems/xor/docs/relay-format.md` has the bytes on the wire and on disk.
#![deny(clippy::cast_sign_loss)]

pub mod bench;
mod children;
pub mod client;
mod clock;
pub mod demo;
pub mod digest;
pub mod disk;
pub mod error;
pub mod kernel;
pub mod loopback;
pub mod memory;
mod node;
mod refusals;
mod serve;
pub mod store;
pub mod transport;
pub mod wire;

pub use children::Children;
pub use keys;
pub use node::{Limits, Node};
pub use refusals::RefusedPeers;
pub use serve::{Io, NodeNotice, NodeReady, ServeOptions, serve};
