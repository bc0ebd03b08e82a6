//! The process that serves a testbed's disks.
use crate::drive::{Clock, Drive};
use crate::holder::Holder;
use crate::log::Log;
use crate::model::{Disk, Order};
use crate::place::{Claim, Place, failed};
use crate::{files, host};
use cluster::catalogue::CatalogueDisk;
use fuser::BackgroundSession;
use nix::mount::{MntFlags, umount2};
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::{Failure, console, interrupt};
use units::{Bytes, Nanos};

#[derive(Clone, Debug)]
pub struct DiskKind {
    pub model: CatalogueDisk,
    pub size: Bytes,
    pub order: Order,
    /// Folder of an unlinked file for the disk's data; `None`: memory.
    pub store: Option<PathBuf>,
    /// Maximum dirty bytes of a disk in memory; `None`: the machine's limit.
    pub waiting: Option<Bytes>,
    /// New file that logs every write; for a single disk only.
    pub log: Option<PathBuf>,
}

/// Rate \[MB/s\] above which a user-space file system cannot keep a disk's timing.
const FASTEST: u64 = 1000;

/// Configures a device like a hard disk. Its scheduler outlives the device, so `as_before` restores
/// the old one.
pub(crate) const QUEUE: &str = "
queue() { echo /sys/block/${1##*/}/queue; }
scheduler() { s=$(cat $(queue $1)/scheduler); s=${s#*[}; echo ${s%]*}; }
as_disk() {
  echo 1 >$(queue $1)/rotational
  echo mq-deadline >$(queue $1)/scheduler
  echo 1024 >$(queue $1)/max_sectors_kb
  echo 128 >$(queue $1)/read_ahead_kb
}
waiting() {
  bdi=/sys/class/bdi/$(cat /sys/block/${1##*/}/dev)
  echo $2 >$bdi/max_bytes
  echo 1 >$bdi/strict_limit
}
as_before() {
  bdi=/sys/class/bdi/$(cat /sys/block/${1##*/}/dev)
  echo 0 >$bdi/strict_limit || :
  echo 100 >$bdi/max_ratio || :
  echo $2 >$(queue $1)/scheduler || :
}
";

/// Holds a device, which ends with its last user.
const HOLD_DEVICE: &str = "
old=$(scheduler $1)
[ $2 = 0 ] || as_disk $1
exec 3<$1
losetup -d $1
end() { as_before $1 $old; }
";

/// A testbed that is up while this value lives.
pub struct Server {
    claim: Claim,
    clock: Clock,
    session: BackgroundSession,
    /// The kernel ends them with this process.
    pub holders: Vec<Holder>,
    kind: DiskKind,
}

impl Server {
    /// Serves `disks` disks, which take no time before [`Server::ready`].
    ///
    /// # Errors
    /// The machine lacks a requirement, or a testbed of this name is up.
    pub fn start(place: Place, disks: usize, kind: DiskKind) -> Result<Server, Failure> {
        host::check()?;
        if kind.model.rate.0 > FASTEST * 1_000_000 {
            return Err(Failure::BadInput(format!(
                "{}: {} is too fast to serve in time: expected a disk of at most {FASTEST} MB/s",
                kind.model.name, kind.model.rate
            )));
        }
        let claim = place.claim()?;
        let clock = Clock::stopped();
        let folder = claim.place.folder();
        let at = folder.join("files");
        let session = drives(&claim.place, disks, &kind, &clock).and_then(|drives| {
            fs::create_dir_all(&at).map_err(|e| failed(&at, e))?;
            files::mount(drives, &at)
        });
        match session {
            Ok(session) => Ok(Server { claim, clock, session, holders: Vec::new(), kind }),
            Err(failure) => {
                claim.place.sweep()?;
                Err(failure)
            }
        }
    }

    /// Attaches the nth disk to `device`, or to a free one; returns the device's path.
    ///
    /// # Errors
    /// The device does not exist, none is free, or it is in use.
    pub fn attach(&self, nth: usize, device: Option<&str>) -> Result<String, Failure> {
        let file = self.claim.place.folder().join("files").join(self.claim.place.file(nth));
        let file = file.to_string_lossy();
        match device {
            Some(device) => {
                host::run("losetup", &["--direct-io=on", device, &file])?;
                Ok(device.into())
            }
            None => {
                let options = ["--direct-io=on", "--find", "--show", &file];
                Ok(host::run("losetup", &options)?.trim().to_string())
            }
        }
    }

    /// Keeps the device until this process and the device's last user end.
    ///
    /// # Errors
    /// The device cannot be opened.
    pub fn hold(&mut self, device: &str) -> Result<(), Failure> {
        let script = format!("{QUEUE}{HOLD_DEVICE}");
        self.holders.push(Holder::start(&[], &script, &[device, self.turns()])?);
        Ok(())
    }

    /// Maximum dirty bytes in memory, for a script; `0`: the machine's limit.
    pub(crate) fn waiting(&self) -> String {
        self.kind.waiting.map_or(0, |bytes| bytes.0).to_string()
    }

    /// `1` for a disk with moving parts.
    pub(crate) fn turns(&self) -> &'static str {
        if self.kind.model.turn == Nanos::ZERO { "0" } else { "1" }
    }

    pub(crate) fn count(&self, yes: bool) {
        self.clock.count(yes)
    }

    pub(crate) fn is_whole(&mut self) -> bool {
        !self.holders.iter_mut().any(Holder::has_ended) && !self.session.guard.is_finished()
    }

    /// Hides the files, since all devices exist, and starts the disks' time.
    ///
    /// # Errors
    /// The state file cannot be written.
    pub fn ready(&self, state: &str) -> Result<(), Failure> {
        interrupt::check()?;
        let files = self.claim.place.folder().join("files");
        umount2(&files, MntFlags::MNT_DETACH).map_err(|e| failed(&files, e))?;
        self.clock.count(true);
        let path = self.claim.place.folder().join("state");
        let new = path.with_extension("new");
        let written = fs::write(&new, state).and_then(|()| fs::rename(&new, &path));
        written.map_err(|e| failed(&path, e))
    }

    /// Waits until Ctrl-C, or until a part of the testbed ends.
    pub fn wait(mut self) -> Failure {
        let name = self.claim.place.name.clone();
        loop {
            std::thread::sleep(Duration::from_millis(50));
            if interrupt::is_requested() {
                drop(self);
                return Failure::Interrupted(format!("testbed {name} is gone"));
            }
            if !self.is_whole() {
                return Failure::Failed(format!(
                    "a part of testbed {name} ended: removing all of it"
                ));
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.clock.count(false);
        self.holders.clear();
        if let Err(failure) = self.claim.place.sweep() {
            console::failure(&failure)
        }
    }
}

fn drives(
    place: &Place,
    disks: usize,
    kind: &DiskKind,
    clock: &Clock,
) -> Result<Vec<Drive>, Failure> {
    stay_out_of_reclaim();
    let drive = |nth: usize| {
        let store = store(&place.file(nth), kind)?;
        let disk = Disk::new(&kind.model, kind.size, kind.order);
        let log = kind.log.as_deref().map(|path| Log::new(path, kind.size)).transpose()?;
        Drive::start(place.file(nth), (disk, kind.size), (store, log), clock)
    };
    (0..disks).map(drive).collect()
}

/// Storage of a disk: memory, or a sparse unlinked file, so that nothing remains.
fn store(name: &str, kind: &DiskKind) -> Result<File, Failure> {
    let store = match &kind.store {
        None => memfd_create(name, MFdFlags::MFD_CLOEXEC)
            .map(File::from)
            .map_err(|e| Failure::Failed(format!("no memory is available for a disk: {e}")))?,
        Some(folder) => unnamed(&folder.join(name))?,
    };
    store.set_len(kind.size.0).map_err(|e| failed(Path::new(name), e))?;
    Ok(store)
}

fn unnamed(path: &Path) -> Result<File, Failure> {
    let options = OpenOptions::new().read(true).write(true).create_new(true).open(path);
    let file = options.map_err(|e| failed(path, e))?;
    fs::remove_file(path).map_err(|e| failed(path, e))?;
    Ok(file)
}

/// A disk's server must not wait for memory that is only freed by writing to that disk.
fn stay_out_of_reclaim() {
    use nix::libc::{c_ulong, prctl};
    const PR_SET_IO_FLUSHER: i32 = 57;
    let (yes, none): (c_ulong, c_ulong) = (1, 0);
    // SAFETY: it takes numbers alone.
    if unsafe { prctl(PR_SET_IO_FLUSHER, yes, none, none, none) } != 0 {
        console::note(
            "! the kernel does not keep memory free for this process: keep some memory unused",
        )
    }
}
