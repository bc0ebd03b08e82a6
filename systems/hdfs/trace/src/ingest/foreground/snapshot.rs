//! Pages of one time: a folder, or files.
use super::activity::{Activity, Beans, Clock};
use super::names;
use crate::ingest::hdfs::sniff::Kind;
use import::jmx::Page;
use import::{ImportError, Input, Issue, OnProgress, issue};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) struct SeenPage {
    pub(super) file: String,
    pub(super) clock: Clock,
    pub(super) activity: Activity,
}

pub(super) type Snapshot = BTreeMap<String, SeenPage>;

pub(super) fn read(places: &[Input], tell: &mut OnProgress<'_>) -> Result<Snapshot, ImportError> {
    let mut all = Snapshot::new();
    for place in places {
        for input in pages(place)? {
            add(&mut all, &input, tell)?
        }
    }
    Ok(all)
}

/// A folder's files by name without hidden ones; a file is itself.
fn pages(place: &Input) -> Result<Vec<Input>, ImportError> {
    let Input::File(path) = place else { return Ok(vec![place.clone()]) };
    if !path.is_dir() {
        return Ok(vec![place.clone()]);
    }
    let mut found = files(path).map_err(|e| import::unreadable(&e).at(&place.name(), None))?;
    if found.is_empty() {
        let advice = format!("Run `{}` for each DataNode.", Kind::DataNodeJmx.command());
        let empty = issue("no file in this folder", "a /jmx page of each DataNode");
        return Err(empty.advice(advice).at(&place.name(), None));
    }
    found.sort();
    Ok(found.into_iter().map(Input::File).collect())
}

fn files(folder: &Path) -> std::io::Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !hidden && entry.path().is_file() {
            found.push(entry.path())
        }
    }
    Ok(found)
}

fn add(all: &mut Snapshot, input: &Input, tell: &mut OnProgress<'_>) -> Result<(), ImportError> {
    let file = input.name();
    let whole = |bad: Issue| bad.at(&file, None);
    let bytes = import::open(input, tell).map_err(whole)?;
    let page: Page<Beans> = import::jmx::read(&Kind::DataNodeJmx.wanted(), &file, bytes)?;
    if page.beans.activities.is_empty() {
        let expected = "a DataNode's, with the bean DataNodeActivity-HOST-PORT";
        return Err(whole(page.foreign(&Kind::DataNodeJmx.wanted(), "DataNode", expected)));
    }
    let clock = page.beans.clock().map_err(whole)?;
    for (bean, counters) in &page.beans.activities {
        let name = names::of(bean, &file).map_err(whole)?;
        let activity = Activity::of(bean, counters).map_err(whole)?;
        if let Some(other) = all.get(&name) {
            let found = format!("{name} is also in {}", other.file);
            let advice = "Give one page per snapshot; --before and --after are two snapshots.";
            return Err(whole(issue(found, "each DataNode once").advice(advice)));
        }
        all.insert(name, SeenPage { file: file.clone(), clock, activity });
    }
    Ok(())
}
