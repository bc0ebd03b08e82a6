use super::super::message::Mode;
use super::super::view::{Plan, Stop, View, fails};
use super::super::{Change, Errno, Key, Outcome, Placement, Row};

/// Changes the inode in the entry, or the shared one.
pub fn setattr<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    key: &Key,
    change: &Change,
) -> Result<Plan, Stop> {
    let entry = view.entry(key, Mode::Exclusive)?;
    let (held, inode) = match entry.row() {
        Some(Row::Link(ino)) => {
            let home = view.placement.home(*ino);
            let shared = view.itself(home, *ino, Mode::Exclusive)?;
            (shared, shared.shared()?)
        }
        Some(row) => (entry, row.inode().ok_or(Stop::Torn)?),
        None => return fails(Errno::ENOENT),
    };
    if let Some(errno) = inode.refuses(change) {
        return fails(errno);
    }
    let row = held.row().ok_or(Stop::Torn)?.changed(inode, change, view.now);
    Ok(Plan::new(Outcome::Of(inode.ino), vec![view.put(held, row)]))
}
