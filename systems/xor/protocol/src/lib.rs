//! The protocol of redundant writes by xor, as pure values: no I/O, no clock, no threads.
//!
//! A *stripe* is a table of blocks, one column a node. A *layout* defines which xor of data blocks
//! each cell holds. A *schedule* lists the transfers that fill the cells. A *plan* lists the reads
//! that restore lost cells. Live nodes and the simulation run the same values.
//!
//! ```text
//!  Layout ──► Schedule ──► NodePlan (a node's part of a stripe) · Window (the client's credits)
//!     │           └──────► check: proved cell by cell, priced against the bounds
//!     └─────► Plan: what to read, what to xor, for lost nodes and blocks
//! ```
//!
//! ```
//! use xor_protocol::{Cell, Layout, check, plan, schedule};
//!
//! let layout = Layout::best(5).unwrap();
//! let price = check(&layout, &schedule::pivot(&layout, 0)).unwrap();
//! assert_eq!(price.client_out, layout.data(), "the client sends the data and nothing else");
//! let lost: Vec<Cell> = layout.cells_of(1).chain(layout.cells_of(2)).collect();
//! let plan = plan::plan(&layout, &lost, layout.homes()).unwrap();
//! assert_eq!(plan.reads.len(), layout.data(), "as many reads as there are data blocks");
//! ```
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod bounds;
mod check;
pub mod commit;
pub mod draw;
pub mod keep;
mod layout;
pub mod node_plan;
pub mod object;
pub mod plan;
pub mod schedule;
mod solve;
pub mod strategy;
pub mod window;

pub use check::{Flaw, MeanPrice, Price, check, mean_price};
pub use layout::{Cell, Layout, LayoutError, MAX_NODES, Rule};
pub use solve::recoverable;
