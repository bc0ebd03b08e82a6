//! Operations that the client does not have as such: contents of files, and changes of one file.
use crate::problem::Problem;
use libc::{EFBIG, EINVAL, EISDIR};
use ppmds_protocol::{Change, Inode, Key, Kind, MOST_CONTENTS};
use ppmds_service::client::Client;
use std::sync::Arc;

/// The type bits of a mode, as in `stat.h`.
pub fn type_bits(kind: Kind) -> u32 {
    match kind {
        Kind::File => libc::S_IFREG,
        Kind::Directory => libc::S_IFDIR,
        Kind::Symlink => libc::S_IFLNK,
        Kind::Pipe => libc::S_IFIFO,
        Kind::Socket => libc::S_IFSOCK,
    }
}

/// A size that a row can hold.
fn size(size: u64) -> Result<usize, Problem> {
    let held = usize::try_from(size).ok().filter(|size| *size <= MOST_CONTENTS);
    held.ok_or_else(|| Problem::new(EFBIG, format!("{size} bytes: at most {MOST_CONTENTS}")))
}

/// All bytes of a file, or the target of a symbolic link.
pub async fn read(client: &Client, path: &[u8]) -> Result<Vec<u8>, Problem> {
    let Key { ino, name } = client.entry(path).await?;
    let file = client.read(ino, &name).await?;
    if file.inode.kind == Kind::Directory {
        return Err(Problem::new(EISDIR, "is a directory"));
    }
    let mut contents = file.contents;
    contents.resize(size(file.inode.size)?, 0);
    Ok(contents)
}

/// Changes an entry. New contents or a new size are only for files.
pub async fn change(client: &Client, path: &[u8], mut change: Change) -> Result<(), Problem> {
    let new = change.new_size().map(size).transpose()?;
    let Key { ino, name } = client.entry(path).await?;
    if new.is_some() {
        let Inode { ino: file, kind, .. } = client.stat(ino, &name).await?;
        match kind {
            Kind::File => change.only = Some(file),
            Kind::Directory => return Err(Problem::new(EISDIR, "is a directory")),
            _ => return Err(Problem::new(EINVAL, "is neither a file nor a directory")),
        }
    }
    client.setattr(ino, &name, change).await?;
    Ok(())
}

/// Replaces all contents of a file.
pub async fn write(client: &Client, path: &[u8], data: &[u8]) -> Result<(), Problem> {
    // Before its bytes are copied.
    size(data.len() as u64)?;
    let contents = Some(Arc::new(data.to_vec()));
    change(client, path, Change { contents, ..Change::default() }).await
}
