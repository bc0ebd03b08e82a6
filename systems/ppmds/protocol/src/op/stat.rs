//! Reads of a file with several names: entry and inode at one moment. A server answers all other
//! reads alone, from one row.
use super::super::message::Mode;
use super::super::view::{Plan, Stop, View, fails};
use super::super::{Errno, Inode, Key, Outcome, Placement, Row};

pub fn lookup<P: Placement + ?Sized>(view: &mut View<'_, P>, key: &Key) -> Result<Plan, Stop> {
    let ino = match view.entry(key, Mode::Shared)?.row() {
        Some(Row::Inode(inode)) => inode.ino,
        Some(Row::Link(ino)) => *ino,
        _ => return fails(Errno::ENOENT),
    };
    Ok(Plan::new(Outcome::Of(ino), Vec::new()))
}

pub fn stat<P: Placement + ?Sized>(view: &mut View<'_, P>, key: &Key) -> Result<Plan, Stop> {
    let found: Inode = match view.entry(key, Mode::Shared)?.row() {
        Some(Row::Inode(inode)) => *inode,
        Some(Row::Link(ino)) => {
            let home = view.placement.home(*ino);
            let shared = view.itself(home, *ino, Mode::Shared)?;
            *shared.shared()?
        }
        _ => return fails(Errno::ENOENT),
    };
    Ok(Plan::new(Outcome::Inode(Box::new(found)), Vec::new()))
}
