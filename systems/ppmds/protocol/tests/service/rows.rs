//! Converts the rows of all servers for the checker.
use ppmds_check::rows::{EntryRow, Rows};
use ppmds_protocol::{Key, Kind, List, Placement, Row, Store};

pub fn rows<'a>(
    stores: impl Iterator<Item = &'a Store> + Clone,
    placement: &impl Placement,
) -> Rows {
    let mut rows = Rows::default();
    for (server, store) in (0u32..).zip(stores.clone()) {
        for (key, stored) in store.rows() {
            match &stored.row {
                Row::List(list) => {
                    let home = placement.home(key.ino);
                    let words = format!("{:?} {:?}", list.spread, list.servers);
                    let parent = (home == server).then_some(list.parent);
                    rows.lists.push((server, key.ino, words, parent));
                    if home == server {
                        rows.holders.insert(key.ino, list.holders(home));
                    }
                }
                Row::Inode(inode) if key.name.is_none() => rows.shared.push((key.ino, inode.links)),
                row => {
                    let (ino, is_directory, is_shared) = match row {
                        Row::Inode(inode) => (inode.ino, inode.kind == Kind::Directory, false),
                        Row::Link(ino) => (*ino, false, true),
                        Row::List(_) => unreachable!("it has no name"),
                    };
                    let owner = |list: &List| list.owner(key.ino, &key.name) == server;
                    let list = store.row(&Key::itself(key.ino)).and_then(|s| s.row.list());
                    let is_owner = list.is_some_and(|list| owner(list));
                    let (directory, name) = (key.ino, key.name.to_string());
                    rows.entries.push(EntryRow {
                        server,
                        is_owner,
                        directory,
                        name,
                        ino,
                        is_directory,
                        is_shared,
                    })
                }
            }
        }
    }
    rows
}
