//! Numbers that may only shrink. A change that reduces one writes the new one here.
use crate::{imports, lexer, tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Thousands of lines of Rust without tests and benches, by folder.
const THOUSANDS: [(&str, usize); 22] = [
    ("crates/analysis", 1),
    ("crates/cborder", 1),
    ("crates/cluster", 4),
    ("crates/derive", 1),
    ("crates/engine", 12),
    ("crates/hardware", 5),
    ("crates/import", 2),
    ("crates/keys", 1),
    ("crates/page", 3),
    ("crates/rewind", 3),
    ("crates/system", 16),
    ("crates/tenbin", 4),
    ("crates/tenbin-lab", 1),
    ("crates/testbed", 5),
    ("crates/trace", 7),
    ("crates/units", 1),
    ("systems/echo", 1),
    ("systems/hdfs", 34),
    ("systems/mapreduce", 21),
    ("systems/ozone", 10),
    ("systems/ppmds", 29),
    ("systems/xor", 22),
];
/// Circles of imports between files.
const CIRCLES: usize = 0;
/// Methods of [`INTERFACE`] that fewer than two systems implement.
const HOOKS: usize = 14;
/// Doc comments of four words or fewer.
const SHORT_DOCS: usize = 1220;

/// Traits of `crates/system` that a system implements.
const INTERFACE: [&str; 2] = ["Simulation", "Reporter"];

/// Rust files that are neither tests nor benches.
fn sources() -> Vec<PathBuf> {
    let aside = ["tests", "benches", "examples"];
    let is_source = |path: &PathBuf| {
        let mut parts = path.iter().map(|part| part.to_string_lossy());
        !parts.any(|part| aside.contains(&&*part))
    };
    tree::files_ending(&[".rs"]).into_iter().filter(is_source).collect()
}

fn holds(what: &str, found: usize, most: usize) {
    println!("{what}: {found}");
    let (more, fewer) = (found > most, found < most);
    assert!(!more, "{what}: {found}, {most} at most: make it smaller");
    assert!(!fewer, "{what}: {found}, and {most} are allowed: write {found} into {}", file!());
}

#[test]
fn lines_of_each_folder() {
    let mut complaints = Vec::new();
    for (folder, thousands) in THOUSANDS {
        let of = |path: &PathBuf| path.starts_with(folder);
        let lines: usize = sources()
            .iter()
            .filter(|path| of(path))
            .map(|path| tree::text(path).lines().count())
            .sum();
        println!("{folder}: {lines}");
        if lines.div_ceil(1000) != thousands {
            complaints
                .push(format!("{folder}: {lines} lines, {thousands} thousand are written down"));
        }
    }
    tree::complain(complaints)
}

#[test]
fn short_docs_say_nothing() {
    let is_doc = |line: &&str| line.trim_start().starts_with("///");
    let mut short = 0;
    for path in sources() {
        let text = tree::text(&path);
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_doc(line)) {
            let alone = (at == 0 || !is_doc(&lines[at - 1]))
                && lines.get(at + 1).is_none_or(|next| !is_doc(next));
            if alone && line.split_whitespace().count() <= 5 {
                short += 1
            }
        }
    }
    holds("doc comments of four words or fewer", short, SHORT_DOCS)
}

#[test]
fn circles_of_files() {
    let circles = imports::circles(&sources());
    for circle in &circles {
        let names: Vec<String> = circle.iter().map(|path| path.display().to_string()).collect();
        println!("{} files: {}", circle.len(), names.join(" "));
    }
    holds("circles of files", circles.len(), CIRCLES)
}

#[test]
fn hooks_have_two_users() {
    let all: Vec<(PathBuf, String)> = sources()
        .into_iter()
        .map(|path| (path.clone(), lexer::code_only(&tree::text(&path))))
        .collect();
    let mut rare = 0;
    for name in INTERFACE {
        let head = format!("pub trait {name}");
        let core = |path: &Path| path.starts_with("crates/system");
        let Some(body) =
            all.iter().filter(|(path, _)| core(path)).find_map(|(_, code)| body(code, &head))
        else {
            continue;
        };
        let head = format!("impl {name} for ");
        let users: Vec<BTreeSet<&str>> =
            (all.iter().filter(|(path, _)| path.starts_with("systems")))
                .filter_map(|(_, code)| self::body(code, &head))
                .map(methods)
                .collect();
        for method in methods(body) {
            let many = users.iter().filter(|user| user.contains(method)).count();
            if many < 2 {
                println!("{name}::{method}: {many}");
                rare += 1
            }
        }
    }
    holds("hooks with fewer than two implementers", rare, HOOKS)
}

/// The text between the braces after `head`.
fn body<'c>(code: &'c str, head: &str) -> Option<&'c str> {
    let rest = &code[code.find(head)? + head.len()..];
    let open = rest.find('{')?;
    let mut depth = 0;
    for (at, c) in rest[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&rest[open..open + at]);
        }
    }
    None
}

fn methods(body: &str) -> BTreeSet<&str> {
    let name = |rest: &'_ str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
    let lines = body.lines().filter(|line| line.starts_with("    fn "));
    lines.map(|line| &line[7..7 + name(&line[7..])]).collect()
}

#[test]
fn a_policy_uses_neither_engine_nor_trace() {
    let mut complaints = Vec::new();
    for path in sources() {
        if !path.iter().any(|part| part == "policy" || part == "policies") {
            continue;
        }
        let code = lexer::code_only(&tree::text(&path));
        for used in ["engine::", "trace::", "page::"] {
            let names = code.match_indices(used).map(|(at, _)| code[..at].chars().next_back());
            if names
                .flatten()
                .any(|before| !before.is_alphanumeric() && before != '_' && before != ':')
            {
                complaints.push(format!("{}: {used}", path.display()))
            }
        }
    }
    tree::complain(complaints)
}
