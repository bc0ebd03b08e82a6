//! Mounts of real nodes, where this machine has FUSE.
use crate::disk::Scratch;
use crate::nodes::{Node, cluster, options};
use ppmds_service::Error;
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::mount::{MountOptions, mount};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// A mount on a thread; it is unmounted when this is dropped.
#[derive(Debug)]
struct Mount {
    path: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), Error>>>,
}

impl Mount {
    /// # Errors
    /// The system does not mount it.
    fn start(cluster: &Cluster, path: PathBuf, is_read_only: bool) -> Result<Mount, Error> {
        fs::create_dir_all(&path).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (ready, started) = mpsc::channel();
        let (cluster, at, stopped) = (cluster.clone(), path.clone(), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            let options = MountOptions { is_read_only, is_for_all: false };
            let mut notify = || ready.send(()).unwrap();
            mount(&cluster, &at, options, &mut notify, &|| stopped.load(Ordering::SeqCst))
        });
        match started.recv() {
            Ok(()) => Ok(Mount { path, stop, thread: Some(thread) }),
            Err(_) => Err(thread.join().unwrap().unwrap_err()),
        }
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let result = self.thread.take().map(|thread| thread.join().unwrap());
        assert_eq!(result, Some(Ok(())))
    }
}

/// Whether an error means that this machine may not mount, as in a container.
fn is_refused(why: &Error) -> bool {
    let words = ["Operation not permitted", "Permission denied", "No such file or directory"];
    words.iter().any(|words| why.to_string().contains(words))
}

fn use_files(root: &Path) {
    let at = |name: &str| root.join(name);
    fs::create_dir_all(at("a/b")).unwrap();
    let mut file = File::create_new(at("a/file")).unwrap();
    file.write_all(b"0123456789").unwrap();
    file.seek(SeekFrom::Start(20)).unwrap();
    file.write_all(b"end").unwrap();
    assert_eq!(file.metadata().unwrap().len(), 23, "before the close");
    let past = SystemTime::UNIX_EPOCH + Duration::from_millis(1_234_567);
    file.set_modified(past).unwrap();
    drop(file);
    assert_eq!(fs::metadata(at("a/file")).unwrap().modified().unwrap(), past);
    fs::hard_link(at("a/file"), at("second")).unwrap();
    symlink("a/file", at("link")).unwrap();
    assert_eq!(fs::read_link(at("link")).unwrap(), Path::new("a/file"));
    assert_eq!(fs::read(at("link")).unwrap(), b"0123456789\0\0\0\0\0\0\0\0\0\0end");
    fs::set_permissions(at("second"), fs::Permissions::from_mode(0o640)).unwrap();
    let attributes = fs::metadata(at("a/file")).unwrap();
    assert_eq!((attributes.nlink(), attributes.mode() & 0o7777), (2, 0o640));
    OpenOptions::new().write(true).open(at("second")).unwrap().set_len(4).unwrap();
    OpenOptions::new().append(true).open(at("second")).unwrap().write_all(b"more").unwrap();
    assert_eq!(fs::read(at("a/file")).unwrap(), b"0123more");
    fs::rename(at("a/file"), at("a/b/moved")).unwrap();
    let listed = fs::read_dir(root).unwrap();
    let mut kinds: Vec<(String, bool, bool)> = listed
        .map(|entry| {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            (entry.file_name().into_string().unwrap(), kind.is_dir(), kind.is_symlink())
        })
        .collect();
    kinds.sort();
    let of = |name: &str, is_dir, is_link| (name.to_string(), is_dir, is_link);
    assert_eq!(kinds, [of("a", true, false), of("link", false, true), of("second", false, false)])
}

fn use_errors(root: &Path) {
    let kind = |result: std::io::Result<()>| result.unwrap_err().kind();
    assert_eq!(kind(fs::remove_dir(root.join("a"))), ErrorKind::DirectoryNotEmpty);
    assert_eq!(kind(fs::create_dir(root.join("x".repeat(256)))), ErrorKind::InvalidFilename);
    assert_eq!(
        kind(fs::write(root.join("large"), vec![1; (256 << 10) + 1])),
        ErrorKind::FileTooLarge
    );
    fs::write(root.join("large"), vec![1; 256 << 10]).unwrap();
    assert_eq!(fs::read(root.join("large")).unwrap(), vec![1; 256 << 10]);
    let mut open = File::open(root.join("large")).unwrap();
    fs::remove_file(root.join("large")).unwrap();
    assert_eq!(open.metadata().unwrap().nlink(), 0);
    let mut bytes = Vec::new();
    open.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.len(), 256 << 10, "a file that is open can be read after its removal")
}

#[test]
fn programs_use_a_mount_and_another_mount_sees_their_files() {
    let (scratch, cluster) = (Scratch::new("mount"), cluster(2));
    let start = |n| Node::start(options(&cluster, n, &scratch.0, Durability::Group));
    let (_first, second) = (start(0), start(1));
    let mount = match Mount::start(&cluster, scratch.0.join("mount"), false) {
        Err(why) if is_refused(&why) => return eprintln!("not tried: {why}"),
        mount => mount.unwrap(),
    };
    use_files(&mount.path);
    use_errors(&mount.path);
    // A server restarts while a file is open.
    let mut file = File::create(mount.path.join("a/late")).unwrap();
    drop(second);
    file.write_all(b"late").unwrap();
    let _second = start(1);
    drop(file);
    let other = Mount::start(&cluster, scratch.0.join("other"), true).unwrap();
    assert_eq!(fs::read(other.path.join("a/late")).unwrap(), b"late");
    assert_eq!(fs::read(other.path.join("a/b/moved")).unwrap(), b"0123more");
    let refused = fs::write(other.path.join("new"), b"").unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ReadOnlyFilesystem)
}
