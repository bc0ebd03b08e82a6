//! `tenbin_meta_…`. The header states the contract of each function.
use crate::operations::{self, type_bits};
use crate::problem::{self, Problem, answer};
use crate::sessions::{self, with};
use cborder::{bytes, c_text, given, optional, place, put, slice, slice_mut, text};
use libc::{EINVAL, ERANGE};
use ppmds_protocol::{self as protocol, Attributes};
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::cluster::Cluster;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::time::Duration;

/// As in the header; a test compares both with the package.
const VERSION: &CStr = c"0.2.0";

/// `tenbin_meta_inode`: the size in bytes, times in ns since 1970.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Inode {
    pub ino: u64,
    pub size: u64,
    pub modified: u64,
    pub changed: u64,
    pub mode: u32,
    pub links: u32,
    pub owner: u32,
    pub group: u32,
}

impl From<protocol::Inode> for Inode {
    fn from(inode: protocol::Inode) -> Inode {
        let protocol::Inode { ino, kind, mode, links, owner, group, size, modified, changed } =
            inode;
        let mode = type_bits(kind) | u32::from(mode & 0o7777);
        Inode { ino, size, modified, changed, mode, links, owner, group }
    }
}

/// `tenbin_meta_change`: units as in [`Inode`]; `set` has a bit for each field that applies.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub set: u32,
    pub mode: u32,
    pub owner: u32,
    pub group: u32,
    pub size: u64,
    pub modified: u64,
}

impl Change {
    pub const MODE: u32 = 1;
    pub const OWNER: u32 = 2;
    pub const SIZE: u32 = 4;
    pub const MODIFIED: u32 = 8;
    const ALL: u32 = 15;

    fn checked(self) -> Result<protocol::Change, Problem> {
        let has = |bit: u32| self.set & bit != 0;
        if self.set & !Change::ALL != 0 {
            return Err(Problem::new(EINVAL, format!("set is {:#x}: unknown bits", self.set)));
        }
        Ok(protocol::Change {
            mode: has(Change::MODE).then(|| permissions(self.mode)).transpose()?,
            owner: has(Change::OWNER).then_some((self.owner, self.group)),
            size: has(Change::SIZE).then_some(self.size),
            modified: has(Change::MODIFIED).then_some(self.modified),
            ..protocol::Change::default()
        })
    }
}

/// `tenbin_meta_names`: context, name, inode number, type bits.
pub type Names = unsafe extern "C" fn(*mut c_void, *const c_char, u64, u32) -> c_int;

type Text = *const c_char;

fn permissions(mode: u32) -> Result<u16, Problem> {
    let known = u16::try_from(mode).ok().filter(|mode| *mode <= 0o7777);
    known.ok_or_else(|| Problem::new(EINVAL, format!("mode {mode:#o}: expected 0 to 0o7777")))
}

/// # Safety
/// `path` is NULL or a text that does not change during `'a`.
unsafe fn absolute<'a>(path: Text) -> Result<&'a [u8], Problem> {
    // SAFETY: the same promise.
    let path = unsafe { bytes(path, "the path") }?;
    let problem = || Problem::new(EINVAL, "expected an absolute path, as in /a/b");
    path.starts_with(b"/").then_some(path).ok_or_else(problem)
}

/// An operation on one path.
///
/// # Safety
/// `path` is NULL or a text.
unsafe fn on<T, E: Into<Problem>>(
    meta: u64,
    path: Text,
    work: impl AsyncFnOnce(&Client, &[u8]) -> Result<T, E>,
) -> Result<T, Problem> {
    // SAFETY: the same promise.
    let path = unsafe { absolute(path) }?;
    with(meta, async |client| work(client, path).await)
}

