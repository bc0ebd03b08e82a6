//! A version's record on disk.
use super::form::Form;
use crate::disk::Disk;
use crate::wire::{Entry, Field};
use std::io;

const FORM: Form = Form { letters: b"TBXO", version: 1 };

pub(super) fn write(disk: &dyn Disk, name: &str, entry: &Entry) -> io::Result<()> {
    FORM.write(disk, name, entry)
}

/// `None` if it is cut, damaged or of another version.
pub(super) fn read(disk: &dyn Disk, name: &str) -> Option<Entry> {
    FORM.read(disk, name, |version, rest| Entry::take(rest).filter(|_| version == FORM.version))
}
