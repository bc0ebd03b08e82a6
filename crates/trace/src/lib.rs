//! What happened, as tables: one trace for all systems, simulated or logged. The contract between
//! whoever runs and whoever explains; it knows no system. `docs/trace.md` has the rules.
#![warn(missing_docs)]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod builder;
pub mod chrome;
mod ids;
mod kinds;
mod known;
mod objective;
pub mod operations;
pub mod parquet_io;
pub mod reading;
mod schema;
pub mod series;
pub mod tables;
pub mod walk;
pub use builder::{NewEntity, NewInterval, NewKind, NewNode, NewResource, TraceBuilder};
pub use ids::*;
pub use kinds::*;
pub use known::{Known, Number};
pub use schema::*;
