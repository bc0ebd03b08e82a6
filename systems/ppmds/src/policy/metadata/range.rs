//! Ranges of names that split as a directory grows.
use super::{Metadata, View};
use ppmds_protocol::{Grown, Ino, Servers, Spread};

pub struct Range;

impl Metadata for Range {
    fn name(&self) -> &'static str {
        "range"
    }
    fn doc(&self) -> &'static str {
        "A directory begins on one server; as it grows, each server keeps a range of its \
         names.\n\n# What it decides\nA range with more than `policy.split_entries` entries is cut \
         at its median, and the upper half moves to a server without a range of the directory, \
         until all have one. A cut is a transaction over the directory's servers.\n\n# When it \
         helps\nDirectories that are listed in order or by prefix: neighbouring names are on one \
         server, and ranges are of equal size for any names.\n\n# What it costs\nAscending names, \
         as of files numbered in one run, all fall into the last range: one server has all \
         creates, with any number of servers, and each cut moves half of its rows.\n\n# \
         Reference\nBigtable's tablets (Chang and others, OSDI 2006); ranges of HBase, TiKV"
    }
    fn list(&self, view: &View, directory: Ino) -> (Spread, Servers) {
        (Spread::Ranges(Vec::new()), view.run(directory, 1))
    }
    fn splits_by_size(&self) -> bool {
        true
    }
    fn on_growth(&self, view: &View, grown: &Grown<'_>) -> Option<(Spread, Servers)> {
        let Spread::Ranges(bounds) = &grown.list.spread else { return None };
        let mut servers: Vec<u32> = grown.list.servers.iter().collect();
        if grown.entries <= view.split || servers.len() >= view.servers as usize {
            return None;
        }
        let at = servers.iter().position(|server| *server == grown.server)?;
        let all = view.run(grown.directory, view.servers);
        let new = all.iter().find(|server| !servers.contains(server))?;
        let mut bounds = bounds.clone();
        bounds.insert(at, grown.median()?);
        servers.insert(at + 1, new);
        Some((Spread::Ranges(bounds), servers.into()))
    }
}
