use super::super::message::Mode;
use super::super::view::{HeldRow, Plan, Stop, View, fails};
use super::super::{Errno, Ino, Inode, Key, Kind, List, Outcome, Placement, ROOT, Row};
use super::remove;

/// As in POSIX: replaces a file or an empty directory of the same kind. Two names of one file stay.
/// A directory cannot move into its own descendant.
pub fn rename<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    from: &Key,
    to: &Key,
) -> Result<Plan, Stop> {
    let (source, target) = (view.entry(from, Mode::Exclusive), view.entry(to, Mode::Exclusive));
    let (source, target) = (source?, target?);
    let Some(row) = source.row() else { return fails(Errno::ENOENT) };
    let (ino, directory) = what(row);
    if from == to || target.row().is_some_and(|row| what(row).0 == ino) {
        return Ok(Plan::new(Outcome::Of(ino), Vec::new()));
    }
    let over = target.row().map(what);
    match over {
        Some((_, true)) if !directory => return fails(Errno::EISDIR),
        Some((_, false)) if directory => return fails(Errno::ENOTDIR),
        _ => {}
    }
    let mut writes = Vec::new();
    if directory && from.ino != to.ino {
        outside(view, ino, to.ino)?;
        writes.push(moved(view, ino, to.ino)?)
    }
    match (target.row(), over) {
        (Some(_), Some((gone, true))) => writes.extend(remove::empty(view, gone)?),
        (Some(Row::Link(gone)), _) => writes.push(remove::one_less(view, *gone)?),
        _ => {}
    }
    writes.push(source.removed());
    writes.push(view.put(target, row.clone()));
    Ok(Plan::new(Outcome::Of(ino), writes))
}

fn what(row: &Row) -> (Ino, bool) {
    match row {
        Row::Inode(Inode { ino, kind, .. }) => (*ino, *kind == Kind::Directory),
        Row::File(file) => (file.inode.ino, false),
        Row::Link(ino) => (*ino, false),
        Row::List(_) => unreachable!("a list has no name"),
    }
}

/// `EINVAL` if `below` is `directory` or its descendant. Locks all lists up to the root, so that
/// none of them moves in the meantime.
fn outside<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    directory: Ino,
    below: Ino,
) -> Result<(), Stop> {
    let mut at = below;
    // More steps than open rows mean a cycle: the rows are from different moments.
    for _ in 0..=view.open_rows() + 1 {
        if at == directory {
            return fails(Errno::EINVAL);
        }
        if at == ROOT {
            return Ok(());
        }
        let home = view.placement.home(at);
        let Some(list) = list(view.itself(home, at, Mode::Shared)?) else {
            return fails(Errno::ENOENT);
        };
        at = list.parent
    }
    Err(Stop::Torn)
}

/// Writes the directory's new parent.
fn moved<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    directory: Ino,
    parent: Ino,
) -> Result<(u32, super::super::message::Write), Stop> {
    let home = view.placement.home(directory);
    let held = view.itself(home, directory, Mode::Exclusive)?;
    match list(held) {
        None => fails(Errno::ENOENT),
        Some(list) => {
            let list = List { parent, placed: view.version(), ..list.clone() };
            Ok(view.put(held, Row::List(list.into())))
        }
    }
}

fn list(held: &HeldRow) -> Option<&List> {
    held.row().and_then(Row::list).map(|list| &**list)
}
