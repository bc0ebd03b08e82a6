//! Reads a trace: one JSON object per line, as `tenbin import hdfs-audit` writes it.
use crate::model::workload::mix::SHARES;
use cluster::{BadInput, Problem};
use ppmds_protocol::{Errno, Name, OperationKind};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use units::Nanos;

/// Limit on the file \[bytes\].
const LARGEST: u64 = 4 << 30;
const SHOWN: usize = 10;
const A_LINE: &str =
    r#"{"client":0,"op":"create","path":"/a/b"}, with "to" (rename, link), "invoked_ns" (open)"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    client: Who,
    op: String,
    path: String,
    to: Option<String>,
    invoked_ns: Option<u64>,
}

/// A client's number or name.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(untagged)]
enum Who {
    Number(u64),
    Name(String),
}

pub struct Wanted {
    /// Numbered in order of their first lines.
    pub client: u32,
    pub at: Nanos,
    pub op: OperationKind,
    pub path: Vec<Name>,
    /// Target of a rename or link.
    pub to: Option<Vec<Name>>,
}

/// Operations sorted by time, those of equal time in the file's order. `timed`: each must have a
/// time.
///
/// # Errors
/// An unreadable file or invalid lines.
pub fn read(file: &Path, timed: bool) -> Result<Vec<Wanted>, BadInput> {
    let (mut all, mut wrong, mut clients) = (Vec::new(), Vec::new(), BTreeMap::new());
    for (number, line) in (1..).zip(text(file)?.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        match wanted(line, timed, &mut clients) {
            Ok(one) => all.push(one),
            Err((problem, expected)) => {
                let mut problem = Problem::of_file(file, problem, expected);
                problem.line = Some(number);
                wrong.push(problem);
                if wrong.len() == SHOWN {
                    break;
                }
            }
        }
    }
    if !wrong.is_empty() {
        return Err(BadInput { problems: wrong });
    }
    if all.is_empty() {
        return Err(Problem::of_file(file, "has no operation", A_LINE).into());
    }
    // Stable: equal times keep the file's order.
    all.sort_by_key(|one| one.at);
    Ok(all)
}

fn text(file: &Path) -> Result<String, BadInput> {
    let bad = |why: String| -> BadInput {
        Problem::of_file(file, why, "a trace of operations: JSON lines").into()
    };
    let long = std::fs::metadata(file).map(|about| about.len());
    match long {
        Ok(bytes) if bytes > LARGEST => Err(bad(format!("has more than {LARGEST} bytes"))),
        _ => std::fs::read_to_string(file).map_err(|e| bad(format!("cannot be read ({e})"))),
    }
}

/// The problem, and what was expected.
type Wrong = (String, String);

fn wanted(line: &str, timed: bool, clients: &mut BTreeMap<Who, u32>) -> Result<Wanted, Wrong> {
    let Line { client, op, path, to, invoked_ns } = serde_json::from_str(line).map_err(|e| {
        let problem = e.to_string().replace(" at line 1 column", " in column");
        (problem, A_LINE.to_string())
    })?;
    let kinds = || SHARES.iter().map(|(_, op)| *op);
    let op = kinds().find(|kind| kind.name() == op).ok_or_else(|| {
        let names: Vec<&str> = kinds().map(OperationKind::name).collect();
        (format!("op \"{op}\""), names.join(", "))
    })?;
    let two = matches!(op, OperationKind::Rename | OperationKind::Link);
    if two != to.is_some() {
        let problem = format!("{} {} \"to\"", op.name(), if two { "without" } else { "with" });
        return Err((problem, A_LINE.to_string()));
    }
    if timed && invoked_ns.is_none() {
        let expected = "a time of each operation, or workload.loop = closed";
        return Err(("no \"invoked_ns\"".into(), expected.into()));
    }
    let path = parts(&path, op == OperationKind::Readdir)?;
    let to = to.map(|to| parts(&to, false)).transpose()?;
    let next = units::u32_of(clients.len());
    let client = *clients.entry(client).or_insert(next);
    Ok(Wanted { client, at: Nanos(invoked_ns.unwrap_or(0)), op, path, to })
}

fn parts(path: &str, root: bool) -> Result<Vec<Name>, Wrong> {
    let wrong = |what: &str, expected: &str| (format!("path \"{path}\"{what}"), expected.into());
    let rest = path.strip_prefix('/').ok_or_else(|| wrong("", "one from the root: /a/b"))?;
    if rest.is_empty() {
        let expected = "an entry: /a; the root itself allows only readdir";
        return if root { Ok(Vec::new()) } else { Err(wrong("", expected)) };
    }
    let name = |part: &str| {
        Name::new(part.as_bytes()).map_err(|errno| match errno {
            Errno::ENAMETOOLONG => wrong(": a name is too long", "names of up to 255 bytes"),
            _ => wrong(&format!(": the name \"{part}\""), "names without . and .., one / between"),
        })
    };
    rest.split('/').map(name).collect()
}
