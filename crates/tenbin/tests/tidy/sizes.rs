//! Limits of files, functions and binary files.
use crate::{lexer, tree};

const FILE: usize = 500;
const FUNCTION: usize = 70;
/// Maximum bytes of a file that is not code: the largest are samples of real clusters.
const BLOB: u64 = 2 << 20;

/// (file, function, length) of longer functions: may shrink, never grow. To be kept empty.
const RATCHET: [(&str, &str, usize); 0] = [];

#[test]
fn files_are_short() {
    let mut complaints = Vec::new();
    for path in tree::files_ending(&[".rs", ".ts", ".mjs", ".css", ".java", ".py"]) {
        let lines = tree::text(&path).lines().count();
        if lines > FILE {
            complaints.push(format!("{}: {lines} lines, {FILE} at most", path.display()));
        }
    }
    tree::complain(complaints)
}

#[test]
fn functions_fit_a_screen() {
    let mut complaints = Vec::new();
    let mut lengths = Vec::new();
    for path in tree::files_ending(&[".rs"]) {
        let name = path.to_string_lossy().into_owned();
        for function in functions(&lexer::code_only(&tree::text(&path))) {
            lengths.push(function.lines);
            let allowed = RATCHET
                .iter()
                .find(|(file, of, _)| *file == name && *of == function.name)
                .map_or(FUNCTION, |(_, _, lines)| *lines);
            if function.lines > allowed {
                complaints.push(format!(
                    "{name}:{}: fn {} has {} lines, {allowed} at most",
                    function.at, function.name, function.lines
                ));
            }
        }
    }
    lengths.sort();
    let median = lengths[lengths.len() / 2];
    if median > 10 {
        complaints.push(format!("the median function has {median} lines, 10 at most"));
    }
    tree::complain(complaints)
}

#[test]
fn no_blob_is_in_the_tree() {
    let mut complaints = Vec::new();
    for path in tree::files() {
        let bytes = std::fs::metadata(tree::root().join(&path)).expect("a file").len();
        if bytes > BLOB {
            complaints.push(format!("{}: {bytes} bytes, {BLOB} at most", path.display()));
        }
    }
    tree::complain(complaints)
}

struct Function {
    name: String,
    /// First line, from 1.
    at: usize,
    lines: usize,
}

/// All functions with a body, found by matching braces.
fn functions(code: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices("fn ") {
        let before = code[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let name: String =
            code[start + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let Some(end) = body_end(&code[start..]) else { continue };
        if name.is_empty() {
            continue;
        }
        let at = code[..start].matches('\n').count() + 1;
        let lines = code[start..start + end].matches('\n').count() + 1;
        found.push(Function { name, at, lines });
    }
    found
}

/// End of the body of the function that begins here; `None`: a declaration.
fn body_end(code: &str) -> Option<usize> {
    let (mut depth, mut round) = (0, 0);
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' => round += 1,
            ')' | ']' => round -= 1,
            ';' if depth == 0 && round == 0 => return None,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[test]
fn lengths_are_counted_by_braces() {
    let code = "fn a() {\n  if x {\n  }\n}\ntrait T { fn b(); fn c(x: [u8; 3]) -> fn(u8) {} }\n";
    let found: Vec<(String, usize, usize)> =
        functions(code).into_iter().map(|f| (f.name, f.at, f.lines)).collect();
    assert_eq!(found, [("a".to_string(), 1, 4), ("c".to_string(), 5, 1)]);
}
