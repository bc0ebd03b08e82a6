//! A disk in memory: a crash keeps a prefix of the commits that are not durable.
use ppmds_service::Error;
use ppmds_service::disk::{Disk, Row, Snapshot};
use ppmds_service::rows::Changes;
use std::collections::BTreeMap;
use std::ops::Bound;

#[derive(Clone, Debug, Default)]
pub struct MemoryDisk {
    durable: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Commits that are not durable, oldest first.
    pending: Vec<Changes>,
}

impl MemoryDisk {
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Loses all commits that are not durable, except the first `kept`.
    pub fn crash(&mut self, kept: usize) {
        self.pending.truncate(kept);
        self.apply_pending()
    }

    fn apply_pending(&mut self) {
        for (key, value) in std::mem::take(&mut self.pending).into_iter().flat_map(|one| one.0) {
            match value {
                Some(value) => drop(self.durable.insert(key, value)),
                None => drop(self.durable.remove(&key)),
            }
        }
    }
}

impl Disk for MemoryDisk {
    fn commit(&mut self, changes: &Changes, is_durable: bool) -> Result<(), Error> {
        self.pending.push(changes.clone());
        if is_durable { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.apply_pending();
        Ok(())
    }

    /// Shows durable rows only, as after a crash.
    fn page(&self, from: Bound<&[u8]>, most: usize) -> Result<Vec<Row>, Error> {
        let range = self.durable.range::<[u8], _>((from, Bound::Unbounded)).take(most);
        Ok(range.map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    fn snapshot(&self) -> Result<Snapshot, Error> {
        let copy = self.clone();
        Ok(Box::new(move |from, most| copy.page(from, most)))
    }

    fn size(&self) -> u64 {
        0
    }
}
