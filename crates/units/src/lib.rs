//! Quantities as types: no bare number crosses a boundary.
//!
//! MB = 10⁶ bytes, MiB = 2²⁰ bytes, Mbit = 10⁶ bits. Time is an integer number of nanoseconds.
//!
//! ```
//! use units::{Bytes, BytesPerSec, Nanos};
//!
//! let nic: BytesPerSec = "10Gbit/s".parse().unwrap();
//! let block: Bytes = "128MiB".parse().unwrap();
//! assert_eq!(nic.to_string(), "1.25GB/s");
//! assert_eq!(nic.time_for(block), Nanos(107_374_183));
//! assert!("10Gbit".parse::<BytesPerSec>().is_err(), "an amount is no rate");
//! ```
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod bytes;
mod nanos;
mod ozone;
mod parse;
mod rate;
mod show;
mod whole;
pub use bytes::Bytes;
pub use nanos::Nanos;
pub use ozone::{ozone_size, ratis_time};
pub use parse::{ParseUnitError, hadoop_size, hadoop_time};
pub use rate::{BytesPerSec, Carry};
pub use whole::{floored_u64, narrow, rounded_u64, u32_of, usize_of};
