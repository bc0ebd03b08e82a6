//! Runs of fsck in one input: disjoint parts of one file system.
use import::{Issue, issue, quote};

const SPLIT: &str = "Put each run into a file of its own.";

#[derive(Default)]
pub(super) struct Runs {
    /// (path, first line) of each run.
    paths: Vec<(Vec<u8>, u64)>,
    /// The block pool of all runs, and its first line.
    pool: Option<(Vec<u8>, u64)>,
}

impl Runs {
    /// Starts a run of `path`.
    ///
    /// # Errors
    /// Another run has listed the path, a parent or a child.
    pub(super) fn begin(&mut self, path: &[u8], line: u64) -> Result<(), Issue> {
        let overlap = |(other, _): &&(Vec<u8>, u64)| within(path, other) || within(other, path);
        if let Some((other, first)) = self.paths.iter().find(overlap) {
            let (one, two) = (quote(path), quote(other));
            let found =
                format!("a second run of fsck: of {one}, and line {first} begins one of {two}");
            return Err(issue(found, "one run, or runs of different folders").advice(SPLIT));
        }
        self.paths.push((path.to_vec(), line));
        Ok(())
    }

    /// Checks a block's pool.
    ///
    /// # Errors
    /// Another block has another pool.
    pub(super) fn pool(&mut self, pool: &[u8], line: u64) -> Result<(), Issue> {
        match &self.pool {
            None => self.pool = Some((pool.to_vec(), line)),
            Some((known, _)) if known == pool => {}
            Some((known, first)) => {
                let (one, two) = (quote(pool), quote(known));
                let found =
                    format!("a block of the pool BP-{one}, in line {first} one of BP-{two}");
                return Err(issue(found, "blocks of one file system").advice(SPLIT));
            }
        }
        Ok(())
    }
}

/// True if `path` is `folder` or is in it.
fn within(path: &[u8], folder: &[u8]) -> bool {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}
