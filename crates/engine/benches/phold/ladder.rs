//! The fastest hand-written loop for this one model: a ring of coarse buckets that knows the
//! model's delays, fine buckets split on demand, keys of 24 bytes apart from payloads, and
//! prefetch.
use super::hand::{Node, Payload, agree};
use std::time::Instant;

#[derive(Clone, Copy)]
struct Key {
    t: u64,
    tie: u64,
    to: u32,
    slot: u32,
}

impl Key {
    #[inline(always)]
    fn order(&self) -> u128 {
        (self.t as u128) << 64 | self.tie as u128
    }
}

const RING: usize = 1024;
const SMALL: usize = 48;

/// `shift` is chosen so that the ring spans about eight mean delays; later keys wait in `over`.
struct Ladder {
    shift: u32,
    current: u64,
    ring: Vec<Vec<Key>>,
    over: Vec<Key>,
    fine: Vec<Vec<Key>>,
    fine_at: usize,
    fine_len: usize,
    bottom: Vec<Key>,
    at: usize,
    spare: Vec<Key>,
}

impl Ladder {
    fn new() -> Self {
        // 8 s over 1024 buckets: 2^23 ns each. Delays are at least 0.1 s, so no key falls into the
        // present bucket.
        Ladder {
            shift: 23,
            current: 0,
            ring: vec![vec![]; RING],
            over: vec![],
            fine: vec![vec![]; 4096],
            fine_at: 0,
            fine_len: 0,
            bottom: vec![],
            at: 0,
            spare: vec![],
        }
    }

    #[inline(always)]
    fn push(&mut self, key: Key) {
        let s = key.t >> self.shift;
        debug_assert!(s > self.current);
        if s - self.current < RING as u64 {
            self.ring[s as usize & (RING - 1)].push(key)
        } else {
            self.over.push(key)
        }
    }

    /// Moves the earliest keys, sorted, to `bottom`.
    fn refill(&mut self) {
        self.bottom.clear();
        self.at = 0;
        loop {
            while self.fine_at < self.fine_len {
                self.fine_at += 1;
                if !self.fine[self.fine_at - 1].is_empty() {
                    std::mem::swap(&mut self.bottom, &mut self.fine[self.fine_at - 1]);
                    return sort(&mut self.bottom);
                }
            }
            self.current += 1;
            let i = self.current as usize & (RING - 1);
            if i == 0 {
                self.spread_over()
            }
            std::mem::swap(&mut self.spare, &mut self.ring[i]);
            if self.spare.is_empty() {
                continue;
            }
            if self.spare.len() <= SMALL {
                std::mem::swap(&mut self.bottom, &mut self.spare);
                return sort(&mut self.bottom);
            }
            self.cut()
        }
    }

    fn spread_over(&mut self) {
        let over = std::mem::take(&mut self.over);
        over.into_iter().for_each(|key| self.push_again(key))
    }

    fn push_again(&mut self, key: Key) {
        let s = key.t >> self.shift;
        if s - self.current < RING as u64 {
            self.ring[s as usize & (RING - 1)].push(key)
        } else {
            self.over.push(key)
        }
    }

    fn cut(&mut self) {
        let parts = (self.spare.len() / 10).next_power_of_two().clamp(16, 4096);
        let (start, shift) = (self.current << self.shift, self.shift - parts.trailing_zeros());
        (self.fine_at, self.fine_len) = (0, parts);
        for key in self.spare.drain(..) {
            self.fine[((key.t - start) >> shift) as usize].push(key)
        }
    }

    /// Keys to prefetch.
    fn soon(&self) -> &[Key] {
        let next = self.fine[self.fine_at..self.fine_len].iter().find(|b| !b.is_empty());
        next.map_or(&self.bottom, |b| b)
    }
}

/// Counts, for each key, the ones before it: no branch to mispredict.
fn sort(keys: &mut [Key]) {
    if keys.len() > 20 {
        return keys.sort_unstable_by_key(Key::order);
    }
    let mut places = [0u8; 20];
    for i in 1..keys.len() {
        let (order, mut before) = (keys[i].order(), 0);
        for (other, place) in keys[..i].iter().zip(&mut places) {
            let later = (other.order() > order) as u8;
            *place += later;
            before += 1 - later
        }
        places[i] = before
    }
    let mut sorted = [keys[0]; 20];
    for (key, place) in keys.iter().zip(places) {
        sorted[place as usize] = *key
    }
    keys.copy_from_slice(&sorted[..keys.len()])
}

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(Payload);

#[inline(always)]
fn prefetch<T>(all: &[T], i: u32) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(all.as_ptr().wrapping_add(i as usize).cast(), _MM_HINT_T0)
    }
}

pub(crate) fn run(lps: u32, events: u64) -> f64 {
    let mut nodes: Vec<Node> = (0..lps).map(Node::new).collect();
    let mut ladder = Ladder::new();
    let mut slab = Vec::with_capacity(lps as usize);
    for (i, node) in nodes.iter_mut().enumerate() {
        let t = node.delay();
        node.sent += 1;
        slab.push(Line([t; 8]));
        ladder.push(Key { t, tie: node.sent, to: i as u32, slot: i as u32 })
    }
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let begin = Instant::now();
    for _ in 0..events {
        if ladder.at == ladder.bottom.len() {
            ladder.refill();
            for key in ladder.soon() {
                prefetch(&nodes, key.to);
                prefetch(&slab, key.slot)
            }
        }
        let key = ladder.bottom[ladder.at];
        ladder.at += 1;
        let node = &mut nodes[key.to as usize];
        // One event out, one in: the payload's slot is reused.
        let place = &mut slab[key.slot as usize].0;
        let (to, delay, job) = node.handle(key.to, lps, place);
        *place = job;
        ladder.push(Key { t: key.t + delay, tie: node.sent, to, slot: key.slot })
    }
    let seconds = begin.elapsed().as_secs_f64();
    agree(lps, events, &nodes);
    events as f64 / seconds
}
