//! The disk of a path, with its kernel settings.
use super::access::failed;
use nix::sys::statvfs::statvfs;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use system::Failure;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Device {
    pub name: String,
    /// False: the target is the device itself.
    pub is_folder: bool,
    pub file_system: String,
    /// Size of the device; 0 for a folder.
    pub size: u64,
    /// Free bytes of the file system.
    pub room: u64,
    pub scheduler: String,
    /// \[KiB\]
    pub read_ahead: u64,
    pub kernel: String,
    /// Folder of its `stat` file.
    pub(super) folder: PathBuf,
}

impl Device {
    /// # Errors
    /// The target is neither a folder nor a block device, or is on no block device.
    pub fn of(target: &Path) -> Result<Device, Failure> {
        let about = fs::metadata(target).map_err(|e| failed(target, &e))?;
        let is_folder = about.is_dir();
        let expected = "expected a folder on a disk, or a block device";
        let number = match about.file_type().is_block_device() {
            true => about.rdev(),
            false if is_folder => about.dev(),
            false => return Err(Failure::BadInput(format!("{}: {expected}", target.display()))),
        };
        let (major, minor) = (nix::libc::major(number), nix::libc::minor(number));
        let part = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).map_err(|_| {
            let none = format!("{} is not on a disk of this machine", target.display());
            Failure::BadInput(format!("{none}: {expected}"))
        })?;
        // A partition uses the queue of its disk.
        let folder = match part.join("queue").is_dir() {
            true => part,
            false => part.parent().unwrap_or(&part).to_path_buf(),
        };
        let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
        let scheduler = read("queue/scheduler");
        let chosen = scheduler.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Ok(Device {
            name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            is_folder,
            file_system: if is_folder { file_system(major, minor) } else { String::new() },
            size: if is_folder { 0 } else { size(target)? },
            room: room(target),
            scheduler: chosen.map_or("none", |(name, _)| name).to_string(),
            read_ahead: read("queue/read_ahead_kb").trim().parse().unwrap_or(0),
            kernel: kernel.trim().to_string(),
            folder,
        })
    }

    /// (bytes read, bytes written) since boot.
    ///
    /// # Errors
    /// The device is gone.
    pub fn moved(&self) -> Result<(u64, u64), Failure> {
        const SECTOR: u64 = 512;
        let path = self.folder.join("stat");
        let text = fs::read_to_string(&path).map_err(|e| failed(&path, &e))?;
        let numbers: Vec<u64> = text.split_whitespace().flat_map(str::parse).collect();
        let sectors = |place: usize| numbers.get(place).copied().unwrap_or(0) * SECTOR;
        Ok((sectors(2), sectors(6)))
    }
}

fn size(device: &Path) -> Result<u64, Failure> {
    let end = File::open(device).and_then(|mut file| file.seek(SeekFrom::End(0)));
    end.map_err(|e| failed(device, &e))
}

fn room(folder: &Path) -> u64 {
    statvfs(folder).map_or(0, |about| about.blocks_available() * about.fragment_size())
}

fn file_system(major: u32, minor: u32) -> String {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let number = format!("{major}:{minor}");
    let line = mounts.lines().find(|line| line.split(' ').nth(2) == Some(&number));
    let kind = line.and_then(|line| line.split_once(" - ")?.1.split(' ').next());
    kind.unwrap_or("").to_string()
}
