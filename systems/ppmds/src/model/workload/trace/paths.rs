//! The paths of a trace: which are directories, and which existed before it began.
use super::read::Wanted;
use crate::model::workload::first::First;
use ppmds_protocol::{Ino, Name, OperationKind, ROOT};
use std::collections::BTreeMap;

pub const TOP: u32 = 0;

/// What the first operation that depends on a path implies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Nothing yet: only reads so far.
    Looked,
    Needed,
    /// It did not exist before.
    Made,
}

struct Path {
    above: u32,
    name: Name,
    says: Says,
    directory: bool,
    /// The inode number at the start, if it existed.
    ino: Option<Ino>,
}

/// Indexed by number. A path comes after the directory above it.
pub struct Paths {
    all: Vec<Path>,
    /// Paths that exist at the start; their inodes are numbered after the root.
    first: Vec<u32>,
}

impl Paths {
    /// Reads all lines; also returns each line's path and second path.
    pub fn of(lines: &[Wanted]) -> (Paths, Vec<(u32, u32)>) {
        let mut reading = Reading::new();
        let lines = lines.iter().map(|line| reading.line(line)).collect();
        let mut paths = Paths { all: reading.all, first: Vec::new() };
        paths.begin();
        (paths, lines)
    }

    /// Paths that existed at the start: needed or read before an operation made them, in a
    /// directory that existed.
    fn begin(&mut self) {
        for at in 1..self.all.len() {
            let path = &self.all[at];
            if path.says != Says::Made && self.all[path.above as usize].ino.is_some() {
                self.first.push(units::u32_of(at));
                self.all[at].ino = Some(ROOT + self.first.len() as u64)
            }
        }
    }

    pub fn above(&self, path: u32) -> u32 {
        self.all[path as usize].above
    }

    pub fn name(&self, path: u32) -> &Name {
        &self.all[path as usize].name
    }

    pub fn is_below(&self, mut path: u32, other: u32) -> bool {
        while path > other {
            path = self.above(path)
        }
        path == other
    }

    pub fn first(&self) -> impl Iterator<Item = First> {
        self.first.iter().map(|at| {
            let Path { above, name, directory, ino, .. } = &self.all[*at as usize];
            let above = self.all[*above as usize].ino.expect("it is there, too");
            let (name, ino) = (name.clone(), ino.expect("it is there"));
            First { above, name, ino, directory: *directory }
        })
    }

    /// The text of a directory's path; `made`: its path if a client made it.
    pub fn say(&self, ino: Ino, made: Option<u32>) -> Option<String> {
        let first = || self.first.get(usize::try_from(ino.checked_sub(ROOT + 1)?).ok()?).copied();
        let mut path = made.or_else(first)?;
        let mut said = String::new();
        while path != TOP {
            said = format!("/{}{said}", self.name(path));
            path = self.above(path)
        }
        Some(said)
    }
}

struct Reading {
    all: Vec<Path>,
    known: BTreeMap<(u32, Name), u32>,
}

impl Reading {
    fn new() -> Reading {
        let (says, directory, ino) = (Says::Needed, true, Some(ROOT));
        let root = Path { above: TOP, name: Name::NONE, says, directory, ino };
        Reading { all: vec![root], known: BTreeMap::new() }
    }

    fn line(&mut self, line: &Wanted) -> (u32, u32) {
        let path = self.path(&line.path);
        let to = line.to.as_ref().map_or(path, |to| self.path(to));
        match line.op {
            OperationKind::Create => self.says(path, Says::Made),
            OperationKind::Mkdir => {
                self.says(path, Says::Made);
                self.all[path as usize].directory = true
            }
            OperationKind::Readdir | OperationKind::Rmdir => self.is_directory(path),
            OperationKind::Rename | OperationKind::Link => {
                self.says(path, Says::Needed);
                self.says(to, Says::Made)
            }
            OperationKind::Unlink | OperationKind::Setattr => self.says(path, Says::Needed),
            _ => {}
        }
        (path, to)
    }

    fn path(&mut self, names: &[Name]) -> u32 {
        let mut above = TOP;
        for name in names {
            self.is_directory(above);
            let new = units::u32_of(self.all.len());
            let at = *self.known.entry((above, name.clone())).or_insert(new);
            if at == new {
                let (says, directory, ino) = (Says::Looked, false, None);
                self.all.push(Path { above, name: name.clone(), says, directory, ino })
            }
            above = at
        }
        above
    }

    fn is_directory(&mut self, path: u32) {
        self.says(path, Says::Needed);
        self.all[path as usize].directory = true
    }

    /// The first operation that implies something counts.
    fn says(&mut self, path: u32, what: Says) {
        let says = &mut self.all[path as usize].says;
        if *says == Says::Looked {
            *says = what
        }
    }
}
