//! Writes that bypass the page cache: `O_DIRECT` through `io_uring`, adjacent blocks in one
//! request.
//!
//! ```text
//!  node's thread ── write ──► queue ──► kernel ──► device
//!        ▲                                 │
//!        └── done (wakes it) ◄── one thread that waits for completions
//! ```
mod queue;

use super::{Done, PinnedBlock};
use io_uring::{IoUring, opcode, squeue, types};
use queue::{JoinedWrite, Queue};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, IoSlice};
use std::os::fd::RawFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Requests in the kernel.
const DEPTH: u32 = 256;
/// Alignment of memory, offsets and lengths \[bytes\]: a page, which suffices for any device.
pub(super) const ALIGNED: usize = 4096;
/// Marks the request that ends the thread.
const END: u64 = u64::MAX;

/// Requests in progress, by number.
#[derive(Default)]
struct InFlight {
    next: u64,
    open: BTreeMap<u64, Request>,
    /// Writes not yet passed to the kernel.
    waiting: Queue<(PinnedBlock, Done)>,
    is_over: bool,
}

struct Request {
    file: RawFd,
    length: usize,
    done: Vec<Done>,
    /// The memory of its blocks, as the kernel reads it.
    slices: Vec<IoSlice<'static>>,
}

impl Request {
    fn of(joined: JoinedWrite<(PinnedBlock, Done)>) -> Request {
        let JoinedWrite { file, length, writes, .. } = joined;
        let (blocks, done): (Vec<PinnedBlock>, Vec<Done>) = writes.into_iter().unzip();
        // SAFETY: the memory of a block stays until its `done` is called.
        let slice = |block: PinnedBlock| unsafe {
            IoSlice::new(std::slice::from_raw_parts(block.start(), block.length()))
        };
        Request { file, length, done, slices: blocks.into_iter().map(slice).collect() }
    }

    fn entry(&self, offset: u64) -> squeue::Entry {
        let file = types::Fd(self.file);
        match &self.slices[..] {
            [one] => {
                let write = opcode::Write::new(file, one.as_ptr(), self.length as u32);
                write.offset(offset).build()
            }
            // `IoSlice` has the layout of `iovec`.
            many => {
                let count = many.len() as u32;
                opcode::Writev::new(file, many.as_ptr().cast(), count).offset(offset).build()
            }
        }
    }
}

struct Shared {
    ring: IoUring,
    in_flight: Mutex<InFlight>,
}

/// One queue for all files of a node.
pub struct Direct {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Direct {
    /// # Errors
    /// The kernel has no `io_uring` or does not allow it.
    pub fn new() -> io::Result<Direct> {
        let ring = IoUring::new(DEPTH)?;
        let shared = Arc::new(Shared { ring, in_flight: Mutex::default() });
        let own = shared.clone();
        let thread = std::thread::Builder::new()
            .name("direct".into())
            .spawn(move || own.wait_for_completions())?;
        Ok(Direct { shared, thread: Some(thread) })
    }

    pub(super) fn takes(block: PinnedBlock, offset: u64) -> bool {
        let is_aligned = |number: usize| number.is_multiple_of(ALIGNED);
        is_aligned(block.length())
            && is_aligned(block.start() as usize)
            && offset.is_multiple_of(ALIGNED as u64)
    }

    /// Writes a block to a file opened by `past_cache`. The file stays open until `done` is called.
    pub(super) fn write(&self, file: RawFd, block: PinnedBlock, offset: u64, done: Done) {
        let mut in_flight = self.shared.lock();
        in_flight.waiting.push(file, (offset, block.length()), (block, done));
        self.shared.submit(&mut in_flight)
    }
}

impl Drop for Direct {
    fn drop(&mut self) {
        let mut in_flight = self.shared.lock();
        in_flight.is_over = true;
        self.shared.submit(&mut in_flight);
        drop(in_flight);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, InFlight> {
        // The state is consistent at any moment, so a poisoned lock is harmless.
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes requests to the kernel. The completion thread passes those that find no place now.
    fn submit(&self, in_flight: &mut InFlight) {
        let mut entries = Vec::new();
        while in_flight.open.len() < DEPTH as usize
            && let Some(joined) = in_flight.waiting.next()
        {
            let (number, offset, request) = (in_flight.next, joined.offset, Request::of(joined));
            in_flight.next += 1;
            entries.push(request.entry(offset).user_data(number));
            in_flight.open.insert(number, request);
        }
        // No writer is left: a writer would hold the queue.
        if std::mem::take(&mut in_flight.is_over) {
            entries.push(opcode::Nop::new().build().user_data(END))
        }
        if entries.is_empty() {
            return;
        }
        // SAFETY: the lock is held: no other thread uses the submission queue. Memory and file of a
        // request stay until its `done` is called, and its slices until it has ended.
        let is_full = unsafe { self.ring.submission_shared().push_multiple(&entries).is_err() };
        assert!(!is_full, "the kernel takes all of it each time");
        // EINTR, or no kernel memory: retry, as no later call would submit these requests.
        while self.ring.submit().is_err() {
            std::thread::yield_now()
        }
    }

    fn wait_for_completions(&self) {
        loop {
            if self.ring.submitter().submit_and_wait(1).is_err() {
                // EINTR, or no kernel memory for a moment.
                std::thread::yield_now()
            }
            let mut ended = Vec::new();
            // SAFETY: this thread alone uses the queue of completions.
            for entry in unsafe { self.ring.completion_shared() } {
                ended.push((entry.user_data(), entry.result()))
            }
            if self.complete(ended) {
                return;
            }
        }
    }

    fn complete(&self, ended: Vec<(u64, i32)>) -> bool {
        let is_end = ended.iter().any(|(number, _)| *number == END);
        let mut in_flight = self.lock();
        let mut over = Vec::new();
        for (number, result) in ended {
            if let Some(request) = in_flight.open.remove(&number) {
                in_flight.waiting.ended(request.file);
                over.push((request, result))
            }
        }
        self.submit(&mut in_flight);
        drop(in_flight);
        for (request, result) in over {
            for done in request.done {
                done(outcome(result, request.length))
            }
        }
        is_end
    }
}

fn outcome(result: i32, length: usize) -> io::Result<()> {
    match usize::try_from(result) {
        Ok(written) if written == length => Ok(()),
        Ok(_) => Err(io::Error::from(ErrorKind::StorageFull)),
        Err(_) => Err(io::Error::from_raw_os_error(-result)),
    }
}
