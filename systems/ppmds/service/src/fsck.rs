//! Checks the rows of all servers against each other.
use ppmds_check::rows::{EntryRow, Rows, Wrong, check};
use ppmds_protocol::{Key, Kind, List, Placement, ROOT, Row, Stored};
use std::collections::BTreeMap;

/// `servers`: the rows of each server, by its number.
pub fn fsck(servers: &[Vec<(Key, Stored)>], placement: &impl Placement) -> Vec<Wrong> {
    let mut rows = Rows::default();
    for (server, all) in (0u32..).zip(servers) {
        let lists: BTreeMap<u64, &List> = all
            .iter()
            .filter(|(key, _)| key.name.is_none())
            .filter_map(|(key, stored)| Some((key.ino, &**stored.row.list()?)))
            .collect();
        for (key, stored) in all {
            add(&mut rows, server, key, &stored.row, &lists, placement)
        }
    }
    check(&rows, &[(ROOT, ROOT)])
}

fn add(
    rows: &mut Rows,
    server: u32,
    key: &Key,
    row: &Row,
    lists: &BTreeMap<u64, &List>,
    placement: &impl Placement,
) {
    let (ino, is_directory, is_shared) = match row {
        Row::List(list) => {
            let home = placement.home(key.ino);
            let words = format!("{:?} {:?}", list.spread, list.servers);
            let parent = (home == server).then_some(list.parent);
            rows.lists.push((server, key.ino, words, parent));
            if home == server {
                rows.holders.insert(key.ino, list.holders(home));
            }
            return;
        }
        Row::Link(ino) => (*ino, false, true),
        row => match row.inode() {
            Some(inode) if key.name.is_none() => {
                rows.shared.push((key.ino, inode.links));
                return;
            }
            Some(inode) => (inode.ino, inode.kind == Kind::Directory, false),
            None => return,
        },
    };
    let is_owner = lists.get(&key.ino).is_some_and(|l| l.owner(key.ino, &key.name) == server);
    let (directory, name) = (key.ino, key.name.to_string());
    rows.entries.push(EntryRow { server, is_owner, directory, name, ino, is_directory, is_shared })
}
