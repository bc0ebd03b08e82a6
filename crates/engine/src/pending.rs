//! The pending set: a ring of coarse buckets, one of them cut fine, the finest sorted. (The sketch's ladder, retyped.)
#[derive(Clone, Copy, Default)]
pub(crate) struct Entry {
    pub t: u64,
    pub tie: u64,
    pub dst: u32,
    pub slot: u32,
}
impl Entry {
    pub const TIMER: u32 = 1 << 31;
    #[inline(always)]
    pub fn place(&self) -> u32 {
        self.slot & !Self::TIMER
    }
    pub fn is_timer(&self) -> bool {
        self.slot & Self::TIMER != 0
    }
    #[inline(always)]
    pub fn before(&self, o: &Entry) -> bool {
        self.t < o.t || (self.t == o.t && self.tie < o.tie)
    }
}
const RING: u64 = 1024;
const SMALL: usize = 48;

#[derive(Default)]
pub(crate) struct Ladder {
    shift: u32,
    cur: u64,
    ring: Vec<Vec<Entry>>,
    over: Vec<Entry>,
    fine: Vec<Vec<Entry>>,
    fine_at: usize,
    fine_len: usize,
    fine_start: u64,
    fine_shift: u32,
    in_fine: bool,
    bottom: Vec<Entry>,
    at: usize,
    spare: Vec<Entry>,
    pub len: usize,
}
impl Ladder {
    pub fn new() -> Self {
        Ladder { ring: vec![vec![]; RING as usize], fine: vec![vec![]; 4096], ..Default::default() }
    }
    pub fn start(&mut self, e: Entry) {
        self.over.push(e);
        self.len += 1
    }
    /// Chooses the width of a bucket from the first events' spread.
    pub fn tune(&mut self) {
        let k = self.over.len().clamp(1, 100_000);
        let mean = self.over.iter().take(k).map(|e| e.t as f64).sum::<f64>() / k as f64;
        self.shift = (mean * 6.0 / RING as f64).max(1.0).log2().round() as u32;
        let all = std::mem::take(&mut self.over);
        self.len -= all.len();
        for e in all {
            self.push(e)
        }
    }
    #[inline(always)]
    pub fn push(&mut self, e: Entry) {
        self.len += 1;
        let s = e.t >> self.shift;
        if s <= self.cur {
            return self.push_near(e);
        }
        if s - self.cur < RING {
            unsafe { self.ring.get_unchecked_mut((s & (RING - 1)) as usize) }.push(e)
        } else {
            self.over.push(e)
        }
    }
    #[inline(never)]
    fn push_near(&mut self, e: Entry) {
        if self.in_fine {
            let f = (e.t.saturating_sub(self.fine_start) >> self.fine_shift) as usize;
            if f >= self.fine_at {
                return self.fine[f].push(e);
            }
        }
        let mut i = self.bottom.len();
        self.bottom.push(e);
        while i > self.at && e.before(&self.bottom[i - 1]) {
            self.bottom[i] = self.bottom[i - 1];
            i -= 1
        }
        assert!(
            i == self.at || self.bottom[i - 1].before(&e),
            "two events with one key: LP {} at {}",
            e.dst,
            e.t
        );
        self.bottom[i] = e
    }
    /// The soonest, and whether new ones came into view (then `soon` is worth prefetching).
    #[inline(always)]
    pub fn pop(&mut self, on_refill: impl FnOnce(&Ladder)) -> Option<Entry> {
        if self.at == self.bottom.len() {
            if !self.refill() {
                return None;
            }
            on_refill(self)
        }
        let e = unsafe { *self.bottom.get_unchecked(self.at) };
        self.at += 1;
        self.len -= 1;
        Some(e)
    }
    /// What comes after the present bottom, or the bottom itself.
    pub fn soon(&self) -> &[Entry] {
        if !self.in_fine {
            return &self.bottom;
        }
        self.fine[self.fine_at..self.fine_len].iter().find(|b| !b.is_empty()).map_or(&[], |b| b)
    }
    #[inline(never)]
    fn refill(&mut self) -> bool {
        self.bottom.clear();
        self.at = 0;
        loop {
            if self.in_fine && self.next_fine() {
                return true;
            }
            self.in_fine = false;
            if self.len == 0 {
                return false;
            }
            self.cur += 1;
            let i = (self.cur & (RING - 1)) as usize;
            if i == 0 && !self.over.is_empty() {
                self.spread_over()
            }
            if self.ring[i].is_empty() {
                continue;
            }
            std::mem::swap(&mut self.spare, &mut self.ring[i]);
            if self.spare.len() <= SMALL {
                std::mem::swap(&mut self.bottom, &mut self.spare);
                self.spare.clear();
                sort(&mut self.bottom);
                return true;
            }
            self.cut_fine()
        }
    }
    fn next_fine(&mut self) -> bool {
        while self.fine_at < self.fine_len {
            let f = self.fine_at;
            self.fine_at += 1;
            if self.fine[f].is_empty() {
                continue;
            }
            std::mem::swap(&mut self.bottom, &mut self.fine[f]);
            sort(&mut self.bottom);
            return true;
        }
        false
    }
    fn spread_over(&mut self) {
        for e in std::mem::take(&mut self.over) {
            let s = e.t >> self.shift;
            if s - self.cur < RING {
                self.ring[(s & (RING - 1)) as usize].push(e)
            } else {
                self.over.push(e)
            }
        }
    }
    fn cut_fine(&mut self) {
        let log = (self.spare.len() / 12)
            .next_power_of_two()
            .clamp(16, 4096)
            .trailing_zeros()
            .min(self.shift);
        (self.fine_len, self.fine_shift, self.fine_start, self.fine_at, self.in_fine) =
            (1 << log, self.shift - log, self.cur << self.shift, 0, true);
        for i in 0..self.spare.len() {
            let e = self.spare[i];
            unsafe {
                self.fine.get_unchecked_mut(((e.t - self.fine_start) >> self.fine_shift) as usize)
            }
            .push(e)
        }
        self.spare.clear()
    }
}
fn sort(v: &mut [Entry]) {
    if v.len() > 24 {
        v.sort_unstable_by_key(|e| (e.t, e.tie));
    } else {
        for i in 1..v.len() {
            let (e, mut j) = (v[i], i);
            while j > 0 && e.before(&v[j - 1]) {
                v[j] = v[j - 1];
                j -= 1
            }
            v[j] = e
        }
    }
    debug_assert!(v.windows(2).all(|w| w[0].before(&w[1])), "two events with one key");
}
