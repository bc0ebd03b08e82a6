//! Tables of a run: the contract between its source (a simulation, a real cluster) and the
//! analysis.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod blocks_file;
pub mod ingest;
pub mod packed;
mod rows;
pub use rows::*;
