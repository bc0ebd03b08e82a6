//! What a user keeps in a result's folder: it stays when the result is written again.
use super::MARK;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// First line of the mark.
const HEAD: &str = "# What tenbin wrote here, and replaces. Anything else in this folder stays.";

/// First names of paths in results of versions whose mark lists nothing.
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

/// Last parts of names, likewise: of the files that a plan wrote for a site.
const ENDS: [&str; 2] = ["-site.fragment.xml", "-site.undo.xml"];

/// The text of the mark of a result that is whole.
///
/// # Errors
/// It cannot be read.
pub(super) fn mark(result: &Path) -> io::Result<String> {
    let names = found(result)?.into_iter().map(|path| slashed(&path));
    Ok(std::iter::once(HEAD.to_string()).chain(names).map(|line| line + "\n").collect())
}

/// Links what is not tenbin's in `place` into `draft`, so that it is in both until one of them goes
/// away. What would lie where the new result has a file gets another name: returned are such files,
/// from and to, relative to the place.
///
/// # Errors
/// It cannot be read, or not written.
pub(super) fn keep(place: &Path, draft: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let mut renamed = Vec::new();
    for path in others(place)? {
        let to = free(draft, &path);
        let (from, target) = (place.join(&path), draft.join(&to));
        if fs::symlink_metadata(&from)?.is_dir() {
            fs::create_dir_all(&target)?;
        } else {
            target.parent().map_or(Ok(()), fs::create_dir_all)?;
            // A file system without links has copies.
            fs::hard_link(&from, &target).or_else(|_| fs::copy(&from, &target).map(drop))?;
        }
        if to != path {
            renamed.push((path, to))
        }
    }
    Ok(renamed)
}

/// Files and empty folders of a result that tenbin did not write; nothing where no result lies.
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

/// Files and empty folders below a folder, by name, without its mark. Links are not followed.
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

/// The path itself, or with the first number after it that is free.
fn free(draft: &Path, path: &Path) -> PathBuf {
    let is_free = |path: &PathBuf| fs::symlink_metadata(draft.join(path)).is_err();
    let numbered = (1u32..).map(|n| super::beside(path, &format!(".{n}")));
    std::iter::once(path.to_path_buf()).chain(numbered).find(is_free).expect("numbers go on")
}

fn slashed(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
