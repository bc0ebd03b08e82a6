//! A scenario's file, checked against a system's keys: every value with its origin.
//!
//! Layers, later ones first: `--set`, the scenario's file, the imported cluster file, defaults.
//! Only the system knows whether values are compatible; a [`Sheet`] gives it file, line and key of
//! each for messages.
pub mod copy;
pub mod events;
pub mod layers;
pub mod read;
mod scaled;
mod settings;
mod tries;
pub mod values;
pub mod variants;
pub use copy::with_sets;
pub use events::EventParts;
pub use read::{Assemble, Assembly, Sheet, Source, plain, system_of};
pub use scaled::scaled;
pub use settings::{Origin, Setting, Variant};
pub use values::{Defaults, Slot, Values};

/// A system's private data of a scenario or run.
pub type SystemData = Option<std::sync::Arc<dyn std::any::Any + Send + Sync>>;
