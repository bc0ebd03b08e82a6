//! The rows that an operation saw and wrote, as evidence for the history checker.
use super::{Ino, Key, Row, RowEffect, RowEvidence, Stored, Version};

/// In place of a server: the row of a directory's existence.
pub const EXISTENCE: u32 = u32::MAX;

/// A row before and after an operation. `new` is `None` if the operation keeps the row.
pub fn row(
    key: &Key,
    server: u32,
    removals: u64,
    old: Option<&Stored>,
    new: Option<Option<&Stored>>,
) -> Vec<RowEvidence> {
    let list = |stored: Option<&Stored>| match stored.map(|stored| &stored.row) {
        Some(Row::List(list)) => Some((list.born, list.placed, list.parent)),
        _ => None,
    };
    let (was, is) = (list(old), new.map(list));
    if was.is_some() || is.is_some_and(|is| is.is_some()) {
        return of_list(key, server, removals, was, is);
    }
    // A missing list says nothing: the inode may be a file.
    if key.name.is_none() && old.is_none() && new.is_none_or(|new| new.is_none()) {
        return Vec::new();
    }
    let after = match new {
        None => RowEffect::Kept,
        Some(None) => RowEffect::Removed,
        Some(Some(_)) => RowEffect::Written,
    };
    let before = old.map(|stored| stored.version);
    vec![RowEvidence { key: key.clone(), server, before, removals, after }]
}

type Listed = (Version, Version, Ino);

/// A directory's existence, and on its home also its place in the tree. A change of its servers
/// alone changes neither.
fn of_list(
    key: &Key,
    server: u32,
    removals: u64,
    was: Option<Listed>,
    is: Option<Option<Listed>>,
) -> Vec<RowEvidence> {
    let after = |same: bool| match is {
        None => RowEffect::Kept,
        Some(None) => RowEffect::Removed,
        Some(Some(_)) if same => RowEffect::Kept,
        Some(Some(_)) => RowEffect::Written,
    };
    let (born, placed) = (was.map(|was| was.0), was.map(|was| was.1));
    let (same_existence, same_place) = match is.flatten() {
        Some((is_born, is_placed, _)) => (Some(is_born) == born, Some(is_placed) == placed),
        None => (false, false),
    };
    let saw = |server, before, removals, after| RowEvidence {
        key: key.clone(),
        server,
        before,
        removals,
        after,
    };
    let mut all = vec![saw(EXISTENCE, born, 0, after(same_existence))];
    let at_home = [was, is.flatten()].iter().flatten().any(|(.., parent)| *parent != 0);
    if at_home {
        all.push(saw(server, placed, removals, after(same_place)))
    }
    all
}

/// A removed directory. The client knows its number, so it existed once.
pub fn gone(directory: Ino) -> RowEvidence {
    let key = Key::itself(directory);
    RowEvidence { key, server: EXISTENCE, before: None, removals: u64::MAX, after: RowEffect::Kept }
}
