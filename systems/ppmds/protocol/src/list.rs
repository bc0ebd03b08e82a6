//! The list of a directory's servers: a row on each of them.
use super::{Ino, Map, Name, Servers, Version};
use rewind::{Digest, Hasher, Value};
use std::sync::Arc;

/// How the names of a directory are spread over its servers.
#[derive(Value, Eq)]
pub enum Spread {
    /// By the hash of the name, over all.
    Hash,
    /// In partitions that split: the n-th server has partition n.
    Partitions(Map),
    /// In order: the n-th server has the names from the n-th bound on; the first has no bound.
    Ranges(Vec<Name>),
}

/// A list that is known in many places, and never changed: nobody copies it.
pub type SharedList = Arc<List>;

/// Which servers have a directory's entries.
#[derive(Value, Eq)]
pub struct List {
    pub spread: Spread,
    /// Servers; each is meant by its place.
    pub servers: Servers,
    /// The directory that this one is in: on its home alone, elsewhere 0.
    pub parent: Ino,
    pub born: Version,
    pub placed: Version,
}

impl List {
    /// A directory's first list, by nobody yet.
    pub fn new(spread: Spread, servers: impl Into<Servers>) -> List {
        let nobody = Version { client: u32::MAX, number: 0 };
        let servers = servers.into();
        List { spread, servers, parent: 0, born: nobody, placed: nobody }
    }

    /// The server of a name.
    ///
    /// # Panics
    /// Without servers.
    pub fn owner(&self, directory: Ino, name: &Name) -> u32 {
        let place = match &self.spread {
            Spread::Hash => narrow(name.hash(directory) % u64::from(self.servers.len())),
            Spread::Partitions(map) => map.of(name.hash(directory)),
            Spread::Ranges(bounds) => narrow(bounds.partition_point(|b| b <= name) as u64),
        };
        self.servers.at(place)
    }

    /// All servers that have a row of the list: each once, in order.
    pub fn holders(&self, home: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.servers.iter().collect();
        all.push(home);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A number that changes with how entries are spread.
    pub fn mark(&self) -> u64 {
        let mut hasher = Hasher::new(1, 2);
        self.spread.digest(&mut hasher);
        self.servers.digest(&mut hasher);
        u64::try_from(hasher.finish() >> 64).expect("its upper half")
    }

    /// As it is on a server that is not the directory's home.
    pub fn away(&self) -> List {
        List { parent: 0, ..self.clone() }
    }
}

fn narrow(place: u64) -> u32 {
    u32::try_from(place).expect("a place among servers")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        Name::new(text.as_bytes()).unwrap()
    }

    #[test]
    fn ranges_begin_with_their_bounds() {
        let spread = Spread::Ranges(vec![name("g"), name("p")]);
        let list = List::new(spread, vec![4, 2, 9]);
        let owners = ["a", "fzz", "g", "oz", "p", "z"].map(|n| list.owner(7, &name(n)));
        assert_eq!(owners, [4, 4, 2, 2, 9, 9]);
        assert_eq!(list.holders(5), [2, 4, 5, 9]);
        assert_eq!(list.holders(2), [2, 4, 9]);
    }
}
