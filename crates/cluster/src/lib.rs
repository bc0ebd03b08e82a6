//! Ids, hardware, topology, and scenarios of any system as a [`Sheet`] of values with their origin.
//! Plain data.
// A number that does not fit is an error or is reported, and never becomes another number.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
mod bad_input;
pub mod catalogue;
mod disk_curve;
pub mod document;
mod file;
mod hardware;
mod ids;
pub mod keys;
pub mod listing;
mod nearest;
mod nodes;
pub mod paths;
pub mod sheet;
mod topology;
pub use bad_input::*;
pub use disk_curve::DiskCurve;
pub use file::read_text;
pub use hardware::*;
pub use ids::*;
pub use nearest::{edit_distance, nearest};
pub use nodes::*;
pub use sheet::{
    Defaults, Origin, Setting, Sheet, Slot, SystemData, Values, Variant, system_of, with_sets,
};
pub use topology::*;
