//! The store of a node: versions of objects, each visible entirely or not at all.
//!
//! A version's files have its id in hexadecimal and an ending:
//!
//! | file | what |
//! |---|---|
//! | `ID.blocks` | the node's blocks, stripe by stripe, row by row |
//! | `ID.sums` | CRC32C of each block |
//! | `ID.prepared` or `ID.committed` | the record: name, version, shape, SHA-256, its own CRC32C |
//! | `ID.removed` or `ID.discarded` | mark of a version that is gone: the record alone |
//!
//! The order of durable steps:
//!
//! 1. *prepare*: sync blocks; sync sums; write the record as `.prepared`; sync it; sync the folder.
//! 2. *commit*: rename `.prepared` to `.committed`; sync the folder.
//! 3. *discard, remove*: rename the record to `.discarded` or `.removed`; sync the folder; remove
//!    sums and blocks. The mark goes when all nodes know.
//! 4. *restore*: write the record as `.restored`; sync it; rename it to `.committed`; sync the
//!    folder.
//!
//! The file `cluster` has the node's cluster and its place in it.
//!
//! So after a crash, a record guarantees that all its blocks exist. Blocks without a record belong
//! to an unprepared write or a removal: the next start removes them.
mod form;
mod marks;
mod member;
mod opened;
mod record;
mod staged;

pub use opened::Opened;
pub use staged::Staged;

use crate::disk::Disk;
use crate::wire::{Entry, Member};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use xor_protocol::commit::{ReplicaState, Version};
use xor_protocol::object::Shape;

const BLOCKS: &str = "blocks";
const SUMS: &str = "sums";
const PREPARED: &str = "prepared";
const COMMITTED: &str = "committed";
const REMOVED: &str = "removed";
const DISCARDED: &str = "discarded";
const RESTORED: &str = "restored";

fn file(id: u128, ending: &str) -> String {
    format!("{id:032x}.{ending}")
}

fn held(ending: &str) -> Option<ReplicaState> {
    match ending {
        PREPARED => Some(ReplicaState::Prepared { is_attended: false }),
        COMMITTED => Some(ReplicaState::Committed),
        REMOVED => Some(ReplicaState::Removed { with_older: true }),
        DISCARDED => Some(ReplicaState::Removed { with_older: false }),
        _ => None,
    }
}

fn ending(held: ReplicaState) -> &'static str {
    match held {
        ReplicaState::Prepared { .. } => PREPARED,
        ReplicaState::Removed { with_older: true } => REMOVED,
        ReplicaState::Removed { with_older: false } => DISCARDED,
        _ => COMMITTED,
    }
}

pub struct Store {
    disk: Arc<dyn Disk>,
    objects: BTreeMap<String, BTreeMap<Version, Entry>>,
    names: BTreeMap<u128, (String, Version)>,
    /// Other unreadable files.
    damaged: Vec<String>,
    /// Versions with an unreadable record or mark, and the state by the file's ending. Their blocks
    /// stay untouched.
    unreadable: BTreeMap<u128, ReplicaState>,
    /// Versions that are gone, with a readable mark.
    marks: BTreeSet<u128>,
    /// Versions that are gone since the start: they are not rebuilt.
    gone: BTreeSet<u128>,
    /// `None`: the node does not know its cluster yet.
    member: Option<Member>,
}

impl Store {
    /// Reads all records and removes files without one.
    pub fn open(disk: Arc<dyn Disk>) -> io::Result<Store> {
        let mut store = Store {
            objects: BTreeMap::new(),
            names: BTreeMap::new(),
            damaged: Vec::new(),
            unreadable: BTreeMap::new(),
            marks: BTreeSet::new(),
            gone: BTreeSet::new(),
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
            let Some(held) = held(ending) else { continue };
            match record::read(&*disk, name).filter(|e| format!("{:032x}", e.version.id) == id) {
                Some(entry) => store.insert(Entry { held, ..entry }),
                // The machine stopped while writing it. An acknowledged version is committed on
                // every node.
                None if ending == PREPARED => disk.remove(name)?,
                None => store.note_unreadable(name, id, held),
            }
        }
        store.remove_orphans(&files)?;
        Ok(store)
    }

