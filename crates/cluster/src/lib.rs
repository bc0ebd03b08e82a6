//! Who is there and what is asked: ids, hardware, topology, and any system's scenario as a
//! [`Sheet`] of values, each with the place where it is written. Plain data.
// A number that does not fit is an error or says so, and never another number.
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
    Defaults, Origin, Own, Setting, Sheet, Slot, Values, Variant, system_of, with_sets,
};
pub use topology::*;
