//! A real folder.
use super::direct::ALIGNED;
use super::{Blob, Direct, Disk, Done, PinnedBlock};
use rustix::fs::{FallocateFlags, OFlags, fallocate};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

/// A folder locked by one process.
pub struct Folder {
    path: PathBuf,
    /// `Some`: blocks bypass the page cache.
    direct: Option<Arc<Direct>>,
    _lock: File,
}

const LOCK: &str = "lock";

impl Folder {
    /// Opens and locks the folder, created if missing.
    ///
    /// # Errors
    /// The folder cannot be created, or another node has it.
    pub fn open(path: &Path) -> io::Result<Folder> {
        fs::create_dir_all(path)?;
        let lock = OpenOptions::new().create(true).append(true).open(path.join(LOCK))?;
        lock.try_lock().map_err(|_| io::Error::other("another node is using this folder"))?;
        Ok(Folder { path: path.into(), direct: None, _lock: lock })
    }

    /// From now on blocks bypass the page cache.
    ///
    /// # Errors
    /// The file system or the kernel cannot do that; the folder is unchanged.
    pub fn bypass_cache(&mut self) -> io::Result<()> {
        let (direct, probe) = (Direct::new()?, self.path.join(PROBE));
        let written = past_cache(&probe, true).and_then(|file| probe_page(&direct, &file));
        let removed = fs::remove_file(&probe);
        written?;
        removed?;
        self.direct = Some(Arc::new(direct));
        Ok(())
    }

    /// Whether blocks in this folder, created if missing, can bypass the page cache.
    pub fn may_bypass_cache(path: &Path) -> io::Result<()> {
        Folder::open(path)?.bypass_cache()
    }

    fn blob(&self, file: File, name: &str) -> Arc<dyn Blob> {
        let (path, direct) = (self.path.join(name), self.direct.clone());
        let (bypass, open) = (OnceLock::new(), Arc::default());
        Arc::new(InFolder { file, path, direct, bypass, open })
    }
}

/// Written to test whether `O_DIRECT` works.
const PROBE: &str = "probe";

fn past_cache(path: &Path, is_new: bool) -> io::Result<File> {
    let flags = OFlags::DIRECT.bits().cast_signed();
    OpenOptions::new().create(is_new).write(true).custom_flags(flags).open(path)
}

fn probe_page(direct: &Direct, file: &File) -> io::Result<()> {
    let memory = crate::memory::Memory::new(1, ALIGNED);
    // SAFETY: the memory is there until the write is over.
    let page = unsafe { PinnedBlock::of(memory.get(0, ALIGNED)) };
    let (tell, told) = std::sync::mpsc::channel();
    direct.write(file.as_raw_fd(), page, 0, Box::new(move |result| drop(tell.send(result))));
    told.recv().map_err(io::Error::other)?
}

impl Disk for Folder {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name != LOCK && name != PROBE {
                names.push(name)
            }
        }
        names.sort();
        Ok(names)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn Blob>> {
        let mut options = OpenOptions::new();
        options.create(true).truncate(true).read(true).write(true);
        Ok(self.blob(options.open(self.path.join(name))?, name))
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn Blob>> {
        let file = OpenOptions::new().read(true).write(true).open(self.path.join(name))?;
        Ok(self.blob(file, name))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    fn sync(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }

    fn room(&self) -> Option<(u64, u64)> {
        let about = rustix::fs::statvfs(&self.path).ok()?;
        let bytes = |blocks: u64| blocks.saturating_mul(about.f_frsize);
        Some((bytes(about.f_bavail), bytes(about.f_blocks)))
    }
}

struct InFolder {
    file: File,
    path: PathBuf,
    direct: Option<Arc<Direct>>,
    /// The same file opened with `O_DIRECT`, at the first block; `None`: that failed.
    bypass: OnceLock<Option<File>>,
    open: Arc<Open>,
}

/// Number of writes in progress.
#[derive(Default)]
struct Open {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Open {
    fn begin(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1
    }

    fn end(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.changed.notify_all()
    }

    fn wait(&self) {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(count, |count| *count > 0))
    }
}

impl Blob for InFolder {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)
    }

    fn begin_write(&self, block: PinnedBlock, offset: u64, done: Done) -> Option<Done> {
        let Some(direct) = self.direct.as_ref().filter(|_| Direct::takes(block, offset)) else {
            return Some(done);
        };
        let Some(file) = self.bypass.get_or_init(|| past_cache(&self.path, false).ok()) else {
            return Some(done);
        };
        self.open.begin();
        let open = self.open.clone();
        let over = move |result| {
            done(result);
            open.end()
        };
        direct.write(file.as_raw_fd(), block, offset, Box::new(over));
        None
    }

    fn wait(&self) {
        self.open.wait()
    }

    fn reserve(&self, length: u64) -> io::Result<()> {
        match fallocate(&self.file, FallocateFlags::empty(), 0, length.max(1)) {
            Err(rustix::io::Errno::NOSPC) => Err(ErrorKind::StorageFull.into()),
            // If the file system cannot reserve space, a later write reports a full disk.
            _ => Ok(()),
        }
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(bytes, offset)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}
