//! The parts of a file whose time goes back: two logs behind one another in the wrong order, a log
//! twice, parts that overlap, a clock that was set back.
//!
//! Each part is read as if it were a file of its own, so all are merged by time and lines that two
//! have count once. Nobody knows of a file's parts before it has been read, so a file whose time
//! goes back is read again.
use super::reading::{Reading, Text};
use import::{Input, Lines, log4j};
use std::fs;

/// A time that is earlier than one before it by more than this is no thread's delay \[ms\].
pub(super) const BACK: i64 = 1_000;

/// A single line that is ahead of both its neighbours by more than this has a damaged time: where a
/// log ends and an earlier one begins, the silence before the last line is shorter \[ms\].
pub(super) const AHEAD: i64 = 600_000;

/// Each part has a buffer of its own; a file with more of them is read as one.
const MOST: usize = 64;

/// Part of a file, as its text is without compression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) file: usize,
    /// Bytes and lines before it.
    pub(super) from: u64,
    pub(super) line: u64,
    /// Its bytes; the last one goes to the end of the file.
    pub(super) length: u64,
    /// How far the time goes back at its first line \[ms\].
    pub(super) back: i64,
    /// What is known of the times within.
    pub(super) order: Order,
    /// Numbers of lines whose time alone is far ahead: theirs is that of the line before.
    pub(super) ahead: Vec<u64>,
}

/// Whether a part's lines are in the order of their times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Unknown,
    Sorted,
    /// There are too many parts.
    Mixed,
    /// It can be read only once, so nobody can tell.
    Piped,
}

impl Part {
    /// All of a file, of whose times nothing is known.
    pub(super) fn whole(file: usize) -> Part {
        let (order, ahead) = (Order::Unknown, Vec::new());
        Part { file, from: 0, line: 0, length: u64::MAX, back: 0, order, ahead }
    }
}

/// Whether an input can be read again; a pipe cannot.
pub(super) fn is_kept(input: &Input) -> bool {
    match input {
        Input::File(path) => fs::metadata(path).is_ok_and(|about| about.is_file()),
        Input::Memory { .. } => true,
        Input::Stdin => false,
    }
}

/// The parts of all files.
pub(super) fn of(inputs: &[Input], reading: &Reading<'_>) -> Vec<Part> {
    let each = inputs.iter().enumerate();
    each.flat_map(|(file, input)| of_file(file, input, reading)).collect()
}

/// One that cannot be read is complained of later; one that cannot be read twice is one part.
fn of_file(file: usize, input: &Input, reading: &Reading<'_>) -> Vec<Part> {
    let all = |order| vec![Part { order, ..Part::whole(file) }];
    if !is_kept(input) {
        return all(Order::Piped);
    }
    let lines = reading.open(input).and_then(|bytes| Lines::new(Box::new(Text::new(bytes))));
    let Ok(mut lines) = lines else { return all(Order::Sorted) };
    let mut cuts = Cuts::of(file);
    let mut before = 0;
    while let Ok(Some(line)) = lines.next_line() {
        let at = log4j::stamp(line).map(|(at, _)| at);
        let (from, line) = (before, lines.number - 1);
        before = lines.bytes;
        if let Some(at) = at {
            cuts.see(at, from, line)
        }
        if cuts.parts.len() > MOST {
            return all(Order::Mixed);
        }
    }
    cuts.parts
}

/// Where a file is cut, as its lines come.
struct Cuts {
    file: usize,
    parts: Vec<Part>,
    /// The latest time of this part.
    last: i64,
    /// Where the time went back by the line before: a single line may only have a damaged time.
    went: Option<Part>,
    /// The number of the line before and the latest time before it, if it is far ahead of that.
    leapt: Option<(u64, i64)>,
}

impl Cuts {
    fn of(file: usize) -> Cuts {
        let parts = vec![Part { order: Order::Sorted, ..Part::whole(file) }];
        Cuts { file, parts, last: i64::MIN, went: None, leapt: None }
    }

    /// A line of this time, so many bytes and lines behind the file's start.
    fn see(&mut self, at: i64, from: u64, line: u64) {
        let leapt = self.leapt.take();
        if at.saturating_add(BACK) >= self.last {
            let leaps = self.last > i64::MIN && at - self.last > AHEAD;
            self.leapt = leaps.then_some((line + 1, self.last));
            (self.went, self.last) = (None, at.max(self.last));
            return;
        }
        // Its successor goes on where its predecessor was.
        if let Some((number, last)) = leapt
            && at.saturating_add(BACK) >= last
            && self.last - at > AHEAD
        {
            self.parts.last_mut().expect("a file's first part").ahead.push(number);
            self.last = at.max(last);
            return;
        }
        let Some(part) = self.went.take() else {
            let (back, order) = (self.last - at, Order::Sorted);
            self.went = Some(Part { from, line, back, order, ..Part::whole(self.file) });
            return;
        };
        let done = self.parts.last_mut().expect("a file's first part");
        done.length = part.from - done.from;
        self.last = (self.last - part.back).max(at);
        self.parts.push(part)
    }
}
