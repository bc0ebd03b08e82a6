//! Tables of plain columns as Parquet files: written in groups of rows, read group by group.
//!
//! Whole numbers are INT64, times and amounts too (2⁶⁴ − 1, "never", stands as −1); reals DOUBLE;
//! texts STRING; flags BOOLEAN. A column may hold nulls.
mod atomic;
mod column;
mod hash;
mod read;
mod write;
pub use atomic::{TempDir, TempFile};
pub use column::{Cell, CellKind, Column, Values};
pub use hash::{Hashing, hash_file};
pub use read::read;
pub use write::write;
