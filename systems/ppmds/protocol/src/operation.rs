//! Operations and their outcomes.
use super::{Attributes, Change, Errno, File, Ino, Inode, Key, Kind, Name, SharedList, Version};
use rewind::{Scalar, Value};
use std::sync::Arc;

#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TwoPaths {
    pub from: Key,
    pub to: Key,
}

#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Operation {
    /// A directory's list of servers, from its home: `GET_INODE` of Kirii et al. 2015.
    Servers(Ino),
    /// The inode number of an entry.
    Lookup(Key),
    Stat(Key),
    /// Creates a file: `STORE_INODE` of Kirii et al. 2015.
    Create(Key, Attributes),
    Mkdir(Key, Attributes),
    Setattr(Key, Box<Change>),
    Unlink(Key),
    Rmdir(Key),
    /// Replaces an existing target, as POSIX does.
    Rename(Box<TwoPaths>),
    Link(Box<TwoPaths>),
    /// A page of entries behind the key's name: place of the server in the list, most entries.
    Readdir(Key, u32, u32),
    /// Moves a directory's entries to the servers of a new list; servers only. The last field is
    /// the mark that the current list must have; 0: any.
    Spread(Ino, SharedList, u64),
    /// As `Stat`, with the contents.
    Read(Key),
}

/// Kinds of operations, for statistics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OperationKind {
    Servers,
    Lookup,
    Stat,
    Create,
    Mkdir,
    Setattr,
    Unlink,
    Rmdir,
    Rename,
    Link,
    Readdir,
    Spread,
}

impl OperationKind {
    pub const ALL: [OperationKind; 12] = [
        OperationKind::Servers,
        OperationKind::Lookup,
        OperationKind::Stat,
        OperationKind::Create,
        OperationKind::Mkdir,
        OperationKind::Setattr,
        OperationKind::Unlink,
        OperationKind::Rmdir,
        OperationKind::Rename,
        OperationKind::Link,
        OperationKind::Readdir,
        OperationKind::Spread,
    ];

    pub fn writes(self) -> bool {
        !matches!(
            self,
            OperationKind::Servers
                | OperationKind::Lookup
                | OperationKind::Stat
                | OperationKind::Readdir
        )
    }

    /// Whether it usually involves more than one server.
    pub fn is_distributed(self) -> bool {
        matches!(
            self,
            OperationKind::Mkdir
                | OperationKind::Rmdir
                | OperationKind::Rename
                | OperationKind::Link
                | OperationKind::Spread
        )
    }

    pub fn name(self) -> &'static str {
        [
            "fetch", "lookup", "stat", "create", "mkdir", "setattr", "unlink", "rmdir", "rename",
            "link", "readdir", "spread",
        ][self as usize]
    }
}

impl Operation {
    pub fn kind(&self) -> OperationKind {
        match self {
            Operation::Servers(_) => OperationKind::Servers,
            Operation::Lookup(_) => OperationKind::Lookup,
            Operation::Stat(_) | Operation::Read(_) => OperationKind::Stat,
            Operation::Create(..) => OperationKind::Create,
            Operation::Mkdir(..) => OperationKind::Mkdir,
            Operation::Setattr(..) => OperationKind::Setattr,
            Operation::Unlink(_) => OperationKind::Unlink,
            Operation::Rmdir(_) => OperationKind::Rmdir,
            Operation::Rename(_) => OperationKind::Rename,
            Operation::Link(_) => OperationKind::Link,
            Operation::Readdir(..) => OperationKind::Readdir,
            Operation::Spread(..) => OperationKind::Spread,
        }
    }

    /// The row whose server runs the operation.
    pub fn key(&self) -> Key {
        self.entry().cloned().unwrap_or_else(|| Key::itself(self.directory()))
    }

    /// The entry whose server runs the operation. For a page: the entry before it.
    pub fn entry(&self) -> Option<&Key> {
        match self {
            Operation::Servers(_) | Operation::Spread(..) => None,
            Operation::Lookup(key)
            | Operation::Stat(key)
            | Operation::Read(key)
            | Operation::Create(key, _)
            | Operation::Mkdir(key, _)
            | Operation::Setattr(key, _)
            | Operation::Unlink(key)
            | Operation::Rmdir(key)
            | Operation::Readdir(key, ..) => Some(key),
            Operation::Rename(two) | Operation::Link(two) => Some(&two.from),
        }
    }

    pub fn directory(&self) -> Ino {
        match self {
            Operation::Servers(directory) | Operation::Spread(directory, ..) => *directory,
            other => other.entry().map_or(0, |key| key.ino),
        }
    }

    pub fn writes(&self) -> bool {
        self.kind().writes()
    }

    /// Whether it usually involves more than one server.
    pub fn is_distributed(&self) -> bool {
        self.kind().is_distributed()
    }
}

#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Listed {
    pub name: Name,
    pub ino: Ino,
    pub kind: Kind,
}

#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Page {
    /// Sorted by name within each part. Shared, since many clients read a large directory. Empty
    /// where entries are only counted.
    pub parts: Vec<Arc<Vec<Listed>>>,
    pub count: u32,
    pub last: Name,
    pub more: bool,
    /// Mark of the list on the server that answered.
    pub mark: u64,
    /// The place in the list and the name that the client requested.
    pub at: u32,
    pub behind: Name,
}

impl Page {
    pub fn listed(&self) -> impl Iterator<Item = &Listed> {
        self.parts.iter().flat_map(|part| part.iter())
    }
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    Done,
    /// The inode that was created, found, moved or removed.
    Of(Ino),
    Inode(Box<Inode>),
    Page(Box<Page>),
    /// `None`: the directory does not exist.
    List(Option<SharedList>),
    /// The entry is on another server. The list as this server has it.
    Stale(Option<SharedList>),
    /// The client must run it as a transaction: several servers are involved, or rows are locked.
    NeedsTransaction,
    Failed(Errno),
    File(Box<File>),
}

/// Evidence for the history checker: one row before and after an operation.
#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RowEvidence {
    pub key: Key,
    /// A list of servers has a row on each server.
    pub server: u32,
    /// `None`: the row did not exist.
    pub before: Option<Version>,
    /// Removals on that server so far. For a row that this operation removes: the number of its own
    /// removal.
    pub removals: u64,
    pub after: RowEffect,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RowEffect {
    Kept,
    Written,
    Removed,
}
