//! Reads lines without copies, with one buffer as long as the longest line.
use crate::error::{Issue, issue};
use crate::source::unreadable;
use std::io::Read;

/// Longest line \[bytes\]; only binary files exceed it.
const LONGEST_LINE: usize = 4 << 20;
const CHUNK: usize = 256 << 10;

/// Drops a `\r` before the end of a line, and a UTF-8 byte order mark.
pub struct Lines<'a> {
    inner: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// End of input reached.
    dry: bool,
    /// Number of the last line returned, from 1.
    pub number: u64,
    /// Bytes up to and including that line's end.
    pub bytes: u64,
}

impl<'a> Lines<'a> {
    /// Reads the first bytes, for [`head`](Self::head).
    pub fn new(inner: Box<dyn Read + 'a>) -> Result<Lines<'a>, Issue> {
        let buffer = vec![0; 2 * CHUNK];
        let mut lines = Lines { inner, buffer, start: 0, end: 0, dry: false, number: 0, bytes: 0 };
        while !lines.dry && lines.end < CHUNK {
            lines.fill()?
        }
        if lines.head().starts_with(&[0xef, 0xbb, 0xbf]) {
            (lines.start, lines.bytes) = (3, 3)
        }
        Ok(lines)
    }
    /// Up to 256 KiB, before the first line is read.
    pub fn head(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }
    /// The next line without its end. Fails if unreadable, or if a line is longer than 4 MiB.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, Issue> {
        let mut searched = 0;
        loop {
            let rest = &self.buffer[self.start..self.end];
            let found = memchr::memchr(b'\n', &rest[searched..]).map(|at| searched + at);
            let Some(length) = found.or((self.dry && !rest.is_empty()).then_some(rest.len()))
            else {
                if self.dry {
                    return Ok(None);
                }
                searched = rest.len();
                self.fill()?;
                continue;
            };
            let from = self.start;
            self.start = (from + length + 1).min(self.end);
            self.number += 1;
            self.bytes += (self.start - from) as u64;
            let line = &self.buffer[from..from + length];
            return Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)));
        }
    }
    /// Moves the rest to the front and reads more after it.
    fn fill(&mut self) -> Result<(), Issue> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.end > LONGEST_LINE {
            return Err(issue("a line of more than 4 MiB", "text of a Hadoop tool"));
        }
        if self.buffer.len() < self.end + CHUNK {
            self.buffer.resize(self.end + CHUNK, 0)
        }
        let n = self.inner.read(&mut self.buffer[self.end..]).map_err(|e| unreadable(&e))?;
        self.dry = n == 0;
        self.end += n;
        Ok(())
    }
}
