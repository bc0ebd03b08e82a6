//! Where the bytes come from: a file, standard input, or memory; plain, gzip or zstd by their first
//! bytes.
use super::error::{Bad, bad};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// One input of an import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// A text that a program already has, with the name that errors use.
    Memory {
        /// What errors call it.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

impl Input {
    /// A path as the command line gives it: `-` is standard input.
    pub fn named(path: &Path) -> Input {
        if path == Path::new("-") { Input::Stdin } else { Input::File(path.to_path_buf()) }
    }
    /// The name for the cluster file: without folders.
    pub(in crate::ingest) fn short_name(&self) -> String {
        match self {
            Input::File(path) => {
                path.file_name().map_or_else(|| self.name(), |n| n.to_string_lossy().into_owned())
            }
            _ => self.name(),
        }
    }
    /// The name for errors and notes.
    pub fn name(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Stdin => "-".into(),
            Input::Memory { name, .. } => name.clone(),
        }
    }
}

/// How far the reading is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress<'a> {
    /// The input.
    pub file: &'a str,
    /// Bytes read of it, as they lie on disk (compressed).
    pub read: u64,
    /// Its length, where known.
    pub total: Option<u64>,
}

/// What is told about progress.
pub type OnProgress<'a> = dyn FnMut(Progress<'_>) + 'a;

struct Counting<'a> {
    inner: Box<dyn Read + 'a>,
    file: String,
    read: u64,
    total: Option<u64>,
    tell: &'a mut OnProgress<'a>,
}

impl Read for Counting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.read += n as u64;
        (self.tell)(Progress { file: &self.file, read: self.read, total: self.total });
        Ok(n)
    }
}

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Opens an input and undoes its compression.
pub(super) fn open<'a>(
    input: &'a Input,
    tell: &'a mut OnProgress<'a>,
) -> Result<Box<dyn Read + 'a>, Bad> {
    let (inner, total) = raw(input)?;
    decompressed(Counting { inner, file: input.name(), read: 0, total, tell })
}

/// As [`open`], and nobody hears of progress.
pub(in crate::ingest) fn open_quietly(input: &Input) -> Result<Box<dyn Read + '_>, Bad> {
    decompressed(raw(input)?.0)
}

/// The bytes as they lie, and their number where it is known.
pub(in crate::ingest) type Raw<'a> = (Box<dyn Read + 'a>, Option<u64>);

pub(in crate::ingest) fn raw(input: &Input) -> Result<Raw<'_>, Bad> {
    Ok(match input {
        Input::File(path) => {
            let file = File::open(path).map_err(|e| unreadable(&e))?;
            let about = file.metadata().map_err(|e| unreadable(&e))?;
            if about.is_dir() {
                return Err(bad("a directory", "a file").advice("Name the file in it."));
            }
            (Box::new(file), about.is_file().then_some(about.len()))
        }
        Input::Stdin => (Box::new(io::stdin().lock()), None),
        Input::Memory { bytes, .. } => (Box::new(bytes.as_slice()), Some(bytes.len() as u64)),
    })
}

/// Without the compression that the first bytes tell.
pub(in crate::ingest) fn decompressed<'a>(
    mut raw: impl Read + 'a,
) -> Result<Box<dyn Read + 'a>, Bad> {
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

/// What the operating system or a decoder says.
pub(in crate::ingest) fn unreadable(error: &io::Error) -> Bad {
    match error.kind() {
        io::ErrorKind::NotFound => {
            bad("no such file", "a file that exists").advice("Check the path.")
        }
        io::ErrorKind::UnexpectedEof => {
            bad("the compressed data end in the middle", "a whole .gz or .zst file")
                .advice("The file is cut: copy or make it again.")
        }
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            bad(format!("the compressed data are damaged ({error})"), "a whole .gz or .zst file")
                .advice("Copy or make the file again.")
        }
        _ => bad(format!("cannot be read ({error})"), "a readable file"),
    }
}
