use super::super::message::Mode;
use super::super::view::{Plan, Stop, View, fails};
use super::super::{Errno, Inode, Key, Kind, Outcome, Placement, Row};

/// Moves the inode out of the entry at the second name: to a row of its own on the home of its
/// number.
pub fn link<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    from: &Key,
    to: &Key,
) -> Result<Plan, Stop> {
    let (source, target) = (view.entry(from, Mode::Exclusive), view.entry(to, Mode::Exclusive));
    let (source, target) = (source?, target?);
    let ino = match source.row() {
        Some(Row::Inode(Inode { kind: Kind::Directory, .. })) => return fails(Errno::EPERM),
        Some(Row::Link(ino)) => *ino,
        Some(row) => row.inode().ok_or(Stop::Torn)?.ino,
        None => return fails(Errno::ENOENT),
    };
    if target.row().is_some() {
        return fails(Errno::EEXIST);
    }
    let home = view.placement.home(ino);
    let shared = view.itself(home, ino, Mode::Exclusive)?;
    let own = source.row().filter(|row| row.inode().is_some());
    let row = own.or(shared.row()).ok_or(Stop::Torn)?;
    let before = row.inode().ok_or(Stop::Torn)?;
    let inode = Inode { links: before.links + 1, ..view.changed(before) };
    let mut writes = vec![view.put(shared, row.with(inode)), view.put(target, Row::Link(ino))];
    if own.is_some() {
        writes.push(view.put(source, Row::Link(ino)))
    }
    Ok(Plan::new(Outcome::Of(ino), writes))
}
