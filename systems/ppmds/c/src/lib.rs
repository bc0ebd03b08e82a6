//! The metadata service for C and languages that can call C: `libtenbin_meta`.
//!
//! ```text
//!  tenbin_meta.h    the contract; read it first
//!  functions        tenbin_meta_…: checks of arguments
//!  operations       files and changes of attributes, in safe code
//!  sessions         open sessions, by number; a thread each
//!  problem          error numbers and texts
//! ```
//! Every function returns 0 or a number of `errno.h`. No panic leaves it.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![deny(clippy::undocumented_unsafe_blocks)]
#![allow(clippy::missing_safety_doc)] // The header says what each function may be given.

mod functions;
mod operations;
mod problem;
mod sessions;

pub use functions::*;
