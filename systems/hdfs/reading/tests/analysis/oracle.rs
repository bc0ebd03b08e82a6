//! The walk against a stupid one that goes back second by second and looks at every interval.
use crate::draw::{behind, empty, interval, limited, setting};
use crate::random::Dice;
use hdfs_reading::{attribution, blocked_time};
use hdfs_trace::{Cause, Trace, block, kind};
use trace::EntityId;
use trace::walk::{Holder, Lane, Lanes, Start, blocked, path};
use units::Nanos;

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
            0 => kind::QUEUED,
            1 => kind::HANDOUT,
            2 => kind::TRANSFER,
            _ => kind::REPORT,
        };
        let id = trace.intervals.len();
        trace.intervals.push(interval(kind, None, block, start, end));
        let mut from = start + dice.below(3) as usize;
        while kind == kind::TRANSFER && from < end && dice.below(4) > 0 {
            let to = from + dice.below((end - from) as u64 + 1) as usize;
            trace.intervals.push(interval(kind::HELD, Some(id), block, from, to));
            from = to + dice.below(3) as usize;
        }
    }
    let intervals = trace.intervals.len() as u64;
    for interval in &mut trace.intervals {
        interval.cause = match dice.below(9) {
            0 => Cause::Unexplained,
            1 => setting(dice.below(3) as usize),
            2 => limited(dice.below(4) as usize),
            _ => behind(dice.below(intervals) as usize),
        };
    }
    trace
}

/// Whose lane: a block's, or that of an interval's parts.
#[derive(Clone, Copy, PartialEq)]
enum Row {
    Block(Option<i64>),
    Parts(usize),
}

/// A walk in steps of a second (`docs/trace.md`, "The walk").
struct Stupid<'a> {
    trace: &'a Trace,
    floor: u64,
    row: Row,
    inside: Option<Inside>,
    back: Vec<Row>,
}

/// The interval that the walk is in, and stays in down to its start.
#[derive(Clone, Copy)]
struct Inside {
    id: usize,
    jumped: bool,
    stuck: bool,
}

impl Stupid<'_> {
    fn span(&self, id: usize) -> (u64, u64) {
        let link = &self.trace.intervals[id];
        (link.start.0 / 1_000_000_000, link.end.0 / 1_000_000_000)
    }

    fn row_of(&self, id: usize) -> Row {
        let link = &self.trace.intervals[id];
        let of_block = Row::Block(block(self.trace, link));
        link.parent.map_or(of_block, |parent| Row::Parts(parent.at()))
    }

    /// The interval that holds the lane up at `time`; ties as rule 1 states them.
    fn here(&self, row: Row, time: u64) -> Option<usize> {
        let begun = |id: &usize| {
            let (start, end) = self.span(*id);
            self.row_of(*id) == row && start < time && end > start
        };
        let rank = |id: &usize| {
            let (start, end) = self.span(*id);
            (end.min(time), -(end as i64), start, *id)
        };
        (0..self.trace.intervals.len()).filter(begun).max_by_key(rank)
    }

    /// Nothing of the lane began before `time`: whether it is on in another lane.
    fn leaves(&mut self, time: u64) -> bool {
        if let Row::Parts(parent) = self.row {
            if self.span(parent).0 < time {
                return false;
            }
            self.row = self.row_of(parent);
            return true;
        }
        while let Some(mut row) = self.back.pop() {
            while let (None, Row::Parts(parent)) = (self.here(row, time), row) {
                row = self.row_of(parent)
            }
            if row != self.row && self.here(row, time).is_some() {
                self.row = row;
                return true;
            }
        }
        false
    }

    /// What the second that ends at `time` is charged to.
    fn second(&mut self, time: u64) -> Holder {
        let mut seen = Vec::new();
        loop {
            let unmoved = |id| Inside { id, jumped: false, stuck: false };
            let Some(mut now) = self.inside.or_else(|| self.here(self.row, time).map(unmoved))
            else {
                if self.leaves(time) {
                    continue;
                }
                return Holder::Unexplained;
            };
            let (start, end) = self.span(now.id);
            if end < time {
                return Holder::Unexplained;
            }
            let link = &self.trace.intervals[now.id];
            let works = matches!(link.kind, kind::TRANSFER | kind::HELD);
            let is_part = |id| self.row_of(id) == Row::Parts(now.id) && self.lasts(id);
            if (0..self.trace.intervals.len()).any(is_part) {
                (self.row, self.inside) = (Row::Parts(now.id), None);
                continue;
            }
            let mut charged = None;
            if let (false, Cause::Interval(other)) = (works, link.cause) {
                let other = other.at();
                let (from, to) = self.span(other);
                let circle = other == now.id || seen.contains(&other);
                let overlaps = from < to && from < end && to > start.max(self.floor);
                now.stuck |= circle || !overlaps;
                if !now.stuck && to >= time {
                    seen.push(other);
                    self.inside = None;
                    if from < time {
                        self.back.push(self.row_of(now.id));
                        self.inside = Some(Inside { id: other, jumped: true, stuck: false })
                    }
                    self.row = self.row_of(other);
                    continue;
                }
                charged = Some(Holder::Unexplained);
            }
            self.inside = (start < time - 1).then_some(now);
            return charged.unwrap_or_else(|| self.charge(now));
        }
    }

    fn lasts(&self, id: usize) -> bool {
        let (start, end) = self.span(id);
        start < end
    }

    fn charge(&self, now: Inside) -> Holder {
        let kind = |id: usize| Holder::Interval(self.trace.intervals[id].kind);
        match self.trace.intervals[now.id].cause {
            Cause::Unexplained if now.jumped => kind(now.id),
            Cause::Unexplained | Cause::Phase => Holder::Unexplained,
            Cause::Setting(s) => Holder::Setting(s),
            Cause::Shortage(s) => Holder::Shortage(s),
            Cause::Resource(r) => Holder::Resource(r),
            Cause::Interval(other) => kind(other.at()),
        }
    }
}

