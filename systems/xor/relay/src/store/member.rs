//! Which cluster a node is of, on disk: the file `cluster`.
use crate::disk::Disk;
use crate::wire::{Field, Member};
use std::io;

/// The file's name.
pub(super) const NAME: &str = "cluster";
pub(super) const NEW: &str = "cluster.new";

const MAGIC: &[u8; 4] = b"TBXC";
/// Version of the form on disk: since 2 a cluster's list of nodes can change, since 3 it has the
/// addresses of before.
const VERSION: u32 = 3;
/// Bytes of the file, at most: 64 addresses.
const MOST: u64 = 1 << 17;

/// Writes it, durable; a crash leaves the former one.
pub(super) fn write(disk: &dyn Disk, member: &Member) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    VERSION.put(&mut bytes);
    member.put(&mut bytes);
    crc32c::crc32c(&bytes).put(&mut bytes);
    let blob = disk.create(NEW)?;
    blob.write_at(&bytes, 0)?;
    blob.sync()?;
    disk.rename(NEW, NAME)?;
    disk.sync()
}

/// Reads it; `None` if it is cut, damaged or of another version.
pub(super) fn read(disk: &dyn Disk) -> Option<Member> {
    let blob = disk.open(NAME).ok()?;
    let length = blob.length().ok().filter(|length| (12..=MOST).contains(length))?;
    let mut bytes = vec![0; length as usize];
    blob.read_at(&mut bytes, 0).ok()?;
    let (content, mut sum) = bytes.split_at(bytes.len() - 4);
    if u32::take(&mut sum)? != crc32c::crc32c(content) {
        return None;
    }
    let mut rest = content.strip_prefix(MAGIC)?;
    let member = match u32::take(&mut rest)? {
        VERSION => Member::take(&mut rest)?,
        2 => without_former(&mut rest)?,
        1 => before_lists_changed(&mut rest)?,
        _ => return None,
    };
    rest.is_empty().then_some(member)
}

/// The form of version 2: no addresses of before.
fn without_former(rest: &mut &[u8]) -> Option<Member> {
    let none = 0u32.to_le_bytes();
    let bytes = [std::mem::take(rest), &none].concat();
    let mut all = &bytes[..];
    let member = Member::take(&mut all)?;
    all.is_empty().then_some(member)
}

/// The form of version 1.
fn before_lists_changed(rest: &mut &[u8]) -> Option<Member> {
    let (cluster, nodes, index) = (u128::take(rest)?, u8::take(rest)?, u8::take(rest)?);
    let addresses = Vec::take(rest)?;
    Some(Member { cluster, epoch: 0, nodes, least: nodes, index, addresses, former: Vec::new() })
}
