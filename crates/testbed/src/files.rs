//! A FUSE file system with one file per disk.
use crate::drive::Drive;
use crate::priority;
use fuser::{
    BackgroundSession, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags,
    Generation, INodeNo, InitFlags, KernelConfig, LockOwner, MountOption, OpenFlags, ReplyAttr,
    ReplyData, ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyWrite, Request, Session,
    WriteFlags,
};
use nix::fcntl::FallocateFlags;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};
use system::Failure;

/// Maximum size of a kernel request; smaller ones would arrive out of order and seek.
const PIECE: u32 = 1 << 20;

/// Concurrent requests of the kernel.
const UNDER_WAY: u16 = 1024;

const EVER: Duration = Duration::from_secs(1 << 30);

/// First inode of a file; the one before is the folder's.
const FIRST: u64 = 2;

struct Files(Vec<Drive>);

/// Unmounts on drop.
///
/// # Errors
/// The kernel has no FUSE, or mounting is not permitted.
pub fn mount(drives: Vec<Drive>, at: &Path) -> Result<BackgroundSession, Failure> {
    let failed = |e: io::Error| {
        Failure::Failed(format!("cannot mount a FUSE file system at {}: {e}", at.display()))
    };
    let mut config = Config::default();
    config.mount_options = vec![MountOption::FSName("tenbin".into())];
    let session = Session::new(Files(drives), at, &config).map_err(failed)?;
    priority::first(true);
    let session = session.spawn().map_err(failed);
    priority::first(false);
    session
}

impl Files {
    fn drive(&self, inode: INodeNo) -> Option<&Drive> {
        let place = u64::from(inode).checked_sub(FIRST)?;
        self.0.get(usize::try_from(place).ok()?)
    }

    fn attributes(&self, inode: INodeNo) -> Option<FileAttr> {
        let size = match inode {
            INodeNo::ROOT => 0,
            _ => self.drive(inode)?.size.0,
        };
        let is_folder = inode == INodeNo::ROOT;
        Some(FileAttr {
            ino: inode,
            size,
            blocks: size / 512,
            atime: UNIX_EPOCH,
            mtime: UNIX_EPOCH,
            ctime: UNIX_EPOCH,
            crtime: UNIX_EPOCH,
            kind: if is_folder { FileType::Directory } else { FileType::RegularFile },
            perm: if is_folder { 0o700 } else { 0o600 },
            nlink: 1,
            uid: 0,
            gid: 0,
            rdev: 0,
            blksize: 4096,
            flags: 0,
        })
    }
}

impl Filesystem for Files {
    fn init(&mut self, _: &Request, config: &mut KernelConfig) -> io::Result<()> {
        let poor = || io::Error::other("this kernel's FUSE has no direct I/O of 1 MiB");
        config.set_max_write(PIECE).map_err(|_| poor())?;
        config.set_max_background(UNDER_WAY).map_err(|_| poor())?;
        // Otherwise each request waits for the one before.
        config.add_capabilities(InitFlags::FUSE_ASYNC_DIO).map_err(|_| poor())
    }

    fn lookup(&self, _: &Request, _: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let inodes = (FIRST..).map(INodeNo).zip(&self.0);
        let found = inodes.into_iter().find(|(_, drive)| name == drive.name.as_str());
        match found.and_then(|(inode, _)| self.attributes(inode)) {
            Some(attributes) => reply.entry(&EVER, &attributes, Generation(0)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _: &Request, inode: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match self.attributes(inode) {
            Some(attributes) => reply.attr(&EVER, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn open(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        reply.opened(FileHandle(0), FopenFlags::FOPEN_DIRECT_IO)
    }

    fn read(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        at: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        match self.drive(inode) {
            Some(drive) => drive.read(at, size.into(), reply),
            None => reply.error(Errno::EISDIR),
        }
    }

    fn write(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        at: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        match self.drive(inode) {
            Some(drive) => drive.write(at, data, reply),
            None => reply.error(Errno::EISDIR),
        }
    }

    /// A completed write is durable.
    fn fsync(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        reply.ok()
    }

    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        reply.ok()
    }

    fn fallocate(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        at: u64,
        size: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        let zeroes = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_ZERO_RANGE;
        if !FallocateFlags::from_bits_retain(mode).intersects(zeroes) {
            return reply.error(Errno::EOPNOTSUPP);
        }
        match self.drive(inode).map(|drive| drive.discard(at, size)) {
            Some(Ok(())) => reply.ok(),
            Some(Err(e)) => reply.error(e.into()),
            None => reply.error(Errno::EISDIR),
        }
    }

    fn readdir(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        after: u64,
        mut reply: ReplyDirectory,
    ) {
        let files = (FIRST..).zip(&self.0).skip(usize::try_from(after).unwrap_or(usize::MAX));
        for (inode, drive) in files {
            let place = inode - FIRST + 1;
            if reply.add(INodeNo(inode), place, FileType::RegularFile, &drive.name) {
                break;
            }
        }
        reply.ok()
    }
}
