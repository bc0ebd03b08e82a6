//! The list of a directory's servers, a row on each of them.
use super::{Ino, Map, Name, Servers, Version};
use rewind::{Digest, Hasher, Value};
use std::sync::Arc;

/// How the names of a directory map to its servers.
#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Spread {
    /// By the hash of the name modulo the number of servers.
    Hash,
    /// Partitions that split (GIGA+): server n of the list has partition n.
    Partitions(Map),
    /// Sorted bounds: server n has the names from bound n on. Server 0 has those below the first.
    Ranges(Vec<Name>),
}

/// Immutable and shared by all clients and servers that know it, so it is never copied.
pub type SharedList = Arc<List>;

#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct List {
    pub spread: Spread,
    /// Indexed by place: hash, partition or range.
    pub servers: Servers,
    /// The parent directory's number. Kept on the directory's home only, elsewhere 0.
    pub parent: Ino,
    pub born: Version,
    pub placed: Version,
}

impl List {
    /// The first list of a directory that no client made.
    pub fn new(spread: Spread, servers: impl Into<Servers>) -> List {
        let unplaced = Version { client: u32::MAX, number: 0 };
        let servers = servers.into();
        List { spread, servers, parent: 0, born: unplaced, placed: unplaced }
    }

    /// The server that stores a name.
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

    /// All servers with a row of the list, including `home`: ascending, without duplicates.
    pub fn holders(&self, home: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.servers.iter().collect();
        all.push(home);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A hash of spread and servers: it changes if entries map to other servers.
    pub fn mark(&self) -> u64 {
        let mut hasher = Hasher::new(1, 2);
        self.spread.digest(&mut hasher);
        self.servers.digest(&mut hasher);
        u64::try_from(hasher.finish() >> 64).expect("its upper half")
    }

    /// The copy for a server that is not the directory's home.
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
