//! The walk against a stupid one that goes back second by second and looks at every interval.
use crate::draw::{empty, interval};
use crate::random::Dice;
use reading::chains::Chains;
use reading::walk::{Follow, Holder, walk};
use reading::{attribution, blocked_time};
use trace::{Cause, IntervalKind, Trace};
use units::{Bytes, Nanos};

const HORIZON: u64 = 40;

/// A trace without any sense: chains that overlap, wait for anything, and have holes.
fn senseless(dice: &mut Dice) -> Trace {
    let mut trace = empty();
    let blocks = 2 + dice.below(3) as i64;
    for _ in 0..5 + dice.below(20) {
        let start = dice.below(HORIZON);
        let end = start + dice.below(HORIZON + 1 - start);
        let block = dice.below(blocks as u64) as i64;
        let (start, end) = (start as usize, end as usize);
        let kind = match dice.below(4) {
            0 => IntervalKind::Queued,
            1 => IntervalKind::Handout,
            2 => IntervalKind::Transfer,
            _ => IntervalKind::Report,
        };
        let id = trace.intervals.len() as u64;
        trace.intervals.push(interval(kind, None, block, start, end));
        let mut from = start + dice.below(3) as usize;
        while kind == IntervalKind::Transfer && from < end && dice.below(4) > 0 {
            let to = from + dice.below((end - from) as u64 + 1) as usize;
            trace.intervals.push(interval(IntervalKind::Held, Some(id), block, from, to));
            from = to + dice.below(3) as usize;
        }
    }
    let intervals = trace.intervals.len() as u64;
    for interval in &mut trace.intervals {
        interval.cause = match dice.below(9) {
            0 => Cause::Unexplained,
            1 => Cause::Setting(dice.below(3) as u32),
            2 => Cause::Resource(dice.below(4) as u32),
            _ => Cause::Interval(dice.below(intervals)),
        };
    }
    trace
}

/// A walk in steps of a second.
struct Stupid<'a> {
    trace: &'a Trace,
    floor: u64,
    block: Option<i64>,
    inside: Option<Inside>,
}

/// The interval that the walk is in, and stays in down to its start.
#[derive(Clone, Copy)]
struct Inside {
    id: usize,
    /// It came here by a wait.
    jumped: bool,
    /// It waits in a circle.
    stuck: bool,
}

impl Stupid<'_> {
    fn span(&self, id: usize) -> (u64, u64) {
        let link = &self.trace.intervals[id];
        (link.start.0 / 1_000_000_000, link.end.0 / 1_000_000_000)
    }

    /// The interval that holds the block up at `time`; ties as `Chains::before` states them.
    fn here(&self, time: u64) -> Option<usize> {
        let chained = |id: &usize| {
            let link = &self.trace.intervals[*id];
            let (start, end) = self.span(*id);
            self.block.is_some()
                && link.block == self.block
                && !matches!(link.kind, IntervalKind::Held | IntervalKind::Detection)
                && start < time
                && end > start
        };
        let rank = |id: &usize| {
            let (start, end) = self.span(*id);
            (end.min(time), -(end as i64), start, *id)
        };
        (0..self.trace.intervals.len()).filter(chained).max_by_key(rank)
    }

    /// What the second that ends at `time` is charged to.
    fn second(&mut self, time: u64) -> Holder {
        let mut seen = Vec::new();
        loop {
            let unmoved = |id| Inside { id, jumped: false, stuck: false };
            let Some(mut now) = self.inside.or_else(|| self.here(time).map(unmoved)) else {
                return Holder::Unexplained;
            };
            let (start, end) = self.span(now.id);
            if end < time {
                return Holder::Unexplained;
            }
            let link = &self.trace.intervals[now.id];
            let mut charged = None;
            if let (true, Cause::Interval(other)) =
                (link.kind != IntervalKind::Transfer, link.cause)
            {
                let other = other as usize;
                let (from, to) = self.span(other);
                let circle = other == now.id || seen.contains(&other);
                let overlaps = from < to && from < end && to > start.max(self.floor);
                if overlaps && !circle && !now.stuck && from >= time {
                    seen.push(other);
                    (self.inside, self.block) = (None, self.trace.intervals[other].block);
                    continue;
                }
                if overlaps && !circle && !now.stuck && to >= time {
                    seen.push(other);
                    self.inside = Some(Inside { id: other, jumped: true, stuck: false });
                    self.block = self.trace.intervals[other].block;
                    continue;
                }
                now.stuck |= circle || !overlaps;
                charged = Some(Holder::Unexplained);
            }
            self.inside = (start < time - 1).then_some(now);
            return charged.unwrap_or_else(|| self.charge(now, time));
        }
    }

    fn charge(&self, now: Inside, time: u64) -> Holder {
        let of = |id: usize| match self.trace.intervals[id].cause {
            Cause::Unexplained => Holder::Unexplained,
            Cause::Setting(s) => Holder::Setting(s),
            Cause::Resource(r) => Holder::Resource(r),
            Cause::Interval(i) => Holder::Interval(self.trace.intervals[i as usize].kind),
        };
        let is_part = |id: &usize| {
            let held = &self.trace.intervals[*id];
            let (start, end) = self.span(*id);
            held.kind == IntervalKind::Held && held.parent == Some(now.id as u64) && end > start
        };
        let parts: Vec<usize> = (0..self.trace.intervals.len()).filter(is_part).collect();
        let covers = |id: &&usize| self.span(**id).0 < time && time <= self.span(**id).1;
        match (parts.iter().find(covers), of(now.id)) {
            (Some(&part), _) => of(part),
            (None, _) if !parts.is_empty() => Holder::Unexplained,
            (None, Holder::Unexplained) if now.jumped => {
                Holder::Interval(self.trace.intervals[now.id].kind)
            }
            (None, holder) => holder,
        }
    }
}

