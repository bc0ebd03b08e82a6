//! What PPMDS's clients and servers say to one another, as pure state machines: no clock, no
//! network, no engine. A message goes in, what to send comes out.
//!
//! ```text
//!  client                                         server
//!  begin(create d/x) ──► Fetch d  ───────────────► home of d: its inode and map
//!  heard(map), cached ─► Create d/x ─────────────► owner of d/x by the placement
//!                    ◄── Done                      row (d, x) is there
//!                    ◄── Stale, newer map          d was split: ask the right one (GIGA+)
//! ```
//!
//! A request has its client's number. A server remembers what it answered until the client says
//! that it has heard it (`oldest`), so that a repeated create is answered as the first time, and
//! drops what is older than that (as RIFL: Lee, Park, Kejriwal, Matsushita, Ousterhout, SOSP 2015).
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod client;
mod map;
mod message;
mod server;
pub mod service;
mod small_map;
pub use client::{Client, Heard, Sending};
pub use map::{MOST_PARTITIONS, Map};
pub use message::{Ask, Op, Outcome, Placement, Response, hash};
pub use server::{Answer, Row, Server, Split};
pub use small_map::SmallMap;
