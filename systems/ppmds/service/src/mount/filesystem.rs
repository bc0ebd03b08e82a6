//! Requests of the kernel: each starts a task that replies.
use super::operations::{Answer, Operations};
use fuser::{
    BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation,
    INodeNo, LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData, ReplyDirectory,
    ReplyEmpty, ReplyEntry, ReplyOpen, ReplyWrite, Request, TimeOrNow, WriteFlags,
};
use ppmds_protocol::{Attributes, Change, Inode, Kind, Listed};
use std::ffi::OsStr;
use std::future::Future;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::runtime::Handle;

/// Time for which the kernel keeps entries and attributes.
const KEPT: Duration = Duration::from_secs(1);
/// Permissions, set-id bits and the sticky bit of a mode.
const PERMISSIONS: u32 = 0o7777;
/// Type bits of devices, and all type bits.
const DEVICES: [u32; 2] = [0o020_000, 0o060_000];
const TYPE: u32 = 0o170_000;

pub struct Mounted {
    pub operations: Arc<Operations>,
    pub runtime: Handle,
}

fn time(ns: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_nanos(ns)
}

fn nanoseconds(given: TimeOrNow) -> u64 {
    let given = match given {
        TimeOrNow::SpecificTime(time) => time,
        TimeOrNow::Now => time(crate::clock::wall_ns()),
    };
    given.duration_since(UNIX_EPOCH).map_or(0, crate::clock::nanoseconds)
}

fn file_type(kind: Kind) -> FileType {
    match kind {
        Kind::File => FileType::RegularFile,
        Kind::Directory => FileType::Directory,
        Kind::Symlink => FileType::Symlink,
        Kind::Pipe => FileType::NamedPipe,
        Kind::Socket => FileType::Socket,
    }
}

fn attributes(inode: &Inode) -> FileAttr {
    let Inode { ino, kind, mode, links, owner, group, size, modified, changed } = *inode;
    FileAttr {
        ino: INodeNo(ino),
        size,
        blocks: size.div_ceil(512),
        atime: time(modified),
        mtime: time(modified),
        ctime: time(changed),
        crtime: UNIX_EPOCH,
        kind: file_type(kind),
        perm: mode & 0o7777,
        nlink: links,
        uid: owner,
        gid: group,
        rdev: 0,
        blksize: 4_096,
        flags: 0,
    }
}

/// Attributes of a new inode. Its owner is the calling process's.
fn of(request: &Request, mode: u32) -> Attributes {
    let mode = u16::try_from(mode & (TYPE | PERMISSIONS)).expect("sixteen bits");
    Attributes { mode, owner: request.uid(), group: request.gid() }
}

impl Mounted {
    /// Starts a task; `reply` gets its result.
    fn start<T: Send, F: Future<Output = Answer<T>> + Send + 'static>(
        &self,
        work: impl FnOnce(Arc<Operations>) -> F,
        reply: impl FnOnce(Answer<T>) + Send + 'static,
    ) {
        let work = work(Arc::clone(&self.operations));
        self.runtime.spawn(async move { reply(work.await) });
    }

    fn entry<F: Future<Output = Answer<Inode>> + Send + 'static>(
        &self,
        reply: ReplyEntry,
        work: impl FnOnce(Arc<Operations>) -> F,
    ) {
        self.start(work, |found| match found {
            Ok(inode) => reply.entry(&KEPT, &attributes(&inode), Generation(0)),
            Err(errno) => reply.error(errno),
        })
    }

    fn attributes<F: Future<Output = Answer<Inode>> + Send + 'static>(
        &self,
        reply: ReplyAttr,
        work: impl FnOnce(Arc<Operations>) -> F,
    ) {
        self.start(work, |found| match found {
            Ok(inode) => reply.attr(&KEPT, &attributes(&inode)),
            Err(errno) => reply.error(errno),
        })
    }

    fn data<F: Future<Output = Answer<Vec<u8>>> + Send + 'static>(
        &self,
        reply: ReplyData,
        work: impl FnOnce(Arc<Operations>) -> F,
    ) {
        self.start(work, |found| match found {
            Ok(bytes) => reply.data(&bytes),
            Err(errno) => reply.error(errno),
        })
    }

    fn empty<F: Future<Output = Answer<()>> + Send + 'static>(
        &self,
        reply: ReplyEmpty,
        work: impl FnOnce(Arc<Operations>) -> F,
    ) {
        self.start(work, |done| match done {
            Ok(()) => reply.ok(),
            Err(errno) => reply.error(errno),
        })
    }
}

