//! One server for each directory, its home.
use super::{Metadata, View};
use ppmds_protocol::{Ino, Servers, Spread};

pub struct Directory;

impl Metadata for Directory {
    fn name(&self) -> &'static str {
        "directory"
    }
    fn doc(&self) -> &'static str {
        "A directory is on one server, its home.\n\n# What it decides\nThe server of an entry is \
         that of its directory's inode.\n\n# When it helps\nMany directories of similar popularity \
         that are read completely: a readdir asks one server.\n\n# What it costs\nA hot directory \
         has one server's rate, with any number of servers.\n\n# Reference\nCeph's directory \
         fragments before they split, HDFS federation's mounts"
    }
    fn list(&self, view: &View, directory: Ino) -> (Spread, Servers) {
        (Spread::Hash, view.run(directory, 1))
    }
}
