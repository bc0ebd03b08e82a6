//! What POSIX calls the reasons for which an operation fails.
use rewind::Scalar;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Errno {
    EEXIST,
    /// Nothing has that name, or the directory is gone.
    ENOENT,
    ENOTEMPTY,
    /// A name that cannot be; a directory into its own descendant.
    EINVAL,
    /// A name of more than 255 bytes.
    ENAMETOOLONG,
    EISDIR,
    /// It is no directory.
    ENOTDIR,
    EPERM,
    /// The directory lies otherwise than it did when it was to be spread.
    ESTALE,
    /// A directory's rows do not agree on its servers: some were lost with a log.
    EIO,
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
