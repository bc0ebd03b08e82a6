//! A node's data folder: whose it is, and a lock against a second node.
//!
//! ```text
//!  DIR/server   text: format, cluster, number of the server, layout
//!  DIR/lock     locked while a node runs
//!  DIR/restore  exists while a restore is incomplete
//!  DIR/store    the rows
//! ```
use crate::Error;
use crate::cluster::Layout;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Changes with the form of a row or of its key.
const FORMAT: u32 = 1;

const RESTORE: &str = "restore";

pub struct Folder {
    path: PathBuf,
    /// Whether the folder has no rows yet.
    pub is_new: bool,
    _lock: File,
}

impl Folder {
    /// Opens a server's folder, and creates it if it is missing or empty.
    ///
    /// # Errors
    /// The folder belongs to another server, cluster, layout or format; another node uses it; or it
    /// has other files.
    pub fn open(path: &Path, layout: &Layout, server: u32) -> Result<Folder, Error> {
        if path.join(RESTORE).exists() {
            return Err(Error::BadInput(format!(
                "{}: a restore into this folder did not end: repeat `tenbin meta restore`",
                path.display()
            )));
        }
        Folder::open_any(path, layout, server)
    }

    fn open_any(path: &Path, layout: &Layout, server: u32) -> Result<Folder, Error> {
        let failed = |e: std::io::Error| Error::Failed(format!("{}: {e}", path.display()));
        fs::create_dir_all(path).map_err(failed)?;
        let identity = path.join("server");
        let expected = identity_of(layout, server);
        match fs::read_to_string(&identity) {
            Ok(text) if text == expected => {}
            Ok(text) => return Err(other_server(&identity, &text, &expected)),
            Err(e) if e.kind() == ErrorKind::NotFound => {
                let is_foreign =
                    |name: &str| !matches!(name, "lock" | "store" | "server.new" | RESTORE);
                for entry in fs::read_dir(path).map_err(failed)? {
                    let name = entry.map_err(failed)?.file_name();
                    if is_foreign(&name.to_string_lossy()) {
                        return Err(Error::BadInput(format!(
                            "{}: has {name:?}, but no file \"server\": expected an empty folder",
                            path.display()
                        )));
                    }
                }
            }
            Err(e) => return Err(failed(e)),
        }
        let lock = lock(path)?;
        let is_new = !identity.exists();
        Ok(Folder { path: path.to_path_buf(), is_new, _lock: lock })
    }

    /// An empty folder for a restore, also after one that did not end.
    ///
    /// # Errors
    /// As [`Folder::open`], and if the folder has rows.
    pub fn begin_restore(path: &Path, layout: &Layout, server: u32) -> Result<Folder, Error> {
        let failed = |e: std::io::Error| Error::Failed(format!("{}: {e}", path.display()));
        let folder = Folder::open_any(path, layout, server)?;
        let is_again = path.join(RESTORE).exists();
        if !is_again && (!folder.is_new || folder.store().exists()) {
            let what = "has rows: expected a new or empty folder";
            return Err(Error::BadInput(format!("{}: {what}", path.display())));
        }
        File::create(path.join(RESTORE)).and_then(|file| file.sync_all()).map_err(failed)?;
        if folder.store().exists() {
            fs::remove_dir_all(folder.store()).map_err(failed)?
        }
        Ok(folder)
    }

    pub fn end_restore(path: &Path) -> Result<(), Error> {
        fs::remove_file(path.join(RESTORE))
            .map_err(|e| Error::Failed(format!("{}: {e}", path.display())))
    }

    pub fn store(&self) -> PathBuf {
        self.path.join("store")
    }

    /// Marks the folder as this server's. Called when its first rows are durable.
    pub fn claim(path: &Path, layout: &Layout, server: u32) -> Result<(), Error> {
        let write = || {
            let new = path.join("server.new");
            let mut file = File::create(&new)?;
            file.write_all(identity_of(layout, server).as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, path.join("server"))?;
            File::open(path)?.sync_all()
        };
        write().map_err(|e| Error::Failed(format!("{}: {e}", path.display())))
    }
}

fn lock(path: &Path) -> Result<File, Error> {
    let place = path.join("lock");
    let failed = |e: std::io::Error| Error::Failed(format!("{}: {e}", place.display()));
    let file = File::create(&place).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Failed(format!(
            "{}: another node uses this folder: give each node its own --data",
            place.display()
        ))),
        Err(TryLockError::Error(e)) => Err(failed(e)),
    }
}

fn identity_of(layout: &Layout, server: u32) -> String {
    let Layout { cluster, homes, spread } = layout;
    format!(
        "tenbin meta format {FORMAT}\ncluster {cluster:016x}\nserver {server} of {homes}\n\
         servers_per_directory {spread}\n"
    )
}

/// Names the first line that differs.
fn other_server(file: &Path, is: &str, expected: &str) -> Error {
    let mut lines = (1..).zip(is.lines().chain(std::iter::repeat("")).zip(expected.lines()));
    let (line, (is, expected)) =
        lines.find(|(_, (is, expected))| is != expected).unwrap_or((1, (is, expected)));
    Error::BadInput(format!(
        "{}:{line}: {is:?}: expected {expected:?}. The folder is another server's, or the cluster \
         file has changed: give --data and --cluster that belong together",
        file.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_belongs_to_one_server() {
        let path = std::env::temp_dir().join(format!("tenbin-folder-{}", std::process::id()));
        let layout = Layout { cluster: 7, homes: 3, spread: 3 };
        let folder = Folder::open(&path, &layout, 1).unwrap();
        assert!(folder.is_new);
        let second = Folder::open(&path, &layout, 1).err().map(|e| e.to_string());
        assert!(second.is_some_and(|e| e.contains("another node uses")));
        drop(folder);
        Folder::claim(&path, &layout, 1).unwrap();
        assert!(!Folder::open(&path, &layout, 1).unwrap().is_new);
        for (layout, server, words) in [
            (Layout { cluster: 8, ..layout }, 1, "server:2: \"cluster 0000000000000007\""),
            (layout, 2, "server:3: \"server 1 of 3\": expected \"server 2 of 3\""),
            (Layout { homes: 4, ..layout }, 1, "server:3: "),
            (Layout { spread: 1, ..layout }, 1, "server:4: "),
        ] {
            let Err(Error::BadInput(why)) = Folder::open(&path, &layout, server) else {
                panic!("{words}")
            };
            assert!(why.contains(words), "{why}")
        }
        fs::remove_file(path.join("server")).unwrap();
        fs::write(path.join("thesis.txt"), "").unwrap();
        assert!(matches!(Folder::open(&path, &layout, 1), Err(Error::BadInput(_))));
        fs::remove_dir_all(&path).unwrap()
    }
}
