//! `tenbin calibrate disk`: rate and seek of a disk through this kernel, and its total rate by
//! number of streams that read, write, or both.
mod access;
mod curve;
mod device;
mod entry;
mod streams;

use crate::host;
pub use access::Access;
use access::failed;
pub use device::Device;
use nix::fcntl::OFlag;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use streams::{Source, Streams};
use system::{Failure, clock, console, interrupt};
use units::{Bytes, floored_u64, usize_of};

pub const STREAMS: [u32; 6] = [1, 2, 4, 8, 16, 32];

#[derive(Clone, Debug)]
pub struct Calibration {
    /// A folder on the disk, or the disk's device, which is only read.
    pub target: PathBuf,
    pub seconds: u32,
    /// Size of a stream's files, which it uses one after the other.
    pub file: Bytes,
    /// Read-ahead that each reader requests; `None`: the kernel's default.
    pub ahead: Option<Bytes>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    pub access: Access,
    pub streams: u32,
    /// Total of all streams \[bytes/s\].
    pub read: f64,
    /// Total of all streams \[bytes/s\].
    pub written: f64,
}

impl Cell {
    pub fn total(&self) -> f64 {
        self.read + self.written
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct DiskMeasurement {
    pub device: Device,
    /// Mean time of a random read of 4 KiB \[s\].
    pub random_read: f64,
    /// One per access and number of streams.
    pub cells: Vec<Cell>,
}

const SMALL: usize = 4096;

/// Minimum number of random reads.
const FEWEST: u32 = 200;

/// Folder of test files, deleted on drop.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(e) = fs::remove_dir_all(&self.0) {
            console::note(&format!("{} stays: {e}", self.0.display()))
        }
    }
}

/// # Errors
/// The target is unusable or full; interrupted.
pub fn measure(asked: &Calibration) -> Result<DiskMeasurement, Failure> {
    let device = Device::of(&asked.target)?;
    if device.is_folder {
        return measure_folder(asked, device);
    }
    let source = Source::Device(asked.target.clone(), device.size);
    let whole = std::slice::from_ref(&asked.target);
    let random_read = random_read(whole, Bytes(device.size), asked.seconds)?;
    let mut cells = Vec::new();
    for streams in STREAMS {
        cells.push(cell(asked, &device, &source, (Access::Read, streams))?)
    }
    Ok(DiskMeasurement { device, random_read, cells })
}

fn measure_folder(asked: &Calibration, device: Device) -> Result<DiskMeasurement, Failure> {
    let most = STREAMS[STREAMS.len() - 1];
    // Files to read, the same number to write, and a margin.
    let needed = asked.file.0 * u64::from(most) * 9 / 4;
    if device.room < needed {
        return Err(Failure::BadInput(format!(
            "{} has {} MB free, but {} MB are needed: expected a disk with more space, or a \
             smaller --file-size",
            asked.target.display(),
            device.room / 1_000_000,
            needed / 1_000_000
        )));
    }
    let folder = asked.target.join(format!("tenbin-calibrate-{}", std::process::id()));
    fs::create_dir(&folder).map_err(|e| failed(&folder, &e))?;
    let scratch = Scratch(folder);
    let source = Source::Folder(scratch.0.clone(), asked.file, most);
    fill(&scratch.0, asked.file, most)?;
    let files: Vec<PathBuf> = (0..most).map(|nth| scratch.0.join(format!("read-{nth}"))).collect();
    let random_read = random_read(&files, asked.file, asked.seconds)?;
    let mut cells = Vec::new();
    for access in [Access::Read, Access::Write, Access::Both] {
        for streams in STREAMS.into_iter().filter(|n| access != Access::Both || *n > 1) {
            cells.push(cell(asked, &device, &source, (access, streams))?)
        }
    }
    Ok(DiskMeasurement { device, random_read, cells })
}

/// Today's date.
///
/// # Errors
/// The machine has no `date`.
pub fn today() -> Result<String, Failure> {
    Ok(host::run("date", &["-u", "+%F"])?.trim().to_string())
}

fn fill(folder: &Path, size: Bytes, files: u32) -> Result<(), Failure> {
    console::note(&format!("writing {files} files of {size}"));
    let block = streams::block();
    for nth in 0..files {
        let path = folder.join(format!("read-{nth}"));
        let write = || {
            let mut file = File::create_new(&path)?;
            for _ in 0..size.0.div_ceil(block.len() as u64) {
                file.write_all(&block)?
            }
            file.sync_all()
        };
        write().map_err(|e| failed(&path, &e))?;
        interrupt::check()?
    }
    Ok(())
}

/// Mean time of an uncached random read of 4 KiB \[s\].
fn random_read(paths: &[PathBuf], size: Bytes, seconds: u32) -> Result<f64, Failure> {
    let open = |path: &PathBuf| {
        let open = OpenOptions::new().read(true).custom_flags(OFlag::O_DIRECT.bits()).open(path);
        open.map_err(|e| failed(path, &e))
    };
    let files = paths.iter().map(open).collect::<Result<Vec<File>, Failure>>()?;
    let pages = size.0 / SMALL as u64;
    let mut memory = vec![0; 2 * SMALL];
    // Direct I/O needs page-aligned memory.
    let start = memory.as_ptr().align_offset(SMALL);
    let page = &mut memory[start..start + SMALL];
    let started = clock::now();
    let mut reads = 0;
    let mut state = u64::from(std::process::id());
    while reads < FEWEST || started.elapsed() < Duration::from_secs(seconds.into()) {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        let place = (state >> 24) % (pages * files.len() as u64);
        let (file, place) = (usize_of(place / pages), place % pages * SMALL as u64);
        files[file].read_exact_at(page, place).map_err(|e| failed(&paths[file], &e))?;
        interrupt::check()?;
        reads += 1;
    }
    Ok(started.elapsed().as_secs_f64() / f64::from(reads))
}

/// Runs the streams; counts bytes at the disk once all of them reach it.
fn cell(
    asked: &Calibration,
    device: &Device,
    source: &Source,
    (access, streams): (Access, u32),
) -> Result<Cell, Failure> {
    source.forget_all();
    let running = Streams::start(source, access, streams, asked.ahead)?;
    let whole = Duration::from_secs(asked.seconds.into());
    let wait = |time: Duration| {
        let started = clock::now();
        while started.elapsed() < time {
            interrupt::check()?;
            std::thread::sleep(Duration::from_millis(20).min(time))
        }
        Ok::<(), Failure>(())
    };
    wait(whole / 4)?;
    let started = clock::now();
    while !running.all_run() && started.elapsed() < 10 * whole {
        wait(whole / 20)?
    }
    let (before, started) = (device.moved()?, clock::now());
    wait(whole)?;
    let (after, took) = (device.moved()?, started.elapsed().as_secs_f64());
    running.stop()?;
    let rate = |before: u64, after: u64| (after - before) as f64 / took;
    let (read, written) = (rate(before.0, after.0), rate(before.1, after.1));
    let cell = Cell { access, streams, read, written };
    let mb = |rate: f64| floored_u64(rate / 1e6 + 0.5);
    let of = match access {
        Access::Both => format!("{} read + {} written", mb(read), mb(written)),
        _ => mb(cell.total()).to_string(),
    };
    console::note(&format!("{streams:>2} {:<7} {of} MB/s", access.name()));
    Ok(cell)
}
