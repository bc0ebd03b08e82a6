//! The whole service: inodes, every operation, transactions over several servers.
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
mod client;
pub mod contention;
mod direct;
mod errno;
mod list;
pub mod message;
mod name;
mod net;
mod op;
mod operation;
mod options;
mod participant;
pub mod record;
mod row;
mod saw;
mod server;
mod store;
mod txn;
mod view;
pub use client::{Client, Over};
pub use errno::Errno;
pub use list::{List, Spread};
pub use name::{LONGEST_NAME, Name};
pub use net::{Net, Placement, Timer};
pub use operation::{After, Attributes, Change, Doing, Listed, Operation, Outcome, Page, Saw, Two};
pub use options::{Options, Reads};
pub use row::{Ino, Inode, Key, Kind, NUMBERS_OF_A_SERVER, ROOT, Row, Stored, Version};
pub use server::{Counted, Rules, Server, root};
pub use store::Store;
