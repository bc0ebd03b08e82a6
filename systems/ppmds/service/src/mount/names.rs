//! The entries of each inode that the kernel knows. Its requests name inodes, those of the service
//! entries.
use ppmds_protocol::{Ino, Key};
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Names {
    inodes: BTreeMap<Ino, Known>,
    at: BTreeMap<Key, Ino>,
}

#[derive(Default)]
struct Known {
    /// The last one learnt is the last.
    entries: Vec<Key>,
    /// Replies with the inode that the kernel has not forgotten.
    lookups: u64,
}

impl Names {
    /// Notes that a reply has the inode of this entry.
    pub fn learn(&mut self, ino: Ino, entry: Key) {
        self.inodes.entry(ino).or_default().lookups += 1;
        self.put(ino, entry)
    }

    fn put(&mut self, ino: Ino, entry: Key) {
        self.remove(&entry);
        if let Some(known) = self.inodes.get_mut(&ino) {
            known.entries.push(entry.clone());
            self.at.insert(entry, ino);
        }
    }

    /// `None`: no entry of the inode is known, or all were removed.
    pub fn entry(&self, ino: Ino) -> Option<Key> {
        self.inodes.get(&ino)?.entries.last().cloned()
    }

    pub fn remove(&mut self, entry: &Key) {
        let known = self.at.remove(entry).and_then(|ino| self.inodes.get_mut(&ino));
        if let Some(known) = known {
            known.entries.retain(|other| other != entry)
        }
    }

    /// An inode has moved over `to`. Two entries of one inode stay, as in POSIX.
    pub fn rename(&mut self, ino: Ino, from: &Key, to: Key) {
        if self.at.get(&to) != Some(&ino) {
            self.remove(from);
            self.put(ino, to)
        }
    }

    pub fn forget(&mut self, ino: Ino, lookups: u64) {
        let Some(known) = self.inodes.get_mut(&ino) else { return };
        known.lookups = known.lookups.saturating_sub(lookups);
        if known.lookups == 0 {
            let known = self.inodes.remove(&ino).expect("just seen");
            for entry in &known.entries {
                self.at.remove(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ppmds_protocol::{Name, ROOT};

    fn entry(name: &str) -> Key {
        Key::entry(ROOT, &Name::new(name.as_bytes()).unwrap())
    }

    #[test]
    fn an_inode_keeps_its_entries_through_renames_and_unlinks() {
        let mut names = Names::default();
        names.learn(5, entry("a"));
        names.learn(5, entry("b"));
        names.learn(6, entry("c"));
        names.rename(5, &entry("a"), entry("b"));
        assert_eq!(names.entry(5), Some(entry("b")), "two names of one file stay");
        names.rename(6, &entry("c"), entry("b"));
        assert_eq!((names.entry(5), names.entry(6)), (Some(entry("a")), Some(entry("b"))));
        names.remove(&entry("a"));
        assert_eq!(names.entry(5), None);
        names.forget(6, 1);
        names.forget(5, 1);
        assert!(names.at.is_empty() && names.inodes.len() == 1, "the kernel knows 5 once more")
    }

    #[test]
    fn an_entry_of_another_inode_replaces_the_former() {
        let mut names = Names::default();
        names.learn(5, entry("a"));
        names.learn(7, entry("a"));
        assert_eq!((names.entry(5), names.entry(7)), (None, Some(entry("a"))))
    }
}
