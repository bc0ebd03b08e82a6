//! The rows that are there in the end.
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// An entry as a server has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryRow {
    /// The server, and whether the directory's list there says that it is its own.
    pub server: u32,
    pub is_owner: bool,
    pub directory: u64,
    pub name: String,
    /// Its inode's number, and whether that is a directory.
    pub ino: u64,
    pub is_directory: bool,
    /// Its inode lies in a row of its own.
    pub is_shared: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    pub entries: Vec<EntryRow>,
    /// Lists of servers: server, directory, the list in words, parent (on its home).
    pub lists: Vec<(u32, u64, String, Option<u64>)>,
    /// Which servers have to have a list, by directory.
    pub holders: BTreeMap<u64, Vec<u32>>,
    /// Inodes of files with several names, with how many.
    pub shared: Vec<(u64, u32)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wrong {
    /// An entry of a directory that is not there.
    Orphan(u64, String),
    /// An entry that is there twice, or where nobody looks for it.
    Misplaced(u64, String),
    /// A directory with no name, or with two.
    Names(u64, usize),
    /// A directory from which no way leads to the root.
    Unreachable(u64),
    /// A file's names are not as many as its inode says.
    Links(u64, usize, u32),
    /// A directory's servers do not all have the same list.
    Lists(u64),
    /// A directory's list says another parent than its entry.
    Parent(u64),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Orphan(directory, name) => {
                write!(f, "orphan: {name:?} in directory {directory}, which is not there")
            }
            Wrong::Misplaced(directory, name) => {
                write!(
                    f,
                    "misplaced: {name:?} in directory {directory} is on a server that is not asked"
                )
            }
            Wrong::Names(ino, names) => write!(f, "names: directory {ino} has {names}"),
            Wrong::Unreachable(ino) => write!(f, "unreachable: directory {ino}"),
            Wrong::Links(ino, names, links) => {
                write!(f, "links: file {ino} has {names} entries, its inode says {links}")
            }
            Wrong::Lists(ino) => {
                write!(f, "lists: the servers of directory {ino} have different ones")
            }
            Wrong::Parent(ino) => {
                write!(f, "parent: directory {ino} says another one than its entry")
            }
        }
    }
}

/// Looks at all rows of a service that began with these directories.
pub fn check(rows: &Rows, beginning: &[(u64, u64)]) -> Vec<Wrong> {
    let mut wrong = BTreeSet::new();
    let mut parents: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut places: BTreeSet<(u64, &str)> = BTreeSet::new();
    let mut names: BTreeMap<u64, usize> = BTreeMap::new();
    for entry in &rows.entries {
        let EntryRow { directory, name, ino, .. } = entry;
        if !rows.holders.contains_key(directory) {
            wrong.insert(Wrong::Orphan(*directory, name.clone()));
        }
        if !entry.is_owner || !places.insert((*directory, name)) {
            wrong.insert(Wrong::Misplaced(*directory, name.clone()));
        }
        if entry.is_directory {
            parents.entry(*ino).or_default().push(*directory)
        } else {
            *names.entry(*ino).or_default() += 1
        }
    }
    links(rows, &names, &mut wrong);
    directories(rows, beginning, &parents, &mut wrong);
    wrong.into_iter().collect()
}

fn links(rows: &Rows, names: &BTreeMap<u64, usize>, wrong: &mut BTreeSet<Wrong>) {
    let shared: BTreeMap<u64, u32> = rows.shared.iter().copied().collect();
    for (ino, links) in &shared {
        let count = names.get(ino).copied().unwrap_or(0);
        if u32::try_from(count) != Ok(*links) {
            wrong.insert(Wrong::Links(*ino, count, *links));
        }
    }
    for entry in rows.entries.iter().filter(|entry| !entry.is_directory) {
        let count = names[&entry.ino];
        if entry.is_shared != shared.contains_key(&entry.ino) || !entry.is_shared && count != 1 {
            let links = shared.get(&entry.ino).copied().unwrap_or(1);
            wrong.insert(Wrong::Links(entry.ino, count, links));
        }
    }
}

fn directories(
    rows: &Rows,
    beginning: &[(u64, u64)],
    parents: &BTreeMap<u64, Vec<u64>>,
    wrong: &mut BTreeSet<Wrong>,
) {
    let mut lists: BTreeMap<u64, Vec<(u32, &str)>> = BTreeMap::new();
    for (server, directory, list, parent) in &rows.lists {
        lists.entry(*directory).or_default().push((*server, list));
        let is = parents.get(directory).map(|all| all[0]);
        let is = is.or_else(|| beginning.iter().find(|b| b.0 == *directory).map(|b| b.1));
        if parent.is_some() && is.is_some() && *parent != is {
            wrong.insert(Wrong::Parent(*directory));
        }
    }
    let all: BTreeSet<u64> = lists.keys().chain(parents.keys()).copied().collect();
    for ino in all {
        let is_first = beginning.iter().any(|(first, _)| *first == ino);
        let names = parents.get(&ino).map_or(0, Vec::len);
        if names != usize::from(!is_first) {
            wrong.insert(Wrong::Names(ino, names));
        }
        let mut have: Vec<(u32, &str)> = lists.get(&ino).cloned().unwrap_or_default();
        have.sort_unstable();
        let same = have.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let servers: Vec<u32> = have.iter().map(|(server, _)| *server).collect();
        if !same || rows.holders.get(&ino) != Some(&servers) {
            wrong.insert(Wrong::Lists(ino));
        }
        if !reaches(ino, beginning, parents) {
            wrong.insert(Wrong::Unreachable(ino));
        }
    }
}

/// Whether a way leads from a directory up to one of the first.
fn reaches(ino: u64, beginning: &[(u64, u64)], parents: &BTreeMap<u64, Vec<u64>>) -> bool {
    let mut at = ino;
    for _ in 0..=parents.len() {
        if beginning.iter().any(|(first, _)| *first == at) {
            return true;
        }
        match parents.get(&at) {
            Some(up) => at = up[0],
            None => return false,
        }
    }
    false
}
