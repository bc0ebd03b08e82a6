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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_cluster_has_the_models_places() {
        for (servers, spread) in [(1, 1), (3, 3), (8, 2)] {
            let model = HashPlacement { servers, spread };
            let places = Places { homes: servers, active: (0..servers).collect(), spread };
            for ino in 1..500 {
                assert_eq!(places.home(ino), model.home(ino));
                assert_eq!(places.list(ino), model.list(ino))
            }
        }
    }

    #[test]
    fn later_directories_are_on_active_servers_only() {
        let places = Places { homes: 2, active: vec![0, 1, 3, 4], spread: 3 };
        let mut count = [0; 5];
        for ino in 1..4_001 {
            let list = places.list(ino);
            assert!(places.home(ino) < 2);
            assert_eq!(list.servers.len(), 3);
            list.servers.iter().for_each(|server| count[server as usize] += 1)
        }
        assert_eq!(count[2], 0);
        assert!([0, 1, 3, 4].iter().all(|at| (2_800..3_200).contains(&count[*at])), "{count:?}")
    }
}
