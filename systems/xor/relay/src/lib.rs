//! Redundant writes by xor on the way, with real bytes.
//!
//! ```text
//!  client ── Begin, Prepare, Commit ──► node ◄──► node        messages
//!     └───── blocks into rings ───────► node ───► node        write with immediate
//! ```
//! A [`Node`] and a [`client::Client`] each own a [`transport::Transport`] and are run by one
//! thread. Which block goes where is decided by `xor-protocol`; what is durable when, by [`store`];
//! what the bytes on the wire and on disk are, by `systems/xor/docs/relay-format.md`.
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
pub mod keys;
pub mod loopback;
pub mod memory;
mod node;
mod refusals;
mod serve;
pub mod store;
pub mod transport;
pub mod wire;

pub use children::Children;
pub use node::{Limits, Node};
pub use refusals::Refused;
pub use serve::{Io, Ready, Serve, Told, serve};
