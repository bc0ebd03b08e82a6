//! The relay for C and languages that can call C: `libtenbin_relay`.
//!
//! ```text
//!  tenbin_relay.h    the contract; read it first
//!  cluster           tenbin_relay_…: a client of a cluster
//!  handle            locks, codes and error texts
//! ```
//! Every function checks its arguments, works on its handle, and returns a code. No panic leaves
//! it.
#![deny(clippy::cast_sign_loss, clippy::undocumented_unsafe_blocks)]
#![allow(clippy::missing_safety_doc)] // The header says what each function may be given.

mod cluster;
mod handle;

pub use cluster::{
    Cluster, Feed, Names, Object, Sink, Watch, tenbin_relay_close, tenbin_relay_error,
    tenbin_relay_get, tenbin_relay_get_to, tenbin_relay_list, tenbin_relay_missing,
    tenbin_relay_open, tenbin_relay_put, tenbin_relay_put_from, tenbin_relay_reconnect,
    tenbin_relay_remove, tenbin_relay_set_block, tenbin_relay_set_schedule, tenbin_relay_set_watch,
    tenbin_relay_stat,
};
pub use handle::{Code, Handle};
use std::ffi::{CStr, c_char, c_int};

/// As in the header; a test compares both with the package.
const VERSION: &CStr = c"0.2.0";

#[unsafe(no_mangle)]
pub extern "C" fn tenbin_relay_version() -> *const c_char {
    VERSION.as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn tenbin_relay_words(code: c_int) -> *const c_char {
    let known = Code::ALL.iter().find(|(known, _)| *known as c_int == code);
    known.map_or(c"not a code of this library", |(_, words)| words).as_ptr()
}
