//! Splits a file where its time goes back: logs in reverse order, a duplicate log, overlapping
//! parts, a reset clock.
//!
//! Each part is merged like a file, and duplicate lines count once. The parts are only known after
//! a first pass, so such a file is read twice.
use super::read_progress::{NulSkipper, ReadProgress};
use import::{Input, Lines, log4j};
use std::fs;

/// Larger steps back than this are not delays of a thread \[ms\].
pub(super) const BACK: i64 = 1_000;

/// A single line further ahead of both neighbours has a damaged time. The pause before the last
/// line of a log is shorter \[ms\].
pub(super) const AHEAD: i64 = 600_000;

/// Each part needs a buffer; a file with more parts is read as one.
const MOST: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FilePart {
    pub(super) file: usize,
    /// Bytes and lines before the part.
    pub(super) from: u64,
    pub(super) line: u64,
    /// Bytes; the last part extends to the end of the file.
    pub(super) length: u64,
    /// Step back at its first line \[ms\].
    pub(super) back: i64,
    pub(super) order: Order,
    /// Numbers of lines with a damaged time; the time of the line before is used.
    pub(super) ahead: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Unknown,
    Sorted,
    Mixed,
    /// The input can only be read once.
    Piped,
}

impl FilePart {
    /// An entire file in unknown order.
    pub(super) fn entire_file(file: usize) -> FilePart {
        let (order, ahead) = (Order::Unknown, Vec::new());
        FilePart { file, from: 0, line: 0, length: u64::MAX, back: 0, order, ahead }
    }
}

pub(super) fn is_kept(input: &Input) -> bool {
    match input {
        Input::File(path) => fs::metadata(path).is_ok_and(|about| about.is_file()),
        Input::Memory { .. } => true,
        Input::Stdin => false,
    }
}

pub(super) fn of(inputs: &[Input], reading: &ReadProgress<'_>) -> Vec<FilePart> {
    let each = inputs.iter().enumerate();
    each.flat_map(|(file, input)| of_file(file, input, reading)).collect()
}

/// An unreadable file is reported later; an input that can be read only once is one part.
fn of_file(file: usize, input: &Input, reading: &ReadProgress<'_>) -> Vec<FilePart> {
    let all = |order| vec![FilePart { order, ..FilePart::entire_file(file) }];
    if !is_kept(input) {
        return all(Order::Piped);
    }
    let lines = reading.open(input).and_then(|bytes| Lines::new(Box::new(NulSkipper::new(bytes))));
    let Ok(mut lines) = lines else { return all(Order::Sorted) };
    let mut cuts = PartFinder::of(file);
    let mut before = 0;
    while let Ok(Some(line)) = lines.next_line() {
        let at = log4j::stamp(line).map(|(at, _)| at);
        let (from, line) = (before, lines.number - 1);
        before = lines.bytes;
        if let Some(at) = at {
            cuts.add_line(at, from, line)
        }
        if cuts.parts.len() > MOST {
            return all(Order::Mixed);
        }
    }
    cuts.parts
}

struct PartFinder {
    file: usize,
    parts: Vec<FilePart>,
    last: i64,
    /// Start of a possible part at the line before, whose time went back: a single line may have a
    /// damaged time.
    back_part: Option<FilePart>,
    /// The line before, if it is far ahead: (number, latest time before it).
    leap: Option<(u64, i64)>,
}

impl PartFinder {
    fn of(file: usize) -> PartFinder {
        let parts = vec![FilePart { order: Order::Sorted, ..FilePart::entire_file(file) }];
        PartFinder { file, parts, last: i64::MIN, back_part: None, leap: None }
    }

    /// `from`, `line`: bytes and lines before this line.
    fn add_line(&mut self, at: i64, from: u64, line: u64) {
        let leapt = self.leap.take();
        if at.saturating_add(BACK) >= self.last {
            let leaps = self.last > i64::MIN && at - self.last > AHEAD;
            self.leap = leaps.then_some((line + 1, self.last));
            (self.back_part, self.last) = (None, at.max(self.last));
            return;
        }
        // The line after continues from the time before `leapt`: its time is damaged.
        if let Some((number, last)) = leapt
            && at.saturating_add(BACK) >= last
            && self.last - at > AHEAD
        {
            self.parts.last_mut().expect("a file's first part").ahead.push(number);
            self.last = at.max(last);
            return;
        }
        let Some(part) = self.back_part.take() else {
            let (back, order) = (self.last - at, Order::Sorted);
            self.back_part =
                Some(FilePart { from, line, back, order, ..FilePart::entire_file(self.file) });
            return;
        };
        let done = self.parts.last_mut().expect("a file's first part");
        done.length = part.from - done.from;
        self.last = (self.last - part.back).max(at);
        self.parts.push(part)
    }
}
