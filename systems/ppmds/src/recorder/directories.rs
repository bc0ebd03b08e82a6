//! Waiting of clients by directory.
use ppmds_protocol::{Ino, ROOT};
use std::collections::BTreeMap;

/// By directory: operations, and their total latency \[ns\].
#[derive(Clone, Default)]
pub struct Directories(BTreeMap<Ino, (u64, u64)>);

pub struct Directory {
    /// Path, or the inode number of a directory that a client made.
    pub name: String,
    pub operations: u64,
    pub mean_ms: f64,
    /// Shares of all operations, and of all waiting.
    pub share: f64,
    pub waited: f64,
}

impl Directories {
    pub fn add(&mut self, directory: Ino, took: u64) {
        let (operations, waited) = self.0.entry(directory).or_default();
        *operations += 1;
        *waited += took
    }

    pub fn include(&mut self, other: &Directories) {
        for (directory, (operations, waited)) in &other.0 {
            let mine = self.0.entry(*directory).or_default();
            *mine = (mine.0 + operations, mine.1 + waited)
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The `count` directories with most waiting; none if there is only one. `name`: the path of a
    /// directory, if known.
    pub fn most(&self, count: usize, name: &dyn Fn(Ino) -> Option<String>) -> Vec<Directory> {
        if self.0.len() < 2 {
            return Vec::new();
        }
        let sum = |of: fn(&(u64, u64)) -> u64| self.0.values().map(of).sum::<u64>().max(1) as f64;
        let (operations, waited) = (sum(|one| one.0), sum(|one| one.1));
        let mut all: Vec<(&Ino, &(u64, u64))> = self.0.iter().collect();
        all.sort_by_key(|(ino, one)| (std::cmp::Reverse(one.1), **ino));
        let of = |(ino, one): (&Ino, &(u64, u64))| Directory {
            name: named(*ino, name),
            operations: one.0,
            mean_ms: one.1 as f64 / one.0 as f64 / 1e6,
            share: one.0 as f64 / operations,
            waited: one.1 as f64 / waited,
        };
        all.into_iter().take(count).map(of).collect()
    }
}

fn named(ino: Ino, name: &dyn Fn(Ino) -> Option<String>) -> String {
    if ino == ROOT {
        return "/".into();
    }
    name(ino).unwrap_or_else(|| format!("inode {ino}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_waited_for_most_come_first_with_their_parts() {
        let mut all = Directories::default();
        (0..30).for_each(|_| all.add(ROOT + 1, 1_000_000));
        (0..10).for_each(|_| all.add(ROOT + 4, 7_000_000));
        let name = |ino| (ino == ROOT + 4).then(|| "/a/b".to_string());
        let most = all.most(5, &name);
        assert_eq!((most[0].name.as_str(), most[0].operations), ("/a/b", 10));
        assert_eq!((most[0].share, most[0].waited, most[0].mean_ms), (0.25, 0.7, 7.0));
        assert_eq!(most.len(), 2);
        assert_eq!((named(ROOT, &name), named(ROOT + 5, &name)), ("/".into(), "inode 6".into()));
    }
}
