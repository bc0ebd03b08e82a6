//! Open files: their contents are here from the first open to the last close.
use ppmds_protocol::{File, Ino, Inode, MOST_CONTENTS};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::Mutex;

/// A file of more than 256 KiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

pub struct OpenFile {
    /// As read at the first open; `size` follows the contents.
    pub inode: Inode,
    contents: Vec<u8>,
    /// The service does not have the contents yet.
    pub is_dirty: bool,
}

impl OpenFile {
    pub fn new(file: &File) -> OpenFile {
        OpenFile { inode: file.inode, contents: file.contents.clone(), is_dirty: false }
    }

    pub fn read(&self, offset: u64, size: u32) -> Vec<u8> {
        let end = offset.saturating_add(size.into()).min(self.inode.size);
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let wanted = place(end.saturating_sub(offset));
        let (from, to) = (place(offset).min(self.contents.len()), place(end));
        let mut bytes = self.contents[from..to.clamp(from, self.contents.len())].to_vec();
        bytes.resize(wanted, 0);
        bytes
    }

    pub fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<(), TooLarge> {
        let end = offset.saturating_add(bytes.len() as u64);
        self.resize(end.max(self.inode.size))?;
        let from = usize::try_from(offset).map_err(|_| TooLarge)?;
        self.contents[from..from + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    pub fn resize(&mut self, size: u64) -> Result<(), TooLarge> {
        let new = usize::try_from(size).ok().filter(|size| *size <= MOST_CONTENTS);
        self.contents.resize(new.ok_or(TooLarge)?, 0);
        (self.inode.size, self.is_dirty) = (size, true);
        Ok(())
    }

    pub fn contents(&self) -> Arc<Vec<u8>> {
        Arc::new(self.contents.clone())
    }
}

pub type Shared = Arc<Mutex<OpenFile>>;

/// By inode: opens without a close, and the file.
#[derive(Default)]
pub struct Files(BTreeMap<Ino, (u64, Shared)>);

impl Files {
    pub fn get(&self, ino: Ino) -> Option<Shared> {
        self.0.get(&ino).map(|(_, file)| Arc::clone(file))
    }

    /// Counts an open. Of two first opens at once one file remains.
    pub fn open(&mut self, file: &File) {
        let new = || (0, Arc::new(Mutex::new(OpenFile::new(file))));
        self.0.entry(file.inode.ino).or_insert_with(new).0 += 1
    }

    pub fn reopen(&mut self, ino: Ino) -> bool {
        let known = self.0.get_mut(&ino);
        known.map(|(opens, _)| *opens += 1).is_some()
    }

    pub fn close(&mut self, ino: Ino) {
        if let Some((opens, _)) = self.0.get_mut(&ino) {
            *opens -= 1;
            if *opens == 0 {
                self.0.remove(&ino);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ppmds_protocol::Kind;

    fn file(contents: &[u8], size: u64) -> OpenFile {
        let inode = Inode {
            ino: 9,
            kind: Kind::File,
            mode: 0o644,
            links: 1,
            owner: 0,
            group: 0,
            size,
            modified: 0,
            changed: 0,
        };
        OpenFile::new(&File { inode, contents: contents.to_vec() })
    }

    #[test]
    fn bytes_behind_the_contents_are_zero_up_to_the_size() {
        let file = file(b"abc", 6);
        assert_eq!(file.read(1, 3), b"bc\0");
        assert_eq!(file.read(4, 100), b"\0\0");
        assert_eq!(file.read(6, 100), b"")
    }

    #[test]
    fn a_write_fills_the_gap_before_it() {
        let mut file = file(b"abc", 3);
        file.write(5, b"xy").unwrap();
        file.write(1, b"B").unwrap();
        assert_eq!(file.read(0, 100), b"aBc\0\0xy");
        file.resize(2).unwrap();
        assert_eq!((file.read(0, 100), file.inode.size), (b"aB".to_vec(), 2))
    }

    #[test]
    fn a_file_beyond_the_limit_is_refused_and_unchanged() {
        let mut file = file(b"abc", 3);
        assert_eq!(file.write(MOST_CONTENTS as u64 - 1, b"xy"), Err(TooLarge));
        assert_eq!(file.resize(u64::MAX), Err(TooLarge));
        assert!(!file.is_dirty && file.read(0, 100) == b"abc")
    }
}
