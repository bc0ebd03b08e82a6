//! Placement policies: the servers of a directory's entries.
mod directory;
mod giga;
mod hash;
mod hash_k;
mod load;
mod range;
use cluster::Sheet;
use ppmds_protocol::{Grown, HashPlacement, Hot, List, Placement};
pub use ppmds_protocol::{Ino, Servers, Spread};
use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    pub servers: u32,
    /// `policy.servers_per_directory`, at most `servers`.
    pub spread: u32,
    /// `policy.split_entries`.
    pub split: u32,
    /// `policy.hot_operations`.
    pub hot: u64,
}

impl View {
    /// The server of a directory's own row.
    pub fn home(&self, directory: Ino) -> u32 {
        self.hash().home(directory)
    }

    /// `count` servers from the directory's home on.
    fn run(&self, directory: Ino, count: u32) -> Servers {
        self.hash().run(directory, count)
    }

    /// The placement that the real service uses.
    fn hash(&self) -> HashPlacement {
        HashPlacement { servers: self.servers, spread: self.spread }
    }
}

pub trait Metadata: Sync {
    fn name(&self) -> &'static str;
    /// Text of its page: what it decides, when it helps, what it costs, reference.
    fn doc(&self) -> &'static str;
    fn list(&self, view: &View, directory: Ino) -> (Spread, Servers);
    /// Whether directories move as they grow.
    fn splits_by_size(&self) -> bool {
        false
    }
    /// The new placement of a directory that got one more entry; `None`: unchanged.
    fn on_growth(&self, _view: &View, _grown: &Grown<'_>) -> Option<(Spread, Servers)> {
        None
    }
    fn splits_by_load(&self) -> bool {
        false
    }
    /// The new placement of a server's hottest directory; `None`: unchanged.
    fn on_hot(&self, _view: &View, _hot: &Hot<'_>) -> Option<(Spread, Servers)> {
        None
    }
}

pub static ALL: [&dyn Metadata; 6] =
    [&hash::Hash, &hash_k::HashK, &directory::Directory, &giga::Giga, &range::Range, &load::Load];

/// Policies that another program gave, such as Python.
static GIVEN: Mutex<Vec<&'static dyn Metadata>> = Mutex::new(Vec::new());

/// Adds a policy; of two with one name the later one counts.
pub fn give(policy: &'static dyn Metadata) {
    GIVEN.lock().expect("no thread panics while holding it").push(policy)
}

/// Every policy that a scenario may name.
pub fn all() -> Vec<&'static dyn Metadata> {
    let given = GIVEN.lock().expect("no thread panics while holding it").clone();
    given.into_iter().rev().chain(ALL).collect()
}

#[derive(Clone, Copy)]
pub struct Placed {
    pub policy: &'static dyn Metadata,
    pub view: View,
    /// Clients know each directory's first list from the start.
    pub warm: bool,
}

impl Placed {
    /// The scenario must be checked.
    pub fn of(sheet: &Sheet) -> Placed {
        let servers = sheet.count32("cluster.servers");
        let spread = sheet.count32("policy.servers_per_directory").min(servers);
        let (split, hot) =
            (sheet.count32("policy.split_entries"), sheet.count("policy.hot_operations"));
        let view = View { servers, spread, split, hot };
        let named = |policy: &&dyn Metadata| policy.name() == sheet.text("policy.metadata");
        let policy = all().into_iter().find(named).expect("checked");
        Placed { policy, view, warm: sheet.text("workload.start") == "warm" }
    }
}

impl Placement for Placed {
    fn home(&self, ino: Ino) -> u32 {
        self.view.home(ino)
    }
    fn list(&self, directory: Ino) -> List {
        let (spread, servers) = self.policy.list(&self.view, directory);
        List::new(spread, servers)
    }
    fn known(&self, directory: Ino) -> Option<List> {
        self.warm.then(|| self.list(directory))
    }
    fn splits_by_size(&self) -> bool {
        self.policy.splits_by_size()
    }
    fn on_growth(&self, grown: &Grown<'_>) -> Option<List> {
        let (spread, servers) = self.policy.on_growth(&self.view, grown)?;
        Some(List { spread, servers, ..grown.list.clone() })
    }
    fn splits_by_load(&self) -> bool {
        self.policy.splits_by_load()
    }
    fn on_hot(&self, hot: &Hot<'_>) -> Option<List> {
        let (spread, servers) = self.policy.on_hot(&self.view, hot)?;
        Some(List { spread, servers, ..hot.list.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ppmds_protocol::Name;
    use std::collections::BTreeSet;

    fn owners(list: &List, directory: Ino) -> BTreeSet<u32> {
        let name = |n: u32| Name::new(format!("name{n}").as_bytes()).unwrap();
        (0..4000).map(|n| list.owner(directory, &name(n))).collect()
    }

    #[test]
    fn entries_lie_on_the_servers_that_the_list_names() {
        let view = View { servers: 12, spread: 5, split: 100, hot: 1 };
        for policy in ALL {
            for directory in 1..20 {
                let (spread, servers) = policy.list(&view, directory);
                let list = List::new(spread, servers);
                let all: BTreeSet<u32> = list.servers.iter().collect();
                assert_eq!(all.len() as u32, list.servers.len(), "{}: twice", policy.name());
                assert_eq!(all, owners(&list, directory), "{}", policy.name());
            }
        }
    }

    #[test]
    fn how_many_servers_a_new_directory_has() {
        let view = View { servers: 12, spread: 5, split: 100, hot: 1 };
        let count = |policy: &dyn Metadata| policy.list(&view, 3).1.len();
        assert_eq!(ALL.map(count), [12, 5, 1, 1, 1, 1]);
    }
}
