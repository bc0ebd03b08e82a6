//! Merges logs by time; keeps one relevant line of each file in memory.
use super::damaged_lines;
use super::line_errors::LineErrors;
use super::parts::{AHEAD, BACK, FilePart, Order};
use super::read_progress::{NulSkipper, ReadProgress};
use import::{ImportError, Input, Issue, Lines, log4j, unreadable};
use memchr::memmem::Finder;
use std::collections::BTreeMap;
use std::io::{self, Read};

/// Substrings of relevant lines; other lines are skipped.
const MARKS: [&str; 9] = [
    "BLOCK* ",
    "Adding a new node: ",
    "Adding new storage ID ",
    ") Starting thread to transfer ",
    "DataTransfer, at ",
    ":Failed to transfer ",
    "DataNode: Moved ",
    "PendingReconstructionMonitor timed out ",
    " Stopping DataNode ",
];

/// Appended to a last line without a line break.
const CUT: &[u8] = b"\0cut";

/// For logs in reverse order in one file, or a clock that was set back.
const UNSORTED: &str = "the time goes back: the following lines are treated as part of another \
                        log, and merged by time. If the clock was set back there, the order and \
                        the durations are wrong; give each log as its own file to exclude that";

/// For a single line with an earlier time.
const DAMAGED: &str = "the clock was set back";

/// As [`DAMAGED`], if the lines cannot be sorted.
const MIXED: &str = "the clock was set back: the order and the durations after that are uncertain";

/// As [`DAMAGED`], if the lines cannot be sorted because they come from a pipe.
const PIPED: &str = "the time goes back, and lines from a pipe cannot be sorted: the order and the \
                     durations after that are uncertain. Give the input as a file, or each log as \
                     one";

/// For a line whose time contradicts its neighbours.
const LEAPT: &str = "a line is far ahead of its neighbours: its time counts as damaged, and it \
                     keeps its place";

/// For a last line far ahead of the one before.
const UNBORNE: &str = "the last line is long after the previous one, and no later line confirms \
                       its time";

/// Number of lines that decide whether a part begins as a copy of another.
const FIRST: u64 = 16;

/// A file, or a part of one, being read.
struct Log<'a> {
    part: FilePart,
    lines: Lines<'a>,
    /// Time of `line`; `None` at the end.
    next: Option<i64>,
    line: Vec<u8>,
    number: u64,
    /// Latest time of all lines so far.
    last: i64,
    /// (number, time) of a relevant line far ahead of the one before, if no line has followed it
    /// yet.
    leap: Option<(u64, i64)>,
    /// (First relevant lines, those of them also in another part of the file).
    first: (u64, u64),
    /// Lines read while another part of the file covered the same time.
    beside: u64,
}

impl Log<'_> {
    /// True if `at` is between the first and the last line read.
    fn has(&self, at: i64) -> bool {
        self.next.map_or(at <= self.last, |_| self.first.0 > 0)
    }
}

pub(super) struct LogLine<'a> {
    /// \[ms\]
    pub(super) at: i64,
    pub(super) file: usize,
    pub(super) number: u64,
    pub(super) text: &'a [u8],
}

pub(super) struct MergedLogs<'a> {
    logs: Vec<Log<'a>>,
    finders: Vec<Finder<'static>>,
    pub(super) lines: u64,
    /// The time goes back in a file with unknown parts: the caller must read it again.
    pub(super) is_unsorted: bool,
    /// Largest step back in lines that cannot be sorted \[ms\].
    back: i64,
    /// Lines of the current millisecond, with the first part that has each.
    now: (i64, BTreeMap<Vec<u8>, usize>),
    /// Duplicate lines by (part that was used, other part).
    twice: BTreeMap<(usize, usize), u64>,
}

