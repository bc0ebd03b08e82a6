//! The sums behind the trace hash, by slices of time and blocks of LPs, to locate the first
//! difference between two runs.
//!
//! ```text
//!            slice 0     slice 1     slice 2
//!   LP 0-7   3e1f…       90c4…       77ab…        of A and of B: the first slice in which a block
//!   LP 8-15  b2d0…       0071… ≠     41c9… ≠      differs has the first event that differs
//! ```
//!
//! Slices and blocks double in width as the run grows. Events are kept as well while they are few:
//! a second run of the slice alone then identifies the event.
mod compare;
mod file;
pub use compare::{Difference, compare};
use engine::CommittedEvent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Most slices and blocks.
const SLICES: u64 = 1024;
const BLOCKS: u32 = 64;

/// Most events that are kept, unless the window cannot be narrowed.
const LISTED: usize = 20_000;

/// Slice of the LPs' final states.
const LAST: u64 = u64::MAX;

/// Selects events at or after `from` and before `to` \[ns\].
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub from: u64,
    pub to: u64,
}

impl Window {
    pub const WHOLE: Window = Window { from: 0, to: u64::MAX };
    /// Final records and states of all LPs.
    pub const END: Window = Window { from: u64::MAX, to: u64::MAX };

    /// Parses `--within`: `FROM..TO`, `FROM..`, `end`.
    pub fn parse(text: &str) -> Result<Window, String> {
        let wrong = || "expected times in ns, FROM..TO or FROM.., or end".to_string();
        if text == "end" {
            return Ok(Window::END);
        }
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        let to = if to.is_empty() { u64::MAX } else { number(to)? };
        let window = Window { from: number(from)?, to };
        if window.from < window.to { Ok(window) } else { Err(wrong()) }
    }

    fn has(self, at: u64, is_last: bool) -> bool {
        match is_last {
            true => self.to == u64::MAX,
            false => (self.from..self.to).contains(&at),
        }
    }

    fn can_be_narrowed(self) -> bool {
        self.to - self.from > 1
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Window::END => f.write_str("end"),
            Window { from, to: u64::MAX } => write!(f, "{from}.."),
            Window { from, to } => write!(f, "{from}..{to}"),
        }
    }
}

/// 32 hexadecimal digits in files.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(pub u128);

impl From<Hash> for String {
    fn from(Hash(hash): Hash) -> String {
        crate::provenance::hash_text(hash)
    }
}

impl TryFrom<String> for Hash {
    type Error = String;
    fn try_from(text: String) -> Result<Hash, String> {
        let wrong = |_| format!("{text:?} is not a hash: expected 32 hexadecimal digits");
        u128::from_str_radix(&text, 16).map(Hash).map_err(wrong)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Cell {
    count: u64,
    sum: u128,
}

/// An event, or an LP's final record, with the largest `tie`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub time_ns: u64,
    /// Second part of the event's key.
    pub tie: u64,
    pub lp: u32,
    /// Contribution to the trace hash.
    pub hash: Hash,
    pub payload: Hash,
    pub event: String,
    pub records: String,
}

impl Line {
    fn key(&self) -> (u64, u64, u32) {
        (self.time_ns, self.tie, self.lp)
    }

    /// Whether it is an LP's final record.
    pub fn is_last(&self) -> bool {
        self.tie == CommittedEvent::LAST
    }
}

impl From<&CommittedEvent<'_>> for Line {
    fn from(seen: &CommittedEvent<'_>) -> Line {
        Line {
            time_ns: seen.stamp.at.0,
            tie: seen.stamp.tie,
            lp: seen.stamp.lp,
            hash: Hash(seen.hash),
            payload: Hash(seen.payload),
            event: seen.event(),
            records: seen.records(),
        }
    }
}

pub struct Collector {
    window: Window,
    /// A slice has 2ⁿ ns, a block 2ⁿ LPs.
    slice: u32,
    block: u32,
    cells: BTreeMap<(u64, u32), Cell>,
    list: Option<Vec<Line>>,
    events: u64,
    sum: u128,
}

impl Collector {
    /// Collects events of this window only.
    pub fn new(window: Window) -> Collector {
        let (cells, list) = (BTreeMap::new(), Some(vec![]));
        Collector { window, slice: 0, block: 0, cells, list, events: 0, sum: 0 }
    }

    pub fn see(&mut self, seen: &CommittedEvent<'_>) {
        let (at, tie, lp) = (seen.stamp.at.0, seen.stamp.tie, seen.stamp.lp);
        self.add((at, tie, lp), seen.hash, || Line::from(seen))
    }

    /// [`see`](Self::see) from a list.
    pub fn read(&mut self, line: &Line) {
        self.add(line.key(), line.hash.0, || line.clone())
    }

