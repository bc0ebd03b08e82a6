//! Files, as few operations as the store needs, so that a test can fail or lose any of them.
mod direct;
mod folder;
mod still;

pub use direct::Direct;
pub use folder::Folder;
pub use still::Still;

use std::io;
use std::sync::Arc;

/// A flat folder. Names are made by the store, of hexadecimal digits and an ending.
pub trait Disk: Send + Sync {
    /// Names of all files.
    fn list(&self) -> io::Result<Vec<String>>;
    /// An empty file of this name; one that is there is emptied.
    fn create(&self, name: &str) -> io::Result<Arc<dyn Blob>>;
    /// A file that is there.
    fn open(&self, name: &str) -> io::Result<Arc<dyn Blob>>;
    /// Renames; durable after [`Disk::sync`].
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file; one that is not there is no error. Durable after [`Disk::sync`].
    fn remove(&self, name: &str) -> io::Result<()>;
    /// Makes durable which names there are.
    fn sync(&self) -> io::Result<()>;
    /// Bytes that are free, and all; `None` if the system does not state them.
    fn room(&self) -> Option<(u64, u64)> {
        None
    }
}

/// Hears what has become of a write.
pub type Done = Box<dyn FnOnce(io::Result<()>) + Send>;

pub trait Blob: Send + Sync {
    /// Writes all of it there.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    /// Begins to write a block; `done` is called, on any thread, when it is written or has failed.
    /// Gives `done` back where this is nothing for the blob: then it is to be written at once.
    fn begin_write(&self, _block: Still, _offset: u64, done: Done) -> Option<Done> {
        Some(done)
    }
    /// Waits until no write of [`Blob::begin_write`] is on its way.
    fn wait(&self) {}
    /// Makes room for a file that will have this length.
    fn reserve(&self, _length: u64) -> io::Result<()> {
        Ok(())
    }
    /// Fills all of it from there.
    ///
    /// # Errors
    /// The file ends before, or the disk is bad.
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;
    /// Length \[bytes\].
    fn length(&self) -> io::Result<u64>;
    fn sync(&self) -> io::Result<()>;
}
