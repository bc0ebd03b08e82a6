//! PPMDS's clients and servers as pure state machines: no clock, no network, no engine. A message
//! goes in, what to send comes out.
//!
//! ```text
//!  client ── Ask ──► server of the entry ── one server's rows, nobody holds them: at once
//!     ▲                 │
//!     │                 └─ else a transaction: Open ──► servers of the rows
//!     │                                         ◄── Opened, or who is in the way
//!     │                    status record: committed, once and for all
//!     └──── Answer ◄───────┘         └─ Settle ──► servers of the rows
//! ```
//!
//! After dynamic software transactional memory (Herlihy, Luchangco, Moir, Scherer, PODC 2003): a
//! row that is opened for writing has an owner; the owner's status record, on one server, decides
//! with one compare-and-swap for all rows; who meets an owner waits for it, or aborts it there
//! ([`contention`]). New values wait in the status record. So a dead client or a slow one holds
//! nobody up, and a row whose owner is over is settled by whoever comes next.
//!
//! A request has its client's number. Where messages may be lost, a server remembers what it
//! answered until the client says that it has heard it (`oldest`), so that a repeated create is
//! answered as the first time (as RIFL: Lee, Park, Kejriwal, Matsushita, Ousterhout, SOSP 2015).
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod client;
pub mod contention;
mod direct;
mod errno;
mod heat;
mod inode;
mod list;
mod map;
pub mod message;
mod name;
mod net;
mod op;
mod operation;
mod options;
mod participant;
mod past;
mod placement;
pub mod record;
mod row;
mod saw;
mod server;
mod servers;
mod small_map;
mod store;
mod txn;
mod version;
mod view;
pub use client::{Client, Heard, Over};
pub use errno::Errno;
pub use inode::{Attributes, Change, Ino, Inode, Kind, NUMBERS_OF_A_SERVER, ROOT};
pub use list::{List, SharedList, Spread};
pub use map::{MOST_PARTITIONS, Map};
pub use name::{LONGEST_NAME, Name, mixed};
pub use net::{Net, Timer};
pub use operation::{After, Doing, Listed, Operation, Outcome, Page, Saw, Two};
pub use options::{Options, Reads, Rules};
pub use placement::{Grown, Hot, Placement, root};
pub use row::{Key, Row, Stored};
pub use server::{Counted, Server};
pub use servers::Servers;
pub use small_map::SmallMap;
pub use store::Store;
pub use version::Version;
