//! Placement: the servers of each directory, and what a server shows where others may be better.
use super::{Ino, List, Name, ROOT, Store};

pub trait Placement {
    /// The server that has an inode's own row: always the same.
    fn home(&self, ino: Ino) -> u32;
    /// The list of a new directory; its parent is filled in.
    fn list(&self, directory: Ino) -> List;
    /// The list of a directory that a client knows without asking: of a service long at work.
    fn known(&self, _directory: Ino) -> Option<List> {
        None
    }
    /// Whether directories that grow are spread over other servers.
    fn grows(&self) -> bool {
        false
    }
    /// Where a directory is to lie that has one entry more; `None`: where it is.
    fn grown(&self, _grown: &Grown<'_>) -> Option<List> {
        None
    }
    fn heats(&self) -> bool {
        false
    }
    /// Where the hottest directory of a server is to lie; `None`: where it is.
    fn heated(&self, _hot: &Hot<'_>) -> Option<List> {
        None
    }
}

/// A service's first directory.
pub fn root(placement: &(impl Placement + ?Sized)) -> List {
    List { parent: ROOT, ..placement.list(ROOT) }
}

pub struct Grown<'a> {
    /// A directory has one entry more here.
    pub server: u32,
    pub directory: Ino,
    pub list: &'a List,
    pub entries: u32,
    pub(super) store: &'a Store,
}

impl Grown<'_> {
    /// The entry in the middle of those here.
    pub fn median(&self) -> Option<Name> {
        self.store.nth(self.directory, self.entries / 2)
    }
}

/// What a placement may look at: the directory of which a server answers most.
pub struct Hot<'a> {
    pub server: u32,
    pub directory: Ino,
    pub list: &'a List,
    /// Operations on it here, of all that this server had.
    pub operations: u32,
    pub of: u32,
    /// They came in so long \[ns\].
    pub took: u64,
}

impl Hot<'_> {
    /// Operations a second of this server.
    pub fn rate(&self) -> u64 {
        u64::from(self.of) * 1_000_000_000 / self.took.max(1)
    }
}
