//! What clients want, and what comes of it.
use super::{Attributes, Change, Errno, Ino, Inode, Key, Kind, Name, SharedList, Version};
use rewind::{Scalar, Value};
use std::sync::Arc;

#[derive(Value, Eq)]
pub struct Two {
    /// The first: what there is.
    pub from: Key,
    /// The second: what there shall be.
    pub to: Key,
}

#[derive(Value, Eq)]
pub enum Operation {
    /// The list of a directory's servers, of its home: the document's `GET_INODE`.
    Servers(Ino),
    /// Whether an entry is there: its inode's number.
    Lookup(Key),
    /// An entry's inode.
    Stat(Key),
    /// A new file: the document's `STORE_INODE`.
    Create(Key, Attributes),
    Mkdir(Key, Attributes),
    Setattr(Key, Change),
    /// A file's name away.
    Unlink(Key),
    /// A directory away, if it has no entries.
    Rmdir(Key),
    /// Another name, in the place of what has it.
    Rename(Box<Two>),
    /// One more name of a file.
    Link(Box<Two>),
    /// A page of entries of one server behind a name: the key's. Of which server, and how many.
    Readdir(Key, u32, u32),
    /// A directory over other servers: what servers do among themselves.
    /// From the list of this mark, or (0) from whatever there is.
    Spread(Ino, SharedList, u64),
}

/// Kinds of operations, as they are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Doing {
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

impl Doing {
    pub const ALL: [Doing; 12] = [
        Doing::Servers,
        Doing::Lookup,
        Doing::Stat,
        Doing::Create,
        Doing::Mkdir,
        Doing::Setattr,
        Doing::Unlink,
        Doing::Rmdir,
        Doing::Rename,
        Doing::Link,
        Doing::Readdir,
        Doing::Spread,
    ];

    pub fn writes(self) -> bool {
        !matches!(self, Doing::Servers | Doing::Lookup | Doing::Stat | Doing::Readdir)
    }

    /// Whether more than one server has a part in it, as a rule.
    pub fn several(self) -> bool {
        matches!(self, Doing::Mkdir | Doing::Rmdir | Doing::Rename | Doing::Link | Doing::Spread)
    }

    pub fn name(self) -> &'static str {
        [
            "fetch", "lookup", "stat", "create", "mkdir", "setattr", "unlink", "rmdir", "rename",
            "link", "readdir", "spread",
        ][self as usize]
    }
}

impl Operation {
    pub fn kind(&self) -> Doing {
        match self {
            Operation::Servers(_) => Doing::Servers,
            Operation::Lookup(_) => Doing::Lookup,
            Operation::Stat(_) => Doing::Stat,
            Operation::Create(..) => Doing::Create,
            Operation::Mkdir(..) => Doing::Mkdir,
            Operation::Setattr(..) => Doing::Setattr,
            Operation::Unlink(_) => Doing::Unlink,
            Operation::Rmdir(_) => Doing::Rmdir,
            Operation::Rename(_) => Doing::Rename,
            Operation::Link(_) => Doing::Link,
            Operation::Readdir(..) => Doing::Readdir,
            Operation::Spread(..) => Doing::Spread,
        }
    }

    /// The row that it is about first: its server runs it.
    pub fn key(&self) -> Key {
        self.entry().cloned().unwrap_or_else(|| Key::itself(self.directory()))
    }

    /// The row that it is about first, if that is an entry's, or pages'.
    pub fn entry(&self) -> Option<&Key> {
        match self {
            Operation::Servers(_) | Operation::Spread(..) => None,
            Operation::Lookup(key)
            | Operation::Stat(key)
            | Operation::Create(key, _)
            | Operation::Mkdir(key, _)
            | Operation::Setattr(key, _)
            | Operation::Unlink(key)
            | Operation::Rmdir(key)
            | Operation::Readdir(key, ..) => Some(key),
            Operation::Rename(two) | Operation::Link(two) => Some(&two.from),
        }
    }

    /// The directory that it is about first.
    pub fn directory(&self) -> Ino {
        match self {
            Operation::Servers(directory) | Operation::Spread(directory, ..) => *directory,
            other => other.entry().map_or(0, |key| key.ino),
        }
    }

    pub fn writes(&self) -> bool {
        self.kind().writes()
    }

    /// Whether more than one server has a part in it, as a rule.
    pub fn several(&self) -> bool {
        self.kind().several()
    }
}

/// An entry as a directory lists it.
#[derive(Value, Eq)]
pub struct Listed {
    pub name: Name,
    pub ino: Ino,
    pub kind: Kind,
}

#[derive(Value, Eq)]
pub struct Page {
    /// Parts, each in the order of names, that nobody copies: a large directory has many readers.
    /// None where entries are only counted.
    pub parts: Vec<Arc<Vec<Listed>>>,
    pub count: u32,
    /// The last one's name.
    pub last: Name,
    pub more: bool,
    /// The mark of the directory's list there.
    pub mark: u64,
    /// Of which of the list's servers, and behind which name, they were asked for.
    pub at: u32,
    pub behind: Name,
}

impl Page {
    pub fn listed(&self) -> impl Iterator<Item = &Listed> {
        self.parts.iter().flat_map(|part| part.iter())
    }
}

#[derive(Value)]
pub enum Outcome {
    Done,
    /// This inode was made, found, moved or freed.
    Of(Ino),
    Inode(Box<Inode>),
    Page(Box<Page>),
    /// The directory's servers; `None`: there is no such directory.
    List(Option<SharedList>),
    /// Not here: this is the list as it is known here.
    Stale(Option<SharedList>),
    /// Several servers have a part in it, or a transaction is in the way: the client is to run it.
    Several,
    Failed(Errno),
}

/// A row as an operation saw and left it.
#[derive(Value)]
pub struct Saw {
    pub key: Key,
    /// On which server: lists of servers have a row on each.
    pub server: u32,
    /// What was there; `None`: nothing.
    pub before: Option<Version>,
    /// How many rows that server had taken away by then; of a row that this operation takes away
    /// the number of that.
    pub removals: u64,
    pub after: After,
}

/// What an operation did to a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum After {
    Kept,
    Written,
    Removed,
}
