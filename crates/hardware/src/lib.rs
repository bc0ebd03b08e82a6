//! Hardware: passive values that compute how long things take, without events or an engine. The
//! transport drives them where systems share resources.
//!
//! ```text
//!  source node                                                        target node
//!  [disk read] → [NIC out] → [uplink out] → [uplink in] → [NIC in] → [disk write]
//!                            `- between racks only, or one shared link -'
//! ```
//!
//! [`Resources`] numbers everything that can limit a transfer, and builds its [`Path`]. Two models
//! share a resource among transfers: round-robin, a chunk each, or at the same time at max-min fair
//! rates ([`Fluid`]). [`transport`] has LPs for both. [`station`] has other queues: for cores,
//! slots, threads, log disks. Nodes may differ: [`Profiles`].
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
pub mod lv08;
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
