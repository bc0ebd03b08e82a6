//! Rows: the inode of an entry, the list of a directory's servers, the inode that several names
//! share.
use super::{Name, SharedList};
use rewind::{Leading, Scalar, Value};

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

/// Where a row is: under the directory's number, by name. Without a name: the row of the inode
/// itself.
///
/// ```text
///  (directory, name)  an entry: its inode, or of a file with several names the inode's number
///  (directory, —)     the list of its servers, on each of them, and on its home
///  (file, —)          the inode of a file with several names, on its home
/// ```
#[derive(Value, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The directory's number (without a name: the inode's).
    pub ino: Ino,
    /// The entry's name.
    pub name: Name,
}

impl Key {
    pub fn entry(directory: Ino, name: &Name) -> Key {
        Key { ino: directory, name: name.clone() }
    }

    /// The row of an inode itself.
    pub const fn itself(ino: Ino) -> Key {
        Key { ino, name: Name::NONE }
    }
}

/// Entries of one directory by the first bytes of their names.
impl Leading for Key {
    fn leading(&self, first: &Key) -> u64 {
        if self.ino == first.ino { self.name.leading() } else { u64::MAX }
    }
}

#[derive(Value)]
pub enum Row {
    /// An entry with its inode.
    Inode(Inode),
    /// An entry of a file with several names: see the inode of this number.
    Link(Ino),
    /// The list of a directory's servers, which many know and nobody copies.
    List(SharedList),
}

/// Who wrote a row: a client and its request. No two writes of a row have one version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct Version {
    /// The client; servers that work for themselves count from the end.
    pub client: u32,
    pub number: u32,
}

/// A row with its version.
#[derive(Value)]
pub struct Stored {
    pub version: Version,
    pub row: Row,
}

impl Row {
    /// The inode, of an entry that has its own.
    pub fn inode(&self) -> Option<&Inode> {
        match self {
            Row::Inode(inode) => Some(inode),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&SharedList> {
        match self {
            Row::List(list) => Some(list),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_as_large_as_the_page_says() {
        assert_eq!((size_of::<Key>(), size_of::<Stored>()), (32, 56))
    }
}
