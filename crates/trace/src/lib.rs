//! What happened, as tables: the contract between whoever runs (a simulation, a real cluster) and
//! whoever explains.
pub mod blocks_file;
pub mod chrome;
pub mod ingest;
pub mod packed;
mod schema;
pub mod tables;
pub use schema::*;
