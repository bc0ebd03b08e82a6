//! A modelled disk in real time: one thread, which answers each request at its completion time.
use crate::log::Log;
use crate::model::{Disk, Request};
use crate::priority;
use fuser::{Errno, ReplyData, ReplyWrite};
use nix::fcntl::{FallocateFlags, fallocate};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use system::{Failure, clock};
use units::{Bytes, Nanos, usize_of};

/// Time of all disks of a testbed; while stopped, requests take no time.
#[derive(Clone)]
pub struct Clock {
    start: Instant,
    counts: Arc<AtomicBool>,
}

impl Clock {
    pub fn stopped() -> Clock {
        Clock { start: clock::now(), counts: Arc::default() }
    }

    /// False: requests complete immediately, to create and unmount file systems quickly.
    pub fn count(&self, yes: bool) {
        self.counts.store(yes, Ordering::SeqCst)
    }

    fn counts(&self) -> bool {
        self.counts.load(Ordering::SeqCst)
    }

    fn now(&self) -> Nanos {
        Nanos(u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    fn sleep_until(&self, end: Nanos) {
        std::thread::sleep(Duration::from_nanos(end.saturating_sub(self.now()).0))
    }
}

enum PendingReply {
    Reader(ReplyData),
    Writer(ReplyWrite),
}

pub struct Drive {
    pub name: String,
    pub size: Bytes,
    store: Arc<File>,
    log: Option<Log>,
    clock: Clock,
    requests: Sender<(Request, PendingReply)>,
}

impl Drive {
    /// Starts the disk's thread. Data is written to `store` and recorded in `log`.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(
        name: String,
        (disk, size): (Disk, Bytes),
        (store, log): (File, Option<Log>),
        clock: &Clock,
    ) -> Result<Drive, Failure> {
        let (requests, come) = channel();
        let store = Arc::new(store);
        let (of_thread, time) = (Arc::clone(&store), clock.clone());
        let thread = std::thread::Builder::new().name(name.clone());
        let started = thread.spawn(move || serve(disk, &of_thread, &come, &time));
        started.map_err(|e| Failure::Failed(format!("cannot start a thread: {e}")))?;
        Ok(Drive { name, size, store, log, clock: clock.clone(), requests })
    }

    /// Replies when the modelled disk has read.
    pub fn read(&self, at: u64, size: u64, reply: ReplyData) {
        let size = size.min(self.size.0.saturating_sub(at));
        self.send(at, size, PendingReply::Reader(reply))
    }

    /// Stores the data immediately: a request in progress guarantees nothing. Replies when the
    /// modelled disk has written.
    pub fn write(&self, at: u64, data: &[u8], reply: ReplyWrite) {
        let size = data.len() as u64;
        // Zeroes are stored as holes.
        let stored = match is_zero(data) {
            true => self.discard(at, size),
            false => self.written(at, data),
        };
        match stored {
            Ok(()) => self.send(at, size, PendingReply::Writer(reply)),
            Err(e) => reply.error(e.into()),
        }
    }

    fn written(&self, at: u64, data: &[u8]) -> io::Result<()> {
        self.log.as_ref().map_or(Ok(()), |log| log.written(at, data))?;
        self.store.write_all_at(data, at)
    }

    pub fn discard(&self, at: u64, size: u64) -> io::Result<()> {
        self.log.as_ref().map_or(Ok(()), |log| log.discarded(at, size))?;
        let hole = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
        let place = |n: u64| i64::try_from(n).map_err(io::Error::other);
        Ok(fallocate(&*self.store, hole, place(at)?, place(size)?)?)
    }

    fn send(&self, at: u64, size: u64, asker: PendingReply) {
        // The thread lives as long as `self`.
        let _ = self.requests.send((Request { at, size, arrival: self.clock.now() }, asker));
    }
}

fn is_zero(data: &[u8]) -> bool {
    static ZEROES: [u8; 1 << 12] = [0; 1 << 12];
    data.chunks(ZEROES.len()).all(|chunk| *chunk == ZEROES[..chunk.len()])
}

fn serve(mut disk: Disk, store: &File, come: &Receiver<(Request, PendingReply)>, clock: &Clock) {
    priority::first(true);
    let (mut waiting, mut askers) = (Vec::new(), Vec::new());
    let mut buffer = Vec::new();
    loop {
        let first = if waiting.is_empty() { come.recv().ok() } else { None };
        for (request, asker) in first.into_iter().chain(come.try_iter()) {
            waiting.push(request);
            askers.push(asker)
        }
        if waiting.is_empty() {
            return;
        }
        let next = if clock.counts() { disk.next(&waiting) } else { 0 };
        let (request, asker) = (waiting.remove(next), askers.remove(next));
        if clock.counts() {
            clock.sleep_until(disk.serve(request))
        }
        answer(request, asker, store, &mut buffer)
    }
}

fn answer(request: Request, asker: PendingReply, store: &File, buffer: &mut Vec<u8>) {
    match asker {
        PendingReply::Writer(reply) => {
            reply.written(u32::try_from(request.size).unwrap_or(u32::MAX))
        }
        PendingReply::Reader(reply) => {
            buffer.resize(usize_of(request.size), 0);
            match store.read_exact_at(buffer, request.at) {
                Ok(()) => reply.data(buffer),
                Err(_) => reply.error(Errno::EIO),
            }
        }
    }
}