    fn add(&mut self, (at, tie, lp): (u64, u64, u32), hash: u128, line: impl FnOnce() -> Line) {
        let is_last = tie == CommittedEvent::LAST;
        self.events += u64::from(!is_last);
        self.sum = self.sum.wrapping_add(hash);
        if !self.window.has(at, is_last) {
            return;
        }
        while !is_last && (at - self.window.from) >> self.slice >= SLICES {
            self.widen(self.slice + 1, self.block)
        }
        while lp >> self.block >= BLOCKS {
            self.widen(self.slice, self.block + 1)
        }
        let slice = if is_last { LAST } else { (at - self.window.from) >> self.slice };
        let cell = self.cells.entry((slice, lp >> self.block)).or_default();
        cell.count += 1;
        cell.sum = cell.sum.wrapping_add(hash);
        if let Some(list) = &mut self.list {
            list.push(line());
            if list.len() > LISTED && self.window.can_be_narrowed() {
                self.list = None
            }
        }
    }

    fn widen(&mut self, slice: u32, block: u32) {
        let cells = widened(&self.cells, (slice - self.slice, block - self.block));
        (self.slice, self.block, self.cells) = (slice, block, cells)
    }

    /// `of` names the run; `trace_hash` is the engine's.
    pub fn done(self, of: String, command: String, trace_hash: u128) -> Sums {
        let Collector { window, slice, block, cells, mut list, events, sum } = self;
        if let Some(list) = &mut list {
            list.sort_by_key(Line::key)
        }
        Sums {
            of,
            command,
            version: env!("CARGO_PKG_VERSION").into(),
            events,
            trace_hash: Hash(trace_hash),
            sum: Hash(sum),
            window,
            slice,
            block,
            cells,
            list,
            panicked: None,
        }
    }
}

/// The cells 2ⁿ times as wide, for n in (slice, block).
fn widened(cells: &BTreeMap<(u64, u32), Cell>, (slice, block): (u32, u32)) -> Cells {
    let mut wide = Cells::new();
    for ((s, b), cell) in cells {
        let s = if *s == LAST { LAST } else { s >> slice };
        let all = wide.entry((s, b >> block)).or_default();
        all.count += cell.count;
        all.sum = all.sum.wrapping_add(cell.sum)
    }
    wide
}

type Cells = BTreeMap<(u64, u32), Cell>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sums {
    /// Name of the run; equal names must give equal sums.
    pub of: String,
    pub command: String,
    pub version: String,
    /// Committed events of the complete run.
    pub events: u64,
    /// Hash of the complete run, from the scheduler.
    pub trace_hash: Hash,
    /// The same, from the observed events. A difference means that the scheduler hashes events that
    /// it does not execute.
    pub sum: Hash,
    pub window: Window,
    slice: u32,
    block: u32,
    cells: Cells,
    /// All events, if they are few enough.
    list: Option<Vec<Line>>,
    /// Panic message; the sums then cover the events before it.
    pub panicked: Option<String>,
}

impl Sums {
    /// The cells with slices and blocks at least as wide as those of `other`.
    fn like(&self, other: &Sums) -> (Cells, u32, u32) {
        let (slice, block) = (self.slice.max(other.slice), self.block.max(other.block));
        (widened(&self.cells, (slice - self.slice, block - self.block)), slice, block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_do_not_hang_on_the_order() {
        let line = |n: u64| Line {
            time_ns: n * n * 7,
            tie: n,
            lp: (n * 31 % 500) as u32,
            hash: Hash(n as u128 * 0x1234_5678_9ABC),
            payload: Hash(0),
            event: String::new(),
            records: String::new(),
        };
        let all = |order: &mut dyn Iterator<Item = u64>| {
            let mut collector = Collector::new(Window::WHOLE);
            order.for_each(|n| collector.read(&line(n)));
            collector.done(String::new(), String::new(), 0)
        };
        let (up, down) = (all(&mut (0..3000)), all(&mut (0..3000).rev()));
        assert_eq!(up, down);
        assert_eq!((up.events, up.slice, up.block), (3000, 16, 3));
        assert!(up.cells.values().map(|cell| cell.count).sum::<u64>() == 3000)
    }

    #[test]
    fn windows_are_written_as_they_are_read() {
        for window in [
            Window::END,
            Window { from: 3, to: 9 },
            Window::WHOLE,
            Window { from: 3, to: u64::MAX },
        ] {
            assert_eq!(Window::parse(&window.to_string()), Ok(window))
        }
        for text in ["", "3", "9..3", "3..3", "-1..3", "1s..2s", "..3", "ende"] {
            assert!(Window::parse(text).is_err(), "{text}")
        }
    }
}
