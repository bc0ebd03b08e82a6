//! A disk: flushes of logs, synced chunks and write-back stand in one line, or flushes first.
use engine::*;

/// Write-back is done in pieces of this.
const PIECE: u64 = 16 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(crate) enum Task {
    /// A log's flush.
    Flush,
    /// A chunk that is synced.
    Sync,
    Back,
}

#[derive(Clone, Copy, Debug, Scalar)]
pub(crate) struct Job {
    pub(crate) task: Task,
    pub(crate) pipeline: u32,
    /// Of an entry; of write-back, how many chunks.
    pub(crate) index: u64,
    pub(crate) term: u32,
    pub(crate) bytes: u64,
}

/// A disk with its page cache.
#[derive(Rewind, Default)]
pub(crate) struct Disk {
    /// In line; the first is being served if `busy`.
    line: Queue<Job>,
    busy: bool,
    began: Nanos,
    /// Dirty and not yet in line.
    dirty: u64,
    chunks: u64,
    in_line: u64,
    /// Chunks that wait for room in the cache.
    blocked: Queue<Job>,
    /// Time at work, until `counted`.
    worked: Nanos,
    counted: Nanos,
    flushes: u64,
}

impl Disk {
    /// Puts a job in line; `first`: before what is not being served and is write-back.
    pub(crate) fn push(&mut self, job: Job, first: bool) {
        let behind = self.line.iter().rposition(|other| other.task != Task::Back);
        let place =
            behind.map_or(usize::from(self.busy), |at| (at + 1).max(usize::from(self.busy)));
        if !first || job.task == Task::Back || place >= self.line.len() {
            return self.line.push_back(job);
        }
        // Those behind go to the back in their order.
        let moved = self.line.len() - place;
        self.line.push_back(job);
        for _ in 0..moved {
            let other = self.line.remove(place).expect("it is there");
            self.line.push_back(other)
        }
    }

    /// The next job, if the disk is free.
    pub(crate) fn begin(&mut self, now: Nanos) -> Option<(Job, u64)> {
        if self.busy {
            return None;
        }
        let job = *self.line.front()?;
        self.busy = true;
        self.began = now;
        self.flushes += u64::from(job.task == Task::Flush);
        Some((job, self.flushes))
    }

    /// What it was at is done: the job, and when it had begun.
    pub(crate) fn end(&mut self, now: Nanos) -> (Job, Nanos) {
        self.busy = false;
        self.worked += now.saturating_sub(self.began.max(self.counted));
        let job = self.line.pop_front().expect("it was served");
        if job.task == Task::Back {
            self.in_line -= job.bytes
        }
        (job, self.began)
    }

    /// Takes a chunk into the cache, unless it is full.
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

    /// A chunk that had waited for room and has it now.
    pub(crate) fn unblock(&mut self, room: u64) -> Option<Job> {
        let job = *self.blocked.front()?;
        if self.dirty + self.in_line + job.bytes > room && self.dirty + self.in_line > 0 {
            return None;
        }
        self.dirty += job.bytes;
        self.chunks += 1;
        self.blocked.pop_front()
    }

    /// All that is dirty gets in line.
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

    /// Time at work since the last call.
    pub(crate) fn worked(&mut self, now: Nanos) -> Nanos {
        let under_way = match self.busy {
            true => now.saturating_sub(self.began.max(self.counted)),
            false => Nanos::ZERO,
        };
        let worked = self.worked + under_way;
        self.worked = Nanos::ZERO;
        self.counted = now;
        worked
    }
}
