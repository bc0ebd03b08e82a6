//! Passive hardware: values that say how long things take. No events, no engine; a system drives
//! them.
//!
//! ```text
//!  source node                                                        target node
//!  [disk read] → [NIC out] → [uplink out] → [uplink in] → [NIC in] → [disk write]
//!                            `- between racks only, or one shared link -'
//! ```
//!
//! [`Resources`] numbers everything that can limit a transfer, and gives the [`Path`] of one. Two
//! models share a resource among transfers: waiting in line, chunk by chunk ([`Server`], [`Disk`],
//! [`Nic`], [`Link`]), or at once, each with its max-min fair rate ([`Fluid`]).
mod capacity;
mod carry;
mod disk;
pub mod fluid;
mod nic;
mod path;
mod resources;
mod server;
pub mod station;
#[cfg(test)]
mod testing;
pub mod transport;
pub use capacity::Capacity;
pub use disk::Disk;
pub use fluid::{Changes, FlowId, FlowSpec, Fluid, Holder};
pub use nic::{Link, Nic};
pub use path::Path;
pub use resources::{Kind, Resource, ResourceId, Resources};
pub use server::{Direction, Request, Server, Service};