impl Filesystem for Mounted {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let name = name.as_bytes().to_vec();
        self.entry(reply, |all| async move { all.lookup(parent.0, &name).await })
    }

    fn forget(&self, _: &Request, ino: INodeNo, lookups: u64) {
        self.operations.state().names.forget(ino.0, lookups)
    }

    fn getattr(&self, _: &Request, ino: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        self.attributes(reply, |all| async move { all.getattr(ino.0).await })
    }

    fn setattr(
        &self,
        _: &Request,
        ino: INodeNo,
        mode: Option<u32>,
        owner: Option<u32>,
        group: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        modified: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let mode = mode.map(|mode| u16::try_from(mode & PERMISSIONS).expect("twelve bits"));
        let modified = modified.map(nanoseconds);
        self.attributes(reply, |all| async move {
            let owner = match (owner, group) {
                (None, None) => None,
                (owner, group) => {
                    let is = all.getattr(ino.0).await?;
                    Some((owner.unwrap_or(is.owner), group.unwrap_or(is.group)))
                }
            };
            all.setattr(ino.0, Change { mode, owner, size, modified, ..Change::default() }).await
        })
    }

    fn readlink(&self, _: &Request, ino: INodeNo, reply: ReplyData) {
        self.data(reply, |all| async move { all.readlink(ino.0).await })
    }

    fn mknod(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        _: u32,
        reply: ReplyEntry,
    ) {
        if DEVICES.contains(&(mode & TYPE)) {
            return reply.error(Errno::EPERM);
        }
        let (name, of) = (name.as_bytes().to_vec(), of(request, mode));
        self.entry(reply, |all| async move { all.create(parent.0, &name, of).await })
    }

    fn mkdir(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        reply: ReplyEntry,
    ) {
        let (name, of) = (name.as_bytes().to_vec(), of(request, mode));
        self.entry(reply, |all| async move { all.mkdir(parent.0, &name, of).await })
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let name = name.as_bytes().to_vec();
        self.empty(reply, |all| async move { all.unlink(parent.0, &name).await })
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let name = name.as_bytes().to_vec();
        self.empty(reply, |all| async move { all.rmdir(parent.0, &name).await })
    }

    fn symlink(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        target: &Path,
        reply: ReplyEntry,
    ) {
        let (name, of) = (name.as_bytes().to_vec(), of(request, 0));
        let target = target.as_os_str().as_bytes().to_vec();
        self.entry(reply, |all| async move { all.symlink(parent.0, &name, &target, of).await })
    }

    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        if !flags.is_empty() {
            return reply.error(Errno::EINVAL);
        }
        let from = (parent.0, name.as_bytes().to_vec());
        let to = (new_parent.0, new_name.as_bytes().to_vec());
        self.empty(reply, |all| async move { all.rename(from, to).await })
    }

    fn link(&self, _: &Request, ino: INodeNo, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let name = name.as_bytes().to_vec();
        self.entry(reply, |all| async move { all.link(ino.0, parent.0, &name).await })
    }

    fn open(&self, _: &Request, ino: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        self.start(
            |all| async move { all.open(ino.0).await },
            |opened| match opened {
                Ok(()) => reply.opened(FileHandle(0), FopenFlags::empty()),
                Err(errno) => reply.error(errno),
            },
        )
    }

    fn create(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        flags: i32,
        reply: ReplyCreate,
    ) {
        let (name, of) = (name.as_bytes().to_vec(), of(request, mode));
        let is_exclusive = flags & EXCLUSIVE != 0;
        self.start(
            |all| async move {
                let inode = match all.create(parent.0, &name, of).await {
                    // Another client was faster.
                    Err(Errno::EEXIST) if !is_exclusive => all.lookup(parent.0, &name).await?,
                    other => other?,
                };
                all.open(inode.ino).await.map(|()| inode)
            },
            |created| match created {
                Ok(inode) => {
                    let (attributes, handle) = (attributes(&inode), FileHandle(0));
                    let (generation, flags) = (Generation(0), FopenFlags::empty());
                    reply.created(&KEPT, &attributes, generation, handle, flags)
                }
                Err(errno) => reply.error(errno),
            },
        )
    }

    fn read(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        self.data(reply, |all| async move { all.read(ino.0, offset, size).await })
    }

    fn write(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let data = data.to_vec();
        let length = u32::try_from(data.len()).expect("a request is shorter than 4 GiB");
        self.start(
            |all| async move { all.write(ino.0, offset, &data).await },
            move |written| match written {
                Ok(()) => reply.written(length),
                Err(errno) => reply.error(errno),
            },
        )
    }

    fn flush(&self, _: &Request, ino: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        self.empty(reply, |all| async move { all.flush(ino.0).await })
    }

    fn fsync(&self, _: &Request, ino: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.empty(reply, |all| async move { all.flush(ino.0).await })
    }

    fn release(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        _: OpenFlags,
        _: Option<LockOwner>,
        _: bool,
        reply: ReplyEmpty,
    ) {
        self.empty(reply, |all| async move {
            let flushed = all.flush(ino.0).await;
            all.state().files.close(ino.0);
            flushed
        })
    }

    fn opendir(&self, _: &Request, ino: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        self.start(
            |all| async move { all.opendir(ino.0).await },
            |opened| match opened {
                Ok(handle) => reply.opened(FileHandle(handle), FopenFlags::empty()),
                Err(errno) => reply.error(errno),
            },
        )
    }

    fn readdir(
        &self,
        _: &Request,
        ino: INodeNo,
        handle: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let all = match self.operations.list(handle.0) {
            Ok(all) => all,
            Err(errno) => return reply.error(errno),
        };
        // The kernel resolves "." and ".." itself; their numbers are not used.
        let own = [".", ".."].map(|name| (ino, FileType::Directory, name.as_bytes()));
        let listed = |listed: &'_ Listed| (INodeNo(listed.ino), file_type(listed.kind));
        let others = all.iter().map(|one| {
            let (ino, kind) = listed(one);
            (ino, kind, one.name.bytes())
        });
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = (1u64..).zip(own.into_iter().chain(others)).skip(skipped);
        for (next, (ino, kind, name)) in rest {
            if reply.add(ino, next, kind, OsStr::from_bytes(name)) {
                break;
            }
        }
        reply.ok()
    }

    fn releasedir(
        &self,
        _: &Request,
        _: INodeNo,
        handle: FileHandle,
        _: OpenFlags,
        reply: ReplyEmpty,
    ) {
        self.operations.closedir(handle.0);
        reply.ok()
    }

    /// All operations on directories are durable when they return.
    fn fsyncdir(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        reply.ok()
    }
}

/// Linux's `O_EXCL`: `create` fails if the entry exists.
const EXCLUSIVE: i32 = 0o200;
