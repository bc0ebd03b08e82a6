//! Writes past the page cache: `O_DIRECT`, as many at a time as come, through `io_uring`.
//!
//! ```text
//!  node's thread ── write ──► queue ──► kernel ──► device
//!        ▲                                 │
//!        └── done (wakes it) ◄── one thread that waits for completions
//! ```
use super::{Done, Still};
use io_uring::{IoUring, opcode, types};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Writes that the kernel has at a time.
const DEPTH: u32 = 256;
/// What memory, places and lengths are multiples of: a page, which is as much as any device wants.
pub(super) const ALIGNED: usize = 4096;
/// Of the request that ends the thread.
const END: u64 = u64::MAX;

/// What is on its way, by number.
#[derive(Default)]
struct Way {
    next: u64,
    open: BTreeMap<u64, (Done, usize)>,
    /// Those that the kernel has no place for yet.
    waiting: VecDeque<io_uring::squeue::Entry>,
    /// Those that it has.
    inside: u32,
}

struct Shared {
    ring: IoUring,
    way: Mutex<Way>,
}

/// One queue for all files of a node.
pub struct Direct {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Direct {
    /// A queue and its thread.
    ///
    /// # Errors
    /// The kernel has no `io_uring`, or does not allow it.
    pub fn new() -> io::Result<Direct> {
        let ring = IoUring::new(DEPTH)?;
        let shared = Arc::new(Shared { ring, way: Mutex::default() });
        let own = shared.clone();
        let thread = std::thread::Builder::new().name("direct".into()).spawn(move || own.hear())?;
        Ok(Direct { shared, thread: Some(thread) })
    }

    /// Whether a block can be written past the page cache.
    pub(super) fn takes(block: Still, offset: u64) -> bool {
        let is_aligned = |number: usize| number.is_multiple_of(ALIGNED);
        is_aligned(block.length())
            && is_aligned(block.start() as usize)
            && offset.is_multiple_of(ALIGNED as u64)
    }

    /// Writes a block to a file that was opened for it, which stays open until `done` is called.
    pub(super) fn write(&self, file: RawFd, block: Still, offset: u64, done: Done) {
        let length = block.length();
        let write = opcode::Write::new(types::Fd(file), block.start(), length as u32);
        let mut way = self.shared.lock();
        let number = way.next;
        way.next += 1;
        way.open.insert(number, (done, length));
        way.waiting.push_back(write.offset(offset).build().user_data(number));
        self.shared.submit(&mut way)
    }
}

impl Drop for Direct {
    fn drop(&mut self) {
        let mut way = self.shared.lock();
        way.waiting.push_back(opcode::Nop::new().build().user_data(END));
        self.shared.submit(&mut way);
        drop(way);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Way> {
        // What stands in it is right at every moment.
        self.way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands the kernel as many as it has places for; whoever hears of an end hands on the rest.
    fn submit(&self, way: &mut Way) {
        // SAFETY: the lock is held: nobody else uses the queue of submissions.
        let mut queue = unsafe { self.ring.submission_shared() };
        while way.inside < DEPTH
            && let Some(next) = way.waiting.pop_front()
        {
            // SAFETY: memory and file of a request stay until its `done` is called.
            if unsafe { queue.push(&next) }.is_err() {
                way.waiting.push_front(next);
                break;
            }
            way.inside += 1
        }
        queue.sync();
        drop(queue);
        // Interrupted, or a kernel that is short of memory: nobody else would hand them on.
        while self.ring.submit().is_err() {
            std::thread::yield_now()
        }
    }

    /// Waits for ends, and tells of each.
    fn hear(&self) {
        loop {
            if self.ring.submitter().submit_and_wait(1).is_err() {
                // A signal, or a kernel that is short of memory for a moment.
                std::thread::yield_now()
            }
            let mut ended = Vec::new();
            // SAFETY: this thread alone uses the queue of completions.
            for entry in unsafe { self.ring.completion_shared() } {
                ended.push((entry.user_data(), entry.result()))
            }
            if self.tell(ended) {
                return;
            }
        }
    }

    /// Whether this was the end.
    fn tell(&self, ended: Vec<(u64, i32)>) -> bool {
        let is_end = ended.iter().any(|(number, _)| *number == END);
        let mut way = self.lock();
        way.inside -= ended.len() as u32;
        let over: Vec<_> = ended
            .into_iter()
            .filter_map(|(number, result)| Some((way.open.remove(&number)?, result)))
            .collect();
        if !way.waiting.is_empty() {
            self.submit(&mut way)
        }
        drop(way);
        over.into_iter().for_each(|((done, length), result)| done(outcome(result, length)));
        is_end
    }
}

/// What the kernel says of a write of so many bytes.
fn outcome(result: i32, length: usize) -> io::Result<()> {
    match usize::try_from(result) {
        Ok(written) if written == length => Ok(()),
        Ok(_) => Err(io::Error::from(ErrorKind::StorageFull)),
        Err(_) => Err(io::Error::from_raw_os_error(-result)),
    }
}
