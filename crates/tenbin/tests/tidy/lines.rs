//! Text that must not be in a line.
use crate::tree;

const WIDTH: usize = 100;

/// Markers of unfinished work. Split, so that this file may contain them.
const UNDONE: [&str; 5] = ["FIX", "TO", "XX", "to", "unimple"];
const UNDONE_REST: [&str; 5] = ["ME", "DO:", "X:", "do!(", "mented!("];

const CODE: [&str; 8] = [".rs", ".ts", ".toml", "Makefile", ".mjs", ".css", ".sh", ".ci/run"];

#[test]
fn no_line_is_too_long() {
    let mut complaints = Vec::new();
    for path in tree::files_ending(&[".rs", ".ts", ".mjs"]) {
        for (number, line) in tree::text(&path).lines().enumerate() {
            let columns = line.chars().count();
            // A URL cannot be wrapped.
            if columns > WIDTH && !line.contains("://") {
                complaints.push(format!("{}:{}: {columns} columns", path.display(), number + 1));
            }
        }
    }
    tree::complain(complaints)
}

#[test]
fn nothing_is_left_undone() {
    let marks: Vec<String> =
        UNDONE.iter().zip(UNDONE_REST).map(|(a, b)| format!("{a}{b}")).collect();
    let mut complaints = Vec::new();
    for path in tree::files_ending(&CODE) {
        for (number, line) in tree::text(&path).lines().enumerate() {
            if let Some(mark) = marks.iter().find(|m| line.contains(m.as_str())) {
                complaints.push(format!("{}:{}: {mark}", path.display(), number + 1));
            }
        }
    }
    tree::complain(complaints)
}

#[test]
fn no_white_space_stands_at_a_lines_end() {
    let mut complaints = Vec::new();
    for path in tree::files_ending(&CODE) {
        for (number, line) in tree::text(&path).lines().enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                complaints.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    tree::complain(complaints)
}