#[test]
fn the_walk_charges_every_second_as_the_stupid_one_does() {
    let mut dice = Dice(1);
    let mut jumps = 0;
    for round in 0..20_000 {
        let trace = senseless(&mut dice);
        let chains = Chains::of(&trace);
        let block = dice.below(2) as i64;
        let floor = dice.below(10);
        let top = floor + dice.below(HORIZON + 3 - floor);
        let pieces = walk(&chains, Some(block), Nanos::secs(top), Nanos::secs(floor), Follow::All);
        let mut stupid = Stupid { trace: &trace, floor, block: Some(block), inside: None };
        let mut clever = pieces.iter();
        let mut piece = clever.next();
        let mut left = false;
        for time in (floor + 1..=top).rev() {
            while piece.is_some_and(|p| p.start >= Nanos::secs(time)) {
                piece = clever.next();
            }
            let found = piece.expect("the pieces cover the whole time").holder;
            let wanted = stupid.second(time);
            left |= stupid.block != Some(block);
            assert_eq!(found, wanted, "round {round}, second {time}: {:#?}", trace.intervals);
        }
        jumps += u32::from(left);
    }
    assert!(jumps > 2_000, "only {jumps} walks left their block: the test is too tame");
}

#[test]
fn pieces_cover_the_time_without_gap_or_overlap() {
    let mut dice = Dice(2);
    for _ in 0..20_000 {
        let trace = senseless(&mut dice);
        let chains = Chains::of(&trace);
        for follow in [Follow::All, Follow::Once] {
            let (top, floor) = (Nanos::secs(38), Nanos::secs(3));
            let mut time = top;
            for piece in walk(&chains, Some(0), top, floor, follow) {
                assert_eq!(piece.end, time);
                assert!(piece.start < piece.end);
                time = piece.start;
            }
            assert_eq!(time, floor);
        }
    }
}

#[test]
fn shares_sum_to_one_and_the_total_is_the_recovery() {
    let mut dice = Dice(3);
    for _ in 0..5_000 {
        let mut trace = senseless(&mut dice);
        let declared = dice.below(5);
        let redundant = declared + 1 + dice.below(HORIZON);
        trace.run.push(("fault_s".into(), "0".into()));
        trace.run.push(("declared_s".into(), declared.to_string()));
        trace.run.push(("redundant_s".into(), redundant.to_string()));
        for interval in &mut trace.intervals {
            interval.bytes = Bytes(dice.below(3) * 500);
        }
        let recovery = reading::metrics(&trace)["recovery_s"];
        let path = attribution(&trace);
        assert_eq!(path.total_s, recovery);
        for of in [path, blocked_time(&trace)] {
            let sum: f64 = of.shares.iter().map(|held| held.share).sum();
            assert!((sum - 1.0).abs() < 1e-12 || (of.shares.is_empty() && of.total_s == 0.0));
            let waited: f64 = of.shares.iter().map(|held| held.waited_s).sum();
            assert!((waited - of.total_s).abs() < 1e-9);
            assert!(of.shares.iter().all(|held| held.share > 0.0));
        }
    }
}
