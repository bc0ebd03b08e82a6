//! Reads files of real systems: bytes, lines, Hadoop's site files, log4j times, JSON and JMX.
//!
//! ```text
//!  file · stdin · memory ─► source (.gz, .zst undone; progress) ─► head: whose output is it?
//!                                                                    │
//!                              lines · whole · site · conf · json · jmx ─► a system's own reader
//! ```
//! Every error is an [`ImportError`]: file, line, what was found, what was expected, and advice.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod conf;
mod error;
mod input_spec;
pub mod jmx;
mod json;
mod lines;
pub mod log4j;
mod read_all;
pub mod site;
mod source;
pub use error::{ImportError, Issue, issue, quote, quote_end};
pub use input_spec::{InputSpec, check};
pub use json::json;
pub use lines::Lines;
pub use read_all::{bytes, text};
pub use source::{Input, OnProgress, Progress, decompressed, open, open_quietly, raw, unreadable};
