//! Quantities as types: no bare number crosses a boundary.
//!
//! MB = 10⁶ bytes, MiB = 2²⁰ bytes, Mbit = 10⁶ bits. Time is an integer number of nanoseconds.
mod bytes;
mod nanos;
mod parse;
mod rate;
pub use bytes::Bytes;
pub use nanos::Nanos;
pub use parse::{ParseUnitError, hadoop_size, hadoop_time};
pub use rate::BytesPerSec;
