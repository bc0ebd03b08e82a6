//! Several logs as one, by time; only lines that may matter, one of each file in memory.
use super::complaints::Complaints;
use super::reading::Reading;
use super::{broken, log4j};
use crate::ingest::hdfs::error::{Bad, ImportError};
use crate::ingest::hdfs::lines::Lines;
use crate::ingest::hdfs::source::Input;
use memchr::memmem::Finder;
use std::collections::BTreeMap;
use std::io::{self, Read};

/// What a line that matters has in it; the rest is skipped without a second look.
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

/// Stands at the end of a line that the file's end has cut.
const CUT: &[u8] = b"\0cut";

/// A clock that is put back by more than this is worth a word \[ms\].
const BACK: i64 = 1_000;

/// A file being read.
struct Log<'a> {
    lines: Lines<'a>,
    /// The line that comes next, and its time; `None` at the end.
    next: Option<i64>,
    line: Vec<u8>,
    number: u64,
    /// First and last time of all its lines.
    last: i64,
}

/// A line that may matter.
pub(super) struct Line<'a> {
    /// When \[ms\].
    pub(super) at: i64,
    /// Which file, and where in it.
    pub(super) file: usize,
    pub(super) number: u64,
    /// Without its time.
    pub(super) text: &'a [u8],
}

/// All of them.
pub(super) struct Merged<'a> {
    logs: Vec<Log<'a>>,
    finders: Vec<Finder<'static>>,
    /// Lines read.
    pub(super) lines: u64,
    /// Lines of this moment, whose they are.
    now: (i64, BTreeMap<Vec<u8>, usize>),
    /// Lines of one file that another has, too: which file they were read from, how many.
    pub(super) twice: BTreeMap<(usize, usize), u64>,
}

impl<'a> Merged<'a> {
    /// Opens them; `reading` hears of every byte.
    pub(super) fn open(
        inputs: &'a [Input],
        reading: &'a Reading<'_>,
        complaints: &mut Complaints,
    ) -> Result<Merged<'a>, ImportError> {
        let marks = MARKS.iter().copied().chain(super::event::SETTINGS.iter().map(|s| s.0));
        let finders = marks.map(|mark| Finder::new(mark.as_bytes())).collect();
        let mut merged = Merged {
            logs: Vec::new(),
            finders,
            lines: 0,
            now: (i64::MIN, BTreeMap::new()),
            twice: BTreeMap::new(),
        };
        for (file, input) in inputs.iter().enumerate() {
            let name = input.name();
            let whole = |bad: Bad| bad.at(&name, None);
            let bytes = reading.open(input).map_err(whole)?;
            let lines = Lines::new(Box::new(Marked::new(bytes))).map_err(whole)?;
            super::sniff::check(lines.head()).map_err(whole)?;
            let (line, last) = (Vec::new(), i64::MIN);
            merged.logs.push(Log { lines, next: None, line, number: 0, last });
            merged.advance(file, complaints)
        }
        Ok(merged)
    }

    /// Hands the next line, by time, to `take`. `false` at the end.
    pub(super) fn next(
        &mut self,
        complaints: &mut Complaints,
        take: &mut dyn FnMut(Line<'_>, &mut Complaints),
    ) -> bool {
        let due = (0..self.logs.len()).filter_map(|i| Some((self.logs[i].next?, i))).min();
        let Some((at, file)) = due else { return false };
        if !self.repeats(at, file) {
            let log = &self.logs[file];
            take(Line { at, file, number: log.number, text: &log.line }, complaints);
        }
        self.advance(file, complaints);
        true
    }

    /// Whether another file has the line, too: the same log given twice, parts that overlap.
    fn repeats(&mut self, at: i64, file: usize) -> bool {
        if self.logs.len() == 1 {
            return false;
        }
        if self.now.0 != at {
            self.now = (at, BTreeMap::new())
        }
        let line = &self.logs[file].line;
        let first = *self.now.1.entry(line.clone()).or_insert(file);
        if first != file {
            *self.twice.entry((first, file)).or_default() += 1
        }
        first != file
    }

    /// A note for each pair of files that share lines.
    pub(super) fn twice(&self, names: &[String]) -> Vec<String> {
        let note = |((first, other), n): (&(usize, usize), &u64)| {
            let (first, other) = (&names[*first], &names[*other]);
            format!("{other}: {n} lines stand in {first}, too, and count once")
        };
        self.twice.iter().map(note).collect()
    }

    /// The last time in any file.
    pub(super) fn end(&self) -> Option<i64> {
        self.logs.iter().map(|log| log.last).filter(|last| *last > i64::MIN).max()
    }

    /// To the file's next line that may matter.
    fn advance(&mut self, file: usize, complaints: &mut Complaints) {
        let log = &mut self.logs[file];
        log.next = None;
        loop {
            let line = match log.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(bad) => {
                    return complaints.unread(file, log.number + 1, i64::MAX, bad.problem);
                }
            };
            log.number += 1;
            self.lines += 1;
            if line.ends_with(CUT) {
                return complaints.add(file, log.number, "the last line is cut");
            }
            let Some((at, rest)) = log4j::stamp(line) else {
                if let Some(what) = broken::without_time(line) {
                    complaints.unread(file, log.number, log.last, what)
                }
                continue;
            };
            if at.saturating_add(BACK) < log.last {
                complaints.add(file, log.number, "the clock was put back")
            }
            // Lines of one moment keep their order, whatever a thread's clock says.
            log.last = at.max(log.last);
            if self.finders.iter().any(|mark| mark.find(rest).is_some()) {
                log.line.clear();
                log.line.extend_from_slice(rest);
                log.next = Some(log.last);
                return;
            }
            if broken::before_message(rest) {
                complaints.unread(file, log.number, log.last, broken::HALF)
            }
        }
    }
}

/// A reader that marks a last line without an end.
struct Marked<'a> {
    inner: Box<dyn Read + 'a>,
    last: u8,
    ended: bool,
}

impl<'a> Marked<'a> {
    fn new(inner: Box<dyn Read + 'a>) -> Marked<'a> {
        Marked { inner, last: b'\n', ended: false }
    }
}

impl Read for Marked<'_> {
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
