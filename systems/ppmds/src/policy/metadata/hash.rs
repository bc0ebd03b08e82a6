//! All servers for each directory.
use super::{Metadata, View};
use ppmds_protocol::{Ino, Servers, Spread};

/// The policy of Kirii et al. 2015.
pub struct Hash;

impl Metadata for Hash {
    fn name(&self) -> &'static str {
        "hash"
    }
    fn doc(&self) -> &'static str {
        "Every directory is on all servers, by the hash of the names.\n\n# What it decides\nThe \
         server of an entry is hash(directory, name) mod servers.\n\n# When it helps\nMany clients \
         create in one directory.\n\n# What it costs\nA readdir asks every server, and a \
         directory's list is on every server.\n\n# Reference\nKirii, Tatebe, Ross 2015, 5.1.2"
    }
    fn list(&self, view: &View, _directory: Ino) -> (Spread, Servers) {
        let of = view.servers;
        (Spread::Hash, Servers::Run { first: 0, count: of, of })
    }
}
