//! A version that is being written.
use super::Opened;
use crate::digest::mix;
use crate::disk::{Blob, Done, PinnedBlock};
use std::collections::BTreeMap;
use std::io;

/// Checksums that are written together.
const PAGE: u64 = 1024;

pub struct Staged {
    files: Opened,
    /// Incomplete pages of checksums, by number.
    pages: BTreeMap<u64, Page>,
    written: u64,
    digest: u64,
}

struct Page {
    sums: Vec<(u32, bool)>,
    left: u64,
}

impl Staged {
    pub(super) fn new(files: Opened) -> Staged {
        Staged { files, pages: BTreeMap::new(), written: 0, digest: 0 }
    }

    /// Writes a block, at once or later. Returns `done` if it was written at once; else `done` is
    /// called later.
    ///
    /// # Errors
    /// The disk is full or fails: the version cannot be prepared.
    pub fn write(
        &mut self,
        stripe: u64,
        row: usize,
        block: PinnedBlock,
        done: Done,
    ) -> io::Result<Option<Done>> {
        let place = self.files.place(stripe, row);
        let sum = crc32c::crc32c(block.bytes());
        self.digest = self.digest.wrapping_add(mix(stripe, row, sum));
        self.written += 1;
        self.note(self.files.number(stripe, row), sum)?;
        let back = self.files.blocks.begin_write(block, place, done);
        if back.is_some() {
            self.files.blocks.write_at(block.bytes(), place)?
        }
        Ok(back)
    }

    pub fn wait(&self) {
        self.files.blocks.wait()
    }

    fn note(&mut self, block: u64, sum: u32) -> io::Result<()> {
        let number = block / PAGE;
        let size = (self.files.shape().blocks() - number * PAGE).min(PAGE);
        let page = self
            .pages
            .entry(number)
            .or_insert_with(|| Page { sums: vec![(0, false); size as usize], left: size });
        page.sums[(block % PAGE) as usize] = (sum, true);
        page.left = page.left.saturating_sub(1);
        if page.left == 0
            && let Some(page) = self.pages.remove(&number)
        {
            write_page(&*self.files.sums, number, &page)?
        }
        Ok(())
    }

    pub fn written(&self) -> u64 {
        self.written
    }

    /// Digest of all checksums, independent of their order.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Makes blocks durable, then checksums.
    pub fn sync(&self) -> io::Result<()> {
        self.files.blocks.sync()?;
        for (number, page) in &self.pages {
            write_page(&*self.files.sums, *number, page)?
        }
        self.files.sums.sync()
    }
}

/// Writes runs of known checksums: a patch has only some of a page.
fn write_page(blob: &dyn Blob, number: u64, page: &Page) -> io::Result<()> {
    let mut at = 0;
    for run in page.sums.chunk_by(|a, b| a.1 == b.1) {
        if run[0].1 {
            let bytes: Vec<u8> = run.iter().flat_map(|(sum, _)| sum.to_le_bytes()).collect();
            blob.write_at(&bytes, 4 * (number * PAGE + at))?;
        }
        at += run.len() as u64;
    }
    Ok(())
}
