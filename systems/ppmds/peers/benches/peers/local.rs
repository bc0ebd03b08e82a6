//! Peers in this process: SQLite, the local file system, the bare store.
use crate::{Client, LISTED, Peer};
use rusqlite::{Connection, params};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// An inode as the service keeps it.
const INODE: [u8; 60] = [7; 60];

/// One connection, as writers exclude each other.
pub struct Sqlite {
    connection: Mutex<Connection>,
    mode: &'static str,
}

impl Sqlite {
    pub fn open(folder: &Path, mode: &'static str) -> Sqlite {
        let connection = Connection::open(folder.join("rows.db")).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection.pragma_update(None, "synchronous", mode).unwrap();
        connection
            .execute_batch(
                "create table rows (directory integer, name text, inode blob,
                 primary key (directory, name)) without rowid",
            )
            .unwrap();
        for n in 0..LISTED {
            let row = params![0, format!("listed.{n}"), INODE];
            connection.execute("insert into rows values (?, ?, ?)", row).unwrap();
        }
        Sqlite { connection: Mutex::new(connection), mode }
    }
}

impl Peer for Sqlite {
    fn name(&self) -> String {
        format!("SQLite, WAL, {}", self.mode)
    }
    fn client(&self, number: u32) -> Box<dyn Client + '_> {
        Box::new(SqliteClient(&self.connection, number))
    }
}

struct SqliteClient<'a>(&'a Mutex<Connection>, u32);

impl Client for SqliteClient<'_> {
    fn run(&mut self, kind: &str, n: u32) {
        let (me, name) = (self.1, format!("file.{}.{n}", self.1));
        let connection = self.0.lock().unwrap();
        let run = |sql: &str, of: &[&dyn rusqlite::ToSql]| {
            connection.prepare_cached(sql).unwrap().execute(of).unwrap()
        };
        match kind {
            "create" => drop(run("insert into rows values (1, ?, ?)", &[&name, &&INODE[..]])),
            "unlink" => drop(run("delete from rows where directory = 1 and name = ?", &[&name])),
            "rename" => {
                let set = "update rows set name = ? where directory = 1 and name = ?";
                run(set, &[&format!("moved.{me}"), &name]);
                drop(connection);
                let connection = self.0.lock().unwrap();
                let mut set = connection.prepare_cached(set).unwrap();
                set.execute(params![name, format!("moved.{me}")]).unwrap();
            }
            "stat" => {
                let get = "select inode from rows where directory = 1 and name = ?";
                let mut get = connection.prepare_cached(get).unwrap();
                let found: Option<Vec<u8>> = get.query_row([&name], |row| row.get(0)).ok();
                assert!(found.is_some())
            }
            _ => {
                let all = "select name, inode from rows where directory = 0";
                let mut all = connection.prepare_cached(all).unwrap();
                let rows = all.query_map([], |row| row.get::<_, String>(0)).unwrap();
                assert_eq!(rows.count(), LISTED as usize)
            }
        }
    }
}

/// Durable by fsync of the file and its directory.
pub struct Files(PathBuf);

impl Files {
    pub fn new(folder: PathBuf) -> Files {
        fs::create_dir_all(folder.join("listed")).unwrap();
        for n in 0..LISTED {
            File::create_new(folder.join(format!("listed/{n}"))).unwrap();
        }
        Files(folder)
    }
}

impl Peer for Files {
    fn name(&self) -> String {
        String::from("local file system, fsync")
    }
    fn client(&self, number: u32) -> Box<dyn Client + '_> {
        Box::new(FilesClient(&self.0, number))
    }
}

struct FilesClient<'a>(&'a Path, u32);

impl Client for FilesClient<'_> {
    fn run(&mut self, kind: &str, n: u32) {
        let path = self.0.join(format!("file.{}.{n}", self.1));
        let sync = || File::open(self.0).unwrap().sync_all().unwrap();
        match kind {
            "create" => {
                File::create_new(&path).unwrap().sync_all().unwrap();
                sync()
            }
            "unlink" => {
                fs::remove_file(&path).unwrap();
                sync()
            }
            "rename" => {
                let moved = self.0.join(format!("moved.{}", self.1));
                for (from, to) in [(&path, &moved), (&moved, &path)] {
                    fs::rename(from, to).unwrap();
                    sync()
                }
            }
            "stat" => drop(fs::metadata(&path).unwrap()),
            _ => {
                assert_eq!(fs::read_dir(self.0.join("listed")).unwrap().count(), LISTED as usize)
            }
        }
    }
}

/// Rows per second of the service's store alone, with durable commits of 64 rows.
pub fn bare(folder: &Path) -> f64 {
    let database = fjall::Database::builder(folder.join("bare")).worker_threads(1).open().unwrap();
    let rows = database.keyspace("rows", fjall::KeyspaceCreateOptions::default).unwrap();
    let began = Instant::now();
    let mut count = 0_u64;
    while began.elapsed().as_secs_f64() < 2.0 {
        let mut batch = database.batch().durability(Some(fjall::PersistMode::SyncData));
        for _ in 0..64 {
            batch.insert(&rows, format!("r0000000{:016x}.file", count * 7), [7; 170]);
            count += 1
        }
        batch.commit().unwrap()
    }
    count as f64 / began.elapsed().as_secs_f64()
}
