//! Inodes, their numbers and attributes.
use super::Errno;
use rewind::{Scalar, Value};
use std::sync::Arc;

/// An inode number. Its upper 16 bits are the server that assigned it.
pub type Ino = u64;

pub const ROOT: Ino = 1;

/// Longest contents of a file \[bytes\]. Its row holds them.
pub const MOST_CONTENTS: usize = 256 << 10;

/// Numbers that each server can assign.
pub const NUMBERS_OF_A_SERVER: u64 = 1 << 48;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Kind {
    File,
    Directory,
    /// Its contents are its target.
    Symlink,
    Pipe,
    Socket,
}

/// Bits of a mode that give the type of an inode, as in `stat`.
const TYPE: u16 = 0o170_000;
pub const SYMLINK: u16 = 0o120_000;
const PIPE: u16 = 0o010_000;
const SOCKET: u16 = 0o140_000;

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

#[derive(Value, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Change {
    pub mode: Option<u16>,
    pub owner: Option<(u32, u32)>,
    /// \[bytes\]
    pub size: Option<u64>,
    /// \[ns\]; `None`: the server's clock, if the size changes.
    pub modified: Option<u64>,
    /// All bytes of a file. They determine the size; of a directory nothing else remains of them.
    pub contents: Option<Arc<Vec<u8>>>,
    /// Fails with `ESTALE` if the entry is of another inode.
    pub only: Option<Ino>,
}

/// An inode with the first bytes of its file. Further ones, up to its size, are 0.
#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct File {
    pub inode: Inode,
    pub contents: Vec<u8>,
}

impl Change {
    /// The size of the file after the change, if it changes \[bytes\].
    pub fn new_size(&self) -> Option<u64> {
        let contents = self.contents.as_ref().map(|contents| contents.len() as u64);
        contents.or(self.size)
    }
}

impl Inode {
    pub(super) fn new(ino: Ino, kind: Kind, attributes: Attributes, now: u64) -> Inode {
        let Attributes { mode, owner, group } = attributes;
        let kind = match mode & TYPE {
            SYMLINK => Kind::Symlink,
            PIPE => Kind::Pipe,
            SOCKET => Kind::Socket,
            _ => kind,
        };
        Inode { ino, kind, mode, links: 1, owner, group, size: 0, modified: now, changed: now }
    }

    /// Why a change does not apply to this inode.
    pub(super) fn refuses(&self, change: &Change) -> Option<Errno> {
        change.only.filter(|only| *only != self.ino).map(|_| Errno::ESTALE)
    }

    pub(super) fn with(&self, change: &Change, now: u64) -> Inode {
        let mut new = Inode { changed: now, ..*self };
        if let Some(mode) = change.mode {
            new.mode = self.mode & TYPE | mode & !TYPE
        }
        if let Some((owner, group)) = change.owner {
            (new.owner, new.group) = (owner, group)
        }
        if let Some(size) = change.new_size() {
            (new.size, new.modified) = (size, now)
        }
        if let Some(modified) = change.modified {
            new.modified = modified
        }
        new
    }
}
