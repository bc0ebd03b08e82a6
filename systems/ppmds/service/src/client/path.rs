//! Operations by path: absolute, any bytes, `/` between names. `.` and `..` are not names.
use super::{Answer, Client, OperationError};
use ppmds_protocol::{Attributes, Change, Errno, Ino, Inode, Key, Kind, Listed, Name, ROOT};

/// The names of a path.
///
/// # Errors
/// `EINVAL`: not absolute, or with `.` or `..`. `ENAMETOOLONG`: a name of over 255 bytes.
fn names(path: impl AsRef<[u8]>) -> Answer<Vec<Name>> {
    let relative = path.as_ref().strip_prefix(b"/");
    let relative = relative.ok_or(OperationError::Errno(Errno::EINVAL))?;
    let parts = relative.split(|byte| *byte == b'/').filter(|part| !part.is_empty());
    parts.map(|part| Name::new(part).map_err(OperationError::Errno)).collect()
}

/// The root has no entry, so its attributes are fixed.
pub fn root_inode() -> Inode {
    let (kind, mode, links) = (Kind::Directory, 0o755, 1);
    let (owner, group, size, modified, changed) = (0, 0, 0, 0, 0);
    Inode { ino: ROOT, kind, mode, links, owner, group, size, modified, changed }
}

impl Client {
    async fn walk(&self, names: &[Name]) -> Answer<Inode> {
        let mut at = root_inode();
        for name in names {
            if at.kind != Kind::Directory {
                return Err(OperationError::Errno(Errno::ENOTDIR));
            }
            at = self.stat(at.ino, name).await?
        }
        Ok(at)
    }

    async fn directory(&self, names: &[Name]) -> Answer<Ino> {
        match self.walk(names).await? {
            Inode { kind: Kind::Directory, ino, .. } => Ok(ino),
            _ => Err(OperationError::Errno(Errno::ENOTDIR)),
        }
    }

    /// The entry at a path, which need not exist. Its directory must.
    ///
    /// # Errors
    /// `EINVAL` for the root, which has no entry.
    pub async fn entry(&self, path: impl AsRef<[u8]>) -> Answer<Key> {
        let names = names(path)?;
        let (name, parents) = names.split_last().ok_or(OperationError::Errno(Errno::EINVAL))?;
        Ok(Key::entry(self.directory(parents).await?, name))
    }

    pub async fn stat_path(&self, path: impl AsRef<[u8]>) -> Answer<Inode> {
        self.walk(&names(path)?).await
    }

    pub async fn create_path(&self, path: impl AsRef<[u8]>, of: Attributes) -> Answer<Ino> {
        let Key { ino, name } = self.entry(path).await?;
        self.create(ino, &name, of).await
    }

    pub async fn mkdir_path(&self, path: impl AsRef<[u8]>, of: Attributes) -> Answer<Ino> {
        let Key { ino, name } = self.entry(path).await?;
        self.mkdir(ino, &name, of).await
    }

    pub async fn setattr_path(&self, path: impl AsRef<[u8]>, change: Change) -> Answer<Ino> {
        let Key { ino, name } = self.entry(path).await?;
        self.setattr(ino, &name, change).await
    }

    pub async fn unlink_path(&self, path: impl AsRef<[u8]>) -> Answer<Ino> {
        let Key { ino, name } = self.entry(path).await?;
        self.unlink(ino, &name).await
    }

    pub async fn rmdir_path(&self, path: impl AsRef<[u8]>) -> Answer<Ino> {
        let Key { ino, name } = self.entry(path).await?;
        self.rmdir(ino, &name).await
    }

    pub async fn rename_path(&self, from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) -> Answer<Ino> {
        let (from, to) = (self.entry(from).await?, self.entry(to).await?);
        self.rename(from, to).await
    }

    pub async fn link_path(&self, from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) -> Answer<Ino> {
        let (from, to) = (self.entry(from).await?, self.entry(to).await?);
        self.link(from, to).await
    }

    pub async fn readdir_path(&self, path: impl AsRef<[u8]>) -> Answer<Vec<Listed>> {
        let directory = self.directory(&names(path)?).await?;
        self.readdir(directory).await
    }
}
