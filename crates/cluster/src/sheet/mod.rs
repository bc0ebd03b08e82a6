//! A scenario's file, read against a system's keys: every value with where it came from.
//!
//! Layers, each over the one before: defaults, the imported cluster file, the scenario's file,
//! `--set`. What the values mean together only the system knows; a [`Sheet`] says where each is
//! written, so that the system's complaints name file, line and key.
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
pub use events::Parts;
pub use read::{Assemble, Assembly, Sheet, Source, plain, system_of};
pub use scaled::scaled;
pub use settings::{Origin, Setting, Variant};
pub use values::{Defaults, Slot, Values};

/// What a system keeps of a scenario or a run for itself: only it knows the type.
pub type Own = Option<std::sync::Arc<dyn std::any::Any + Send + Sync>>;
