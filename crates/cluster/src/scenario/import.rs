//! Cluster files that scenarios name, each read once.
use crate::cluster_file::{ImportedFile, read_file};
use crate::document::{Entry, Place};
use crate::{BadInput, Problem};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// Reads cluster files.
#[derive(Default)]
pub(super) struct Imports {
    read: BTreeMap<PathBuf, Result<Rc<ImportedFile>, BadInput>>,
}

impl Imports {
    /// The cluster file that a line `cluster.import` names.
    pub(super) fn load(&mut self, entry: &Entry) -> Result<Rc<ImportedFile>, Vec<Problem>> {
        let path = relative_to(&entry.place, entry.value.text());
        if let Err(error) = std::fs::metadata(&path) {
            let problem = format!("\"{}\" cannot be read ({error})", path.display());
            let expected = "a cluster file, relative to the file that names it; \
                            `tenbin import hdfs … -o FILE` makes one";
            return Err(vec![entry.place.problem("cluster.import", problem, expected)]);
        }
        let read = |path: &PathBuf| read_file(path).map(Rc::new);
        let file = self.read.entry(path).or_insert_with_key(read);
        file.clone().map_err(|bad| bad.problems)
    }
}

/// A path as the file that names it means it; the command line means the current folder.
pub(crate) fn relative_to(place: &Place, path: &str) -> PathBuf {
    match place {
        Place::File(file, _) => beside(file, path),
        Place::CommandLine => PathBuf::from(path),
    }
}

/// `path` as seen from `file`'s folder, without `x/..`.
pub(super) fn beside(file: &Path, path: &str) -> PathBuf {
    let mut out = file.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(path).components() {
        let last_is_name = matches!(out.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::ParentDir if last_is_name => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}
