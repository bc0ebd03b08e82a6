//! Imports between files, resolved through re-exports to the definition.
use crate::{lexer, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file as a module of its crate.
struct File {
    path: PathBuf,
    /// Module path in the crate: `["model", "run"]`.
    module: Vec<String>,
    /// The crate's `src`.
    root: PathBuf,
    code: String,
}

/// Circles of files that import each other, each in order.
pub fn circles(paths: &[PathBuf]) -> Vec<Vec<PathBuf>> {
    let files: Vec<File> = paths.iter().filter_map(|path| file(path)).collect();
    let index: BTreeMap<(&Path, &[String]), usize> = (files.iter().enumerate())
        .map(|(at, file)| ((file.root.as_path(), file.module.as_slice()), at))
        .collect();
    let uses: Vec<Vec<Use>> = files.iter().map(|file| uses(&file.code)).collect();
    let all = All { files: &files, index: &index, uses: &uses };
    let arrows: Vec<BTreeSet<usize>> = (0..files.len()).map(|from| all.arrows(from)).collect();
    let reach: Vec<BTreeSet<usize>> = (0..files.len()).map(|from| reached(&arrows, from)).collect();
    let mut circles: BTreeSet<Vec<usize>> = BTreeSet::new();
    for at in 0..files.len() {
        let circle: Vec<usize> =
            reach[at].iter().copied().filter(|other| reach[*other].contains(&at)).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    let names = |circle: Vec<usize>| circle.iter().map(|at| files[*at].path.clone()).collect();
    circles.into_iter().map(names).collect()
}

fn file(path: &Path) -> Option<File> {
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into()).collect();
    let src = parts.iter().position(|part| part == "src")?;
    let mut module: Vec<String> = parts[src + 1..].to_vec();
    let last = module.pop()?.trim_end_matches(".rs").to_string();
    if !["mod", "lib", "main"].contains(&last.as_str()) {
        module.push(last)
    }
    let text = tree::text(path);
    let root = parts[..=src].iter().collect();
    Some(File { path: path.into(), module, root, code: lexer::code_only(&without_tests(&text)) })
}

/// Removes test modules: those in other files, and one at the end.
fn without_tests(text: &str) -> String {
    let mut parts = text.split("#[cfg(test)]\nmod ");
    let mut code = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once('\n') {
            Some((name, rest)) if name.ends_with(';') => code += rest,
            _ => break,
        }
    }
    code
}

/// A path with its local name.
struct Use {
    path: Vec<String>,
    name: String,
    /// A re-export (`pub use`).
    passed_on: bool,
}

/// All paths that begin with `crate`, `super` or `self`, or with an imported module.
fn uses(code: &str) -> Vec<Use> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let fresh = code[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == ')');
        if let (true, Some(end)) = (fresh, code[at..].find(';')) {
            let line = code[..at].rfind('\n').map_or(0, |line| line + 1);
            let first = found.len();
            expand(&[], &code[at + 4..at + end], &mut found);
            let passed_on = code[line..at].trim_start().starts_with("pub");
            found[first..].iter_mut().for_each(|one| one.passed_on = passed_on)
        }
    }
    for first in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(first) {
            let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let line = &code[code[..at].rfind('\n').map_or(0, |line| line + 1)..at];
            // Paths in `use` are already known; a visibility imports nothing.
            if line.ends_with(is_path) || line.contains("use ") || line.ends_with("pub(in ") {
                continue;
            }
            let rest = &code[at..];
            let text = &rest[..rest.find(|c| !is_path(c)).unwrap_or(rest.len())];
            expand(&[], text.trim_end_matches(':'), &mut found)
        }
    }
    found
}

/// Paths of `a::{b, c::{d as e}}`.
fn expand(above: &[String], text: &str, found: &mut Vec<Use>) {
    let text = text.trim();
    let (head, inner) = match text.split_once('{') {
        Some((head, rest)) => (head, Some(rest.strip_suffix('}').unwrap_or(rest))),
        None => (text, None),
    };
    let (path, name) = head.split_once(" as ").unwrap_or((head, ""));
    let parts = path.split("::").map(str::trim).filter(|part| !part.is_empty());
    let mut path: Vec<String> = above.iter().cloned().chain(parts.map(String::from)).collect();
    let Some(inner) = inner else {
        path.pop_if(|last| last == "self");
        if let Some(last) = path.last().cloned() {
            let name = if name.is_empty() { last } else { name.trim().to_string() };
            found.push(Use { path, name, passed_on: false })
        }
        return;
    };
    let mut depth = 0;
    let parts = inner.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let named = parts.filter(|part| !part.trim().is_empty());
    named.for_each(|part| expand(&path, part, found))
}

struct All<'a> {
    files: &'a [File],
    index: &'a BTreeMap<(&'a Path, &'a [String]), usize>,
    uses: &'a [Vec<Use>],
}

impl All<'_> {
    /// Files from which this file imports.
    fn arrows(&self, from: usize) -> BTreeSet<usize> {
        let used = self.uses[from].iter().filter(|one| !one.passed_on);
        let found = used.filter_map(|one| self.defined(from, &one.path, 0));
        found.filter(|to| *to != from).collect()
    }

    /// The file that defines the item of a path; `None`: another crate.
    fn defined(&self, from: usize, path: &[String], deep: usize) -> Option<usize> {
        let file = &self.files[from];
        let mut module = file.module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (module, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {}
            first => {
                self.child(from, first)?;
            }
        }
        while rest.first().is_some_and(|part| part == "super") {
            module.pop();
            rest = &rest[1..]
        }
        let mut at = *self.index.get(&(file.root.as_path(), module.as_slice()))?;
        while let Some(child) = rest.first().and_then(|part| self.child(at, part)) {
            (at, rest) = (child, &rest[1..])
        }
        let Some(name) = rest.first() else { return Some(at) };
        if defines(&self.files[at].code, name) || deep > 8 {
            return Some(at);
        }
        let known = self.uses[at].iter().filter(|one| one.path.len() > 1);
        if let Some(one) = known.clone().find(|one| one.name == *name) {
            return self.defined(at, &one.path, deep + 1);
        }
        let through = known.filter(|one| one.name == "*").find_map(|one| {
            let above = &one.path[..one.path.len() - 1];
            let to = self.defined(at, &[above, std::slice::from_ref(name)].concat(), deep + 1)?;
            defines(&self.files[to].code, name).then_some(to)
        });
        Some(through.unwrap_or(at))
    }

    fn child(&self, at: usize, name: &str) -> Option<usize> {
        let file = &self.files[at];
        let mut module = file.module.clone();
        module.push(name.to_string());
        self.index.get(&(file.root.as_path(), module.as_slice())).copied()
    }
}

/// True if the file defines an item of this name.
fn defines(code: &str, name: &str) -> bool {
    let kinds = [
        "fn",
        "struct",
        "enum",
        "trait",
        "const",
        "static",
        "type",
        "union",
        "mod",
        "macro_rules!",
    ];
    kinds.iter().any(|kind| {
        let head = format!("{kind} {name}");
        let mut places = code.match_indices(&head);
        places.any(|(at, _)| {
            let next = code[at + head.len()..].chars().next();
            next.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })
    })
}

/// Files reachable over arrows.
fn reached(arrows: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(at) = next.pop() {
        for to in &arrows[at] {
            if seen.insert(*to) {
                next.push(*to)
            }
        }
    }
    seen
}
