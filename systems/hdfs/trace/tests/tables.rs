//! A trace as a folder of Parquet files.
mod traces;
use std::fs;
use std::path::{Path, PathBuf};
use trace::{Trace, tables};
use traces::{drawn, small};

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace-tables").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn what_is_written_is_read() {
    let folder = place("round-trip").join("deeper");
    for trace in [Trace::default(), small(), drawn(1, 50), drawn(2, 300_000)] {
        tables::write(&trace, &folder).unwrap();
        let read = tables::read(&folder).unwrap();
        assert!(read == trace, "a trace of {} intervals differs", trace.intervals.len())
    }
    let beside: Vec<_> = fs::read_dir(folder.parent().unwrap()).unwrap().collect();
    assert_eq!(beside.len(), 1, "nothing is left beside the folder")
}

#[test]
fn a_folder_with_other_things_stays() {
    let folder = place("others");
    fs::create_dir_all(&folder).unwrap();
    tables::write(&small(), &folder).unwrap();
    fs::remove_file(folder.join("run.parquet")).unwrap();
    let error = tables::write(&small(), &folder).unwrap_err();
    assert!(error.to_string().contains("a folder with other files in it"), "{error}");
    assert!(folder.join("intervals.parquet").is_file());
    assert_eq!(
        fs::read_dir(folder.parent().unwrap())
            .unwrap()
            .filter(|e| {
                e.as_ref().unwrap().file_name().to_string_lossy().starts_with(".others")
            })
            .count(),
        0,
        "nothing is left beside it"
    )
}

#[test]
fn damaged_tables() {
    let folder = place("damaged");
    tables::write(&small(), &folder).unwrap();
    let sums = fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    fs::remove_file(folder.join("SHA256SUMS")).unwrap();
    let names: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(names.len(), 11);
    for path in &names {
        let whole = fs::read(path).unwrap();
        for length in [0, 3, whole.len() / 2, whole.len() - 1] {
            fs::write(path, &whole[..length]).unwrap();
            let error = tables::read(&folder).unwrap_err().to_string();
            assert!(error.contains(path.file_name().unwrap().to_str().unwrap()), "{error}")
        }
        fs::remove_file(path).unwrap();
        assert!(tables::read(&folder).unwrap_err().to_string().contains("cannot be read"));
        fs::write(path, whole).unwrap()
    }
    fs::write(folder.join("SHA256SUMS"), sums).unwrap();
    assert_eq!(tables::read(&folder).unwrap(), small());
    fs::copy(folder.join("racks.parquet"), folder.join("counter_names.parquet")).unwrap();
    let error = tables::read(&folder).unwrap_err().to_string();
    assert!(error.contains("counter_names.parquet: has changed since"), "{error}");
    fs::remove_file(folder.join("SHA256SUMS")).unwrap();
    fs::copy(folder.join("series.parquet"), folder.join("counters.parquet")).unwrap();
    let error = tables::read(&folder).unwrap_err().to_string();
    assert!(
        error.contains("counters.parquet") && error.contains("has no column \"counter\""),
        "{error}"
    )
}

/// A flipped bit gives an error or another trace, never a panic.
#[test]
fn flipped_bits() {
    let folder = place("flipped");
    tables::write(&small(), &folder).unwrap();
    let path = folder.join("intervals.parquet");
    let whole = fs::read(&path).unwrap();
    for (sums, step) in [(true, 37), (false, 7)] {
        flip(&folder, &path, &whole, sums, step)
    }
}

fn flip(folder: &Path, path: &Path, whole: &[u8], sums: bool, step: usize) {
    if !sums {
        fs::remove_file(folder.join("SHA256SUMS")).unwrap()
    }
    for at in (0..whole.len()).step_by(step) {
        let mut bytes = whole.to_vec();
        bytes[at] ^= 1 << (at % 8);
        fs::write(path, bytes).unwrap();
        let read = tables::read(folder);
        assert!(!sums || read.is_err(), "bit {at} is not missed")
    }
}

/// An id that a table cannot hold stands there below zero, and is not read as another.
#[test]
fn an_id_below_zero() {
    let folder = place("negative");
    let mut trace = small();
    trace.intervals[0].parent = Some(u64::MAX);
    tables::write(&trace, &folder).unwrap();
    let error = tables::read(&folder).unwrap_err().to_string();
    assert!(error.contains("intervals.parquet: has -1 in column \"parent\""), "{error}")
}
