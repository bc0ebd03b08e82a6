//! What happened, as tables: the contract between whoever runs (a simulation, a real cluster) and whoever
//! explains.
mod schema;
pub use schema::*;
