//! Traces as tables, one form for all systems, simulated or logged. The crate knows no system: it
//! is the contract between simulators or importers and the analysis. `docs/trace.md` has the rules.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod builder;
pub mod chrome;
mod ids;
mod kinds;
mod objective;
pub mod operations;
mod optional_number;
pub mod parquet_io;
pub mod reading;
mod schema;
pub mod series;
pub mod tables;
pub mod walk;
pub use builder::{NewEntity, NewInterval, NewKind, NewNode, NewResource, TraceBuilder};
pub use ids::*;
pub use kinds::*;
pub use optional_number::{Number, OptionalNumber};
pub use schema::*;
