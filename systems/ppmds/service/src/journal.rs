//! The end of fjall's journal after a crash. fjall skips zeros after its last batch, but rejects a
//! last batch of which only some sectors were written, and drops all that follows a damaged byte in
//! the middle. This cuts the former and reports the latter.
//!
//! ```text
//!  start: 1, items (4 bytes), sequence number (8)
//!  item:  2, type, compression, keyspace (8), key length (2), value length (4, twice), key, value
//!  end:   3, XXH3 of the items (8), "FJL" and the format
//! ```
//!
//! This is the journal of fjall 3; a test holds it against fjall's own.
use crate::Error;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

const START: usize = 13;
const ITEM: usize = 21;
const END: usize = 13;
const TRAILER: &[u8] = b"FJL";

/// Removes an incomplete last batch. `is_async`: batches after it may be complete, and go as well.
///
/// # Errors
/// The journal is damaged before its end.
pub fn cut_torn_end(store: &Path, is_async: bool) -> Result<(), Error> {
    let mut all = journals(store)?;
    let Some((_, newest)) = all.pop() else { return Ok(()) };
    for (_, sealed) in all {
        if let Some((at, _)) = torn(&read(&sealed)?) {
            return Err(damaged(&sealed, at));
        }
    }
    match torn(&read(&newest)?) {
        Some((at, true)) if !is_async => Err(damaged(&newest, at)),
        Some((at, _)) => {
            let file = fs::File::options().write(true).open(&newest);
            let cut = file.and_then(|file| file.set_len(at as u64).and_then(|()| file.sync_all()));
            cut.map_err(|e| failed(&newest, &e))
        }
        None => Ok(()),
    }
}

/// Files with their numbers, oldest first.
fn journals(store: &Path) -> Result<Vec<(u64, PathBuf)>, Error> {
    let mut all = Vec::new();
    if !store.exists() {
        return Ok(all);
    }
    for entry in fs::read_dir(store).map_err(|e| failed(store, &e))? {
        let path = entry.map_err(|e| failed(store, &e))?.path();
        let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
        if let (Some(number), Some("jnl")) = (number, path.extension().and_then(|e| e.to_str())) {
            all.push((number, path))
        }
    }
    all.sort();
    Ok(all)
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    fs::read(file).map_err(|e| failed(file, &e))
}

fn failed(path: &Path, e: &std::io::Error) -> Error {
    Error::Failed(format!("{}: {e}", path.display()))
}

fn damaged(file: &Path, at: usize) -> Error {
    Error::Failed(format!(
        "{}: damaged at byte {at}, before complete commits: the disk has lost acknowledged \
         changes. Restore the folder from a copy, or start the node once with --durability async \
         to drop all commits from there on, and run `tenbin meta fsck`",
        file.display()
    ))
}

/// Where the complete batches end, if other bytes than zeros follow, and whether a complete batch
/// is among these.
fn torn(bytes: &[u8]) -> Option<(usize, bool)> {
    let mut at = 0;
    while let Some(end) = batch_end(bytes, at) {
        at = end
    }
    let rest = bytes[at..].iter().rposition(|byte| *byte != 0)?;
    let has_batch = (at..=at + rest).any(|later| batch_end(bytes, later).is_some());
    Some((at, has_batch))
}

/// The end of a complete batch that starts here.
fn batch_end(bytes: &[u8], at: usize) -> Option<usize> {
    let start = bytes.get(at..at + START)?;
    if start[0] != 1 {
        return None;
    }
    let first = at + START;
    let mut at = first;
    for _ in 0..number(&start[1..5]) {
        let item = bytes.get(at..at + ITEM)?;
        if item[0] != 2 {
            return None;
        }
        at += ITEM + number(&item[11..13]) + number(&item[17..21]);
    }
    let end = bytes.get(at..at + END)?;
    let sum = xxh3_64(bytes.get(first..at)?);
    let is_complete =
        end[0] == 3 && end[1..9] == sum.to_le_bytes() && end[9..].starts_with(TRAILER);
    is_complete.then_some(at + END)
}

/// Little endian, of at most four bytes.
fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}
