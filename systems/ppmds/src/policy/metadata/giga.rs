//! Partitions that split as a directory grows.
use super::{Metadata, View};
use ppmds_protocol::Map;

/// GIGA+.
pub struct Giga;

impl Metadata for Giga {
    fn name(&self) -> &'static str {
        "giga+"
    }
    fn doc(&self) -> &'static str {
        "A directory begins on one server and is split in halves as it grows.\n\n\
         # What it decides\nA partition with more than `policy.split_entries` entries gives the \
         names whose hash has the next bit set to a new partition on another server, up to one \
         for each server, 64 at most. A client keeps the map that it was last told; who asks the \
         wrong server is told a newer one.\n\n\
         # When it helps\nMany small directories and a few large ones: small ones stay whole, \
         large ones get all servers, and nobody has to know how many \
         are right; hash-k with the right number is as good.\n\n\
         # What it costs\nA large directory is slow until it has been split often enough; rows \
         move; stale clients ask twice.\n\n\
         # Reference\nPatil, Gibson: Scale and concurrency of GIGA+, FAST 2011"
    }
    fn owner(&self, view: &View, directory: u32, hash: u64, map: Map) -> (u32, u32) {
        let part = map.of(hash);
        (part, view.behind(directory, part))
    }
    fn listed(&self, view: &View, directory: u32, at: u32, map: Map) -> Option<u32> {
        map.nth(at).map(|part| view.behind(directory, part))
    }
    fn splits(&self) -> bool {
        true
    }
}
