//! What a node keeps: versions of objects, visible entirely or not at all.
//!
//! A version has four names, its id in hexadecimal with an ending:
//!
//! | file | what |
//! |---|---|
//! | `ID.blocks` | the node's blocks, stripe by stripe, row by row |
//! | `ID.sums` | CRC32C of each block |
//! | `ID.prepared` or `ID.committed` | the record: name, version, shape, SHA-256, its own CRC32C |
//!
//! The order of what is made durable:
//!
//! 1. *prepare*: sync blocks; sync sums; write the record as `.prepared`; sync it; sync the folder.
//! 2. *commit*: rename `.prepared` to `.committed`; sync the folder.
//! 3. *discard, remove*: remove the record; sync the folder; remove sums and blocks.
//!
//! The file `cluster` says which cluster the node is of, once it has been told.
//!
//! So after a crash a record stands for blocks that are all there. Blocks without a record are of a
//! write that was not prepared, or of a removal: they are removed at the start.
mod member;
mod record;
mod staged;

pub use staged::Staged;

use crate::disk::{Blob, Disk};
use crate::wire::{Entry, Member};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use xor_protocol::commit::{Held, Version};
use xor_protocol::object::Shape;

/// Endings of names.
const BLOCKS: &str = "blocks";
const SUMS: &str = "sums";
const PREPARED: &str = "prepared";
const COMMITTED: &str = "committed";

/// Name of a version's file.
fn file(id: u128, ending: &str) -> String {
    format!("{id:032x}.{ending}")
}

/// All versions that a node has, by name.
pub struct Store {
    disk: Arc<dyn Disk>,
    objects: BTreeMap<String, BTreeMap<Version, Entry>>,
    names: BTreeMap<u128, (String, Version)>,
    /// Records that cannot be read: their blocks are left alone.
    damaged: Vec<String>,
    /// Which cluster it is of, if somebody told.
    member: Option<Member>,
}

/// Files of a version, open for reading.
#[derive(Clone)]
pub struct Opened {
    blocks: Arc<dyn Blob>,
    sums: Arc<dyn Blob>,
    shape: Shape,
    index: usize,
    rows: usize,
}

impl Store {
    /// Reads all records, and removes what has none.
    ///
    /// # Errors
    /// The folder cannot be read or written.
    pub fn open(disk: Arc<dyn Disk>) -> io::Result<Store> {
        let mut store = Store {
            objects: BTreeMap::new(),
            names: BTreeMap::new(),
            damaged: Vec::new(),
            member: member::read(&*disk),
            disk: disk.clone(),
        };
        let files = disk.list()?;
        if files.iter().any(|name| name == member::NEW) {
            disk.remove(member::NEW)?
        }
        if store.member.is_none() && files.iter().any(|name| name == member::NAME) {
            store.damaged.push(member::NAME.into())
        }
        for name in &files {
            let (id, ending) = name.split_once('.').unwrap_or((name, ""));
            let held = match ending {
                PREPARED => Held::Prepared { is_attended: false },
                COMMITTED => Held::Committed,
                _ => continue,
            };
            match record::read(&*disk, name).filter(|e| format!("{:032x}", e.version.id) == id) {
                Some(entry) => store.insert(Entry { held, ..entry }),
                // It was being written when the machine stopped; nobody was told of it.
                None if ending == PREPARED => disk.remove(name)?,
                None => store.damaged.push(name.clone()),
            }
        }
        store.remove_orphans(&files)?;
        Ok(store)
    }

    fn remove_orphans(&self, files: &[String]) -> io::Result<()> {
        for name in files {
            let Some((id, BLOCKS | SUMS)) = name.split_once('.') else { continue };
            let is_damaged = self.damaged.iter().any(|d| d.starts_with(id));
            let known = u128::from_str_radix(id, 16).is_ok_and(|id| self.names.contains_key(&id));
            if !known && !is_damaged {
                self.disk.remove(name)?
            }
        }
        self.disk.sync()
    }

    /// Files whose record cannot be read.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// Which cluster it is of. If nobody told: no cluster, and the place for which most of its
    /// versions were written; of as many, that among more nodes.
    pub fn member(&self) -> Member {
        self.member.clone().unwrap_or_else(|| {
            let mut places: BTreeMap<(u8, u8), usize> = BTreeMap::new();
            let all = self.objects.values().flat_map(BTreeMap::values);
            all.for_each(|entry| *places.entry((entry.nodes, entry.index)).or_default() += 1);
            let most = places.into_iter().max_by_key(|(place, count)| (*count, *place));
            let (nodes, index) = most.map_or((0, 0), |(place, _)| place);
            Member { cluster: 0, epoch: 0, nodes, least: nodes, index, addresses: Vec::new() }
        })
    }

    /// Is of this cluster from now on, also after a crash.
    ///
    /// # Errors
    /// The disk fails; then it is of none, or of the one before.
    pub fn enter(&mut self, member: Member) -> io::Result<()> {
        member::write(&*self.disk, &member)?;
        self.damaged.retain(|name| name != member::NAME);
        self.member = Some(member);
        Ok(())
    }

    /// Whether a version was written for this node's place in its cluster.
    pub fn is_own(&self, entry: &Entry) -> bool {
        self.member.as_ref().is_none_or(|member| member.has_place(entry))
    }

