//! What an operation says of the rows that it saw and left.
use super::{After, Ino, Key, Row, Saw, Stored, Version};

/// The life of a directory, whatever servers it has.
pub const LIFE: u32 = u32::MAX;

/// A row as it was, and as it is made; `new` is `None` where it is kept.
pub fn row(
    key: &Key,
    server: u32,
    removals: u64,
    old: Option<&Stored>,
    new: Option<Option<&Stored>>,
) -> Vec<Saw> {
    let list = |stored: Option<&Stored>| match stored.map(|stored| &stored.row) {
        Some(Row::List(list)) => Some((list.born, list.placed, list.parent)),
        _ => None,
    };
    let (was, is) = (list(old), new.map(list));
    if was.is_some() || is.is_some_and(|is| is.is_some()) {
        return of_list(key, server, removals, was, is);
    }
    // That an inode has no list is said by none.
    if key.name.is_none() && old.is_none() && new.is_none_or(|new| new.is_none()) {
        return Vec::new();
    }
    let after = match new {
        None => After::Kept,
        Some(None) => After::Removed,
        Some(Some(_)) => After::Written,
    };
    let before = old.map(|stored| stored.version);
    vec![Saw { key: key.clone(), server, before, removals, after }]
}

type Listed = (Version, Version, Ino);

/// Of a directory: that it is there, and on its home where it is. Other servers for its entries are
/// no change of either.
fn of_list(
    key: &Key,
    server: u32,
    removals: u64,
    was: Option<Listed>,
    is: Option<Option<Listed>>,
) -> Vec<Saw> {
    let after = |same: bool| match is {
        None => After::Kept,
        Some(None) => After::Removed,
        Some(Some(_)) if same => After::Kept,
        Some(Some(_)) => After::Written,
    };
    let (born, placed) = (was.map(|was| was.0), was.map(|was| was.1));
    let (same_life, same_place) = match is.flatten() {
        Some((is_born, is_placed, _)) => (Some(is_born) == born, Some(is_placed) == placed),
        None => (false, false),
    };
    let saw =
        |server, before, removals, after| Saw { key: key.clone(), server, before, removals, after };
    let mut all = vec![saw(LIFE, born, 0, after(same_life))];
    let at_home = [was, is.flatten()].iter().flatten().any(|(.., parent)| *parent != 0);
    if at_home {
        all.push(saw(server, placed, removals, after(same_place)))
    }
    all
}

/// A directory that is not there any more: whoever knows its number knows that it was.
pub fn gone(directory: Ino) -> Saw {
    let key = Key::itself(directory);
    Saw { key, server: LIFE, before: None, removals: u64::MAX, after: After::Kept }
}
