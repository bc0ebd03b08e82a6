//! Other attributes.
use super::super::message::Mode;
use super::super::view::{Plan, Stop, View, fails};
use super::super::{Change, Errno, Inode, Key, Outcome, Placement, Row};

/// The inode with a change.
pub fn apply(inode: &Inode, change: Change, now: u64) -> Inode {
    let mut new = Inode { changed: now, ..*inode };
    if let Some(mode) = change.mode {
        new.mode = mode
    }
    if let Some((owner, group)) = change.owner {
        (new.owner, new.group) = (owner, group)
    }
    if let Some(size) = change.size {
        (new.size, new.modified) = (size, now)
    }
    new
}

/// Of an entry's inode, wherever that is.
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
    let new = apply(inode, change, view.now);
    Ok(Plan::new(Outcome::Of(new.ino), vec![view.put(held, Row::Inode(new))]))
}
