//! Progress of several files that are read in parallel.
use import::{Input, Issue, OnProgress, Progress};
use std::cell::{Cell, RefCell};
use std::fs;
use std::io::{self, Read};

type ProgressCallback<'t> = Box<dyn FnMut(Progress<'_>) + 't>;

pub(super) struct ReadProgress<'t> {
    tell: RefCell<ProgressCallback<'t>>,
    what: String,
    files: usize,
    done: Cell<usize>,
    read: Cell<u64>,
    total: Option<u64>,
}

impl<'t> ReadProgress<'t> {
    /// `parts`: their total number. Opens nothing.
    pub(super) fn of(
        inputs: &[Input],
        parts: usize,
        tell: &'t mut OnProgress<'_>,
    ) -> ReadProgress<'t> {
        ReadProgress {
            tell: RefCell::new(Box::new(tell)),
            what: match inputs {
                [one] => one.name(),
                several => format!("{} files", several.len()),
            },
            files: inputs.len(),
            done: Cell::new(0),
            read: Cell::new(0),
            // Reading a part reads the text before it again, so the total is unknown.
            total: if parts > inputs.len() { None } else { inputs.iter().map(length).sum() },
        }
    }

    pub(super) fn open<'a>(&'a self, input: &'a Input) -> Result<Box<dyn Read + 'a>, Issue> {
        let (inner, _) = import::raw(input)?;
        import::decompressed(CountingReader { inner, of: self, ended: false })
    }

    fn tell(&self) {
        let done = self.done.get();
        let file = match self.files > 1 && done > 0 {
            true => format!("{}, {done} read", self.what),
            false => self.what.clone(),
        };
        let (read, total) = (self.read.get(), self.total);
        (self.tell.borrow_mut())(Progress { file: &file, read, total })
    }
}

/// `None`: a pipe.
fn length(input: &Input) -> Option<u64> {
    match input {
        Input::File(path) => {
            fs::metadata(path).ok().filter(|about| about.is_file()).map(|about| about.len())
        }
        Input::Memory { bytes, .. } => Some(bytes.len() as u64),
        Input::Stdin => None,
    }
}

struct CountingReader<'a, 't> {
    inner: Box<dyn Read + 'a>,
    of: &'a ReadProgress<'t>,
    ended: bool,
}

impl Read for CountingReader<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        if n == 0 && !buffer.is_empty() && !self.ended {
            self.ended = true;
            self.of.done.set(self.of.done.get() + 1)
        }
        self.of.read.set(self.of.read.get() + n as u64);
        self.of.tell();
        Ok(n)
    }
}

/// A reader that skips leading NULs. A log truncated under a running daemon (logrotate's
/// `copytruncate`) starts with as many NULs as it had bytes. A file of NULs keeps one.
pub(super) struct NulSkipper<'a> {
    inner: Box<dyn Read + 'a>,
    begun: bool,
    nuls: bool,
}

impl<'a> NulSkipper<'a> {
    pub(super) fn new(inner: Box<dyn Read + 'a>) -> NulSkipper<'a> {
        NulSkipper { inner, begun: false, nuls: false }
    }
}

impl Read for NulSkipper<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.begun && !buffer.is_empty() {
            let n = self.inner.read(buffer)?;
            let first = buffer[..n].iter().position(|byte| *byte != 0);
            self.begun = first.is_some() || n == 0;
            if n == 0 && self.nuls {
                buffer[0] = 0;
                return Ok(1);
            }
            self.nuls |= n > 0 && first.is_none();
            if let Some(first) = first {
                buffer.copy_within(first..n, 0);
                return Ok(n - first);
            }
        }
        self.inner.read(buffer)
    }
}
