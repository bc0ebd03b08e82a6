//! Targets of links and quoted paths exist.
use crate::tree;
use std::path::{Path, PathBuf};

/// Folders at the root: a quoted path that begins with one is relative to the root or to the file's
/// folder.
const FOLDERS: [&str; 7] =
    ["benches/", "crates/", "docs/", "examples/", "scenarios/", "systems/", "ui/"];

/// Build outputs, and a file rejected by a decision record.
const NOT_THERE: [&str; 2] = ["ui/dist/", "crates/tenbin/build.rs"];

/// Targets of `[text](here)` in a page.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// Anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || "-_ ".contains(*c);
    heading.to_lowercase().chars().filter(kept).collect::<String>().trim().replace(' ', "-")
}

fn has_heading(page: &Path, wanted: &str) -> bool {
    let text = tree::text(page);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).any(|a| a == wanted)
}

/// Resolves "." and "..".
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part.as_os_str().to_str() {
            Some("..") => _ = plain.pop(),
            Some(".") => {}
            _ => plain.push(part),
        }
    }
    plain
}

#[test]
fn links_of_pages_lead_somewhere() {
    let mut complaints = Vec::new();
    for page in tree::files_ending(&[".md"]) {
        let text = tree::text(&page);
        for target in targets(&text).filter(|t| !t.contains("://") && !t.contains(' ')) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => page.clone(),
                _ => plain(&page.parent().expect("a folder").join(file)),
            };
            let is_there = tree::root().join(&file).exists()
                && (heading.is_empty() || has_heading(&file, heading));
            if !is_there {
                complaints.push(format!("{}: ({target}) leads nowhere", page.display()))
            }
        }
    }
    tree::complain(complaints)
}

/// `docs/trace.md` in a page or a comment.
#[test]
fn quoted_paths_are_there() {
    let mut complaints = Vec::new();
    for file in tree::files_ending(&[".md", ".rs", ".toml", ".sh", "Makefile"]) {
        let text = tree::text(&file);
        for quoted in text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)) {
            let is_path = FOLDERS.iter().any(|folder| quoted.starts_with(folder))
                && quoted.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let is_known = NOT_THERE.iter().any(|known| quoted.starts_with(known));
            let from = [tree::root(), tree::root().join(file.parent().expect("a folder"))];
            if is_path && !is_known && !from.iter().any(|from| from.join(quoted).exists()) {
                complaints.push(format!("{}: `{quoted}` is not there", file.display()))
            }
        }
    }
    tree::complain(complaints)
}
