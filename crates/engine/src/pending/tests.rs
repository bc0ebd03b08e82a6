//! Compares the pending set with a `BTreeMap`.
use super::*;
use crate::Draw;
use std::{collections::BTreeMap, rc::Rc};

/// How far ahead events are sent; each mood lasts a while, so that the density of events changes
/// over a run.
#[derive(Clone, Copy, Debug)]
enum Mood {
    /// Nanoseconds ahead, many at equal times.
    Dense,
    /// Microseconds to milliseconds.
    Even,
    /// Seconds, as heartbeats.
    Sparse,
    /// Anything from 1 ns to years.
    Wild,
    /// All at one time.
    Equal,
    /// Near the end of time.
    Last,
}

const MOODS: [Mood; 6] =
    [Mood::Dense, Mood::Even, Mood::Sparse, Mood::Wild, Mood::Equal, Mood::Last];

fn ahead(mood: Mood, now: u64, draw: &mut Draw) -> u64 {
    match mood {
        Mood::Dense => 1 + draw.below(5),
        Mood::Even => 1000 + draw.below(1_000_000),
        Mood::Sparse => 3_000_000_000 + draw.below(3),
        Mood::Wild => 1 << draw.below(60),
        Mood::Equal => 1_000_000 - now % 1_000_000,
        Mood::Last => (u64::MAX - 1 - draw.below(1000)).saturating_sub(now),
    }
}

/// Both sets, always changed together; payloads are counted, so that none is lost or dropped twice.
struct Pair {
    clever: Pending<(u64, Rc<()>)>,
    stupid: BTreeMap<(u64, u64), u32>,
    timers: Vec<(u64, Timer)>,
    token: Rc<()>,
    now: u64,
    ties: u64,
}

impl Pair {
    fn new() -> Self {
        Pair {
            clever: Pending::new(),
            stupid: BTreeMap::new(),
            timers: vec![],
            token: Rc::new(()),
            now: 0,
            ties: 0,
        }
    }

    fn push(&mut self, t: u64, draw: &mut Draw) {
        let t = t.max(self.now + 1).min(u64::MAX - 1);
        self.ties += 1;
        // Ties are not sent in their order: later senders may rank before earlier ones.
        let (tie, dst) = (draw.below(1 << 20) << 40 | self.ties, draw.below(100) as u32);
        let payload = (tie, self.token.clone());
        if draw.chance(0.2) {
            let entry = self.clever.hold_timer(t, tie, dst, payload);
            self.clever.enter(entry);
            self.timers.push((t, entry.timer()))
        } else {
            self.clever.push(t, tie, dst, payload)
        }
        assert_eq!(self.stupid.insert((t, tie), dst), None)
    }

    fn cancel(&mut self, draw: &mut Draw) {
        if self.timers.is_empty() {
            return;
        }
        let (t, timer) = self.timers[draw.below(self.timers.len() as u64) as usize];
        let timer = self.clever.find(timer);
        let live = self.clever.stun(timer);
        assert_eq!(live, self.stupid.remove(&(t, timer.tie)).is_some());
        if live {
            self.clever.bury(timer)
        }
    }

    /// Another set takes the events of some receivers, and returns them or takes the others', too.
    fn deal(&mut self, draw: &mut Draw) {
        let (mut other, kept) = (Pending::new(), draw.below(100) as u32);
        self.clever.take_out(|dst| dst < kept, |entry, payload| other.take_in(entry, payload));
        if draw.chance(0.5) {
            std::mem::swap(&mut self.clever, &mut other)
        }
        other.take_out(|_| false, |entry, payload| self.clever.take_in(entry, payload));
        assert!(other.pop(|_, _| ()).is_none() && other.moved.is_empty())
    }

    fn pop(&mut self) {
        let entry = self.clever.pop(|_, _| ());
        let want = self.stupid.pop_first().map(|((t, tie), dst)| (t, tie, dst));
        assert_eq!(entry.map(|e| (e.t, e.tie, e.dst)), want);
        if let Some(entry) = entry {
            let (tie, _) = self.clever.take(&entry);
            assert_eq!(tie, entry.tie, "the payload is another's");
            self.now = entry.t
        }
    }
}

