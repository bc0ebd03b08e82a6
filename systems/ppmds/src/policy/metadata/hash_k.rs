//! k servers for each directory.
use super::{Metadata, View};
use ppmds_protocol::{Ino, Servers, Spread};

pub struct HashK;

impl Metadata for HashK {
    fn name(&self) -> &'static str {
        "hash-k"
    }
    fn doc(&self) -> &'static str {
        "A directory is on k servers, from its home on, by the hash of the names.\n\n# What it \
         decides\nThe server of an entry is home + hash(directory, name) mod k; k is \
         `policy.servers_per_directory`.\n\n# When it helps\nDirectories that are read completely: \
         a readdir asks k servers, not all.\n\n# What it costs\nOne directory gets at most k \
         servers' rate.\n\n# Reference\nPPMDS's list of a directory's servers (Hiraga, Tatebe 2012)"
    }
    fn list(&self, view: &View, directory: Ino) -> (Spread, Servers) {
        (Spread::Hash, view.run(directory, view.spread))
    }
}
