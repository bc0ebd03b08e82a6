//! Placement policies: which servers store each directory.
use super::{Ino, List, Name, ROOT, Servers, Spread, Store, mixed};

pub trait Placement {
    /// The server of an inode's own row. It never changes.
    fn home(&self, ino: Ino) -> u32;
    /// The list of a new directory, without its parent.
    fn list(&self, directory: Ino) -> List;
    /// A list that clients know without a fetch, in a service that has run for long.
    fn known(&self, _directory: Ino) -> Option<List> {
        None
    }
    /// Whether the policy moves directories as they grow.
    fn splits_by_size(&self) -> bool {
        false
    }
    /// The new list of a directory that got one more entry; `None`: unchanged.
    fn on_growth(&self, _grown: &Grown<'_>) -> Option<List> {
        None
    }
    fn splits_by_load(&self) -> bool {
        false
    }
    /// The new list of a server's hottest directory; `None`: unchanged.
    fn on_hot(&self, _hot: &Hot<'_>) -> Option<List> {
        None
    }
}

/// Each directory is on `spread` consecutive servers from its home on, by the hash of the names.
/// The model and the real service share it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashPlacement {
    pub servers: u32,
    /// Servers of a new directory; more than `servers`: all.
    pub spread: u32,
}

impl HashPlacement {
    /// `count` servers from the directory's home on.
    pub fn run(&self, directory: Ino, count: u32) -> Servers {
        let count = count.clamp(1, self.servers);
        Servers::Run { first: self.home(directory), count, of: self.servers }
    }
}

impl Placement for HashPlacement {
    fn home(&self, ino: Ino) -> u32 {
        u32::try_from(mixed(ino) % u64::from(self.servers)).expect("below a number of 32 bits")
    }
    fn list(&self, directory: Ino) -> List {
        List::new(Spread::Hash, self.run(directory, self.spread))
    }
}

pub fn root(placement: &(impl Placement + ?Sized)) -> List {
    List { parent: ROOT, ..placement.list(ROOT) }
}

pub struct Grown<'a> {
    pub server: u32,
    pub directory: Ino,
    pub list: &'a List,
    pub entries: u32,
    pub(super) store: &'a Store,
}

impl Grown<'_> {
    /// The median of this server's entries of the directory.
    pub fn median(&self) -> Option<Name> {
        self.store.nth(self.directory, self.entries / 2)
    }
}

/// The directory with the most operations on a server.
pub struct Hot<'a> {
    pub server: u32,
    pub directory: Ino,
    pub list: &'a List,
    /// Operations on it on this server, and operations on all directories.
    pub operations: u32,
    pub of: u32,
    /// Length of the window \[ns\].
    pub took: u64,
}

impl Hot<'_> {
    /// This server's operations per second.
    pub fn rate(&self) -> u64 {
        u64::from(self.of) * 1_000_000_000 / self.took.max(1)
    }
}
