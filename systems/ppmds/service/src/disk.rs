//! Where a node keeps its rows: the store in its folder, or memory in tests.
use crate::Error;
use crate::folder::Folder;
use crate::journal;
use crate::rows::Changes;
use fjall::Readable as _;
use std::ops::Bound;
use std::path::{Path, PathBuf};

pub type Row = (Vec<u8>, Vec<u8>);

/// Reads pages of one moment, as [`Disk::page`] does.
pub type Snapshot = Box<dyn Fn(Bound<&[u8]>, usize) -> Result<Vec<Row>, Error>>;

pub trait Disk {
    /// Writes all changes or none, after those of all former calls. With `is_durable` they survive
    /// a power failure when it returns, else the end of the process.
    ///
    /// # Errors
    /// The node must stop: its memory is ahead of its disk.
    fn commit(&mut self, changes: &Changes, is_durable: bool) -> Result<(), Error>;
    /// Makes all former changes durable.
    fn sync(&mut self) -> Result<(), Error>;
    /// At most `most` rows from `from` on, sorted by key.
    fn page(&self, from: Bound<&[u8]>, most: usize) -> Result<Vec<Row>, Error>;
    /// All commits so far, durable or not.
    fn snapshot(&self) -> Result<Snapshot, Error>;
    /// \[bytes\]; 0: unknown.
    fn size(&self) -> u64;
    /// Returns once it is certain that no standby has become the server.
    fn confirm(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// The row with this key.
pub fn row_of(disk: &dyn Disk, key: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    let first = disk.page(Bound::Included(key), 1)?.pop();
    Ok(first.filter(|(found, _)| found == key).map(|(_, value)| value))
}

/// The first rows of a page that together have at most `most` bytes, but at least one row, and
/// whether more follow.
pub fn fitting(mut page: Vec<Row>, asked: usize, most: usize) -> (Vec<Row>, bool) {
    let mut bytes = 0;
    let mut fits = |(key, value): &Row| {
        bytes += key.len() + value.len();
        bytes <= most
    };
    let count = page.iter().take_while(|row| fits(row)).count().max(1).min(page.len());
    let has_more = count < page.len() || count == asked;
    page.truncate(count);
    (page, has_more)
}

/// All rows, a page at a time.
pub fn all_rows(disk: &dyn Disk) -> Result<Vec<Row>, Error> {
    let mut all = disk.page(Bound::Unbounded, PAGE)?;
    let mut last = all.len();
    while last == PAGE {
        let from = all.last().map(|(key, _)| key.clone()).unwrap_or_default();
        let next = disk.page(Bound::Excluded(&from), PAGE)?;
        last = next.len();
        all.extend(next)
    }
    Ok(all)
}

const PAGE: usize = 100_000;

/// A log-structured store: a commit appends to its journal.
pub struct Journaled {
    database: fjall::Database,
    rows: fjall::Keyspace,
    path: PathBuf,
    /// Held as long as the store is open.
    _folder: Folder,
}

/// Limit on the journal \[bytes\]: a start replays it.
const MOST_JOURNAL: u64 = 64 << 20;

impl Journaled {
    /// Opens the store of a locked folder. After a crash it has all durable commits, and drops a
    /// commit that was written in part. `is_async`: drops all commits after it as well.
    ///
    /// # Errors
    /// The store is damaged before its end.
    pub fn open(folder: Folder, is_async: bool) -> Result<Journaled, Error> {
        let path = folder.store();
        journal::cut_torn_end(&path, is_async)?;
        let failed = |e: fjall::Error| in_store(&path, &e);
        let database = fjall::Database::builder(&path).worker_threads(1);
        let database = database.max_journaling_size(MOST_JOURNAL).open().map_err(failed)?;
        let rows = database.keyspace("rows", fjall::KeyspaceCreateOptions::default);
        let rows = rows.map_err(failed)?;
        Ok(Journaled { database, rows, path, _folder: folder })
    }
}

fn in_store(path: &Path, e: &fjall::Error) -> Error {
    let hint = match e {
        fjall::Error::Io(e) if e.kind() == std::io::ErrorKind::StorageFull => {
            ": free some space and restart the node; nothing acknowledged is lost"
        }
        // A thread of the store had the error, and does not give it.
        fjall::Error::Poisoned => {
            ": free some space if the disk is full, and restart the node; nothing acknowledged is \
             lost"
        }
        fjall::Error::Locked => ": another node uses this folder",
        _ => "",
    };
    let text = match e {
        fjall::Error::Io(e) => e.to_string(),
        fjall::Error::Poisoned => String::from("a write failed"),
        other => other.to_string(),
    };
    Error::Failed(format!("{}: {text}{hint}", path.display()))
}

fn collect(rows: impl Iterator<Item = fjall::Guard>, path: &Path) -> Result<Vec<Row>, Error> {
    let pairs = rows.map(|row| {
        let (key, value) = row.into_inner()?;
        Ok((key.to_vec(), value.to_vec()))
    });
    pairs.collect::<Result<_, fjall::Error>>().map_err(|e| in_store(path, &e))
}

impl Disk for Journaled {
    fn commit(&mut self, changes: &Changes, is_durable: bool) -> Result<(), Error> {
        let mode =
            if is_durable { fjall::PersistMode::SyncData } else { fjall::PersistMode::Buffer };
        let mut batch = self.database.batch().durability(Some(mode));
        for (key, value) in &changes.0 {
            match value {
                Some(value) => batch.insert(&self.rows, &key[..], &value[..]),
                None => batch.remove(&self.rows, &key[..]),
            }
        }
        batch.commit().map_err(|e| in_store(&self.path, &e))
    }

    fn sync(&mut self) -> Result<(), Error> {
        let synced = self.database.persist(fjall::PersistMode::SyncData);
        synced.map_err(|e| in_store(&self.path, &e))
    }

    fn page(&self, from: Bound<&[u8]>, most: usize) -> Result<Vec<Row>, Error> {
        let range = (from.map(<[u8]>::to_vec), Bound::Unbounded);
        collect(self.rows.range::<Vec<u8>, _>(range).take(most), &self.path)
    }

    fn snapshot(&self) -> Result<Snapshot, Error> {
        let (snapshot, rows, path) =
            (self.database.snapshot(), self.rows.clone(), self.path.clone());
        Ok(Box::new(move |from, most| {
            let range = (from.map(<[u8]>::to_vec), Bound::Unbounded);
            collect(snapshot.range::<Vec<u8>, _>(&rows, range).take(most), &path)
        }))
    }

    fn size(&self) -> u64 {
        self.database.disk_space().unwrap_or(0)
    }
}
