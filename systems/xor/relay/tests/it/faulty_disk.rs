//! A disk in memory that loses unsynced data, and fails on command.
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard};
use xor_relay::disk::{Blob, Disk, Done, PinnedBlock};

#[derive(Clone, Copy, Default, Debug)]
pub struct Crash {
    /// From this operation on all fail, as after a power cut. Reads do not count.
    pub after: Option<u64>,
    /// In bytes.
    pub capacity: Option<u64>,
}

#[derive(Clone, Default)]
struct Content {
    now: Vec<u8>,
    durable: Vec<u8>,
    /// Unreadable ranges: first byte, and the one after the last.
    bad: Vec<(u64, u64)>,
}

#[derive(Default)]
struct Inner {
    files: Vec<Content>,
    /// Current names, and names after a crash.
    names: BTreeMap<String, usize>,
    durable: BTreeMap<String, usize>,
    done: u64,
    crash: Crash,
    /// Blocks are written on command; the waiting ones: file, block, place, callback.
    is_late: bool,
    late: Vec<(usize, PinnedBlock, u64, Option<Done>)>,
}

/// Clones share the disk.
#[derive(Clone, Default)]
pub struct FaultyDisk(Arc<Mutex<Inner>>);

struct FrailBlob {
    disk: FaultyDisk,
    file: usize,
}

impl FaultyDisk {
    pub fn set_crash(&self, crash: Crash) {
        self.lock().crash = crash
    }

    /// Blocks bypass all caches and are written one by one, by [`FaultyDisk::write_late`].
    pub fn set_late(&self, is_late: bool) {
        self.lock().is_late = is_late
    }

    /// Number of blocks that wait to be written.
    pub fn late(&self) -> usize {
        self.lock().late.len()
    }

    /// Writes one of the waiting blocks, with its current memory.
    pub fn write_late(&self, which: usize) {
        let (file, block, offset, done) = self.lock().late.swap_remove(which);
        let blob = FrailBlob { disk: self.clone(), file };
        let result = blob.write_at(block.bytes(), offset);
        if let Some(done) = done {
            done(result)
        }
    }

    /// The node is gone: the device still writes its blocks, without callbacks.
    pub fn forget_late(&self) {
        self.lock().late.iter_mut().for_each(|(.., done)| *done = None);
        while self.late() > 0 {
            self.write_late(0)
        }
    }

    /// Operations so far, without reads.
    pub fn done(&self) -> u64 {
        self.lock().done
    }

    /// Restarts the machine. Unsynced data are gone, or kept in part, as `keeps` decides.
    pub fn restart(&self, mut keeps: impl FnMut() -> bool) {
        let inner = &mut *self.lock();
        inner.names = inner.durable.clone();
        inner.late.clear();
        inner.crash = Crash::default();
        for content in &mut inner.files {
            let (now, durable) = (&content.now, &mut content.durable);
            // A page at a time reaches the platter or does not.
            for (page, bytes) in now.chunks(4096).enumerate() {
                let start = page * 4096;
                if keeps() && durable.len() >= start {
                    let end = durable.len().max(start + bytes.len());
                    durable.resize(end, 0);
                    durable[start..start + bytes.len()].copy_from_slice(bytes);
                }
            }
            content.now = durable.clone();
        }
    }

    pub fn wipe(&self) {
        let is_late = self.lock().is_late;
        *self.lock() = Inner { is_late, ..Inner::default() }
    }

    /// Changes a byte of a file silently.
    pub fn rot(&self, name: &str, at: usize) {
        let inner = &mut *self.lock();
        let file = inner.names[name];
        inner.files[file].now[at] ^= 0x10;
        inner.files[file].durable[at] ^= 0x10;
    }

    /// Makes bytes of a file unreadable until they are written again.
    pub fn spoil(&self, name: &str, from: u64, upto: u64) {
        let inner = &mut *self.lock();
        let file = inner.names[name];
        inner.files[file].bad.push((from, upto));
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().expect("no thread panics with it")
    }

    /// Counts a changing operation; fails after the crash.
    fn change(&self) -> io::Result<MutexGuard<'_, Inner>> {
        let mut inner = self.lock();
        if inner.crash.after.is_some_and(|after| inner.done >= after) {
            return Err(io::Error::other("the machine has stopped"));
        }
        inner.done += 1;
        Ok(inner)
    }
}

impl Disk for FaultyDisk {
    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.lock().names.keys().cloned().collect())
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn Blob>> {
        let mut inner = self.change()?;
        inner.files.push(Content::default());
        let file = inner.files.len() - 1;
        inner.names.insert(name.into(), file);
        Ok(Arc::new(FrailBlob { disk: self.clone(), file }))
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn Blob>> {
        let file = self.lock().names.get(name).copied();
        let file = file.ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        Ok(Arc::new(FrailBlob { disk: self.clone(), file }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut inner = self.change()?;
        let file = inner.names.remove(from).ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        inner.names.insert(to.into(), file);
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.change()?.names.remove(name);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut inner = self.change()?;
        inner.durable = inner.names.clone();
        Ok(())
    }
}

impl Blob for FrailBlob {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut inner = self.disk.change()?;
        let used: u64 = inner.names.values().map(|f| inner.files[*f].now.len() as u64).sum();
        if inner.crash.capacity.is_some_and(|most| used + bytes.len() as u64 > most) {
            return Err(ErrorKind::StorageFull.into());
        }
        let content = &mut inner.files[self.file];
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        content.now.resize(content.now.len().max(end), 0);
        content.now[start..end].copy_from_slice(bytes);
        content.bad.retain(|(from, upto)| *from < offset || *upto > end as u64);
        Ok(())
    }

    fn begin_write(&self, block: PinnedBlock, offset: u64, done: Done) -> Option<Done> {
        let mut inner = self.disk.lock();
        if !inner.is_late {
            return Some(done);
        }
        inner.late.push((self.file, block, offset, Some(done)));
        None
    }

    fn wait(&self) {
        let of_it = |late: &(usize, PinnedBlock, u64, Option<Done>)| late.0 == self.file;
        loop {
            let next = self.disk.lock().late.iter().position(of_it);
            let Some(next) = next else { return };
            self.disk.write_late(next)
        }
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let inner = self.disk.lock();
        let content = &inner.files[self.file];
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        if content.bad.iter().any(|(from, upto)| *from < end as u64 && *upto > offset) {
            return Err(io::Error::other("bad sector"));
        }
        let found = content.now.get(start..end);
        bytes.copy_from_slice(found.ok_or_else(|| io::Error::from(ErrorKind::UnexpectedEof))?);
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.disk.lock().files[self.file].now.len() as u64)
    }

    fn sync(&self) -> io::Result<()> {
        let mut inner = self.disk.change()?;
        let content = &mut inner.files[self.file];
        content.durable = content.now.clone();
        Ok(())
    }
}