    /// Whether nothing at all is here.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.damaged.is_empty()
    }

    /// All names, in order, after one.
    pub fn names_after(&self, after: &str) -> impl Iterator<Item = &String> {
        use std::ops::Bound::{Excluded, Unbounded};
        self.objects.range::<str, _>((Excluded(after), Unbounded)).map(|(name, _)| name)
    }

    /// All versions of a name, in order.
    pub fn versions(&self, name: &str) -> impl Iterator<Item = &Entry> {
        self.objects.get(name).into_iter().flat_map(BTreeMap::values)
    }

    /// A version by its id.
    pub fn find(&self, id: u128) -> Option<&Entry> {
        let (name, version) = self.names.get(&id)?;
        self.objects.get(name)?.get(version)
    }

    /// Number of versions.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    fn insert(&mut self, entry: Entry) {
        self.names.insert(entry.version.id, (entry.name.clone(), entry.version));
        self.objects.entry(entry.name.clone()).or_default().insert(entry.version, entry);
    }

    fn forget(&mut self, id: u128) {
        let Some((name, version)) = self.names.remove(&id) else { return };
        if let Some(versions) = self.objects.get_mut(&name) {
            versions.remove(&version);
            if versions.is_empty() {
                self.objects.remove(&name);
            }
        }
    }

    /// Begins to write a version.
    ///
    /// # Errors
    /// It is here already, or files cannot be made.
    pub fn stage(&self, entry: &Entry, shape: Shape, rows: usize) -> io::Result<Staged> {
        if self.names.contains_key(&entry.version.id) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let blocks = self.disk.create(&file(entry.version.id, BLOCKS))?;
        blocks.reserve(shape.file_length()).inspect_err(|_| {
            // What has no room leaves nothing.
            let _ = self.unstage(entry.version.id);
        })?;
        let sums = self.disk.create(&file(entry.version.id, SUMS))?;
        Ok(Staged::new(blocks, sums, shape, usize::from(entry.index), rows))
    }

    /// Opens a version to overwrite some of its stripes.
    ///
    /// # Errors
    /// It is not here.
    pub fn patch(&self, entry: &Entry, shape: Shape, rows: usize) -> io::Result<Staged> {
        self.find(entry.version.id).ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        // A file that is gone is made again; what is not patched then fails its check.
        let open = |name: String| self.disk.open(&name).or_else(|_| self.disk.create(&name));
        let blocks = open(file(entry.version.id, BLOCKS))?;
        let sums = open(file(entry.version.id, SUMS))?;
        Ok(Staged::new(blocks, sums, shape, usize::from(entry.index), rows))
    }

    /// What makes a staged version durable; to be called on any thread, then [`Store::prepared`].
    pub fn preparation(&self, entry: &Entry) -> impl FnOnce(&Staged) -> io::Result<()> + use<> {
        let (disk, entry) = (self.disk.clone(), entry.clone());
        move |staged| {
            staged.sync()?;
            record::write(&*disk, &file(entry.version.id, PREPARED), &entry)?;
            disk.sync()
        }
    }

    /// It is durable.
    pub fn prepared(&mut self, entry: Entry) {
        self.insert(Entry { held: Held::Prepared { is_attended: true }, ..entry })
    }

    /// Nobody attends to it any more.
    pub fn unattended(&mut self, id: u128) {
        if let Some((name, version)) = self.names.get(&id)
            && let Some(entry) = self.objects.get_mut(name).and_then(|v| v.get_mut(version))
            && let Held::Prepared { is_attended } = &mut entry.held
        {
            *is_attended = false
        }
    }

    /// Makes a prepared version visible. One that is visible already stays so.
    ///
    /// # Errors
    /// It is not here, or the disk fails; then it is as it was.
    pub fn commit(&mut self, id: u128) -> io::Result<()> {
        let entry = self.find(id).cloned().ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        if entry.held != Held::Committed {
            self.disk.rename(&file(id, PREPARED), &file(id, COMMITTED))?;
            self.disk.sync()?;
            self.insert(Entry { held: Held::Committed, ..entry });
        }
        Ok(())
    }

    /// Removes a version, whatever it is.
    ///
    /// # Errors
    /// The disk fails.
    pub fn remove(&mut self, id: u128) -> io::Result<()> {
        if self.names.contains_key(&id) {
            self.disk.remove(&file(id, COMMITTED))?;
            self.disk.remove(&file(id, PREPARED))?;
            self.disk.sync()?;
            self.forget(id);
        }
        self.unstage(id)
    }

    /// Removes what was staged and not prepared.
    ///
    /// # Errors
    /// The disk fails.
    pub fn unstage(&self, id: u128) -> io::Result<()> {
        self.disk.remove(&file(id, SUMS))?;
        self.disk.remove(&file(id, BLOCKS))
    }

    /// Opens a version for reading.
    ///
    /// # Errors
    /// It is not here, or its files cannot be opened.
    pub fn read(&self, id: u128, shape: Shape, rows: usize) -> io::Result<Opened> {
        let entry = self.find(id).ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        Ok(Opened {
            blocks: self.disk.open(&file(id, BLOCKS))?,
            sums: self.disk.open(&file(id, SUMS))?,
            shape,
            index: usize::from(entry.index),
            rows,
        })
    }
}

impl Opened {
    /// Reads a block into `to`, which has its length; returns its sum now, and whether it is the
    /// one that was written.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn block(&self, stripe: u64, row: usize, to: &mut [u8]) -> io::Result<(u32, bool)> {
        let cell = xor_protocol::Cell { node: self.index, row };
        self.blocks.read_at(to, self.shape.place(stripe, cell))?;
        let mut sum = [0; 4];
        self.sums.read_at(&mut sum, 4 * (stripe * self.rows as u64 + row as u64))?;
        let now = crc32c::crc32c(to);
        Ok((now, now == u32::from_le_bytes(sum)))
    }

    /// Where the blocks lie in stripes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Blocks of a stripe here.
    pub fn rows(&self) -> usize {
        self.rows
    }
}
