//! Hardware: passive values that say how long things take, and know no events and no engine; and
//! the transport that drives them where systems share what bytes go over.
//!
//! ```text
//!  source node                                                        target node
//!  [disk read] → [NIC out] → [uplink out] → [uplink in] → [NIC in] → [disk write]
//!                            `- between racks only, or one shared link -'
//! ```
//!
//! [`Resources`] numbers everything that can limit a transfer, and gives the [`Path`] of one. Two
//! models share a resource among transfers: they take turns, a chunk each, or move at once, each at
//! its max-min fair rate ([`Fluid`]). [`transport`] has LPs that do either for all systems of a
//! simulation; [`station`] has what else work waits for: cores, slots, threads, log disks. Nodes
//! may be uneven: [`Profiles`].
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod capacity;
mod carry;
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "measured hot path: slots of flows and resources, fewer than 2^32"
)]
pub mod fluid;
mod path;
mod profile;
mod resource;
mod resources;
pub mod station;
#[cfg(test)]
mod testing;
pub mod transport;
pub use capacity::Capacity;
pub use fluid::{Changes, FlowId, FlowSpec, Fluid, Holder};
pub use path::Path;
pub use profile::{Hosts, Profile, Profiles};
pub use resource::{Kind, Resource, ResourceId};
pub use resources::Resources;
