//! Inodes: their numbers, their attributes, and what changes these.
use rewind::Scalar;

/// An inode's number. The server that gave it out is in its upper 16 bits.
pub type Ino = u64;

pub const ROOT: Ino = 1;

/// Numbers that one server gives out.
pub const NUMBERS_OF_A_SERVER: u64 = 1 << 48;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Kind {
    File,
    Directory,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Inode {
    pub ino: Ino,
    pub kind: Kind,
    pub mode: u16,
    /// Names that a file has; of a directory 1: its entries are not counted here.
    pub links: u32,
    pub owner: u32,
    pub group: u32,
    /// Bytes.
    pub size: u64,
    /// Contents were changed, by the server's clock \[ns\].
    pub modified: u64,
    /// The inode was changed \[ns\].
    pub changed: u64,
}

/// Permissions and owner of a new inode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Attributes {
    pub mode: u16,
    pub owner: u32,
    pub group: u32,
}

/// What `setattr` changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Change {
    pub mode: Option<u16>,
    pub owner: Option<(u32, u32)>,
    /// Bytes.
    pub size: Option<u64>,
}

impl Inode {
    /// A new one, with one name.
    pub(super) fn new(ino: Ino, kind: Kind, attributes: Attributes, now: u64) -> Inode {
        let Attributes { mode, owner, group } = attributes;
        Inode { ino, kind, mode, links: 1, owner, group, size: 0, modified: now, changed: now }
    }

    /// The inode with a change.
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
