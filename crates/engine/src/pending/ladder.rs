//! The pending keys: a ladder queue (Tang, Goh, Thng 2005) that keeps its buckets in the cache.
//!
//! ```text
//!            now ─────────────────────────────────────────────────────► time
//!   bottom   ■■■■      sorted; popped from the left
//!   rung 1   ····■■■■■■■■■■■■        unsorted: one bucket of rung 0, cut when its turn came
//!   rung 0   ················■■■■■■■■■■■■■■■■■■■■■■■■      coarse buckets
//!   top                                              ■■■■ ■   ■        ■   later than all rungs
//! ```
//!
//! Bucket widths follow the density of events: heartbeats of seconds and packets of nanoseconds are
//! split as often as needed. Empty time is not walked in small steps.
use super::{bottom::Bottom, chunks::Chunks, entry::Entry, rung::Rung};

/// Maximum entries of a bucket that is sorted without a split.
const SMALL: usize = 48;
/// Maximum entries of a bottom before it is split into a rung.
const SPILL: usize = 192;
/// Maximum buckets for the entries of the top: heads and tails stay in the second-level cache.
const COARSE: usize = 1024;
/// The coarsest rung spans this multiple of the top's time when it is opened. With 1, every seventh
/// event of an exponential delay would go to the top again: a second push and a mispredicted
/// branch.
const AHEAD: usize = 8;
const FINEST: usize = 4096;
/// Buckets of a split bottom, approximately.
const SPILL_PARTS: usize = 32;
/// Mean entries of a fine bucket.
const EACH: usize = 8;

pub(crate) struct Ladder {
    bottom: Bottom,
    /// From the coarsest; the first `depth` are in use.
    rungs: Vec<Rung>,
    depth: usize,
    chunks: Chunks,
    /// Start of each rung's unread buckets; `edges[0]` is the latest.
    edges: Vec<u64>,
    /// Later than all rungs.
    top: Vec<Entry>,
    top_start: u64,
    /// `edges[0]`; `u64::MAX` without a rung.
    coarse_edge: u64,
}

impl Ladder {
    pub(crate) fn new() -> Self {
        Ladder {
            bottom: Bottom::new(),
            rungs: vec![],
            depth: 0,
            chunks: Chunks::new(),
            edges: vec![],
            top: vec![],
            top_start: 0,
            coarse_edge: u64::MAX,
        }
    }

    /// Counts the keys, so that push and pop need no counter.
    pub(crate) fn len(&self) -> usize {
        let rungs = self.rungs[..self.depth].iter().map(|r| r.len).sum::<usize>();
        self.bottom.len() + self.top.len() + rungs
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, entry: Entry) {
        if entry.t >= self.top_start {
            return self.top.push(entry);
        }
        if entry.t >= self.coarse_edge {
            return self.rungs[0].push(entry, &mut self.chunks);
        }
        self.push_near(entry.t, entry.tie, entry.dst, entry.slot)
    }

    /// Takes single fields: a reference to the entry would keep `push` from holding it in
    /// registers.
    #[inline(never)]
    fn push_near(&mut self, t: u64, tie: u64, dst: u32, slot: u32) {
        let entry = Entry { t, tie, dst, slot };
        match self.edges.iter().position(|edge| entry.t >= *edge) {
            Some(rung) => self.rungs[rung].push(entry, &mut self.chunks),
            None => self.push_bottom(entry),
        }
    }

    fn push_bottom(&mut self, entry: Entry) {
        self.bottom.insert(entry);
        let start = self.bottom.soonest().map_or(0, |e| e.t);
        let end = self.edges.last().copied().unwrap_or(self.top_start);
        if self.bottom.len() > SPILL && end - start > 1 {
            self.spill(start, end)
        }
    }

    /// Splits a bottom that grew too long into a rung.
    fn spill(&mut self, start: u64, end: u64) {
        let (shift, used) = cut(end - 1 - start, SPILL_PARTS);
        self.descend(start, shift, used);
        for entry in self.bottom.drain() {
            self.rungs[self.depth - 1].push(entry, &mut self.chunks)
        }
    }

    #[inline(always)]
    pub(crate) fn soonest(&self) -> Option<&Entry> {
        self.bottom.soonest()
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        self.bottom.pop()
    }

