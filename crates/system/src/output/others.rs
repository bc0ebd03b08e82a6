//! The user's files in a result folder, which stay when the result is written again.
use super::MARK;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const HEAD: &str = "# What tenbin wrote here, and replaces. Anything else in this folder stays.";

/// Names of tenbin's files and folders in results of old versions, whose mark has no list.
const BEFORE: [&str; 18] = [
    "band.json",
    "compare.json",
    "diff.json",
    "entities.csv",
    "facts.csv",
    "intervals.csv",
    "partial.json",
    "plan.json",
    "report.html",
    "report.json",
    "reproduce.json",
    "reproduce.txt",
    "run.json",
    "scenario.toml",
    "tables",
    "trace",
    "trace.json.gz",
    "trace.perfetto.json.gz",
];

/// Endings of such names: files that a plan wrote for a site.
const ENDS: [&str; 2] = ["-site.fragment.xml", "-site.undo.xml"];

/// The mark's text: a list of the result's files.
pub(super) fn mark(result: &Path) -> io::Result<String> {
    let names = found(result)?.into_iter().map(|path| slashed(&path));
    Ok(std::iter::once(HEAD.to_string()).chain(names).map(|line| line + "\n").collect())
}

/// Links the user's files in `place` into `draft`; both have them until one is deleted. A file
/// whose name the new result uses is renamed. Returns (old, new) names relative to `place`.
pub(super) fn keep(place: &Path, draft: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let mut renamed = Vec::new();
    for path in others(place)? {
        let to = free(draft, &path);
        let (from, target) = (place.join(&path), draft.join(&to));
        if fs::symlink_metadata(&from)?.is_dir() {
            fs::create_dir_all(&target)?;
        } else {
            target.parent().map_or(Ok(()), fs::create_dir_all)?;
            // Some file systems have no hard links.
            fs::hard_link(&from, &target).or_else(|_| fs::copy(&from, &target).map(drop))?;
        }
        if to != path {
            renamed.push((path, to))
        }
    }
    Ok(renamed)
}

/// Files and empty folders that tenbin did not write; empty without a mark.
fn others(place: &Path) -> io::Result<Vec<PathBuf>> {
    let Ok(mark) = fs::read_to_string(place.join(MARK)) else { return Ok(Vec::new()) };
    let listed: BTreeSet<&str> = mark.lines().collect();
    let first = |path: &Path| path.iter().next().map(|name| name.to_string_lossy().into_owned());
    let is_ours = |name: String| {
        BEFORE.contains(&name.as_str()) || ENDS.iter().any(|end| name.ends_with(end))
    };
    let before = |path: &Path| first(path).is_some_and(is_ours);
    let own = |path: &PathBuf| match listed.contains(HEAD) {
        true => listed.contains(slashed(path).as_str()),
        false => before(path),
    };
    Ok(found(place)?.into_iter().filter(|path| !own(path)).collect())
}

/// Files and empty folders below `folder`, sorted, without the mark. Does not follow links.
fn found(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut all, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(inside) = open.pop() {
        let mut empty = true;
        for entry in fs::read_dir(folder.join(&inside))? {
            let entry = entry?;
            empty = false;
            let path = inside.join(entry.file_name());
            match entry.file_type()?.is_dir() {
                true => open.push(path),
                false if path != Path::new(MARK) => all.push(path),
                false => {}
            }
        }
        if empty && inside != Path::new("") {
            all.push(inside)
        }
    }
    all.sort();
    Ok(all)
}

/// The path, or the path with the first unused number appended.
fn free(draft: &Path, path: &Path) -> PathBuf {
    let is_free = |path: &PathBuf| fs::symlink_metadata(draft.join(path)).is_err();
    let numbered = (1u32..).map(|n| super::beside(path, &format!(".{n}")));
    std::iter::once(path.to_path_buf()).chain(numbered).find(is_free).expect("numbers go on")
}

fn slashed(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
