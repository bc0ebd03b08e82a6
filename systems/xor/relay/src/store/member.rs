//! A node's membership on disk: the file `cluster`.
use super::form::Form;
use crate::disk::Disk;
use crate::wire::{Field, Member};
use std::io;

pub(super) const NAME: &str = "cluster";
pub(super) const NEW: &str = "cluster.new";

/// Version 2: the list of nodes can change. Version 3: it has former addresses.
const FORM: Form = Form { letters: b"TBXC", version: 3 };

/// Durable; after a crash the former file is valid.
pub(super) fn write(disk: &dyn Disk, member: &Member) -> io::Result<()> {
    FORM.write(disk, NEW, member)?;
    disk.rename(NEW, NAME)?;
    disk.sync()
}

/// `None` if the file is cut, damaged or of an unknown version.
pub(super) fn read(disk: &dyn Disk) -> Option<Member> {
    FORM.read(disk, NAME, |version, rest| match version {
        3 => Member::take(rest),
        2 => without_former(rest),
        1 => before_lists_changed(rest),
        _ => None,
    })
}

/// Version 2 has no former addresses.
fn without_former(rest: &mut &[u8]) -> Option<Member> {
    let none = 0u32.to_le_bytes();
    let bytes = [std::mem::take(rest), &none].concat();
    let mut all = &bytes[..];
    let member = Member::take(&mut all)?;
    all.is_empty().then_some(member)
}

fn before_lists_changed(rest: &mut &[u8]) -> Option<Member> {
    let (cluster, nodes, index) = (u128::take(rest)?, u8::take(rest)?, u8::take(rest)?);
    let addresses = Vec::take(rest)?;
    Some(Member { cluster, nodes, least: nodes, index, addresses, ..Member::default() })
}
