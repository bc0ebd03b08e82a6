//! Reads of a file with several names: entry and inode at one moment. A server answers all other
//! reads alone, from one row.
use super::super::message::Mode;
use super::super::view::{Plan, Stop, View, fails};
use super::super::{Errno, Key, Outcome, Placement, Row};

pub fn lookup<P: Placement + ?Sized>(view: &mut View<'_, P>, key: &Key) -> Result<Plan, Stop> {
    let ino = match view.entry(key, Mode::Shared)?.row() {
        Some(Row::Link(ino)) => *ino,
        Some(row) => row.inode().ok_or(Stop::Torn)?.ino,
        None => return fails(Errno::ENOENT),
    };
    Ok(Plan::new(Outcome::Of(ino), Vec::new()))
}

pub fn stat<P: Placement + ?Sized>(view: &mut View<'_, P>, key: &Key) -> Result<Plan, Stop> {
    let inode = row(view, key)?.inode().copied().ok_or(Stop::Torn)?;
    Ok(Plan::new(Outcome::Inode(Box::new(inode)), Vec::new()))
}

pub fn read<P: Placement + ?Sized>(view: &mut View<'_, P>, key: &Key) -> Result<Plan, Stop> {
    let file = row(view, key)?.file().ok_or(Stop::Torn)?;
    Ok(Plan::new(Outcome::File(file), Vec::new()))
}

/// The row with the inode of an entry.
fn row<'a, P: Placement + ?Sized>(view: &mut View<'a, P>, key: &Key) -> Result<&'a Row, Stop> {
    match view.entry(key, Mode::Shared)?.row() {
        Some(Row::Link(ino)) => {
            let home = view.placement.home(*ino);
            view.itself(home, *ino, Mode::Shared)?.row().ok_or(Stop::Torn)
        }
        Some(row) => Ok(row),
        None => fails(Errno::ENOENT),
    }
}