    fn remove_orphans(&self, files: &[String]) -> io::Result<()> {
        for name in files {
            let Some((id, BLOCKS | SUMS | RESTORED)) = name.split_once('.') else { continue };
            let id = u128::from_str_radix(id, 16);
            let is_known = |id: u128| match self.find(id) {
                Some(entry) => entry.held.is_readable(),
                None => self.unreadable.get(&id) == Some(&ReplicaState::Committed),
            };
            if name.ends_with(RESTORED) || !id.is_ok_and(is_known) {
                self.disk.remove(name)?
            }
        }
        self.disk.sync()
    }

    fn note_unreadable(&mut self, name: &str, id: &str, held: ReplicaState) {
        match u128::from_str_radix(id, 16) {
            Ok(number) if file(number, ending(held)) == name => {
                self.unreadable.insert(number, held);
            }
            _ => self.damaged.push(name.into()),
        }
    }

    /// Unreadable files: records, marks, and the file `cluster`.
    pub fn damaged(&self) -> Vec<String> {
        let records = self.unreadable.iter().map(|(id, held)| file(*id, ending(*held)));
        self.damaged.iter().cloned().chain(records).collect()
    }

    /// Free and total bytes of the disk; `None` if the system does not report them.
    pub fn room(&self) -> Option<(u64, u64)> {
        self.disk.room()
    }

    /// The node's place in its cluster. If unknown: no cluster, and the place of most of its
    /// versions. Ties go to the place among more nodes.
    pub fn member(&self) -> Member {
        self.member.clone().unwrap_or_else(|| {
            let mut places: BTreeMap<(u8, u8), usize> = BTreeMap::new();
            let all = self.objects.values().flat_map(BTreeMap::values);
            let all = all.filter(|entry| entry.held.is_readable());
            all.for_each(|entry| *places.entry((entry.nodes, entry.index)).or_default() += 1);
            let most = places.into_iter().max_by_key(|(place, count)| (*count, *place));
            let (nodes, index) = most.map_or((0, 0), |(place, _)| place);
            Member { nodes, least: nodes, index, ..Member::default() }
        })
    }

    /// Joins a cluster, durably.
    ///
    /// # Errors
    /// The disk fails; then the membership is unchanged.
    pub fn enter(&mut self, member: Member) -> io::Result<()> {
        member::write(&*self.disk, &member)?;
        self.damaged.retain(|name| name != member::NAME);
        self.member = Some(member);
        Ok(())
    }

    /// The version was written for this node's place in its cluster.
    pub fn is_own(&self, entry: &Entry) -> bool {
        self.member.as_ref().is_none_or(|member| member.has_place(entry))
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0 && self.damaged.is_empty()
    }

    /// In order, after `after`.
    pub fn names_after(&self, after: &str) -> impl Iterator<Item = &String> {
        use std::ops::Bound::{Excluded, Unbounded};
        self.objects.range::<str, _>((Excluded(after), Unbounded)).map(|(name, _)| name)
    }

    /// In order, the oldest first.
    pub fn versions(&self, name: &str) -> impl Iterator<Item = &Entry> {
        self.objects.get(name).into_iter().flat_map(BTreeMap::values)
    }

    pub fn find(&self, id: u128) -> Option<&Entry> {
        let (name, version) = self.names.get(&id)?;
        self.objects.get(name)?.get(version)
    }

    /// Versions, including unreadable ones.
    pub fn count(&self) -> usize {
        let unreadable = self.unreadable.values().filter(|held| **held == ReplicaState::Committed);
        self.names.len() - self.marks.len() + unreadable.count()
    }

    fn insert(&mut self, entry: Entry) {
        match matches!(entry.held, ReplicaState::Removed { .. }) {
            true => self.marks.insert(entry.version.id),
            false => self.marks.remove(&entry.version.id),
        };
        self.names.insert(entry.version.id, (entry.name.clone(), entry.version));
        self.objects.entry(entry.name.clone()).or_default().insert(entry.version, entry);
    }

