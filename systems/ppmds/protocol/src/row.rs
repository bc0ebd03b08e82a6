//! Rows of the store: inodes and lists of servers.
use super::{Change, File, Ino, Inode, Kind, Name, SharedList, Version};
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
    /// As `Inode`, of a file with contents.
    File(Box<File>),
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
            Row::File(file) => Some(&file.inode),
            Row::Link(_) | Row::List(_) => None,
        }
    }

    pub(super) fn contents(&self) -> &[u8] {
        match self {
            Row::File(file) => &file.contents,
            _ => &[],
        }
    }

    /// The row of an inode with these first bytes.
    fn of(inode: Inode, contents: &[u8]) -> Row {
        match contents {
            [] => Row::Inode(inode),
            contents => Row::File(Box::new(File { inode, contents: contents.to_vec() })),
        }
    }

    /// This row with another state of its inode.
    pub(super) fn with(&self, inode: Inode) -> Row {
        Row::of(inode, self.contents())
    }

    /// The row after a change of its inode.
    pub(super) fn changed(&self, inode: &Inode, change: &Change, now: u64) -> Row {
        let new = inode.with(change, now);
        let contents = change.contents.as_deref().map_or(self.contents(), Vec::as_slice);
        let contents = if new.kind == Kind::Directory { &[] } else { contents };
        let size = usize::try_from(new.size).unwrap_or(usize::MAX);
        Row::of(new, &contents[..contents.len().min(size)])
    }

    /// The inode with its contents.
    pub(super) fn file(&self) -> Option<Box<File>> {
        match self {
            Row::File(file) => Some(file.clone()),
            Row::Inode(inode) => Some(Box::new(File { inode: *inode, contents: Vec::new() })),
            Row::Link(_) | Row::List(_) => None,
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
