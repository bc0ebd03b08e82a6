//! The seam between the core and a system, and what all commands share.
pub mod execution;
pub mod failure;
pub mod interrupt;
pub mod memory;
pub mod output;
pub mod page;
pub mod pool;
pub mod provenance;
pub mod ranks;
pub mod say;
pub mod sums;
pub mod vary;
