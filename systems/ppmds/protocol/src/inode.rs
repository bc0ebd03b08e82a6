//! Inodes, their numbers and attributes.
use rewind::Scalar;

/// An inode number. Its upper 16 bits are the server that assigned it.
pub type Ino = u64;

pub const ROOT: Ino = 1;

/// Numbers that each server can assign.
pub const NUMBERS_OF_A_SERVER: u64 = 1 << 48;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Kind {
    File,
    Directory,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Inode {
    pub ino: Ino,
    pub kind: Kind,
    pub mode: u16,
    /// Names of a file. Always 1 for a directory, whose entries are not counted.
    pub links: u32,
    pub owner: u32,
    pub group: u32,
    /// \[bytes\]
    pub size: u64,
    /// Last change of the contents, by the server's clock \[ns\].
    pub modified: u64,
    /// Last change of the inode \[ns\].
    pub changed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attributes {
    pub mode: u16,
    pub owner: u32,
    pub group: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Change {
    pub mode: Option<u16>,
    pub owner: Option<(u32, u32)>,
    /// \[bytes\]
    pub size: Option<u64>,
}

impl Inode {
    pub(super) fn new(ino: Ino, kind: Kind, attributes: Attributes, now: u64) -> Inode {
        let Attributes { mode, owner, group } = attributes;
        Inode { ino, kind, mode, links: 1, owner, group, size: 0, modified: now, changed: now }
    }

    pub(super) fn with(&self, change: Change, now: u64) -> Inode {
        let mut new = Inode { changed: now, ..*self };
        if let Some(mode) = change.mode {
            new.mode = mode
        }
        if let Some((owner, group)) = change.owner {
            (new.owner, new.group) = (owner, group)
        }
        if let Some(size) = change.size {
            (new.size, new.modified) = (size, now)
        }
        new
    }
}
