//! Tables of plain columns as Parquet files, written and read by row groups.
//!
//! Integers, times and amounts are INT64 (2⁶⁴ − 1, "never", is −1); floating-point numbers DOUBLE;
//! texts STRING; flags BOOLEAN. A column may have nulls.
mod atomic;
mod column;
mod hash;
mod read;
mod write;
pub use atomic::{TempDir, TempFile};
pub use column::{Cell, CellKind, Column, Values};
pub use hash::{HashingWriter, hash_file};
pub use read::read;
pub use write::write;
