//! PPMDS's clients and servers as pure state machines: no clock, no network, no engine. A message
//! goes in, messages to send come out.
//!
//! ```text
//!  client ── Ask ──► server of the entry ── one server's rows, none locked: at once
//!     ▲                 │
//!     │                 └─ else a transaction: Open ──► servers of the rows
//!     │                                         ◄── Opened, or the conflicting transactions
//!     │                    status record: committed, irrevocably
//!     └──── Answer ◄───────┘         └─ Settle ──► servers of the rows
//! ```
//!
//! Transactions follow dynamic software transactional memory (Herlihy et al., PODC 2003). A row
//! opened for writing has an owner. The owner's status record, on one server, decides for all rows
//! with one compare-and-swap. A transaction that meets an owner waits for it or aborts it there
//! ([`contention`]). New values wait in the status record, so a dead or slow client blocks no
//! other: the next transaction settles the rows of one that has ended.
//!
//! A client numbers its requests. Where messages may be lost, a server remembers each answer until
//! the client acknowledges it (`oldest`), so a repeated create gets its first answer (as RIFL: Lee
//! et al., SOSP 2015).
//!
//! Feature `serde`: messages and rows can be serialized.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod client;
mod client_history;
pub mod contention;
mod direct;
mod errno;
mod evidence;
#[cfg(feature = "serde")]
mod form;
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
mod placement;
pub mod record;
mod row;
mod server;
mod servers;
mod small_map;
mod store;
mod txn;
mod version;
mod view;
pub use client::{Client, Completed, MessageEffect};
pub use errno::Errno;
pub use inode::{
    Attributes, Change, File, Ino, Inode, Kind, MOST_CONTENTS, NUMBERS_OF_A_SERVER, ROOT, SYMLINK,
};
pub use list::{List, SharedList, Spread};
pub use map::{MOST_PARTITIONS, Map};
pub use name::{LONGEST_NAME, Name, mixed};
pub use net::{Net, Timer};
pub use operation::{
    Listed, Operation, OperationKind, Outcome, Page, RowEffect, RowEvidence, TwoPaths,
};
pub use options::{Options, Reads, Rules};
pub use placement::{Grown, HashPlacement, Hot, Placement, root};
pub use row::{Key, Row, Stored};
pub use server::{Server, ServerCounts};
pub use servers::Servers;
pub use small_map::SmallMap;
pub use store::Store;
pub use version::Version;
