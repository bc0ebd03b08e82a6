//! What commands do with a simulated HDFS: runs over seeds and rows, plans, claims of its document.
//!
//! ```text
//!  scenario ─► job (one run) ─► campaign (rows × seeds) ─► files, folder, partial (what is kept)
//!                  ├─► plan (search, knee, fragment, undo)
//!                  └─► reproduce (claims C0.1 …)
//! ```
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod about;
pub mod assumed;
pub mod campaign;
pub mod files;
pub mod folder;
pub mod job;
pub mod partial;
pub mod plan;
pub mod progress;
pub mod reproduce;
pub mod room;

// What all systems share.
use system::template as page;
use system::{clock, failure, interrupt, memory, output, pool, say, vary};
