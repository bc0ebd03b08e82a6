//! Source files of the repository.
use std::fs;
use std::path::{Path, PathBuf};

/// Build and run outputs, and third-party files.
const SKIPPED: [&str; 9] =
    [".git", "target", "node_modules", "dist", "out", "build", ".tools", "shared", "__pycache__"];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("two levels up")
}

/// Relative to the root, sorted.
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

pub fn text(path: &Path) -> String {
    let whole = root().join(path);
    fs::read_to_string(&whole).unwrap_or_else(|e| panic!("{}: {e}", whole.display()))
}

/// Fails with all complaints.
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
