//! Format of small files: four letters, a version, the content, and a CRC32C of all that.
use crate::disk::Disk;
use crate::wire::Field;
use std::io;

/// Smallest (empty) and largest file \[bytes\].
const LEAST: u64 = 12;
const MOST: u64 = 1 << 17;

pub(super) struct Form {
    pub(super) letters: &'static [u8; 4],
    pub(super) version: u32,
}

impl Form {
    /// Writes a file and syncs it. Its name is durable only after a sync of the folder.
    pub(super) fn write(
        &self,
        disk: &dyn Disk,
        name: &str,
        content: &impl Field,
    ) -> io::Result<()> {
        let mut bytes = self.letters.to_vec();
        self.version.put(&mut bytes);
        content.put(&mut bytes);
        crc32c::crc32c(&bytes).put(&mut bytes);
        let blob = disk.create(name)?;
        blob.write_at(&bytes, 0)?;
        blob.sync()
    }

    /// The content as `take` parses it for a version. `None` if the file is cut, damaged or longer
    /// than the content.
    pub(super) fn read<C>(
        &self,
        disk: &dyn Disk,
        name: &str,
        take: impl FnOnce(u32, &mut &[u8]) -> Option<C>,
    ) -> Option<C> {
        let blob = disk.open(name).ok()?;
        let length = blob.length().ok().filter(|length| (LEAST..=MOST).contains(length))?;
        let mut bytes = vec![0; length as usize];
        blob.read_at(&mut bytes, 0).ok()?;
        let (content, mut sum) = bytes.split_at(bytes.len() - 4);
        if u32::take(&mut sum)? != crc32c::crc32c(content) {
            return None;
        }
        let mut rest = content.strip_prefix(self.letters)?;
        let version = u32::take(&mut rest)?;
        let content = take(version, &mut rest)?;
        rest.is_empty().then_some(content)
    }
}
