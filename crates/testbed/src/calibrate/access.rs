//! File accesses of streams, and eviction from the page cache.
use nix::fcntl::PosixFadviseAdvice::POSIX_FADV_DONTNEED;
use nix::fcntl::posix_fadvise;
use std::fs::File;
use std::path::Path;
use system::Failure;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
    Both,
}

impl Access {
    pub fn name(self) -> &'static str {
        match self {
            Access::Read => "readers",
            Access::Write => "writers",
            Access::Both => "both",
        }
    }
}

pub(super) fn failed(path: &Path, e: &std::io::Error) -> Failure {
    Failure::Failed(format!("{}: {e}", path.display()))
}

pub(super) fn forget(file: &File) {
    // The kernel may keep pages, so the measurement counts bytes at the disk.
    let _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}
