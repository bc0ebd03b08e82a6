//! A disk: a queue of log flushes, synced chunks and write-back. Flushes may go first.
use engine::*;

/// Size of a write-back job \[bytes\].
const PIECE: u64 = 16 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(crate) enum Task {
    Flush,
    Sync,
    Back,
}

#[derive(Clone, Copy, Debug, Scalar)]
pub(crate) struct Job {
    pub(crate) task: Task,
    pub(crate) pipeline: u32,
    /// Index of the entry; for write-back, the number of chunks.
    pub(crate) index: u64,
    pub(crate) term: u32,
    pub(crate) bytes: u64,
}

#[derive(Rewind, Default)]
pub(crate) struct Disk {
    /// The first job is in service if `busy`.
    line: Queue<Job>,
    busy: bool,
    started: Nanos,
    /// Dirty bytes and chunks that are not queued for write-back; `in_line`: bytes queued.
    dirty: u64,
    chunks: u64,
    in_line: u64,
    /// Chunks that wait for the page cache.
    blocked: Queue<Job>,
    /// Busy time up to `counted`.
    worked: Nanos,
    counted: Nanos,
    flushes: u64,
}

impl Disk {
    /// Queues a job; `first`: before all write-back that is not in service.
    pub(crate) fn push(&mut self, job: Job, first: bool) {
        let behind = self.line.iter().rposition(|other| other.task != Task::Back);
        let place =
            behind.map_or(usize::from(self.busy), |at| (at + 1).max(usize::from(self.busy)));
        if !first || job.task == Task::Back || place >= self.line.len() {
            return self.line.push_back(job);
        }
        // Jobs after the place move to the back, in order.
        let moved = self.line.len() - place;
        self.line.push_back(job);
        for _ in 0..moved {
            let other = self.line.remove(place).expect("it is there");
            self.line.push_back(other)
        }
    }

    /// Starts the next job if the disk is free. Returns it with the number of flushes so far.
    pub(crate) fn begin(&mut self, now: Nanos) -> Option<(Job, u64)> {
        if self.busy {
            return None;
        }
        let job = *self.line.front()?;
        self.busy = true;
        self.started = now;
        self.flushes += u64::from(job.task == Task::Flush);
        Some((job, self.flushes))
    }

    /// Ends the job in service. Returns it with its start.
    pub(crate) fn end(&mut self, now: Nanos) -> (Job, Nanos) {
        self.busy = false;
        self.worked += now.saturating_sub(self.started.max(self.counted));
        let job = self.line.pop_front().expect("it was served");
        if job.task == Task::Back {
            self.in_line -= job.bytes
        }
        (job, self.started)
    }

    /// Stores a chunk in the page cache; false if it has to wait.
    pub(crate) fn store(&mut self, job: Job, room: u64) -> bool {
        let full = self.dirty + self.in_line + job.bytes > room && self.dirty + self.in_line > 0;
        if full || !self.blocked.is_empty() {
            self.blocked.push_back(job);
            self.write_back();
            return false;
        }
        self.dirty += job.bytes;
        self.chunks += 1;
        if self.dirty > room / 2 {
            self.write_back()
        }
        true
    }

    /// The next waiting chunk, if the page cache has room for it.
    pub(crate) fn unblock(&mut self, room: u64) -> Option<Job> {
        let job = *self.blocked.front()?;
        if self.dirty + self.in_line + job.bytes > room && self.dirty + self.in_line > 0 {
            return None;
        }
        self.dirty += job.bytes;
        self.chunks += 1;
        self.blocked.pop_front()
    }

    /// Queues all dirty bytes for write-back.
    pub(crate) fn write_back(&mut self) {
        while self.dirty > 0 {
            let bytes = self.dirty.min(PIECE);
            let chunks = (self.chunks * bytes).div_ceil(self.dirty);
            self.dirty -= bytes;
            self.chunks -= chunks;
            self.in_line += bytes;
            let job = Job { task: Task::Back, pipeline: 0, index: chunks, term: 0, bytes };
            self.line.push_back(job)
        }
    }

    /// Busy time since the last call.
    pub(crate) fn take_busy_time(&mut self, now: Nanos) -> Nanos {
        let under_way = match self.busy {
            true => now.saturating_sub(self.started.max(self.counted)),
            false => Nanos::ZERO,
        };
        let worked = self.worked + under_way;
        self.worked = Nanos::ZERO;
        self.counted = now;
        worked
    }
}
