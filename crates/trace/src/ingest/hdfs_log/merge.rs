//! Several logs as one, by time; only lines that may matter, one of each file in memory.
use super::complaints::Complaints;
use super::parts::{BACK, Order, Part};
use super::reading::{Reading, Text};
use super::{broken, log4j};
use crate::ingest::hdfs::error::{Bad, ImportError};
use crate::ingest::hdfs::lines::Lines;
use crate::ingest::hdfs::source::{Input, unreadable};
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

/// Of lines that are behind one another in the wrong order, or whose clock was set back.
const UNSORTED: &str = "the time goes back: what follows is taken for a part of another log, and \
                        merged by its times. If the clock was set back there, the order and the \
                        durations are wrong; give each log as a file of its own to rule that out";

/// The same where the lines cannot be sorted.
const MIXED: &str = "the clock was put back: the order and the durations after it are not sure";

/// A file, or a part of one, being read.
struct Log<'a> {
    part: Part,
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
    /// The time goes back in a file whose parts are not known: it is to be read anew.
    pub(super) torn: bool,
    /// How far the time goes back in lines that cannot be sorted \[ms\].
    back: i64,
    /// Lines of this moment, in which part they stand first.
    now: (i64, BTreeMap<Vec<u8>, usize>),
    /// Lines of one part that another has, too: which part they were read from, how many.
    twice: BTreeMap<(usize, usize), u64>,
}

impl<'a> Merged<'a> {
    /// Opens them; `reading` hears of every byte.
    pub(super) fn open(
        inputs: &'a [Input],
        parts: &[Part],
        reading: &'a Reading<'_>,
        complaints: &mut Complaints,
    ) -> Result<Merged<'a>, ImportError> {
        let marks = MARKS.iter().copied().chain(super::event::SETTINGS.iter().map(|s| s.0));
        let finders = marks.map(|mark| Finder::new(mark.as_bytes())).collect();
        let mut merged = Merged {
            logs: Vec::new(),
            finders,
            lines: 0,
            torn: false,
            back: 0,
            now: (i64::MIN, BTreeMap::new()),
            twice: BTreeMap::new(),
        };
        for part in parts {
            let name = inputs[part.file].name();
            let whole = |bad: Bad| bad.at(&name, None);
            let bytes = reading.open(&inputs[part.file]).map_err(whole)?;
            let lines = lines_of(part, bytes).map_err(whole)?;
            if part.from == 0 {
                super::sniff::check(lines.head()).map_err(whole)?
            }
            let (line, number, last) = (Vec::new(), part.line, i64::MIN);
            let log = merged.logs.len();
            merged.logs.push(Log { part: *part, lines, next: None, line, number, last });
            merged.advance(log, complaints)
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
        let Some((at, part)) = due.filter(|_| !self.torn) else { return false };
        if !self.repeats(at, part) {
            let log = &self.logs[part];
            let file = log.part.file;
            take(Line { at, file, number: log.number, text: &log.line }, complaints);
        }
        self.advance(part, complaints);
        true
    }

    /// Whether another part has the line, too: the same log given twice, parts that overlap.
    fn repeats(&mut self, at: i64, part: usize) -> bool {
        if self.logs.len() == 1 {
            return false;
        }
        if self.now.0 != at {
            self.now = (at, BTreeMap::new())
        }
        let line = &self.logs[part].line;
        let first = *self.now.1.entry(line.clone()).or_insert(part);
        if first != part {
            *self.twice.entry((first, part)).or_default() += 1
        }
        first != part
    }

    /// A note for each pair of files that share lines, and for each that has lines twice.
    pub(super) fn twice(&self, names: &[String]) -> Vec<String> {
        let file = |part: &usize| self.logs[*part].part.file;
        let mut pairs = BTreeMap::<(usize, usize), u64>::new();
        for ((first, other), n) in &self.twice {
            *pairs.entry((file(first), file(other))).or_default() += n
        }
        let note = |((first, other), n): (&(usize, usize), &u64)| match first == other {
            true => format!("{}: {n} lines stand in it twice, and count once", names[*other]),
            false => {
                let (first, other) = (&names[*first], &names[*other]);
                format!("{other}: {n} lines stand in {first}, too, and count once")
            }
        };
        pairs.iter().map(note).collect()
    }

    /// How far the time goes back where nothing says why, with a complaint of each place \[ms\].
    /// A part that has lines of one before it is a copy; any other may be of a clock set back.
    pub(super) fn set_back(&self, complaints: &mut Complaints) -> i64 {
        let shares = |part: usize| {
            let same = |other: usize| self.logs[other].part.file == self.logs[part].part.file;
            self.twice.keys().any(|(a, b)| *b == part && same(*a))
        };
        let mut most = self.back;
        for (at, log) in self.logs.iter().enumerate() {
            if log.part.back > 0 && !shares(at) {
                complaints.add(log.part.file, log.part.line + 1, UNSORTED);
                most = most.max(log.part.back)
            }
        }
        most
    }

    /// The last time in any file.
    pub(super) fn end(&self) -> Option<i64> {
        self.logs.iter().map(|log| log.last).filter(|last| *last > i64::MIN).max()
    }

    /// To the part's next line that may matter.
    fn advance(&mut self, part: usize, complaints: &mut Complaints) {
        let log = &mut self.logs[part];
        let file = log.part.file;
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
                match log.part.order {
                    Order::Unknown => self.torn = true,
                    Order::Sorted => complaints.add(file, log.number, "the clock was put back"),
                    Order::Mixed => {
                        complaints.add(file, log.number, MIXED);
                        self.back = self.back.max(log.last - at)
                    }
                }
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

/// The lines of a part.
fn lines_of<'a>(part: &Part, bytes: Box<dyn Read + 'a>) -> Result<Lines<'a>, Bad> {
    let mut bytes = Text::new(bytes);
    io::copy(&mut (&mut bytes).take(part.from), &mut io::sink()).map_err(|e| unreadable(&e))?;
    Lines::new(Box::new(Marked::new(Box::new(bytes.take(part.length)))))
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
