//! A version's record on disk.
use crate::disk::Disk;
use crate::wire::{Entry, Field};
use std::io;

const MAGIC: &[u8; 4] = b"TBXO";
/// Version of the form on disk.
const VERSION: u32 = 1;
/// Bytes of a record, at most.
const MOST: u64 = 1 << 17;

/// Writes a record and makes it durable; its name is so only after the folder is synced.
pub(super) fn write(disk: &dyn Disk, name: &str, entry: &Entry) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    VERSION.put(&mut bytes);
    entry.put(&mut bytes);
    crc32c::crc32c(&bytes).put(&mut bytes);
    let blob = disk.create(name)?;
    blob.write_at(&bytes, 0)?;
    blob.sync()
}

/// Reads a record; `None` if it is cut, damaged or of another version.
pub(super) fn read(disk: &dyn Disk, name: &str) -> Option<Entry> {
    let blob = disk.open(name).ok()?;
    let length = blob.length().ok().filter(|length| (12..=MOST).contains(length))?;
    let mut bytes = vec![0; length as usize];
    blob.read_at(&mut bytes, 0).ok()?;
    let (content, mut sum) = bytes.split_at(bytes.len() - 4);
    if u32::take(&mut sum)? != crc32c::crc32c(content) {
        return None;
    }
    let mut rest = content.strip_prefix(MAGIC)?;
    if u32::take(&mut rest)? != VERSION {
        return None;
    }
    let entry = Entry::take(&mut rest)?;
    rest.is_empty().then_some(entry)
}
