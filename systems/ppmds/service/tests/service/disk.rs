//! The real store: crashes, torn journals, folders of other servers.
use ppmds_service::cluster::Layout;
use ppmds_service::disk::{Disk, Journaled, all_rows};
use ppmds_service::folder::Folder;
use ppmds_service::rows::Changes;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const LAYOUT: Layout = Layout { cluster: 7, homes: 3, spread: 3 };

/// A folder that is removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(what: &str) -> Scratch {
        let name = format!("tenbin-service-{what}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn open(path: &Path) -> Journaled {
    Journaled::open(Folder::open(path, &LAYOUT, 0).unwrap(), false).unwrap()
}

/// Batch `n` overwrites one row, adds two and removes one of the batch before.
fn batch(n: u32) -> Changes {
    let key = |what: &str, n: u32| format!("{what}{n:06}").into_bytes();
    let value = |n: u32| Some(vec![n as u8; 50 + (n % 200) as usize]);
    let mut changes = BTreeMap::new();
    changes.insert(b"last".to_vec(), Some(n.to_le_bytes().to_vec()));
    changes.insert(key("kept", n), value(n));
    changes.insert(key("gone", n), value(n));
    changes.insert(key("gone", n.wrapping_sub(1)), None);
    Changes(changes)
}

fn rows_after(batches: u32) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut rows = BTreeMap::new();
    for (key, value) in (0..batches).flat_map(|n| batch(n).0) {
        match value {
            Some(value) => rows.insert(key, value),
            None => rows.remove(&key),
        };
    }
    rows
}

fn loaded(path: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
    all_rows(&open(path)).unwrap().into_iter().collect()
}

/// The journals of a store.
fn journals(path: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(path.join("store")).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|e| e == "jnl")).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        match path.is_dir() {
            true => copy(&path, &to.join(name)),
            false => drop(fs::copy(&path, to.join(name)).unwrap()),
        }
    }
}

#[test]
fn commits_are_there_after_a_restart() {
    let scratch = Scratch::new("restart");
    let mut disk = open(&scratch.0);
    for n in 0..50 {
        disk.commit(&batch(n), n % 3 == 0).unwrap()
    }
    disk.sync().unwrap();
    drop(disk);
    assert_eq!(loaded(&scratch.0), rows_after(50));
    assert_eq!(loaded(&scratch.0), rows_after(50))
}

/// A journal cut at any byte gives the state after some batch, with all batches before the cut.
#[test]
fn a_torn_journal_ends_with_a_complete_batch() {
    const BATCHES: u32 = 24;
    let scratch = Scratch::new("torn");
    let whole = scratch.0.join("whole");
    let mut disk = open(&whole);
    let mut ends = Vec::new();
    for n in 0..BATCHES {
        disk.commit(&batch(n), true).unwrap();
        ends.push(written(&journals(&whole)[0]))
    }
    drop(disk);
    let last = *ends.last().unwrap();
    let mut state = 3;
    for round in 0..40 {
        state = ppmds_protocol::mixed(state);
        let cut = if round == 0 { last - 1 } else { state % last };
        let torn = scratch.0.join(format!("torn-{round}"));
        copy(&whole, &torn);
        let journal = &journals(&torn)[0];
        let bytes = fs::read(journal).unwrap();
        let mut cut_bytes = bytes[..cut as usize].to_vec();
        // Often the disk has blocks of zeros or of old data after the cut.
        match round % 4 {
            1 => cut_bytes.resize(bytes.len(), 0),
            2 => cut_bytes.extend((0..300u32).map(|n| (n * 7) as u8)),
            // The last sectors of a batch were written, the first were not.
            3 => {
                let from = ends.iter().rev().find(|end| **end <= cut).copied().unwrap_or(0);
                let to = *ends.iter().find(|end| **end > cut).unwrap();
                let written = cut.max(from + 1) as usize;
                cut_bytes.truncate(from as usize);
                cut_bytes.resize(written, 0);
                cut_bytes.extend(&bytes[written..to as usize])
            }
            _ => {}
        }
        fs::write(journal, cut_bytes).unwrap();
        let kept = ends.iter().filter(|end| **end <= cut).count() as u32;
        let rows = loaded(&torn);
        assert_eq!(rows, rows_after(kept), "cut at {cut} of {last}: {kept} batches expected");
        // It goes on from there.
        let mut disk = open(&torn);
        disk.commit(&batch(kept), true).unwrap();
        drop(disk);
        assert_eq!(loaded(&torn), rows_after(kept + 1), "cut at {cut}, one more batch");
        fs::remove_dir_all(&torn).unwrap()
    }
}

/// A damaged byte before complete batches is an error; in mode `async` these batches go.
#[test]
fn damage_in_the_middle_is_reported() {
    let scratch = Scratch::new("damaged");
    let mut disk = open(&scratch.0);
    let mut ends = Vec::new();
    for n in 0..10 {
        disk.commit(&batch(n), true).unwrap();
        ends.push(written(&journals(&scratch.0)[0]))
    }
    drop(disk);
    let journal = &journals(&scratch.0)[0];
    let mut bytes = fs::read(journal).unwrap();
    bytes[ends[5] as usize + 40] ^= 1;
    fs::write(journal, bytes).unwrap();
    let folder = || Folder::open(&scratch.0, &LAYOUT, 0).unwrap();
    let why = Journaled::open(folder(), false).err().map(|e| e.to_string()).unwrap();
    assert!(why.contains(&format!("damaged at byte {}", ends[5])), "{why}");
    drop(Journaled::open(folder(), true).unwrap());
    assert_eq!(loaded(&scratch.0), rows_after(6))
}

/// Bytes of a journal up to its last one that is not zero.
fn written(journal: &Path) -> u64 {
    let bytes = fs::read(journal).unwrap();
    bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at as u64 + 1)
}
