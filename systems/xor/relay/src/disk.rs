//! Files with the few operations that the store needs, so that a test can fail or lose each.
mod direct;
mod folder;
mod pinned_block;

pub use direct::Direct;
pub use folder::Folder;
pub use pinned_block::PinnedBlock;

use std::io;
use std::sync::Arc;

/// A flat folder. File names are hexadecimal digits and an ending.
pub trait Disk: Send + Sync {
    fn list(&self) -> io::Result<Vec<String>>;
    /// Creates an empty file; empties one that exists.
    fn create(&self, name: &str) -> io::Result<Arc<dyn Blob>>;
    fn open(&self, name: &str) -> io::Result<Arc<dyn Blob>>;
    /// Durable after [`Disk::sync`].
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Also succeeds if there is no such file. Durable after [`Disk::sync`].
    fn remove(&self, name: &str) -> io::Result<()>;
    /// Makes the set of names durable.
    fn sync(&self) -> io::Result<()>;
    /// Free and total bytes; `None` if the system does not report them.
    fn room(&self) -> Option<(u64, u64)> {
        None
    }
}

pub type Done = Box<dyn FnOnce(io::Result<()>) + Send>;

pub trait Blob: Send + Sync {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    /// Starts to write a block. `done` is called on any thread after the write or its failure.
    /// Returns `done` if the blob cannot do this: then the caller writes the block at once.
    fn begin_write(&self, _block: PinnedBlock, _offset: u64, done: Done) -> Option<Done> {
        Some(done)
    }
    /// Waits until all writes of [`Blob::begin_write`] have ended.
    fn wait(&self) {}
    /// Allocates disk space for a file of this length.
    fn reserve(&self, _length: u64) -> io::Result<()> {
        Ok(())
    }
    /// Fills `bytes` from the offset.
    ///
    /// # Errors
    /// The file ends earlier, or the disk fails.
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;
    /// In bytes.
    fn length(&self) -> io::Result<u64>;
    fn sync(&self) -> io::Result<()>;
}
