//! Busy servers give directories away.
use super::{Metadata, View};
use ppmds_protocol::{Hot, Ino, MOST_PARTITIONS, Map, Servers, Spread, mixed};

pub struct Load;

impl Metadata for Load {
    fn name(&self) -> &'static str {
        "load"
    }
    fn doc(&self) -> &'static str {
        "A directory begins on one server; a busy server moves a part of its hottest \
         directory.\n\n# What it decides\nEvery 1 000 operations a server checks its rate. Above \
         `policy.hot_operations` it takes the directory of which it had most operations: with more \
         than half of them, the directory gets one partition more, on another server; else all \
         that the server has of it moves to another one. That one is drawn, since no server knows \
         the load of others. After each move a server waits twice as long until the next check, up \
         to 64 times. A move is a transaction, so it happens completely or not at all.\n\n# When \
         it helps\nA few directories with many requests, even with few entries: giga+ splits only \
         large ones, and hash splits all.\n\n# What it costs\nRows move, and clients with an old \
         list ask twice. If all servers are busy, moves do not help. A drawn server may be busy, \
         too: then the directory moves again.\n\n# Reference\nDynamic subtree partitioning: Weil, \
         Pollack, Brandt, Miller, SC 2004; drawn targets: Mitzenmacher, The power of two choices, \
         2001"
    }
    fn list(&self, view: &View, directory: Ino) -> (Spread, Servers) {
        (Spread::Partitions(Map::default()), view.run(directory, 1))
    }
    fn splits_by_load(&self) -> bool {
        true
    }
    fn on_hot(&self, view: &View, hot: &Hot<'_>) -> Option<(Spread, Servers)> {
        let Spread::Partitions(map) = hot.list.spread else { return None };
        if hot.rate() <= view.hot {
            return None;
        }
        let mut servers: Vec<u32> = hot.list.servers.iter().collect();
        let place = servers.iter().position(|server| *server == hot.server)?;
        let other = drawn(view, hot, &servers)?;
        let next = hot.list.servers.len();
        if hot.operations > hot.of / 2 && next < view.servers.min(MOST_PARTITIONS) {
            // Partitions are added in order, so that each is at the place of its number.
            servers.push(other);
            return Some((Spread::Partitions(map.with(next)), servers.into()));
        }
        servers[place] = other;
        Some((Spread::Partitions(map), servers.into()))
    }
}

/// A server without entries of the directory. Each move changes the mark, and so the draw.
fn drawn(view: &View, hot: &Hot<'_>, taken: &[u32]) -> Option<u32> {
    let first = mixed(hot.list.mark() ^ u64::from(hot.server)) % u64::from(view.servers);
    let first: u32 = units::narrow(first);
    let all = (0..view.servers).map(|n| (first + n) % view.servers);
    all.into_iter().find(|server| !taken.contains(server))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ppmds_protocol::List;

    fn moved(operations: u32, took: u64, servers: u32) -> Option<(Spread, Servers)> {
        let view = View { servers, spread: 1, split: 1, hot: 20_000 };
        let (spread, servers) = Load.list(&view, 7);
        let list = List::new(spread, servers);
        let server = list.servers.at(0);
        let (directory, of) = (7, 1_000);
        Load.on_hot(&view, &Hot { server, directory, list: &list, operations, of, took })
    }

    #[test]
    fn who_is_calm_moves_nothing_and_who_is_alone_cannot() {
        assert_eq!(moved(900, 60_000_000, 8), None, "17 000/s");
        assert_eq!(moved(900, 40_000_000, 1), None, "no other server");
    }

    #[test]
    fn a_directory_with_most_of_the_load_is_split_and_one_of_many_moves() {
        let (spread, servers) = moved(900, 40_000_000, 8).expect("25 000/s");
        assert_eq!((spread, servers.len()), (Spread::Partitions(Map::default().with(1)), 2));
        assert_ne!(servers.at(0), servers.at(1));
        let (spread, servers) = moved(300, 40_000_000, 8).expect("25 000/s");
        assert_eq!((spread, servers.len()), (Spread::Partitions(Map::default()), 1));
        let view = View { servers: 8, spread: 1, split: 1, hot: 1 };
        assert_ne!(servers.at(0), view.home(7))
    }
}
