//! Every dependency has its reason in a comment above it.
use crate::tree;

#[test]
fn each_dependency_has_a_reason() {
    let mut complaints = Vec::new();
    for path in tree::files_ending(&["Cargo.toml"]) {
        for line in without_reason(&tree::text(&path)) {
            complaints.push(format!("{}: {line}: no reason above it", path.display()));
        }
    }
    tree::complain(complaints)
}

/// Lines of external dependencies without a comment above. A comment covers the lines after it up
/// to a blank line.
fn without_reason(toml: &str) -> Vec<&str> {
    let mut inside = false;
    let mut reasoned = false;
    let mut found = Vec::new();
    for line in toml.lines().map(str::trim) {
        match line.chars().next() {
            Some('[') => {
                inside = line.ends_with("dependencies]") && !line.starts_with("[workspace");
                reasoned = false;
            }
            Some('#') => reasoned = true,
            None => reasoned = false,
            _ if !inside || line.contains("workspace") => {}
            _ if !line.contains('=') || line.starts_with([']', '"', '}']) => {}
            _ if !reasoned => found.push(line),
            _ => {}
        }
    }
    found
}

#[test]
fn a_missing_reason_is_seen() {
    let toml = "[dependencies]\nunits = { workspace = true }\n\
                # Because.\nserde = \"1\"\njson = \"1\"\n\nlone = \"2\"\n[features]\nx = []\n";
    assert_eq!(without_reason(toml), ["lone = \"2\""]);
}
