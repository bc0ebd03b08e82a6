//! All files of the repository that people wrote.
use std::fs;
use std::path::{Path, PathBuf};

/// What builds and runs leave behind, and what is somebody else's.
const SKIPPED: [&str; 9] =
    [".git", "target", "node_modules", "dist", "out", "build", ".tools", "shared", "__pycache__"];

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("two levels up")
}

/// Paths relative to the root, in order.
pub fn files() -> Vec<PathBuf> {
    let root = root();
    let mut found = Vec::new();
    walk(&root, &mut found);
    found.iter_mut().for_each(|p| *p = p.strip_prefix(&root).expect("below it").to_path_buf());
    found.sort();
    assert!(found.len() > 50, "the tree was not found: {found:?}");
    found
}

pub fn files_ending(endings: &[&str]) -> Vec<PathBuf> {
    let ends = |p: &PathBuf| endings.iter().any(|e| p.to_string_lossy().ends_with(e));
    files().into_iter().filter(ends).collect()
}

/// A file's text.
pub fn text(path: &Path) -> String {
    let whole = root().join(path);
    fs::read_to_string(&whole).unwrap_or_else(|e| panic!("{}: {e}", whole.display()))
}

/// Fails with all complaints at once.
pub fn complain(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a readable folder") {
        let entry = entry.expect("a readable entry");
        let name = entry.file_name();
        let kind = entry.file_type().expect("a type");
        if kind.is_dir() && !SKIPPED.contains(&&*name.to_string_lossy()) {
            walk(&entry.path(), found)
        } else if kind.is_file() {
            found.push(entry.path())
        }
    }
}