fn fuzz(seed: u64, steps: u64, crowd: u64) {
    let mut draw = Draw::keyed(seed, "pending", 0, 0);
    let mut pair = Pair::new();
    let mut mood = MOODS[seed as usize % MOODS.len()];
    for step in 0..steps {
        if draw.below(2000) == 0 {
            mood = *draw.pick(&MOODS).expect("a mood")
        }
        // Now and then it runs empty; else it grows to about `crowd`.
        let few = (pair.stupid.len() as u64) < if step % 5000 < 4000 { crowd } else { 0 };
        for _ in 0..draw.below(if few { 4 } else { 1 }) {
            let t = pair.now.saturating_add(ahead(mood, pair.now, &mut draw));
            pair.push(t, &mut draw)
        }
        if draw.chance(0.1) {
            pair.cancel(&mut draw)
        }
        if draw.below(200) == 0 {
            pair.deal(&mut draw)
        }
        if pair.now < u64::MAX - 2000 || pair.stupid.len() > 1 {
            pair.pop()
        }
    }
    assert_eq!(Rc::strong_count(&pair.token), 1 + pair.stupid.len());
    let token = pair.token.clone();
    drop(pair);
    assert_eq!(Rc::strong_count(&token), 1, "a payload leaked, or was dropped twice");
}

#[test]
fn the_pending_set_is_a_sorted_map() {
    let (seeds, steps) = if cfg!(miri) { (6, 60) } else { (24, 20_000) };
    for seed in 0..seeds {
        fuzz(seed, steps, [3, 40, 300, 5000][seed as usize % 4])
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow, and the ladder has no unsafe code")]
fn many_at_once_and_then_none() {
    let mut draw = Draw::keyed(9, "pending", 0, 0);
    let mut pair = Pair::new();
    for mood in &MOODS[..4] {
        for _ in 0..20_000 {
            let t = pair.now + ahead(*mood, pair.now, &mut draw);
            pair.push(t, &mut draw)
        }
        while !pair.stupid.is_empty() {
            pair.pop()
        }
        pair.pop()
    }
}

/// Wall-clock time per event: it must not depend on the length of empty times, nor on one distant
/// event.
#[test]
#[cfg_attr(miri, ignore = "by the clock")]
fn empty_time_costs_nothing() {
    let mut pending = Pending::new();
    let mut ties = 0;
    let mut push = |pending: &mut Pending<()>, t| {
        ties += 1;
        pending.push(t, ties, 0, ())
    };
    // 40 heartbeats of 3 s, each with a burst of nanosecond events behind it, and one event a
    // century away.
    push(&mut pending, 3 << 60);
    (0..40).for_each(|i| push(&mut pending, 3_000_000_000 + i * 70_000_000));
    let begin = crate::clock::now();
    let mut events = 0u64;
    while events < 400_000 {
        let entry = pending.pop(|_, _| ()).expect("heartbeats");
        pending.take(&entry);
        events += 1;
        if entry.t % 10_000_000 == 0 {
            push(&mut pending, entry.t + 3_000_000_000);
            (1..40).for_each(|i| push(&mut pending, entry.t + i * 3 + 1))
        }
    }
    let each = begin.elapsed().as_nanos() as u64 / events;
    assert!(each < 20_000, "{each} ns per event: empty buckets are walked one by one");
}

#[test]
#[cfg_attr(miri, ignore = "a million timers")]
fn cancelled_timers_are_swept() {
    let mut pending = Pending::new();
    for tie in 1..1_000_000 {
        let entry = pending.hold_timer(1 << 50, tie, 0, ());
        pending.enter(entry);
        let timer = entry.timer();
        assert!(pending.stun(timer) && !pending.stun(timer));
        pending.bury(timer)
    }
    assert!(pending.ladder.len() < 4 * SWEEP, "{} keys are left", pending.ladder.len());
}
