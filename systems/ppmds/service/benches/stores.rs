//! Group commit in two embedded stores, for decision 43:
//! `cargo bench -p ppmds-service --bench stores -- [ROWS] [FOLDER]`.
//!
//! Keys of 30 bytes in random order, values of 170 bytes; each commit is durable when it returns.
#![allow(clippy::disallowed_methods, reason = "it measures real time")]
use redb::ReadableDatabase;
use std::path::Path;
use std::time::Instant;

const ROWS: u64 = 200_000;
const GROUPS: [u64; 5] = [1, 4, 16, 64, 256];
/// Commits a group size.
const COMMITS: u64 = 200;
const TABLE: redb::TableDefinition<&[u8], &[u8]> = redb::TableDefinition::new("rows");

trait Store {
    fn commit(&mut self, rows: std::ops::Range<u64>, is_durable: bool);
    /// Reads all rows, as a node does when it starts; returns their number.
    fn load(&self) -> u64;
}

struct Redb(redb::Database);
struct Fjall(fjall::Database, fjall::Keyspace);

fn key(row: u64) -> Vec<u8> {
    let mixed = row.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("r0000000{mixed:016x}.file").into_bytes()
}

impl Store for Redb {
    fn commit(&mut self, rows: std::ops::Range<u64>, is_durable: bool) {
        let mut commit = self.0.begin_write().unwrap();
        let durability =
            if is_durable { redb::Durability::Immediate } else { redb::Durability::None };
        commit.set_durability(durability).unwrap();
        let mut table = commit.open_table(TABLE).unwrap();
        for row in rows {
            table.insert(&key(row)[..], &[7; 170][..]).unwrap();
        }
        drop(table);
        commit.commit().unwrap()
    }
    fn load(&self) -> u64 {
        let table = self.0.begin_read().unwrap().open_table(TABLE).unwrap();
        table.range::<&[u8]>(..).unwrap().fold(0, |count, row| row.map(|_| count + 1).unwrap())
    }
}

impl Store for Fjall {
    fn commit(&mut self, rows: std::ops::Range<u64>, is_durable: bool) {
        let mode = is_durable.then_some(fjall::PersistMode::SyncData);
        let mut batch = self.0.batch().durability(mode);
        for row in rows {
            batch.insert(&self.1, key(row), [7; 170])
        }
        batch.commit().unwrap()
    }
    fn load(&self) -> u64 {
        self.1.iter().fold(0, |count, row| row.into_inner().map(|_| count + 1).unwrap())
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let rows = arguments.first().map_or(ROWS, |rows| rows.parse().expect("a number of rows"));
    let folder = arguments.get(1).map_or_else(std::env::temp_dir, |folder| folder.into());
    let folder = folder.join(format!("tenbin-stores-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("rows.redb");
    let redb = || Box::new(Redb(redb::Database::create(&file).unwrap())) as Box<dyn Store>;
    let fjall = || {
        let database = fjall::Database::builder(folder.join("fjall")).worker_threads(1);
        let database = database.open().unwrap();
        let rows = database.keyspace("rows", fjall::KeyspaceCreateOptions::default).unwrap();
        Box::new(Fjall(database, rows)) as Box<dyn Store>
    };
    measure("redb", rows, &redb, &file);
    measure("fjall", rows, &fjall, &folder.join("fjall"));
    std::fs::remove_dir_all(&folder).unwrap()
}

fn measure(name: &str, rows: u64, open: &dyn Fn() -> Box<dyn Store>, place: &Path) {
    let mut store = open();
    for first in (0..rows).step_by(10_000) {
        store.commit(first..rows.min(first + 10_000), first + 10_000 >= rows)
    }
    let mut next = rows;
    for group in GROUPS {
        let mut times: Vec<f64> = Vec::new();
        let before = written();
        for _ in 0..COMMITS {
            let begun = Instant::now();
            store.commit(next..next + group, true);
            times.push(begun.elapsed().as_secs_f64() * 1e6);
            next += group
        }
        times.sort_by(f64::total_cmp);
        let [middle, high] = [times.len() / 2, times.len() * 99 / 100].map(|at| times[at]);
        let bytes = (written() - before) / (COMMITS * group);
        println!(
            "{name:>6}, {group:>4} rows a commit: median {middle:>8.0} us, p99 {high:>8.0} us, \
             {:>8.0} rows/s, {bytes:>6} bytes written a row",
            COMMITS as f64 * group as f64 * 1e6 / times.iter().sum::<f64>()
        )
    }
    drop(store);
    let begun = Instant::now();
    let store = open();
    let count = store.load();
    println!(
        "{name:>6}: {count} rows loaded in {:.2} s, {:.0} MiB on disk",
        begun.elapsed().as_secs_f64(),
        size(place) as f64 / f64::from(1 << 20)
    )
}

/// Bytes that this process has sent to disks \[bytes\].
fn written() -> u64 {
    let text = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    line.and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn size(place: &Path) -> u64 {
    match std::fs::read_dir(place) {
        Ok(all) => all.map(|entry| size(&entry.unwrap().path())).sum(),
        Err(_) => std::fs::metadata(place).map_or(0, |m| m.len()),
    }
}
