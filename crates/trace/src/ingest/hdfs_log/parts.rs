//! The parts of a file whose time goes back: two logs behind one another in the wrong order, a log
//! twice, parts that overlap, a clock that was set back.
//!
//! Each part is read as if it were a file of its own, so all are merged by time and lines that two
//! have count once. Nobody knows of a file's parts before it has been read, so a file whose time
//! goes back is read anew.
use super::log4j;
use super::reading::{Reading, Text};
use crate::ingest::hdfs::lines::Lines;
use crate::ingest::hdfs::source::Input;
use std::fs;

/// A time that is earlier than one before it by more than this is no thread's delay \[ms\].
pub(super) const BACK: i64 = 1_000;

/// Each part has a buffer of its own; a file with more of them is read as one.
const MOST: usize = 64;

/// Part of a file, as its text is without compression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// Which file.
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
}

/// Whether a part's lines are in the order of their times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Unknown,
    /// But for single lines.
    Sorted,
    /// Nobody can tell, or there are too many parts.
    Mixed,
}

impl Part {
    /// All of a file, of whose times nothing is known.
    pub(super) fn whole(file: usize) -> Part {
        Part { file, from: 0, line: 0, length: u64::MAX, back: 0, order: Order::Unknown }
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
    let mixed = vec![Part { order: Order::Mixed, ..Part::whole(file) }];
    if !is_kept(input) {
        return mixed;
    }
    let whole = Part { order: Order::Sorted, ..Part::whole(file) };
    let lines = reading.open(input).and_then(|bytes| Lines::new(Box::new(Text::new(bytes))));
    let Ok(mut lines) = lines else { return vec![whole] };
    let mut parts = vec![whole];
    let mut last = i64::MIN;
    // Where the time went back by the line before: a single line may only have a damaged time.
    let mut went: Option<Part> = None;
    let mut before = 0;
    while let Ok(Some(line)) = lines.next() {
        let at = log4j::stamp(line).map(|(at, _)| at);
        let (from, line) = (before, lines.number - 1);
        before = lines.bytes;
        let Some(at) = at else { continue };
        if at.saturating_add(BACK) >= last {
            (went, last) = (None, at.max(last));
            continue;
        }
        let Some(part) = went.take() else {
            went = Some(Part { from, line, back: last - at, ..whole });
            continue;
        };
        let first = part.back;
        if let Some(done) = parts.last_mut() {
            done.length = part.from - done.from
        }
        parts.push(part);
        if parts.len() > MOST {
            return mixed;
        }
        last = (last - first).max(at)
    }
    parts
}
