//! unlink and rmdir.
use super::super::message::{Mode, Write};
use super::super::view::{HeldRow, Plan, Stop, View, fails};
use super::super::{Errno, Ino, Inode, Key, Kind, Outcome, Placement, Row};

/// Removes the inode with its last name.
pub fn unlink<P: Placement + ?Sized>(view: &mut View<'_, P>, key: &Key) -> Result<Plan, Stop> {
    let entry = view.entry(key, Mode::Exclusive)?;
    let (ino, mut writes) = match entry.row() {
        Some(Row::Inode(Inode { kind: Kind::Directory, .. })) => return fails(Errno::EISDIR),
        Some(Row::Link(ino)) => (*ino, vec![one_less(view, *ino)?]),
        Some(row) => (row.inode().ok_or(Stop::Torn)?.ino, Vec::new()),
        None => return fails(Errno::ENOENT),
    };
    writes.push(entry.removed());
    Ok(Plan::new(Outcome::Of(ino), writes))
}

/// Decrements the link count of a shared inode; removes the inode at 0.
pub fn one_less<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    ino: Ino,
) -> Result<(u32, Write), Stop> {
    let home = view.placement.home(ino);
    let shared = view.itself(home, ino, Mode::Exclusive)?;
    let inode = shared.shared()?;
    Ok(match inode.links {
        0 | 1 => shared.removed(),
        links => {
            let less = Inode { links: links - 1, ..view.changed(inode) };
            view.put(shared, shared.row().ok_or(Stop::Torn)?.with(less))
        }
    })
}

/// Fails with `ENOTEMPTY` if any server has an entry.
pub fn rmdir<P: Placement + ?Sized>(view: &mut View<'_, P>, key: &Key) -> Result<Plan, Stop> {
    let entry = view.entry(key, Mode::Exclusive)?;
    let ino = match entry.row() {
        Some(Row::Inode(Inode { kind: Kind::Directory, ino, .. })) => *ino,
        Some(_) => return fails(Errno::ENOTDIR),
        None => return fails(Errno::ENOENT),
    };
    let mut writes = empty(view, ino)?;
    writes.push(entry.removed());
    Ok(Plan::new(Outcome::Of(ino), writes))
}

/// Removes all rows of an empty directory's list. A create reads the list on its own server, so
/// these locks exclude creates.
pub fn empty<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    ino: Ino,
) -> Result<Vec<(u32, Write)>, Stop> {
    let home = view.placement.home(ino);
    // The home first: of several rivals, those that wait hold no locks.
    let Some(list) = view.itself(home, ino, Mode::Exclusive)?.row().and_then(Row::list) else {
        return fails(Errno::ENOENT);
    };
    let holders = list.holders(home);
    let rows: Vec<Result<&HeldRow, Stop>> =
        holders.iter().map(|at| view.itself(*at, ino, Mode::Exclusive)).collect();
    if rows.iter().flatten().any(|held| held.row.entry.is_some()) {
        return fails(Errno::ENOTEMPTY);
    }
    rows.into_iter().map(|row| row.map(HeldRow::removed)).collect()
}
