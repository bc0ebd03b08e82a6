//! Environment variables of tests are documented, and used consistently.
use crate::tree;
use std::collections::BTreeSet;

/// Split, so that this file may contain the text.
const READ: [&str; 2] = [concat!("env::", "var"), concat!("process.", "env[")];

fn names(text: &str) -> BTreeSet<&str> {
    let reads = READ.iter().flat_map(|read| text.split(read).skip(1));
    let quoted = reads.filter_map(|rest| {
        let (before, rest) = rest.split_once('"')?;
        matches!(before, "(" | "_os(" | "").then(|| rest.split_once('"'))?
    });
    quoted.map(|(name, _)| name).collect()
}

/// Variables of cargo, the shell and the machine.
const OTHERS: [&str; 3] = ["PATH", "CARGO_TARGET_DIR", "OUT_DIR"];

#[test]
fn variables_of_tests_are_documented() {
    let told = tree::text("CONTRIBUTING.md".as_ref());
    let mut complaints = Vec::new();
    for path in tree::files_ending(&[".rs", ".ts"]) {
        let text = tree::text(&path);
        let is_test = path.iter().any(|part| part == "tests" || part == "fixtures");
        for name in names(&text).into_iter().filter(|_| is_test) {
            if !OTHERS.contains(&name) && !told.contains(&format!("`{name}")) {
                let path = path.display();
                complaints.push(format!("{path}: {name} is not in CONTRIBUTING.md"))
            }
        }
    }
    tree::complain(complaints)
}

#[test]
fn variables_are_found() {
    let [read, process] = READ;
    let text = format!(
        "std::{read}_os(\"A\") std::{read}(\"B\") {process}\"C\"] {read}(name) \"D\" {read}s()"
    );
    assert_eq!(names(&text).into_iter().collect::<Vec<_>>(), ["A", "B", "C"])
}
