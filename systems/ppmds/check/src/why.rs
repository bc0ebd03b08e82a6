//! Explains why one operation comes before another.
use crate::fault::{Named, Row};
use crate::history::{After, Entry, Event, Saw};

/// Rows with a name have server 0: an entry may move.
pub fn row_of(saw: &Saw) -> Row {
    let server = if saw.row.1.is_empty() { saw.server } else { 0 };
    (saw.row.0, saw.row.1.clone(), server)
}

/// Why `a` comes before `b` by a row that both saw.
pub fn by_rows(a: &Event, b: &Event) -> String {
    let pairs = a.saw.iter().flat_map(|one| b.saw.iter().map(move |two| (one, two)));
    let mut same = pairs.filter(|(one, two)| row_of(one) == row_of(two));
    let said = same.find_map(|(one, two)| by_row(a, one, two));
    said.unwrap_or_else(|| "the versions of its rows are older".into())
}

fn by_row(a: &Event, one: &Saw, two: &Saw) -> Option<String> {
    let row = row_of(one);
    let row = Named(&row);
    if one.after == After::Written && two.before == Some(a.version()) {
        return Some(format!("it wrote {row} as the other saw it"));
    }
    if one.before.is_some() && one.before == two.before {
        match two.after {
            After::Written => return Some(format!("it saw {row} before the other wrote it")),
            After::Removed => return Some(format!("it saw {row} before the other removed it")),
            After::Kept => {}
        }
    }
    match (one.after, one.before, two.before, two.after) {
        (After::Removed, _, None, _) => {
            Some(format!("it removed {row}, which the other found absent"))
        }
        (_, None, None, After::Written) => {
            Some(format!("it found {row} absent, before the other created it"))
        }
        _ => None,
    }
}

pub fn by_time(a: &Event, b: &Event) -> String {
    let answered = a.completed_ns.unwrap_or(u64::MAX);
    format!("it was answered at {answered} ns, and the other was called at {} ns", b.invoked_ns)
}

/// Why a readdir comes after a change of an entry, and why before one.
pub fn by_list((directory, name): &Entry, wanted: Option<u64>) -> [String; 2] {
    match wanted {
        Some(ino) => [
            format!("it gave {name:?} in directory {directory} inode {ino}, which the other lists"),
            format!("it lists {name:?} in directory {directory} as before the other changed it"),
        ],
        None => [
            format!("it took {name:?} from directory {directory}; the other does not list it"),
            format!("it does not list {name:?} in directory {directory}, which the other made"),
        ],
    }
}
