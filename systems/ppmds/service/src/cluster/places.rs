//! Where a service puts directories.
use ppmds_protocol::{HashPlacement, Ino, List, Placement, Servers, Spread};

/// Each directory is on `spread` consecutive ones of the active servers, by the hash of the names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    pub homes: u32,
    /// In ascending order.
    pub active: Vec<u32>,
    pub spread: u32,
}

impl Placement for Places {
    fn home(&self, ino: Ino) -> u32 {
        HashPlacement { servers: self.homes, spread: self.spread }.home(ino)
    }

    fn list(&self, directory: Ino) -> List {
        let count = u32::try_from(self.active.len()).expect("at most 64 servers");
        let places = HashPlacement { servers: count, spread: self.spread };
        let all = places.run(directory, self.spread);
        let servers = match self.active.last() {
            Some(last) if last + 1 != count => {
                Servers::from(all.iter().map(|at| self.active[at as usize]).collect::<Vec<_>>())
            }
            _ => all,
        };
        List::new(Spread::Hash, servers)
    }
}
