//! The core does not mention systems, so that everything about a system is in its folder.
//! Exceptions are listed with their reasons.
use crate::tree;
use std::path::Path;

const WORDS: [(&str, &[&str]); 5] = [
    ("hdfs", &["hdfs", "namenode"]),
    ("mapreduce", &["mapreduce"]),
    ("ozone", &["ozone"]),
    ("ppmds", &["ppmds"]),
    ("xor", &["xor", "relay"]),
];

/// Exceptions: (file or folder of `crates/`, reason).
const ALLOWED: [(&str, &str); 19] = [
    ("crates/tenbin/Cargo.toml", "depends on each system, a line each"),
    ("crates/tenbin/src/systems/mod.rs", "the registry, a line a system"),
    ("crates/python", "policies of each system, and its tests"),
    ("crates/tenbin-lab", "depends on the twin of each system, a line each"),
    ("crates/tenbin/src/cli/runs.rs", "examples of commands"),
    ("crates/tenbin/tests", "the command line is tried on systems, as users do"),
    ("crates/keys/src", "names the command that makes certificates"),
    ("crates/cluster/src/file.rs", "names the output of another tool, given as a scenario"),
    ("crates/cluster/src/keys/shared.rs", "the system of a scenario that names none"),
    ("crates/cluster/src/keys/vocabulary.rs", "tables are named as real systems' files"),
    ("crates/cluster/src/keys/kind.rs", "a kind of value is named by its reader"),
    ("crates/cluster/src/sheet/scaled.rs", "the same kind"),
    ("crates/units/src", "sizes and times as that system's reader takes them"),
    ("crates/import/src/conf.rs", "a daemon's /conf, as a sample"),
    ("crates/page/tests/page", "pages of each kind, as samples"),
    ("crates/page/src/lib.rs", "example: how a page is made"),
    ("crates/page/src/section/scatter.rs", "example of a name"),
    ("crates/system/src/vary.rs", "example of a key"),
    ("crates/system/src/without.rs", "source of the method"),
];

fn is_allowed(path: &Path) -> bool {
    ALLOWED.iter().any(|(allowed, _)| path.starts_with(allowed))
}

#[test]
fn the_core_says_no_systems_words() {
    let mut complaints = Vec::new();
    let mut used = Vec::new();
    for path in tree::files_ending(&[".rs", ".toml", ".txt", ".md"]) {
        if !path.starts_with("crates") {
            continue;
        }
        let text = tree::text(&path).to_lowercase();
        let said = WORDS.iter().find(|(_, words)| words.iter().any(|word| text.contains(word)));
        let Some((system, _)) = said else { continue };
        match is_allowed(&path) {
            true => used.push(path),
            false => complaints.push(format!("{} speaks of {system}", path.display())),
        }
    }
    for (allowed, _) in ALLOWED {
        if !used.iter().any(|path| path.starts_with(allowed)) {
            complaints.push(format!("{allowed} need not be allowed any more"))
        }
    }
    tree::complain(complaints)
}
