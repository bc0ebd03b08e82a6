//! A plain file system in memory, for one client.
use crate::history::{Attributes, Call, Entry, Outcome};
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

type Inode = (bool, u16, u64, u32);

/// Former state, to undo an operation.
pub struct Undo {
    entries: Vec<(Entry, Option<u64>)>,
    inodes: Vec<(u64, Option<Inode>, Option<u64>)>,
}

impl Undo {
    fn digest(&self) -> u128 {
        let entries = self.entries.iter().fold(0, |sum, entry| sum ^ digest(entry));
        self.inodes.iter().fold(entries, |sum, inode| sum ^ digest(inode))
    }
}

/// A 128-bit hash; collisions are negligible.
pub fn digest(value: &impl Hash) -> u128 {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Files {
    inodes: BTreeMap<u64, Inode>,
    entries: BTreeMap<Entry, u64>,
    parents: BTreeMap<u64, u64>,
}

impl Files {
    /// `directories`: empty ones with their parents.
    pub fn new(directories: &[(u64, u64)]) -> Files {
        let parents = directories.iter().copied().collect();
        Files { parents, ..Files::default() }
    }

    pub fn get(&self, entry: &Entry) -> Option<u64> {
        self.entries.get(entry).copied()
    }

    pub fn is_directory(&self, ino: u64) -> bool {
        self.parents.contains_key(&ino)
    }

    /// Whether the operation fails with ENOENT.
    pub fn lacks(&self, call: &Call) -> bool {
        match call {
            Call::Create { entry, .. } | Call::Mkdir { entry, .. } => !self.is_directory(entry.0),
            Call::Lookup { entry }
            | Call::Stat { entry }
            | Call::Setattr { entry, .. }
            | Call::Unlink { entry }
            | Call::Rmdir { entry } => self.get(entry).is_none(),
            Call::Rename { from, to } | Call::Link { from, to } => {
                !self.is_directory(to.0) || self.get(from).is_none()
            }
            Call::Readdir { directory } => !self.is_directory(*directory),
        }
    }

    pub fn list(&self, directory: u64) -> Vec<(String, u64)> {
        let from = (directory, String::new());
        let range = self.entries.range(from..(directory + 1, String::new()));
        range.map(|((_, name), ino)| (name.clone(), *ino)).collect()
    }

    fn attributes(&self, ino: u64) -> Attributes {
        let (directory, mode, size, links) = self.inodes[&ino];
        Attributes { ino, directory, mode, size, links }
    }

    /// Executes an operation; `new`: the number of a new inode. An error changes nothing.
    pub fn apply(&mut self, call: &Call, new: u64) -> Outcome {
        self.work(call, new).unwrap_or_else(|errno| Outcome::Error(errno.to_string()))
    }

    /// Executes an operation; also returns how to undo it, and the change of a digest of all files.
    pub fn attempt(&mut self, call: &Call, new: u64) -> (Outcome, Undo, u128) {
        let mut entries = call.entries();
        entries.sort_unstable();
        entries.dedup();
        let mut inodes: Vec<u64> = entries.iter().filter_map(|entry| self.get(entry)).collect();
        inodes.push(new);
        inodes.sort_unstable();
        inodes.dedup();
        let found = self.found(&entries, &inodes);
        let outcome = self.apply(call, new);
        let changed = found.digest() ^ self.found(&entries, &inodes).digest();
        (outcome, found, changed)
    }

    fn found(&self, entries: &[Entry], inodes: &[u64]) -> Undo {
        let inode =
            |ino: &u64| (*ino, self.inodes.get(ino).copied(), self.parents.get(ino).copied());
        Undo {
            entries: entries.iter().map(|entry| (entry.clone(), self.get(entry))).collect(),
            inodes: inodes.iter().map(inode).collect(),
        }
    }

    pub fn undo(&mut self, found: Undo) {
        for (entry, ino) in found.entries {
            put(&mut self.entries, entry, ino)
        }
        for (ino, inode, parent) in found.inodes {
            put(&mut self.inodes, ino, inode);
            put(&mut self.parents, ino, parent)
        }
    }

    fn work(&mut self, call: &Call, new: u64) -> Result<Outcome, &'static str> {
        match call {
            Call::Create { entry, mode } => self.make(entry, new, false, *mode),
            Call::Mkdir { entry, mode } => self.make(entry, new, true, *mode),
            Call::Lookup { entry } => Ok(Outcome::Ino(self.find(entry)?)),
            Call::Stat { entry } => Ok(Outcome::Inode(self.attributes(self.find(entry)?))),
            Call::Setattr { entry, mode, size } => {
                let ino = self.find(entry)?;
                let inode = self.inodes.get_mut(&ino).expect("an entry's");
                inode.1 = mode.unwrap_or(inode.1);
                inode.2 = size.unwrap_or(inode.2);
                Ok(Outcome::Ino(ino))
            }
            Call::Unlink { entry } => self.unlink(entry),
            Call::Rmdir { entry } => {
                let ino = self.find(entry)?;
                self.empty(ino)?;
                self.forget(entry, ino);
                Ok(Outcome::Ino(ino))
            }
            Call::Rename { from, to } => self.rename(from, to),
            Call::Link { from, to } => self.link(from, to),
            Call::Readdir { directory } => match self.is_directory(*directory) {
                true => Ok(Outcome::Entries(self.list(*directory))),
                false => Err("ENOENT"),
            },
        }
    }

    fn make(
        &mut self,
        entry: &Entry,
        new: u64,
        directory: bool,
        mode: u16,
    ) -> Result<Outcome, &'static str> {
        if !self.is_directory(entry.0) {
            return Err("ENOENT");
        }
        if self.entries.contains_key(entry) {
            return Err("EEXIST");
        }
        if self.inodes.contains_key(&new) || self.is_directory(new) {
            return Err("an inode's number that is in use");
        }
        self.entries.insert(entry.clone(), new);
        self.inodes.insert(new, (directory, mode, 0, 1));
        if directory {
            self.parents.insert(new, entry.0);
        }
        Ok(Outcome::Ino(new))
    }

    fn find(&self, entry: &Entry) -> Result<u64, &'static str> {
        self.get(entry).ok_or("ENOENT")
    }

    fn unlink(&mut self, entry: &Entry) -> Result<Outcome, &'static str> {
        let ino = self.find(entry)?;
        if self.is_directory(ino) {
            return Err("EISDIR");
        }
        self.drop_name(entry, ino);
        Ok(Outcome::Ino(ino))
    }

    fn drop_name(&mut self, entry: &Entry, ino: u64) {
        self.entries.remove(entry);
        let inode = self.inodes.get_mut(&ino).expect("an entry's");
        inode.3 -= 1;
        if inode.3 == 0 {
            self.inodes.remove(&ino);
        }
    }

    fn empty(&self, ino: u64) -> Result<(), &'static str> {
        match (self.is_directory(ino), self.list(ino).is_empty()) {
            (false, _) => Err("ENOTDIR"),
            (_, false) => Err("ENOTEMPTY"),
            _ => Ok(()),
        }
    }

    fn forget(&mut self, entry: &Entry, ino: u64) {
        self.entries.remove(entry);
        self.inodes.remove(&ino);
        self.parents.remove(&ino);
    }

    fn rename(&mut self, from: &Entry, to: &Entry) -> Result<Outcome, &'static str> {
        if !self.is_directory(to.0) {
            return Err("ENOENT");
        }
        let ino = self.find(from)?;
        let over = self.get(to);
        if over == Some(ino) {
            return Ok(Outcome::Ino(ino));
        }
        let directory = self.is_directory(ino);
        match over.map(|over| self.is_directory(over)) {
            Some(true) if !directory => return Err("EISDIR"),
            Some(false) if directory => return Err("ENOTDIR"),
            _ => {}
        }
        if directory && self.is_below(to.0, ino) {
            return Err("EINVAL");
        }
        match over {
            Some(over) if directory => {
                self.empty(over)?;
                self.forget(to, over)
            }
            Some(over) => self.drop_name(to, over),
            None => {}
        }
        self.entries.remove(from);
        self.entries.insert(to.clone(), ino);
        if directory {
            self.parents.insert(ino, to.0);
        }
        Ok(Outcome::Ino(ino))
    }

    /// Whether `at` is `directory` or its descendant.
    fn is_below(&self, mut at: u64, directory: u64) -> bool {
        loop {
            match self.parents.get(&at) {
                _ if at == directory => return true,
                Some(parent) if *parent != at => at = *parent,
                _ => return false,
            }
        }
    }

    fn link(&mut self, from: &Entry, to: &Entry) -> Result<Outcome, &'static str> {
        if !self.is_directory(to.0) {
            return Err("ENOENT");
        }
        let ino = self.find(from)?;
        if self.is_directory(ino) {
            return Err("EPERM");
        }
        if self.entries.contains_key(to) {
            return Err("EEXIST");
        }
        self.entries.insert(to.clone(), ino);
        self.inodes.get_mut(&ino).expect("an entry's").3 += 1;
        Ok(Outcome::Ino(ino))
    }
}

fn put<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    };
}
