//! create and mkdir.
use super::super::message::Mode;
use super::super::view::{HeldRow, Plan, Stop, View, fails};
use super::super::{Attributes, Errno, Inode, Key, Kind, List, Outcome, Placement, Row};

/// An unused entry, and its new inode.
fn vacant<'a, P: Placement + ?Sized>(
    view: &mut View<'a, P>,
    key: &Key,
    kind: Kind,
    attributes: Attributes,
) -> Result<(&'a HeldRow, Inode), Stop> {
    let entry = view.new_entry(key)?;
    match entry.row() {
        Some(_) => fails(Errno::EEXIST),
        None => Ok((entry, Inode::new(entry.row.fresh, kind, attributes, view.now))),
    }
}

pub fn file<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    key: &Key,
    attributes: Attributes,
) -> Result<Plan, Stop> {
    let (entry, new) = vacant(view, key, Kind::File, attributes)?;
    Ok(Plan::new(Outcome::Of(new.ino), vec![view.put(entry, Row::Inode(new))]))
}

/// Writes the entry, and the list on each of its servers. All are locked before any is written: no
/// client finds the entry without its list.
pub fn directory<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    key: &Key,
    attributes: Attributes,
) -> Result<Plan, Stop> {
    let (entry, new) = vacant(view, key, Kind::Directory, attributes)?;
    let by = view.version();
    let list = List { parent: key.ino, born: by, placed: by, ..view.placement.list(new.ino) };
    let home = view.placement.home(new.ino);
    let holders = list.holders(home);
    let rows: Vec<_> =
        holders.iter().map(|at| view.itself(*at, new.ino, Mode::Exclusive)).collect();
    let mut writes = vec![view.put(entry, Row::Inode(new))];
    for row in rows {
        let row = row?;
        let list = if row.server == home { list.clone() } else { list.away() };
        writes.push(view.put(row, Row::List(list.into())))
    }
    Ok(Plan::new(Outcome::Of(new.ino), writes))
}
