//! The kernel's requests as operations of the client.
use super::files::{Files, TooLarge};
use super::names::Names;
use crate::client::{Client, OperationError, root_inode};
use fuser::Errno;
use ppmds_protocol::{
    Attributes, Change, Errno as ServiceErrno, File, Ino, Inode, Key, Kind, Listed, Name, ROOT,
    SYMLINK,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

pub type Answer<T> = Result<T, Errno>;

#[derive(Default)]
pub struct State {
    pub names: Names,
    pub files: Files,
    /// Lists of open directories, by handle.
    directories: BTreeMap<u64, Arc<Vec<Listed>>>,
    handles: u64,
}

pub struct Operations {
    pub client: Client,
    state: Mutex<State>,
}

fn code(e: OperationError) -> Errno {
    let OperationError::Errno(errno) = e else { return Errno::EIO };
    match errno {
        ServiceErrno::EEXIST => Errno::EEXIST,
        ServiceErrno::ENOENT => Errno::ENOENT,
        ServiceErrno::ENOTEMPTY => Errno::ENOTEMPTY,
        ServiceErrno::EINVAL => Errno::EINVAL,
        ServiceErrno::ENAMETOOLONG => Errno::ENAMETOOLONG,
        ServiceErrno::EISDIR => Errno::EISDIR,
        ServiceErrno::ENOTDIR => Errno::ENOTDIR,
        ServiceErrno::EPERM => Errno::EPERM,
        ServiceErrno::ESTALE => Errno::ESTALE,
        ServiceErrno::EIO => Errno::EIO,
        ServiceErrno::EFBIG => Errno::EFBIG,
    }
}

impl From<TooLarge> for Errno {
    fn from(_: TooLarge) -> Errno {
        Errno::EFBIG
    }
}

fn entry(directory: Ino, name: &[u8]) -> Answer<Key> {
    let name = Name::new(name).map_err(|errno| code(OperationError::Errno(errno)))?;
    Ok(Key::entry(directory, &name))
}

impl Operations {
    pub fn new(client: Client) -> Operations {
        Operations { client, state: Mutex::default() }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no request panics")
    }

    fn known(&self, ino: Ino) -> Answer<Key> {
        self.state().names.entry(ino).ok_or(Errno::ESTALE)
    }

    /// The inode of an entry; the kernel learns it.
    pub async fn lookup(&self, directory: Ino, name: &[u8]) -> Answer<Inode> {
        let key = entry(directory, name)?;
        let inode = self.client.stat(key.ino, &key.name).await.map_err(code)?;
        self.state().names.learn(inode.ino, key);
        self.with_open(inode).await
    }

    /// The size of an open file is that of its contents here.
    async fn with_open(&self, inode: Inode) -> Answer<Inode> {
        let open = self.state().files.get(inode.ino);
        let Some(open) = open else { return Ok(inode) };
        let open = open.lock().await;
        match open.is_dirty {
            true => Ok(Inode { size: open.inode.size, ..inode }),
            false => Ok(inode),
        }
    }

    pub async fn getattr(&self, ino: Ino) -> Answer<Inode> {
        if ino == ROOT {
            return Ok(root_inode());
        }
        let (entry, open) = {
            let state = self.state();
            (state.names.entry(ino), state.files.get(ino))
        };
        match (entry, open) {
            (Some(key), _) => {
                let inode = self.client.stat(key.ino, &key.name).await.map_err(code)?;
                if inode.ino != ino {
                    return Err(Errno::ESTALE);
                }
                self.with_open(inode).await
            }
            // Removed, but still open.
            (None, Some(open)) => Ok(Inode { links: 0, ..open.lock().await.inode }),
            (None, None) => Err(Errno::ESTALE),
        }
    }

    /// A new entry, as the kernel learns it.
    async fn fresh(&self, key: Key, ino: Ino) -> Answer<Inode> {
        self.state().names.learn(ino, key);
        self.getattr(ino).await
    }

    pub async fn create(&self, directory: Ino, name: &[u8], of: Attributes) -> Answer<Inode> {
        let key = entry(directory, name)?;
        let ino = self.client.create(key.ino, &key.name, of).await.map_err(code)?;
        self.fresh(key, ino).await
    }

    pub async fn mkdir(&self, directory: Ino, name: &[u8], of: Attributes) -> Answer<Inode> {
        let key = entry(directory, name)?;
        let ino = self.client.mkdir(key.ino, &key.name, of).await.map_err(code)?;
        self.fresh(key, ino).await
    }

    pub async fn symlink(
        &self,
        directory: Ino,
        name: &[u8],
        target: &[u8],
        of: Attributes,
    ) -> Answer<Inode> {
        let inode =
            self.create(directory, name, Attributes { mode: SYMLINK | 0o777, ..of }).await?;
        let contents = Some(Arc::new(target.to_vec()));
        self.change(inode.ino, Change { contents, ..Change::default() }).await?;
        Ok(Inode { size: target.len() as u64, ..inode })
    }

    pub async fn readlink(&self, ino: Ino) -> Answer<Vec<u8>> {
        let file = self.file(ino).await?;
        match file.inode.kind {
            Kind::Symlink => Ok(file.contents.clone()),
            _ => Err(Errno::EINVAL),
        }
    }

    async fn file(&self, ino: Ino) -> Answer<Box<File>> {
        let key = self.known(ino)?;
        let file = self.client.read(key.ino, &key.name).await.map_err(code)?;
        if file.inode.ino == ino { Ok(file) } else { Err(Errno::ESTALE) }
    }

    async fn change(&self, ino: Ino, change: Change) -> Answer<()> {
        let key = self.known(ino)?;
        let change = Change { only: Some(ino), ..change };
        self.client.setattr(key.ino, &key.name, change).await.map(drop).map_err(code)
    }

    /// Changes attributes. Contents that the service does not have go with them, so that a time of
    /// change that is set afterwards remains.
    pub async fn setattr(&self, ino: Ino, mut change: Change) -> Answer<Inode> {
        if ino == ROOT {
            return Err(Errno::EPERM);
        }
        let size = change.size.take();
        let open = self.state().files.get(ino);
        if let Some(open) = open {
            let mut open = open.lock().await;
            if let Some(size) = size {
                open.resize(size)?
            }
            if open.is_dirty {
                change.contents = Some(open.contents())
            }
            if self.state().names.entry(ino).is_some() {
                self.change(ino, change).await?;
                open.is_dirty = false
            }
        } else {
            if let Some(size) = size {
                let mut file = super::files::OpenFile::new(&*self.file(ino).await?);
                file.resize(size)?;
                change.contents = Some(file.contents())
            }
            self.change(ino, change).await?
        }
        self.getattr(ino).await
    }

    pub async fn unlink(&self, directory: Ino, name: &[u8]) -> Answer<()> {
        let key = entry(directory, name)?;
        self.client.unlink(key.ino, &key.name).await.map_err(code)?;
        self.state().names.remove(&key);
        Ok(())
    }

    pub async fn rmdir(&self, directory: Ino, name: &[u8]) -> Answer<()> {
        let key = entry(directory, name)?;
        self.client.rmdir(key.ino, &key.name).await.map_err(code)?;
        self.state().names.remove(&key);
        Ok(())
    }

    pub async fn rename(&self, from: (Ino, Vec<u8>), to: (Ino, Vec<u8>)) -> Answer<()> {
        let (from, to) = (entry(from.0, &from.1)?, entry(to.0, &to.1)?);
        let ino = self.client.rename(from.clone(), to.clone()).await.map_err(code)?;
        self.state().names.rename(ino, &from, to);
        Ok(())
    }

    pub async fn link(&self, ino: Ino, directory: Ino, name: &[u8]) -> Answer<Inode> {
        let (from, to) = (self.known(ino)?, entry(directory, name)?);
        let linked = self.client.link(from, to.clone()).await.map_err(code)?;
        if linked == ino {
            return self.fresh(to, ino).await;
        }
        // Another client has replaced the known entry.
        self.client.unlink(to.ino, &to.name).await.map_err(code)?;
        Err(Errno::ESTALE)
    }

    pub async fn open(&self, ino: Ino) -> Answer<()> {
        if self.state().files.reopen(ino) {
            return Ok(());
        }
        let file = self.file(ino).await?;
        self.state().files.open(&file);
        Ok(())
    }

    pub async fn read(&self, ino: Ino, offset: u64, size: u32) -> Answer<Vec<u8>> {
        let open = self.state().files.get(ino).ok_or(Errno::EBADF)?;
        Ok(open.lock().await.read(offset, size))
    }

    pub async fn write(&self, ino: Ino, offset: u64, bytes: &[u8]) -> Answer<()> {
        let open = self.state().files.get(ino).ok_or(Errno::EBADF)?;
        Ok(open.lock().await.write(offset, bytes)?)
    }

    /// Returns once the service has acknowledged the contents.
    pub async fn flush(&self, ino: Ino) -> Answer<()> {
        let open = self.state().files.get(ino).ok_or(Errno::EBADF)?;
        let mut open = open.lock().await;
        if open.is_dirty && self.state().names.entry(ino).is_some() {
            let contents = Some(open.contents());
            self.change(ino, Change { contents, ..Change::default() }).await?
        }
        open.is_dirty = false;
        Ok(())
    }

    /// Lists a directory for a new handle.
    pub async fn opendir(&self, directory: Ino) -> Answer<u64> {
        let all = self.client.readdir(directory).await.map_err(code)?;
        let mut state = self.state();
        state.handles += 1;
        let handle = state.handles;
        state.directories.insert(handle, Arc::new(all));
        Ok(handle)
    }

    pub fn list(&self, handle: u64) -> Answer<Arc<Vec<Listed>>> {
        self.state().directories.get(&handle).cloned().ok_or(Errno::EBADF)
    }

    pub fn closedir(&self, handle: u64) {
        self.state().directories.remove(&handle);
    }
}
