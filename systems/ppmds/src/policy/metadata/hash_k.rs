//! Over some servers.
use super::{Metadata, View};
use ppmds_protocol::Map;

/// k servers from the directory's home on.
pub struct HashK;

impl Metadata for HashK {
    fn name(&self) -> &'static str {
        "hash-k"
    }
    fn doc(&self) -> &'static str {
        "A directory lies on k servers, from its home on, by the hash of the names.\n\n\
         # What it decides\nThe server of an entry is home + hash(directory, name) mod k; k is \
         `policy.servers_per_directory`.\n\n\
         # When it helps\nDirectories that are read whole: a readdir asks k servers, not all.\n\n\
         # What it costs\nOne directory gets at most k servers' rate.\n\n\
         # Reference\nPPMDS's list of a directory's servers (Hiraga, Tatebe 2012)"
    }
    fn owner(&self, view: &View, directory: u32, hash: u64, _map: Map) -> (u32, u32) {
        (0, view.behind(directory, units::narrow::<u32>(hash % u64::from(view.spread))))
    }
    fn listed(&self, view: &View, directory: u32, at: u32, _map: Map) -> Option<u32> {
        (at < view.spread).then(|| view.behind(directory, at))
    }
}
