//! Streams that read or write files sequentially through the page cache, in small calls.
use super::access::{Access, failed, forget};
use nix::fcntl::PosixFadviseAdvice::POSIX_FADV_WILLNEED;
use nix::fcntl::posix_fadvise;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use system::Failure;
use units::{Bytes, usize_of};

const CALL: usize = 64 << 10;

const BLOCK: usize = 1 << 20;

/// Bytes that a disk cannot compress.
pub(super) fn block() -> Vec<u8> {
    let mut state = 1u64;
    let byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(byte).take(BLOCK).collect()
}

pub(super) enum Source {
    /// (folder, file size, number of files to read).
    Folder(PathBuf, Bytes, u32),
    /// (device, size), only read: each stream has its own part.
    Device(PathBuf, u64),
}

impl Source {
    pub(super) fn forget_all(&self) {
        match self {
            Source::Device(device, _) => File::open(device).iter().for_each(forget),
            Source::Folder(folder, _, files) => {
                let paths = (0..*files).map(|nth| folder.join(format!("read-{nth}")));
                paths.flat_map(File::open).for_each(|file| forget(&file))
            }
        }
    }
}

pub(super) struct Streams {
    over: Arc<AtomicBool>,
    /// Writers that have not yet written their first file, which may still be in memory.
    filling: Arc<AtomicU32>,
    threads: Vec<JoinHandle<Result<(), Failure>>>,
}

impl Streams {
    pub(super) fn start(
        source: &Source,
        access: Access,
        streams: u32,
        ahead: Option<Bytes>,
    ) -> Result<Streams, Failure> {
        let over = Arc::new(AtomicBool::new(false));
        let filling = Arc::default();
        let mut running = Streams { over, filling, threads: Vec::new() };
        for nth in 0..streams {
            let over = Arc::clone(&running.over);
            let writes = access == Access::Write || access == Access::Both && nth % 2 == 1;
            let mut stream: Box<dyn FnMut() -> Result<(), Failure> + Send> = match source {
                Source::Device(device, size) => {
                    let part = size / u64::from(streams) / CALL as u64 * CALL as u64;
                    let (path, from) = (device.clone(), part * u64::from(nth));
                    // Each stream opens the device, since read-ahead is per open file.
                    let device = File::open(&path).map_err(|e| failed(&path, &e))?;
                    Box::new(move || {
                        let read = read(&device, from..from + part, ahead, &over);
                        read.map_err(|e| failed(&path, &e))
                    })
                }
                Source::Folder(folder, size, files) => {
                    let (folder, size) = (folder.clone(), *size);
                    let mut first = writes.then(|| Arc::clone(&running.filling));
                    running.filling.fetch_add(writes.into(), Ordering::Relaxed);
                    // Each stream cycles through its own files.
                    let mut turns = (0..files / streams).map(move |n| n * streams + nth).cycle();
                    Box::new(move || {
                        let file = turns.next().expect("each has a file");
                        let name = if writes { "write" } else { "read" };
                        let path = folder.join(format!("{name}-{file}"));
                        let done = match writes {
                            true => write_file(&path, size, &mut first, &over),
                            false => read_file(&path, size, ahead, &over),
                        };
                        done.map_err(|e| failed(&path, &e))
                    })
                }
            };
            let over = Arc::clone(&running.over);
            running.threads.push(std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    stream()?
                }
                Ok(())
            }));
        }
        Ok(running)
    }

    /// True if all streams reach the disk.
    pub(super) fn all_run(&self) -> bool {
        self.filling.load(Ordering::Relaxed) == 0
    }

    pub(super) fn stop(mut self) -> Result<(), Failure> {
        self.over.store(true, Ordering::Relaxed);
        let ended = self.threads.drain(..).map(|thread| {
            thread.join().unwrap_or_else(|_| Err(Failure::Failed("a stream panicked".into())))
        });
        ended.collect()
    }
}

/// Stops the threads after the failure of one.
impl Drop for Streams {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.threads.drain(..).for_each(|thread| drop(thread.join()))
    }
}

fn read_file(path: &Path, size: Bytes, ahead: Option<Bytes>, over: &AtomicBool) -> io::Result<()> {
    let file = File::open(path)?;
    read(&file, 0..size.0, ahead, over)?;
    forget(&file);
    Ok(())
}

fn read(
    file: &File,
    part: std::ops::Range<u64>,
    ahead: Option<Bytes>,
    over: &AtomicBool,
) -> io::Result<()> {
    let mut buffer = vec![0; CALL];
    let place = |n: u64| i64::try_from(n).map_err(io::Error::other);
    for at in part.clone().step_by(CALL) {
        if over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let is_due = |ahead: &Bytes| (at - part.start).is_multiple_of((ahead.0 / 2).max(1));
        if let Some(ahead) = ahead.filter(is_due) {
            posix_fadvise(file, place(at)?, place(ahead.0)?, POSIX_FADV_WILLNEED)?
        }
        let left = usize_of(part.end - at).min(CALL);
        file.read_exact_at(&mut buffer[..left], at)?;
    }
    Ok(())
}

/// Writes and syncs a file, as a store closes a block; the first file decrements the counter in
/// `first`.
fn write_file(
    path: &Path,
    size: Bytes,
    first: &mut Option<Arc<AtomicU32>>,
    over: &AtomicBool,
) -> io::Result<()> {
    let block = block();
    let mut file = File::create(path)?;
    for at in (0..size.0).step_by(CALL) {
        if over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let left = usize_of(size.0 - at).min(CALL);
        let from = usize_of(at) % BLOCK;
        file.write_all(&block[from..from + left])?
    }
    if let Some(filling) = first.take() {
        filling.fetch_sub(1, Ordering::Relaxed);
    }
    file.sync_data()?;
    forget(&file);
    Ok(())
}
