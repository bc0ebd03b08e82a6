//! Checks the rows at the end of a run.
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryRow {
    /// The server, and whether its list of the directory maps the name to it.
    pub server: u32,
    pub is_owner: bool,
    pub directory: u64,
    pub name: String,
    /// Inode number, and whether it is a directory.
    pub ino: u64,
    pub is_directory: bool,
    /// The inode has its own row.
    pub is_shared: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    pub entries: Vec<EntryRow>,
    /// Server, directory, text of the list, parent (on the home only).
    pub lists: Vec<(u32, u64, String, Option<u64>)>,
    /// Servers that must have a list, by directory.
    pub holders: BTreeMap<u64, Vec<u32>>,
    /// Inodes of files with several names, and their link counts.
    pub shared: Vec<(u64, u32)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wrong {
    /// The directory does not exist.
    Orphan(u64, String),
    /// An entry that exists twice, or on a server that clients do not ask.
    Misplaced(u64, String),
    /// A directory without a name, or with several.
    Names(u64, usize),
    /// A directory without a path to the root.
    Unreachable(u64),
    /// A file's number of names differs from its link count.
    Links(u64, usize, u32),
    /// A directory's servers have different lists.
    Lists(u64),
    /// A directory's list and entry have different parents.
    Parent(u64),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Orphan(directory, name) => {
                write!(f, "orphan: {name:?} in directory {directory}, which does not exist")
            }
            Wrong::Misplaced(directory, name) => {
                write!(f, "misplaced: {name:?} in directory {directory} is on the wrong server")
            }
            Wrong::Names(ino, names) => write!(f, "names: directory {ino} has {names}"),
            Wrong::Unreachable(ino) => write!(f, "unreachable: directory {ino}"),
            Wrong::Links(ino, names, links) => {
                write!(f, "links: file {ino} has {names} entries, but its inode states {links}")
            }
            Wrong::Lists(ino) => {
                write!(f, "lists: the servers of directory {ino} have different ones")
            }
            Wrong::Parent(ino) => {
                write!(f, "parent: the parent of directory {ino} differs from its entry")
            }
        }
    }
}

/// `beginning`: directories that exist at the start, with their parents.
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

/// Whether the parents lead to a directory that existed at the start.
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
