//! Cluster files named by scenarios, each read once.
use crate::cluster_file::{ImportedFile, read_file};
use cluster::document::Entry;
use cluster::paths::relative_to;
use cluster::{BadInput, Problem};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

#[derive(Default)]
pub(super) struct Imports {
    read: BTreeMap<PathBuf, Result<Rc<ImportedFile>, BadInput>>,
}

impl Imports {
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