/// From a block's lane, where it has one.
fn start(trace: &Trace, block: i64, top: Nanos, floor: Nanos) -> Start<'static> {
    let mut named = trace.intervals.iter().filter_map(|row| row.subject);
    let subject = EntityId::of(usize::try_from(block).expect("a block of a drawing"));
    let lane = named.any(|other| other == subject).then_some(Lane::Subject(subject));
    Start { lane, top, floor, tree: None, idle: None }
}

#[test]
fn the_walk_charges_every_second_as_the_stupid_one_does() {
    let mut dice = Dice(1);
    let (mut jumps, mut returns) = (0, 0);
    for round in 0..20_000 {
        let trace = senseless(&mut dice);
        let lanes = Lanes::of(&trace);
        let block = dice.below(2) as i64;
        let floor = dice.below(10);
        let top = floor + dice.below(HORIZON + 3 - floor);
        let start = start(&trace, block, Nanos::secs(top), Nanos::secs(floor));
        let pieces = path(&lanes, start).pieces;
        let row = Row::Block(Some(block));
        let (inside, back) = (None, Vec::new());
        let mut stupid = Stupid { trace: &trace, floor, row, inside, back };
        let mut clever = pieces.iter();
        let mut piece = clever.next();
        let (mut left, mut most) = (false, 0);
        for time in (floor + 1..=top).rev() {
            while piece.is_some_and(|p| p.start >= Nanos::secs(time)) {
                piece = clever.next();
            }
            let found = piece.expect("the pieces cover the whole time").holder;
            let wanted = stupid.second(time);
            left |= matches!(stupid.row, Row::Block(other) if other != Some(block));
            most = most.max(stupid.back.len());
            assert_eq!(found, wanted, "round {round}, second {time}: {:#?}", trace.intervals);
        }
        jumps += u32::from(left);
        returns += u32::from(stupid.back.len() < most);
    }
    let tame = format!("{jumps} walks left their block, {returns} came back: the test is too tame");
    assert!(jumps > 2_000 && returns > 500, "{tame}");
}

#[test]
fn pieces_cover_the_time_without_gap_or_overlap() {
    let mut dice = Dice(2);
    for _ in 0..20_000 {
        let trace = senseless(&mut dice);
        let lanes = Lanes::of(&trace);
        let (top, floor) = (Nanos::secs(38), Nanos::secs(3));
        let start = start(&trace, 0, top, floor);
        for pieces in [path(&lanes, start).pieces, blocked(&lanes, start, 1)] {
            let mut time = top;
            for piece in pieces {
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
            interval.amount = Some(dice.below(3) * 500).filter(|bytes| *bytes > 0);
        }
        let recovery = hdfs_reading::metrics(&trace)["recovery_s"];
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
