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
        Some(Row::Inode(inode)) => inode.ino,
        Some(Row::Link(ino)) => *ino,
        _ => return fails(Errno::ENOENT),
    };
    if target.row().is_some() {
        return fails(Errno::EEXIST);
    }
    let home = view.placement.home(ino);
    let shared = view.itself(home, ino, Mode::Exclusive)?;
    let before = match source.row().and_then(Row::inode) {
        Some(own) => own,
        None => shared.shared()?,
    };
    let inode = Inode { links: before.links + 1, ..view.changed(before) };
    let mut writes = vec![view.put(shared, Row::Inode(inode)), view.put(target, Row::Link(ino))];
    if matches!(source.row(), Some(Row::Inode(_))) {
        writes.push(view.put(source, Row::Link(ino)))
    }
    Ok(Plan::new(Outcome::Of(ino), writes))
}
