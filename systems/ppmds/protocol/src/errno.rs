//! Errors of operations, by their POSIX names.
use rewind::Scalar;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Errno {
    EEXIST,
    /// The entry or its directory does not exist.
    ENOENT,
    ENOTEMPTY,
    /// An invalid name, or a directory renamed into its own descendant.
    EINVAL,
    ENAMETOOLONG,
    EISDIR,
    ENOTDIR,
    EPERM,
    /// The directory's list of servers changed before it could be spread.
    ESTALE,
    /// A directory's rows name different servers: some were lost with a log.
    EIO,
    /// The directory has too many rows for one transaction that moves them.
    EFBIG,
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
