//! Partitions that split as a directory grows.
use super::{Metadata, View};
use ppmds_protocol::{Grown, Ino, MOST_PARTITIONS, Map, Servers, Spread};

pub struct Giga;

impl Metadata for Giga {
    fn name(&self) -> &'static str {
        "giga+"
    }
    fn doc(&self) -> &'static str {
        "A directory begins on one server and is split in halves as it grows.\n\n# What it \
         decides\nA partition with more than `policy.split_entries` entries gives the names whose \
         hash has the next bit set to a new partition on another server, up to one for each \
         server, 64 at most. A split is a transaction over the directory's servers, so it happens \
         completely or not at all. A client keeps the last list that it received; a client that \
         asks the wrong server receives a newer one.\n\n# When it helps\nMany small directories \
         and a few large ones: small ones stay on one server, large ones get all servers, without \
         a configured number; hash-k with the right number is as good.\n\n# What it costs\nA large \
         directory is slow until it has been split often enough; rows move; stale clients ask \
         twice.\n\n# Reference\nPatil, Gibson: Scale and concurrency of GIGA+, FAST 2011"
    }
    fn list(&self, view: &View, directory: Ino) -> (Spread, Servers) {
        (Spread::Partitions(Map::default()), view.run(directory, 1))
    }
    fn splits_by_size(&self) -> bool {
        true
    }
    fn on_growth(&self, view: &View, grown: &Grown<'_>) -> Option<(Spread, Servers)> {
        let Spread::Partitions(map) = grown.list.spread else { return None };
        if grown.entries <= view.split {
            return None;
        }
        let servers = &grown.list.servers;
        let is_here = |part: &u32| map.has(*part) && servers.at(*part) == grown.server;
        let part = (0..servers.len()).find(is_here)?;
        let new = next(map, part)?;
        let most = view.servers.min(MOST_PARTITIONS);
        (new < most).then(|| {
            let count = servers.len().max(new + 1);
            (Spread::Partitions(map.with(new)), view.run(grown.directory, count))
        })
    }
}

/// The partition that splits from `part`: it gets the names with the hash's next bit set.
fn next(map: Map, part: u32) -> Option<u32> {
    let first = u32::BITS - part.leading_zeros();
    (first..MOST_PARTITIONS.ilog2()).map(|bit| part | 1 << bit).find(|new| !map.has(*new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_splits_at_its_next_bit() {
        let map = Map::default();
        assert_eq!(next(map, 0), Some(1));
        let map = map.with(1);
        assert_eq!((next(map, 0), next(map, 1)), (Some(2), Some(3)));
        let map = map.with(2).with(4);
        assert_eq!((next(map, 0), next(map, 2), next(map, 4)), (Some(8), Some(6), Some(12)))
    }
}
