//! What happened, as tables: the contract between whoever runs (a simulation, a real cluster) and whoever
//! explains.
pub mod ingest;
mod schema;
pub use schema::*;