    #[inline(always)]
    pub(crate) fn for_bottom(&self, see: impl FnMut(&Entry)) {
        self.bottom.iter().for_each(see)
    }

    /// Shows the keys after the present bottom, or the bottom itself, to prefetch after a refill.
    #[inline(always)]
    pub(crate) fn for_soon(&self, see: impl FnMut(&Entry)) {
        match self.depth {
            0 => self.bottom.iter().for_each(see),
            depth => self.chunks.for_each(&self.rungs[depth - 1].peek(), see),
        }
    }

    /// Fills the empty bottom; `false` if no key is left.
    #[inline(never)]
    pub(crate) fn refill(&mut self) -> bool {
        debug_assert_eq!(self.bottom.len(), 0);
        loop {
            if self.depth == 0 {
                if self.top.is_empty() {
                    return false;
                }
                self.climb_down();
            } else if self.rungs[self.depth - 1].len == 0 {
                self.depth -= 1;
                self.edges.pop();
                self.note_coarse_edge()
            } else {
                self.next_bucket()
            }
            if self.bottom.len() > 0 {
                return true;
            }
        }
    }

    /// Moves the top to the first rung, or to the bottom if it is small.
    fn climb_down(&mut self) {
        let (first, last) =
            self.top.iter().fold((u64::MAX, 0), |(first, last), e| (first.min(e.t), last.max(e.t)));
        if self.top.len() <= SMALL {
            self.bottom.fill(self.top.drain(..));
            self.top_start = last.saturating_add(1);
            return;
        }
        let (shift, used) = cut(last - first, self.top.len().next_power_of_two().clamp(16, COARSE));
        self.descend(first, shift, used * AHEAD);
        self.top_start = self.rungs[0].end();
        let count = self.top.len();
        for entry in self.top.drain(..) {
            self.rungs[0].push(entry, &mut self.chunks)
        }
        // All events are on the top only at the start of a run.
        self.top.shrink_to(count / 4)
    }

    /// Moves the finest rung's next bucket to the bottom, or to a finer rung.
    fn next_bucket(&mut self) {
        let last = self.depth - 1;
        let (start, mut bucket, count) = self.rungs[last].next(&self.chunks);
        self.edges[last] = self.rungs[last].edge();
        self.note_coarse_edge();
        let width = self.rungs[last].shift();
        if count <= SMALL || width == 0 {
            return self.bottom.settle(&mut self.chunks, (bucket, count), start, width);
        }
        let parts = (count / EACH).next_power_of_two().clamp(16, FINEST);
        let log = parts.trailing_zeros().min(width);
        self.descend(start, width - log, 1 << log);
        let finer = &mut self.rungs[last + 1];
        while let Some((chunk, filled)) = self.chunks.unhook(&mut bucket) {
            // A copy: the chunk is free and filled first.
            let entries = *self.chunks.at(chunk);
            entries[..filled].iter().for_each(|e| finer.push(*e, &mut self.chunks))
        }
    }

    fn descend(&mut self, start: u64, shift: u32, used: usize) {
        if self.depth == self.rungs.len() {
            self.rungs.push(Rung::default())
        }
        self.rungs[self.depth].open(start, shift, used);
        self.edges.push(self.rungs[self.depth].edge());
        self.depth += 1;
        self.note_coarse_edge()
    }

    /// Caches the edge of the coarsest rung, which most pushes read.
    fn note_coarse_edge(&mut self) {
        self.coarse_edge = self.edges.first().copied().unwrap_or(u64::MAX)
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Entry) -> bool) {
        self.bottom.retain(&mut keep);
        self.top.retain(&mut keep);
        let rungs = &mut self.rungs[..self.depth];
        rungs.iter_mut().for_each(|r| r.retain(&mut self.chunks, &mut keep))
    }
}

/// Bucket width, as a power of two, at which at most `parts` buckets cover `span` + 1 ns, and their
/// number.
fn cut(span: u64, parts: usize) -> (u32, usize) {
    let shift = (64 - span.leading_zeros()).saturating_sub(parts.trailing_zeros());
    (shift, (span >> shift) as usize + 1)
}
