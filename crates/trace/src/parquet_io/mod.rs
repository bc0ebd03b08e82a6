//! Tables of plain columns as Parquet files: written in groups of rows, read group by group.
//!
//! Whole numbers are INT64, times and amounts too (2⁶⁴ − 1, "never", stands as −1); reals DOUBLE;
//! texts STRING; flags BOOLEAN. A column may hold nulls.
mod atomic;
mod column;
mod hash;
mod read;
mod write;
pub(crate) use atomic::{TempDir, TempFile};
pub(crate) use column::Column;
pub(crate) use hash::{Hashing, hash_file};
pub(crate) use read::{read, read_all};
pub(crate) use write::write;
