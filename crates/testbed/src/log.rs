//! Log of every write to a disk in order, to rebuild its content at any power cut.
//!
//! ```text
//! "TBLG", version, disk's size │ place, size, kind, data │ place, size, kind │ …
//!                                kind 0: written          1: discarded, so zeroes
//! ```
//! Numbers are little-endian: places and the disk's size have 64 bits, others 32.
use crate::place::failed;
use nix::fcntl::{FallocateFlags, fallocate};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use system::Failure;
use units::Bytes;

const MAGIC: &[u8; 4] = b"TBLG";
const VERSION: u32 = 1;
const WRITTEN: u32 = 0;
const DISCARDED: u32 = 1;

pub struct Log(Mutex<File>);

impl Log {
    /// # Errors
    /// The file exists, or cannot be created.
    pub fn new(path: &Path, size: Bytes) -> Result<Log, Failure> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let mut file = file.map_err(|e| failed(path, e))?;
        let head = [&MAGIC[..], &VERSION.to_le_bytes(), &size.0.to_le_bytes()].concat();
        file.write_all(&head).map_err(|e| failed(path, e))?;
        Ok(Log(Mutex::new(file)))
    }

    /// # Errors
    /// The write cannot be logged; it must then not be acknowledged.
    pub fn written(&self, at: u64, data: &[u8]) -> io::Result<()> {
        self.note(at, data.len() as u64, WRITTEN, data)
    }

    pub fn discarded(&self, at: u64, size: u64) -> io::Result<()> {
        self.note(at, size, DISCARDED, &[])
    }

    fn note(&self, at: u64, size: u64, kind: u32, data: &[u8]) -> io::Result<()> {
        // A discard can be as large as the disk: it is split so that each size fits 32 bits.
        let piece = u32::try_from(size).unwrap_or(!4095);
        let head = [&at.to_le_bytes()[..], &piece.to_le_bytes(), &kind.to_le_bytes()].concat();
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&[&head[..], data].concat())?;
        drop(file);
        match size - u64::from(piece) {
            0 => Ok(()),
            rest => self.note(at + u64::from(piece), rest, kind, data),
        }
    }
}

struct Change {
    at: u64,
    size: u32,
    kind: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image {
    /// Changes of the log in the image.
    pub changes: u64,
    /// Their bytes in the log.
    pub bytes: u64,
}

/// Creates a disk image from the changes that are complete in the log's first `upto` bytes; `None`:
/// all.
///
/// # Errors
/// The file is not a log, or one of the files cannot be used.
pub fn image(log: &Path, image: &Path, upto: Option<u64>) -> Result<Image, Failure> {
    let in_log = |e: io::Error| failed(log, e);
    let file = File::open(log).map_err(in_log)?;
    let most = upto.unwrap_or(u64::MAX);
    let mut from = BufReader::new(file);
    let size = head(&mut from).map_err(in_log)?.ok_or_else(|| {
        let what = "expected the log of a disk, which `tenbin testbed disk --log` writes";
        Failure::BadInput(format!("{}: {what}", log.display()))
    })?;
    let options = OpenOptions::new().write(true).create_new(true).open(image);
    let to = options.map_err(|e| failed(image, e))?;
    to.set_len(size).map_err(|e| failed(image, e))?;
    let mut made = Image { changes: 0, bytes: 16 };
    let mut data = Vec::new();
    while let Some(change) = change(&mut from, &mut data).map_err(in_log)? {
        let end = made.bytes + 16 + data.len() as u64;
        if end > most {
            break;
        }
        apply(&to, &change, &data).map_err(|e| failed(image, e))?;
        made = Image { changes: made.changes + 1, bytes: end };
    }
    Ok(made)
}

/// Size of the disk; `None`: not a log.
fn head(from: &mut impl Read) -> io::Result<Option<u64>> {
    let mut head = [0; 16];
    match from.read_exact(&mut head) {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let (is_log, rest) = (head.starts_with(MAGIC), &head[4..]);
    let is_ours = is_log && rest.starts_with(&VERSION.to_le_bytes());
    Ok(is_ours.then(|| u64::from_le_bytes(rest[4..].try_into().expect("8 bytes"))))
}

/// `None`: the end, or a truncated change.
fn change(from: &mut impl Read, data: &mut Vec<u8>) -> io::Result<Option<Change>> {
    let mut head = [0; 16];
    let whole = |result: io::Result<()>| match result {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => Ok(false),
        other => other.map(|()| true),
    };
    if !whole(from.read_exact(&mut head))? {
        return Ok(None);
    }
    let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("4 bytes"));
    let at = u64::from_le_bytes(head[..8].try_into().expect("8 bytes"));
    let (size, kind) = (number(8), number(12));
    data.resize(if kind == WRITTEN { size as usize } else { 0 }, 0);
    Ok(whole(from.read_exact(data))?.then_some(Change { at, size, kind }))
}

fn apply(to: &File, change: &Change, data: &[u8]) -> io::Result<()> {
    if change.kind == WRITTEN {
        return to.write_all_at(data, change.at);
    }
    let hole = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
    let at = i64::try_from(change.at).map_err(io::Error::other)?;
    Ok(fallocate(to, hole, at, i64::from(change.size))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_has_the_first_changes_of_a_log() {
        let folder = std::env::temp_dir().join(format!("tenbin-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("log");
        let log = Log::new(&path, Bytes(1 << 16)).expect("a new file");
        log.written(4096, &[1; 4096]).expect("room");
        let first = std::fs::metadata(&path).expect("it is there").len();
        log.written(8192, &[2; 512]).expect("room");
        log.discarded(4096, 4096).expect("room");
        let of = |name: &str, upto: Option<u64>| {
            let made = image(&path, &folder.join(name), upto).expect("a new file");
            (made.changes, std::fs::read(folder.join(name)).expect("it is there"))
        };
        let (changes, early) = of("early", Some(first + 100));
        assert_eq!((changes, early.len()), (1, 1 << 16));
        assert!(early[4096..8192] == [1; 4096] && early[8192..8704] == [0; 512]);
        let (changes, late) = of("late", None);
        assert_eq!(changes, 3);
        assert!(late[4096..8192] == [0; 4096] && late[8192..8704] == [2; 512]);
        std::fs::write(folder.join("none"), b"TBLG").expect("room");
        let none = image(&folder.join("none"), &folder.join("of none"), None);
        assert!(matches!(none, Err(Failure::BadInput(_))) && !folder.join("of none").exists());
        let _ = std::fs::remove_dir_all(folder);
    }
}
