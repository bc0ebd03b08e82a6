//! On which servers a directory's entries lie.
mod directory;
mod giga;
mod hash;
mod hash_k;
use ppmds_protocol::{Map, Placement, hash as mixed};

/// What a policy may look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Servers of the cluster.
    pub servers: u32,
    /// `policy.servers_per_directory`, no more than there are.
    pub spread: u32,
    /// `policy.split_entries`.
    pub split: u32,
}

impl View {
    /// The server that keeps a directory's inode: by the hash of its number.
    pub fn home(&self, directory: u32) -> u32 {
        units::narrow(mixed(u32::MAX, u64::from(directory)) % u64::from(self.servers))
    }

    /// The server so many places behind a directory's home.
    fn behind(&self, directory: u32, places: u32) -> u32 {
        units::narrow(
            (u64::from(self.home(directory)) + u64::from(places)) % u64::from(self.servers),
        )
    }
}

/// A policy.
pub trait Metadata: Sync {
    /// As `policy.metadata` names it.
    fn name(&self) -> &'static str;
    /// Its page: what it decides, when it helps, what it costs, reference.
    fn doc(&self) -> &'static str;
    /// Of a name's hash: its partition and its server.
    fn owner(&self, view: &View, directory: u32, hash: u64, map: Map) -> (u32, u32);
    /// Of the servers on which the directory lies, the `at`-th.
    fn listed(&self, view: &View, directory: u32, at: u32, map: Map) -> Option<u32>;
    /// Whether partitions are split.
    fn splits(&self) -> bool {
        false
    }
}

/// All of them.
pub static ALL: [&dyn Metadata; 4] =
    [&hash::Hash, &hash_k::HashK, &directory::Directory, &giga::Giga];

/// A policy with what it looks at: what the protocol asks.
#[derive(Clone, Copy)]
pub struct Placed {
    /// Which policy.
    pub policy: &'static dyn Metadata,
    /// What it looks at.
    pub view: View,
    /// Clients have each directory's inode from the start, as it was when that was new.
    pub warm: bool,
}

impl Placement for Placed {
    fn home(&self, directory: u32) -> u32 {
        self.view.home(directory)
    }
    fn owner(&self, directory: u32, hash: u64, map: Map) -> (u32, u32) {
        self.policy.owner(&self.view, directory, hash, map)
    }
    fn listed(&self, directory: u32, at: u32, map: Map) -> Option<u32> {
        self.policy.listed(&self.view, directory, at, map)
    }
    fn known(&self) -> Option<Map> {
        self.warm.then(Map::default)
    }
    fn split_at(&self) -> Option<u32> {
        self.policy.splits().then_some(self.view.split)
    }
    fn most_partitions(&self) -> u32 {
        self.view.servers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn servers(policy: &dyn Metadata, view: &View, directory: u32, map: Map) -> BTreeSet<u32> {
        let owner = |name| policy.owner(view, directory, mixed(directory, name), map).1;
        (0..4000).map(owner).collect()
    }

    #[test]
    fn entries_lie_where_the_list_of_the_directory_says() {
        let view = View { servers: 12, spread: 5, split: 100 };
        let map = Map::default().with(1).with(2);
        for policy in ALL {
            for directory in 0..20 {
                let listed = |at| policy.listed(&view, directory, at, map);
                let list: Vec<u32> = (0..).map_while(listed).collect();
                let all: BTreeSet<u32> = list.iter().copied().collect();
                assert_eq!(all.len(), list.len(), "{}: a server twice", policy.name());
                assert_eq!(all, servers(policy, &view, directory, map), "{}", policy.name());
            }
        }
    }

    #[test]
    fn how_many_servers_one_directory_has() {
        let view = View { servers: 12, spread: 5, split: 100 };
        let count = |at: usize| servers(ALL[at], &view, 3, Map::default()).len();
        assert_eq!([0, 1, 2, 3].map(count), [12, 5, 1, 1]);
    }
}
