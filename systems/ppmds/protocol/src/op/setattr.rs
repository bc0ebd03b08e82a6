use super::super::message::Mode;
use super::super::view::{Plan, Stop, View, fails};
use super::super::{Change, Errno, Key, Outcome, Placement, Row};

/// Changes the inode in the entry, or the shared one.
pub fn setattr<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    key: &Key,
    change: Change,
) -> Result<Plan, Stop> {
    let entry = view.entry(key, Mode::Exclusive)?;
    let (held, inode) = match entry.row() {
        Some(Row::Inode(inode)) => (entry, inode),
        Some(Row::Link(ino)) => {
            let home = view.placement.home(*ino);
            let shared = view.itself(home, *ino, Mode::Exclusive)?;
            (shared, shared.shared()?)
        }
        _ => return fails(Errno::ENOENT),
    };
    let new = inode.with(change, view.now);
    Ok(Plan::new(Outcome::Of(new.ino), vec![view.put(held, Row::Inode(new))]))
}