impl<'a> MergedLogs<'a> {
    /// Opens the parts; `reading` counts their bytes.
    pub(super) fn open(
        inputs: &'a [Input],
        parts: &[FilePart],
        reading: &'a ReadProgress<'_>,
        complaints: &mut LineErrors,
    ) -> Result<MergedLogs<'a>, ImportError> {
        let marks = MARKS.iter().copied().chain(super::event::SETTINGS.iter().map(|s| s.0));
        let finders = marks.map(|mark| Finder::new(mark.as_bytes())).collect();
        let mut merged = MergedLogs {
            logs: Vec::new(),
            finders,
            lines: 0,
            is_unsorted: false,
            back: 0,
            now: (i64::MIN, BTreeMap::new()),
            twice: BTreeMap::new(),
        };
        for part in parts {
            let name = inputs[part.file].name();
            let whole = |bad: Issue| bad.at(&name, None);
            let bytes = reading.open(&inputs[part.file]).map_err(whole)?;
            let lines = lines_of(part, bytes).map_err(whole)?;
            if part.from == 0 {
                super::sniff::check(lines.head()).map_err(whole)?
            }
            merged.logs.push(Log {
                part: part.clone(),
                lines,
                next: None,
                line: Vec::new(),
                number: part.line,
                last: i64::MIN,
                leap: None,
                first: (0, 0),
                beside: 0,
            });
            merged.advance(merged.logs.len() - 1, complaints)
        }
        Ok(merged)
    }

    /// Passes the next line by time to `take`. `false`: the end.
    pub(super) fn next(
        &mut self,
        complaints: &mut LineErrors,
        take: &mut dyn FnMut(LogLine<'_>, &mut LineErrors),
    ) -> bool {
        let due = (0..self.logs.len()).filter_map(|i| Some((self.logs[i].next?, i))).min();
        let Some((at, part)) = due.filter(|_| !self.is_unsorted) else { return false };
        let first = self.first(at, part);
        self.count(at, part, first);
        if first == part {
            let log = &self.logs[part];
            let file = log.part.file;
            take(LogLine { at, file, number: log.number, text: &log.line }, complaints);
        }
        self.advance(part, complaints);
        true
    }

    /// The first part with this line: another part if a log was given twice or parts overlap.
    fn first(&mut self, at: i64, part: usize) -> usize {
        if self.logs.len() == 1 {
            return part;
        }
        if self.now.0 != at {
            self.now = (at, BTreeMap::new())
        }
        let line = &self.logs[part].line;
        let first = *self.now.1.entry(line.clone()).or_insert(part);
        if first != part {
            *self.twice.entry((first, part)).or_default() += 1
        }
        first
    }

    /// Counts lines that distinguish copies from parts with a line in common by chance: daemons
    /// that start together keep writing in the same millisecond.
    fn count(&mut self, at: i64, part: usize, first: usize) {
        let file = self.logs[part].part.file;
        let of_file = |other: usize| other != part && self.logs[other].part.file == file;
        let is_copy = of_file(first);
        let beside =
            (0..part).filter(|other| of_file(*other)).any(|other| self.logs[other].has(at));
        let log = &mut self.logs[part];
        if log.first.0 < FIRST {
            log.first = (log.first.0 + 1, log.first.1 + u64::from(is_copy))
        }
        log.beside += u64::from(beside)
    }

    /// A note for each pair of files with common lines, and for each file with duplicate lines.
    pub(super) fn duplicate_notes(&self, names: &[String]) -> Vec<String> {
        let file = |part: &usize| self.logs[*part].part.file;
        let mut pairs = BTreeMap::<(usize, usize), u64>::new();
        for ((first, other), n) in &self.twice {
            *pairs.entry((file(first), file(other))).or_default() += n
        }
        let note = |((first, other), n): (&(usize, usize), &u64)| match first == other {
            true => format!("{}: {n} lines are in this log twice, and count once", names[*other]),
            false => {
                let (first, other) = (&names[*first], &names[*other]);
                format!("{other}: {n} lines are also in {first}, and count once")
            }
        };
        pairs.iter().map(note).collect()
    }

    /// Reports times that no other line confirms; returns the largest unexplained step back \[ms\].
    pub(super) fn report_doubts(&self, complaints: &mut LineErrors) -> i64 {
        let mut most = self.back;
        for (at, log) in self.logs.iter().enumerate() {
            if let Some((line, time)) = log.leap {
                complaints.add_unread(log.part.file, line, time, UNBORNE)
            }
            if log.part.back > 0 && !self.is_borne_out(at) {
                complaints.add(log.part.file, log.part.line + 1, UNSORTED);
                most = most.max(log.part.back)
            }
        }
        most
    }

    /// True if the step back at the part's start is not a reset clock: the part is a copy from its
    /// first line on, or it repeats a part of the file that ends later.
    fn is_borne_out(&self, part: usize) -> bool {
        let log = &self.logs[part];
        let goes_on = |other: &Log<'_>| other.part.file == log.part.file && other.last > log.last;
        let before = self.twice.iter().filter(|((_, b), _)| *b == part);
        let shared = before.filter(|((a, _), _)| goes_on(&self.logs[*a])).map(|(_, n)| n);
        let begins_as_copy = log.first.0 > 0 && log.first.0 == log.first.1;
        begins_as_copy || 2 * shared.sum::<u64>() > log.beside
    }

    pub(super) fn end(&self) -> Option<i64> {
        self.logs.iter().map(|log| log.last).filter(|last| *last > i64::MIN).max()
    }

    fn advance(&mut self, part: usize, complaints: &mut LineErrors) {
        let log = &mut self.logs[part];
        let file = log.part.file;
        log.next = None;
        loop {
            let line = match log.lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(bad) => {
                    return complaints.add_unread(file, log.number + 1, i64::MAX, bad.problem);
                }
            };
            log.number += 1;
            self.lines += 1;
            if line.ends_with(CUT) {
                return complaints.add(file, log.number, "the last line is cut");
            }
            let Some((at, rest)) = log4j::stamp(line) else {
                if let Some(what) = damaged_lines::without_time(line) {
                    complaints.add_unread(file, log.number, log.last, what)
                }
                continue;
            };
            let is_damaged = log.part.ahead.binary_search(&log.number).is_ok();
            if is_damaged {
                complaints.add(file, log.number, LEAPT)
            }
            let at = if is_damaged { log.last } else { at };
            if at.saturating_add(BACK) < log.last {
                let (what, back) = match log.part.order {
                    Order::Unknown => return self.is_unsorted = true,
                    Order::Sorted => (DAMAGED, 0),
                    Order::Mixed => (MIXED, log.last - at),
                    Order::Piped => (PIPED, log.last - at),
                };
                complaints.add(file, log.number, what);
                self.back = self.back.max(back)
            }
            let leaps = log.last > i64::MIN && at.saturating_sub(log.last) > AHEAD;
            log.leap = None;
            // Lines of one file keep their order, even if threads write slightly older times.
            log.last = at.max(log.last);
            if self.finders.iter().any(|mark| mark.find(rest).is_some()) {
                log.leap = leaps.then_some((log.number, log.last));
                log.line.clear();
                log.line.extend_from_slice(rest);
                log.next = Some(log.last);
                return;
            }
            if damaged_lines::before_message(rest) {
                complaints.add_unread(file, log.number, log.last, damaged_lines::HALF)
            }
        }
    }
}

fn lines_of<'a>(part: &FilePart, bytes: Box<dyn Read + 'a>) -> Result<Lines<'a>, Issue> {
    let mut bytes = NulSkipper::new(bytes);
    io::copy(&mut (&mut bytes).take(part.from), &mut io::sink()).map_err(|e| unreadable(&e))?;
    Lines::new(Box::new(CutMarker::new(Box::new(bytes.take(part.length)))))
}

/// Appends [`CUT`] to a last line without a line break.
struct CutMarker<'a> {
    inner: Box<dyn Read + 'a>,
    last: u8,
    ended: bool,
}

impl<'a> CutMarker<'a> {
    fn new(inner: Box<dyn Read + 'a>) -> CutMarker<'a> {
        CutMarker { inner, last: b'\n', ended: false }
    }
}

impl Read for CutMarker<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = if self.ended { 0 } else { self.inner.read(buffer)? };
        if n > 0 {
            self.last = buffer[n - 1];
            return Ok(n);
        }
        self.ended = true;
        if self.last == b'\n' || buffer.len() < CUT.len() {
            return Ok(0);
        }
        self.last = b'\n';
        buffer[..CUT.len()].copy_from_slice(CUT);
        Ok(CUT.len())
    }
}
