//! Inputs: a file, standard input, or memory; plain, gzip or zstd, detected by the first bytes.
use crate::error::{ImportError, Issue, issue};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    File(PathBuf),
    Stdin,
    /// Text in memory, with a name for messages.
    Memory {
        name: String,
        bytes: Vec<u8>,
    },
}

impl Input {
    /// `-` is standard input.
    pub fn named(path: &Path) -> Input {
        if path == Path::new("-") { Input::Stdin } else { Input::File(path.to_path_buf()) }
    }

    /// For results: without folders, which may be private.
    pub fn short_name(&self) -> String {
        match self {
            Input::File(path) => {
                path.file_name().map_or_else(|| self.name(), |n| n.to_string_lossy().into_owned())
            }
            _ => self.name(),
        }
    }

    /// For errors and notes.
    pub fn name(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Stdin => "-".into(),
            Input::Memory { name, .. } => name.clone(),
        }
    }

    /// An input that can be read repeatedly: standard input is copied to memory.
    pub fn held(self) -> Result<Input, ImportError> {
        if self != Input::Stdin {
            return Ok(self);
        }
        let (name, mut bytes) = (self.name(), Vec::new());
        let read = io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|e| unreadable(&e).at(&name, None))?;
        Ok(Input::Memory { name, bytes })
    }

    /// Fails if two inputs are standard input, which can be read only once.
    pub fn at_most_one_stdin<'a>(
        all: impl IntoIterator<Item = &'a Input>,
    ) -> Result<(), ImportError> {
        match all.into_iter().filter(|input| **input == Input::Stdin).count() {
            0 | 1 => Ok(()),
            _ => Err(issue("standard input is named twice", "one `-`").at("-", None)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress<'a> {
    pub file: &'a str,
    /// Bytes read so far, as stored (compressed).
    pub read: u64,
    pub total: Option<u64>,
}

pub type OnProgress<'a> = dyn FnMut(Progress<'_>) + 'a;

struct ProgressReader<'a, 't> {
    inner: Box<dyn Read + 'a>,
    file: String,
    read: u64,
    total: Option<u64>,
    tell: &'a mut OnProgress<'t>,
}

impl Read for ProgressReader<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.read += n as u64;
        (self.tell)(Progress { file: &self.file, read: self.read, total: self.total });
        Ok(n)
    }
}

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Opens and decompresses an input.
pub fn open<'a>(
    input: &'a Input,
    tell: &'a mut OnProgress<'_>,
) -> Result<Box<dyn Read + 'a>, Issue> {
    let (inner, total) = raw(input)?;
    decompressed(ProgressReader { inner, file: input.name(), read: 0, total, tell })
}

/// [`open`] without progress.
pub fn open_quietly(input: &Input) -> Result<Box<dyn Read + '_>, Issue> {
    decompressed(raw(input)?.0)
}

/// The bytes as stored, and their number if known. Fails for a missing file or a folder.
pub fn raw(input: &Input) -> Result<(Box<dyn Read + '_>, Option<u64>), Issue> {
    Ok(match input {
        Input::File(path) => {
            let file = File::open(path).map_err(|e| missing(path, &e))?;
            let about = file.metadata().map_err(|e| unreadable(&e))?;
            if about.is_dir() {
                return Err(issue("a directory", "a file").advice("Name the file in it."));
            }
            (Box::new(file), about.is_file().then_some(about.len()))
        }
        Input::Stdin => (Box::new(io::stdin().lock()), None),
        Input::Memory { bytes, .. } => (Box::new(bytes.as_slice()), Some(bytes.len() as u64)),
    })
}

/// Decompresses gzip and zstd, detected by the first bytes.
pub fn decompressed<'a>(mut raw: impl Read + 'a) -> Result<Box<dyn Read + 'a>, Issue> {
    let mut magic = Vec::new();
    (&mut raw).take(4).read_to_end(&mut magic).map_err(|e| unreadable(&e))?;
    let (gzip, zstd) = (magic.starts_with(GZIP), magic.starts_with(ZSTD));
    let whole = Cursor::new(magic).chain(raw);
    Ok(if gzip {
        Box::new(flate2::read::MultiGzDecoder::new(whole))
    } else if zstd {
        Box::new(zstd::stream::read::Decoder::new(whole).map_err(|e| unreadable(&e))?)
    } else {
        Box::new(whole)
    })
}

/// The error for a path that cannot be opened, such as an address.
fn missing(path: &Path, error: &io::Error) -> Issue {
    let is_address = path.to_str().is_some_and(|text| text.contains("://"));
    match error.kind() {
        io::ErrorKind::NotFound if is_address => {
            issue("an address", "a local file").advice("Copy it here, and name the copy.")
        }
        _ => unreadable(error),
    }
}

/// Converts an error of the operating system or a decoder.
pub fn unreadable(error: &io::Error) -> Issue {
    match error.kind() {
        io::ErrorKind::NotFound => {
            issue("no such file", "a file that exists").advice("Check the path.")
        }
        io::ErrorKind::UnexpectedEof => {
            issue("the compressed data end in the middle", "a complete .gz or .zst file")
                .advice("The file is incomplete: copy or make it again.")
        }
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => issue(
            format!("the compressed data are damaged ({error})"),
            "a complete .gz or .zst file",
        )
        .advice("Copy or make the file again."),
        _ => issue(format!("cannot be read ({error})"), "a readable file"),
    }
}
