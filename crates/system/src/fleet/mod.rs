//! Racks, nodes and resources of a run and their use over time: the data of their pages, and the
//! heat map that links to them.
mod data;
mod heat;
mod paths;
mod shown;
mod usage;
pub use data::fleet;
pub(crate) use data::with_cluster;
pub use heat::heat;
pub use usage::Usage;