#[unsafe(no_mangle)]
pub extern "C" fn tenbin_meta_version() -> *const c_char {
    VERSION.as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn tenbin_meta_error() -> *const c_char {
    problem::last()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_open(
    cluster: Text,
    keys: Text,
    deadline_ms: u32,
    meta: *mut u64,
) -> c_int {
    answer(|| {
        place(meta, "the place of the session")?;
        // SAFETY: the header asks for texts.
        let (cluster, keys) =
            unsafe { (text(cluster, "the cluster file")?, optional(keys, "the keys’ folder")?) };
        let mut cluster = Cluster::read(Path::new(cluster))?;
        if let Some(keys) = keys {
            cluster = cluster.with_keys(Path::new(keys))?
        }
        let options = match deadline_ms {
            0 => ClientOptions::default(),
            ms => ClientOptions { deadline: Duration::from_millis(ms.into()) },
        };
        // SAFETY: the header asks for a place.
        Ok(unsafe { put(meta, sessions::open(cluster, options)?, "the place of the session") }?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn tenbin_meta_close(meta: u64) -> c_int {
    answer(|| sessions::close(meta))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_mkdir(
    meta: u64,
    path: Text,
    mode: u32,
    owner: u32,
    group: u32,
) -> c_int {
    // SAFETY: the header asks for a text.
    answer(|| unsafe {
        let of = Attributes { mode: permissions(mode)?, owner, group };
        on(meta, path, async |client, path| client.mkdir_path(path, of).await)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_create(
    meta: u64,
    path: Text,
    mode: u32,
    owner: u32,
    group: u32,
) -> c_int {
    // SAFETY: the header asks for a text.
    answer(|| unsafe {
        let of = Attributes { mode: permissions(mode)?, owner, group };
        on(meta, path, async |client, path| client.create_path(path, of).await)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_stat(meta: u64, path: Text, inode: *mut Inode) -> c_int {
    // SAFETY: the header asks for a text, and a place or NULL.
    answer(|| unsafe {
        let found = on(meta, path, async |client, path| client.stat_path(path).await)?;
        if !inode.is_null() {
            put(inode, found.into(), "the place of the inode")?
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_readdir(
    meta: u64,
    path: Text,
    names: Option<Names>,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header asks for a text and a function.
    answer(|| unsafe {
        let names = given(names, "the callback")?;
        let all = on(meta, path, async |client, path| client.readdir_path(path).await)?;
        for entry in all {
            let name = c_text(entry.name.bytes());
            if names(context, name.as_ptr(), entry.ino, type_bits(entry.kind)) != 0 {
                break;
            }
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_rename(meta: u64, from: Text, to: Text) -> c_int {
    answer(|| {
        // SAFETY: the header asks for texts.
        let (from, to) = unsafe { (absolute(from)?, absolute(to)?) };
        with(meta, async |client| client.rename_path(from, to).await)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_link(meta: u64, from: Text, to: Text) -> c_int {
    answer(|| {
        // SAFETY: the header asks for texts.
        let (from, to) = unsafe { (absolute(from)?, absolute(to)?) };
        with(meta, async |client| client.link_path(from, to).await)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_unlink(meta: u64, path: Text) -> c_int {
    // SAFETY: the header asks for a text.
    answer(|| unsafe { on(meta, path, async |client, path| client.unlink_path(path).await) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_rmdir(meta: u64, path: Text) -> c_int {
    // SAFETY: the header asks for a text.
    answer(|| unsafe { on(meta, path, async |client, path| client.rmdir_path(path).await) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_setattr(
    meta: u64,
    path: Text,
    change: *const Change,
) -> c_int {
    // SAFETY: the header asks for a text and a change.
    answer(|| unsafe {
        let change = slice(change, 1, "the change")?[0].checked()?;
        on(meta, path, async |client, path| operations::change(client, path, change).await)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_read(
    meta: u64,
    path: Text,
    buffer: *mut c_void,
    capacity: usize,
    bytes: *mut usize,
) -> c_int {
    // SAFETY: the header asks for a text, that number of bytes, and a place.
    answer(|| unsafe {
        place(bytes, "the place of the length")?;
        let buffer = slice_mut(buffer.cast::<u8>(), capacity, "the buffer")?;
        let contents = on(meta, path, async |client, path| operations::read(client, path).await)?;
        put(bytes, contents.len(), "the place of the length")?;
        let words = || format!("{} bytes, the buffer has {capacity}", contents.len());
        let target = buffer.get_mut(..contents.len());
        target.ok_or_else(|| Problem::new(ERANGE, words()))?.copy_from_slice(&contents);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tenbin_meta_write(
    meta: u64,
    path: Text,
    data: *const c_void,
    bytes: usize,
) -> c_int {
    // SAFETY: the header asks for a text and that number of bytes.
    answer(|| unsafe {
        let data = slice(data.cast::<u8>(), bytes, "the data")?;
        on(meta, path, async |client, path| operations::write(client, path, data).await)
    })
}
