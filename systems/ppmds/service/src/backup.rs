//! Copies of all servers' rows of one moment.
//!
//! ```text
//!  DIR/backup.json     the cluster, its layout, and the rows and checksum of each server
//!  DIR/server-N.rows   key and value of each row, each behind its length
//! ```
//!
//! A copy has entries, lists, inodes and counters. It has no memory of clients, so a restored
//! cluster needs a new id: clients of the former one are refused.
use crate::Error;
use crate::cluster::{Cluster, Layout};
use crate::disk::{Disk, Journaled, Row};
use crate::folder::Folder;
use crate::operator;
use crate::rows::Changes;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// Changes with the form of a row.
const FORMAT: u32 = 1;
/// Rows of one commit of a restore.
const AT_ONCE: usize = 10_000;
const LONGEST: usize = 8 << 20;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: u32,
    /// Of the copied cluster, 16 hex digits.
    pub cluster: String,
    pub servers: u32,
    /// Servers of the cluster when it was new.
    pub homes: u32,
    pub servers_per_directory: u32,
    /// When the copy was made, seconds since 1970.
    pub made_s: u64,
    pub server: Vec<ServerCopy>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerCopy {
    pub rows: u64,
    /// XXH3 of the file, 16 hex digits.
    pub checksum: String,
}

/// Copies all servers' rows of one moment to a new folder.
///
/// # Errors
/// The folder is not empty, a server does not answer, or the disk is full.
pub async fn backup(cluster: &Cluster, to: &Path) -> Result<Manifest, Error> {
    let place = to.display();
    let failed = |e: std::io::Error| Error::Failed(format!("{place}: {e}"));
    fs::create_dir_all(to).map_err(failed)?;
    if fs::read_dir(to).map_err(failed)?.next().is_some() {
        return Err(Error::BadInput(format!("{place}: has files: expected a new or empty folder")));
    }
    let mut all = operator::moment(cluster, &cluster.numbers()).await.map_err(Error::Failed)?;
    let made_s = crate::clock::wall_ns() / 1_000_000_000;
    let mut server = Vec::new();
    for number in 0..cluster.servers() {
        let mut copy = Copy::create(&rows_of(to, number as usize)).map_err(failed)?;
        // A removed server has no rows.
        let Some(operator) = all.get_mut(&number) else {
            server.push(copy.finish().map_err(failed)?);
            continue;
        };
        let mut each = |page: Vec<Row>| {
            page.iter().try_for_each(|row| copy.put(row)).map_err(|e| format!("{place}: {e}"))
        };
        operator.read(Vec::new(), &mut each).await.map_err(Error::Failed)?;
        server.push(copy.finish().map_err(failed)?)
    }
    let Layout { homes, spread: servers_per_directory, .. } = cluster.layout();
    let (format, servers) = (FORMAT, cluster.servers());
    let cluster = format!("{:016x}", cluster.id);
    let manifest =
        Manifest { format, cluster, servers, homes, servers_per_directory, made_s, server };
    let text = serde_json::to_string_pretty(&manifest).map_err(|e| Error::Failed(e.to_string()))?;
    // Last: a copy without it is incomplete.
    fs::write(to.join("backup.json"), text).and_then(|()| sync(to)).map_err(failed)?;
    Ok(manifest)
}

fn sync(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        File::open(entry?.path())?.sync_all()?
    }
    File::open(folder)?.sync_all()
}

fn rows_of(folder: &Path, server: usize) -> std::path::PathBuf {
    folder.join(format!("server-{server}.rows"))
}

/// A server's file that is written.
struct Copy {
    file: BufWriter<File>,
    sum: Xxh3,
    rows: u64,
}

impl Copy {
    fn create(path: &Path) -> std::io::Result<Copy> {
        let file = BufWriter::new(File::create_new(path)?);
        Ok(Copy { file, sum: Xxh3::new(), rows: 0 })
    }

    /// Leaves out what the server remembers of clients, and its standing.
    fn put(&mut self, (key, value): &Row) -> std::io::Result<()> {
        if !matches!(key.first(), Some(b'c' | b'n' | b'r')) {
            return Ok(());
        }
        for bytes in [key, value] {
            let length = u32::try_from(bytes.len()).map_err(std::io::Error::other)?;
            for part in [&length.to_le_bytes()[..], bytes] {
                self.sum.update(part);
                self.file.write_all(part)?
            }
        }
        self.rows += 1;
        Ok(())
    }

    fn finish(mut self) -> std::io::Result<ServerCopy> {
        self.file.flush()?;
        Ok(ServerCopy { rows: self.rows, checksum: format!("{:016x}", self.sum.digest()) })
    }
}

