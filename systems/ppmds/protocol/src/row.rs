//! Rows of the store: inodes and lists of servers.
use super::{Ino, Inode, Name, SharedList, Version};
use rewind::{Leading, Value};

/// A row's key. Without a name: the inode's own row.
///
/// ```text
///  (directory, name)  an entry: its inode, or of a file with several names the inode's number
///  (directory, —)     the list of its servers, on each of them, and on its home
///  (file, —)          the inode of a file with several names, on its home
/// ```
#[derive(Value, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Key {
    /// The directory's number; without a name the inode's.
    pub ino: Ino,
    pub name: Name,
}

impl Key {
    pub fn entry(directory: Ino, name: &Name) -> Key {
        Key { ino: directory, name: name.clone() }
    }

    /// The key of an inode's own row.
    pub const fn itself(ino: Ino) -> Key {
        Key { ino, name: Name::NONE }
    }
}

/// Orders entries of one directory by the first bytes of their names.
impl Leading for Key {
    fn leading(&self, first: &Key) -> u64 {
        if self.ino == first.ino { self.name.leading() } else { u64::MAX }
    }
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Row {
    Inode(Inode),
    /// An entry of a file with several names: the number of the shared inode.
    Link(Ino),
    List(SharedList),
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stored {
    pub version: Version,
    pub row: Row,
}

impl Row {
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
