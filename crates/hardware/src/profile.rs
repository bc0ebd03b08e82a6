//! Hardware of each node, equal or not.
use cluster::{Cluster, DiskSpec, Hardware, NodeId};
use units::{Bytes, BytesPerSec};

#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// Name in scenarios and on screens: `old`, `gpu`.
    pub name: String,
    /// Servers of the node's compute station.
    pub cores: u32,
    pub memory: Bytes,
    /// Used if the cluster's files do not list disks.
    pub disks: u16,
    pub disk: DiskSpec,
    pub nic: BytesPerSec,
}

impl Profile {
    /// The `[hardware]` of a scenario, which has no cores and memory.
    pub fn common(hardware: &Hardware, cores: u32, memory: Bytes) -> Profile {
        let Hardware { disk, disks_per_node, nic, .. } = hardware.clone();
        Profile { name: "common".into(), cores, memory, disks: disks_per_node, disk, nic }
    }
}

/// Selects hosts: a prefix before a `*`, or one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(pub String);

impl Hosts {
    fn has(&self, host: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some(beginning) => host.starts_with(beginning),
            None => self.0 == host,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Profiles {
    all: Vec<Profile>,
    of: Vec<u16>,
}

impl Profiles {
    pub fn alike(profile: Profile, nodes: usize) -> Profiles {
        Profiles { all: vec![profile], of: vec![0; nodes] }
    }

    /// Nodes have the `common` profile, except those that one of the `others` selects. The last
    /// match counts, as in a scenario that goes from the general to the particular.
    ///
    /// # Errors
    /// If hosts match no node.
    pub fn assign(
        common: Profile,
        others: Vec<(Hosts, Profile)>,
        cluster: &Cluster,
    ) -> Result<Profiles, String> {
        let mut profiles = Profiles::alike(common, cluster.nodes.len());
        for (hosts, profile) in others {
            let number = u16::try_from(profiles.all.len()).expect("at most 65 535 profiles");
            let mut meant = 0;
            for (of, node) in profiles.of.iter_mut().zip(&cluster.nodes) {
                if hosts.has(&node.host) {
                    (*of, meant) = (number, meant + 1)
                }
            }
            if meant == 0 {
                return Err(format!(
                    "profile {}: no host matches {:?}: expected a host name, or the start of \
                     several names and a *",
                    profile.name, hosts.0
                ));
            }
            profiles.all.push(profile)
        }
        Ok(profiles)
    }

    pub fn of(&self, node: NodeId) -> &Profile {
        &self.all[usize::from(self.of[node.at()])]
    }

    /// All profiles, the common one first, each with its number of nodes.
    pub fn iter(&self) -> impl Iterator<Item = (&Profile, usize)> {
        let count = |number| self.of.iter().filter(|of| usize::from(**of) == number).count();
        self.all.iter().enumerate().map(move |(number, profile)| (profile, count(number)))
    }
}