    fn forget(&mut self, id: u128) {
        self.marks.remove(&id);
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
    /// The version exists or was removed, or files cannot be created.
    pub fn stage(&self, entry: &Entry, shape: Shape, rows: usize) -> io::Result<Staged> {
        let id = entry.version.id;
        if self.names.contains_key(&id) || self.unreadable.contains_key(&id) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        if self.gone.contains(&id) {
            return Err(io::Error::other("this version was removed"));
        }
        let blocks = self.disk.create(&file(id, BLOCKS))?;
        blocks.reserve(shape.file_length()).inspect_err(|_| {
            // No space: leave nothing behind.
            let _ = self.unstage(id);
        })?;
        let sums = self.disk.create(&file(id, SUMS))?;
        Ok(Staged::new(Opened::new(blocks, sums, entry, shape, rows)))
    }

    /// Opens a version to overwrite some of its stripes.
    pub fn patch(&self, entry: &Entry, shape: Shape, rows: usize) -> io::Result<Staged> {
        self.find(entry.version.id).ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        // A missing file is created; blocks that are not patched then fail their check.
        let open = |name: String| self.disk.open(&name).or_else(|_| self.disk.create(&name));
        let blocks = open(file(entry.version.id, BLOCKS))?;
        let sums = open(file(entry.version.id, SUMS))?;
        Ok(Staged::new(Opened::new(blocks, sums, entry, shape, rows)))
    }

    /// Makes a staged version durable. May run on any thread; then call [`Store::prepared`].
    pub fn preparation(&self, entry: &Entry) -> impl FnOnce(&Staged) -> io::Result<()> + use<> {
        let (disk, entry) = (self.disk.clone(), entry.clone());
        move |staged| {
            staged.sync()?;
            record::write(&*disk, &file(entry.version.id, PREPARED), &entry)?;
            disk.sync()
        }
    }

    pub fn prepared(&mut self, entry: Entry) {
        self.insert(Entry { held: ReplicaState::Prepared { is_attended: true }, ..entry })
    }

    /// The writer's connection is closed.
    pub fn unattended(&mut self, id: u128) {
        if let Some((name, version)) = self.names.get(&id)
            && let Some(entry) = self.objects.get_mut(name).and_then(|v| v.get_mut(version))
            && let ReplicaState::Prepared { is_attended } = &mut entry.held
        {
            *is_attended = false
        }
    }

    /// Makes a prepared version visible. A visible one stays so.
    ///
    /// # Errors
    /// There is no such version, or the disk fails; then it is unchanged.
    pub fn commit(&mut self, id: u128) -> io::Result<()> {
        let entry = self.find(id).cloned().ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        if matches!(entry.held, ReplicaState::Prepared { .. }) {
            self.disk.rename(&file(id, PREPARED), &file(id, COMMITTED))?;
            self.disk.sync()?;
            self.insert(Entry { held: ReplicaState::Committed, ..entry });
        }
        Ok(())
    }

    /// Removes a version or its mark: all nodes have a newer version or know of the removal.
    pub fn remove(&mut self, id: u128) -> io::Result<()> {
        if let Some(held) = self.held(id) {
            self.disk.remove(&file(id, ending(held)))?;
            self.disk.sync()?;
            self.forget(id);
            self.unreadable.remove(&id);
        }
        self.unstage(id)
    }

    /// Removes a staged version that is not prepared.
    pub fn unstage(&self, id: u128) -> io::Result<()> {
        self.disk.remove(&file(id, SUMS))?;
        self.disk.remove(&file(id, BLOCKS))
    }

    pub fn read(&self, id: u128, shape: Shape, rows: usize) -> io::Result<Opened> {
        let entry = self.find(id).ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        let (blocks, sums) = (self.disk.open(&file(id, BLOCKS))?, self.disk.open(&file(id, SUMS))?);
        Ok(Opened::new(blocks, sums, entry, shape, rows))
    }
}