/// Reads and checks the description of a copy.
///
/// # Errors
/// The copy is incomplete, or of another version or form.
pub fn manifest(from: &Path) -> Result<Manifest, Error> {
    let file = from.join("backup.json");
    let place = file.display();
    let text = fs::read_to_string(&file).map_err(|e| {
        let hint = match e.kind() {
            ErrorKind::NotFound => ": the backup did not end, or this is not one",
            _ => "",
        };
        Error::BadInput(format!("{place}: {e}{hint}"))
    })?;
    let manifest: Manifest =
        serde_json::from_str(&text).map_err(|e| Error::BadInput(format!("{place}: {e}")))?;
    if manifest.format != FORMAT {
        let what = format!("{place}: format {}: expected {FORMAT}", manifest.format);
        return Err(Error::BadInput(what));
    }
    if manifest.server.len() != manifest.servers as usize {
        let what = format!("{place}: server: {} of {}", manifest.server.len(), manifest.servers);
        return Err(Error::BadInput(what));
    }
    Ok(manifest)
}

/// Makes the data folder of a server of a new cluster from a copy; returns its rows.
///
/// # Errors
/// The copy is damaged, the cluster has another layout or the copy's id, or the folder is not
/// empty. An interrupted restore can be repeated.
pub fn restore(from: &Path, cluster: &Cluster, server: u32, data: &Path) -> Result<u64, Error> {
    let manifest = manifest(from)?;
    let (layout, place) = (cluster.layout(), from.display());
    if manifest.cluster == format!("{:016x}", layout.cluster) {
        return Err(Error::BadInput(format!(
            "{place}: a copy of this cluster: clients that have seen later changes would mix with \
             the former state. Make the file of a new cluster with `tenbin meta init`"
        )));
    }
    let Manifest { servers, homes, servers_per_directory, .. } = manifest;
    let are = (cluster.servers(), layout.homes, layout.spread);
    if are != (servers, homes, servers_per_directory) {
        return Err(Error::BadInput(format!(
            "{place}: a copy of {servers} servers with growth.homes {homes} and \
             servers_per_directory {servers_per_directory}: the cluster file has {}, {} and {}. A \
             cluster that has grown needs these lines in its file: servers_per_directory = \
             {servers_per_directory}, and [growth] with version = 1, homes = {homes}, spread = \
             {servers}",
            are.0, are.1, are.2
        )));
    }
    let copy = &manifest.server[server as usize];
    let path = rows_of(from, server as usize);
    check(&path, copy)?;
    let folder = Folder::begin_restore(data, &layout, server)?;
    let mut disk = Journaled::open(folder, false)?;
    let mut reader = Reader::open(&path)?;
    let mut changes = Changes::default();
    while let Some((key, value)) = reader.row()? {
        changes.0.insert(key, Some(value));
        if changes.0.len() == AT_ONCE {
            disk.commit(&std::mem::take(&mut changes), false)?
        }
    }
    disk.commit(&changes, true)?;
    Folder::claim(data, &layout, server)?;
    Folder::end_restore(data)?;
    Ok(copy.rows)
}

fn check(path: &Path, copy: &ServerCopy) -> Result<(), Error> {
    let mut reader = Reader::open(path)?;
    let mut rows = 0;
    while reader.row()?.is_some() {
        rows += 1
    }
    let sum = format!("{:016x}", reader.sum.digest());
    if (rows, &sum) != (copy.rows, &copy.checksum) {
        return Err(Error::BadInput(format!(
            "{}: {rows} rows, checksum {sum}: expected {} rows, {}, as in backup.json: the copy is \
             damaged",
            path.display(),
            copy.rows,
            copy.checksum
        )));
    }
    Ok(())
}

struct Reader {
    file: BufReader<File>,
    place: String,
    sum: Xxh3,
}

impl Reader {
    fn open(path: &Path) -> Result<Reader, Error> {
        let place = path.display().to_string();
        let file = File::open(path).map_err(|e| Error::BadInput(format!("{place}: {e}")))?;
        Ok(Reader { file: BufReader::new(file), place, sum: Xxh3::new() })
    }

    fn row(&mut self) -> Result<Option<Row>, Error> {
        if fill(&mut self.file)? == 0 {
            return Ok(None);
        }
        let mut part = || -> std::io::Result<Vec<u8>> {
            let mut length = [0; 4];
            self.file.read_exact(&mut length)?;
            let count = u32::from_le_bytes(length) as usize;
            if count > LONGEST {
                return Err(ErrorKind::InvalidData.into());
            }
            let mut bytes = vec![0; count];
            self.file.read_exact(&mut bytes)?;
            self.sum.update(&length);
            self.sum.update(&bytes);
            Ok(bytes)
        };
        let row = part().and_then(|key| Ok((key, part()?)));
        row.map(Some).map_err(|e| Error::BadInput(format!("{}: damaged: {e}", self.place)))
    }
}

/// Bytes that can be read at once; 0: the end.
fn fill(file: &mut BufReader<File>) -> Result<usize, Error> {
    use std::io::BufRead as _;
    file.fill_buf().map(<[u8]>::len).map_err(|e| Error::Failed(e.to_string()))
}
