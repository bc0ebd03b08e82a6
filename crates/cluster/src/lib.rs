//! Who is there and what is asked: ids, hardware, topology, the scenario file and its validation. Plain data.
mod blocks;
mod hardware;
mod ids;
mod nodes;
mod scenario;
pub use blocks::*;
pub use hardware::*;
pub use ids::*;
pub use nodes::*;
pub use scenario::*;
