//! Whatever is done to a file: an answer or an error that names it, and never a panic.
use crate::common::{Draw, EIGHT, LOSS, SHOP, folder};
use cluster::BadInput;
use hdfs_scenario::{Scenario, cluster_file};
use std::path::Path;

const PIECES: [&str; 30] = [
    "\"",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "=",
    ".",
    ",",
    "#",
    "\n",
    "\0",
    "-",
    "0",
    "99999999999999999999",
    "MB",
    "/s",
    "é",
    "\u{202e}",
    "\\u0000",
    "true",
    "nan",
    "inf",
    "2026-11-21",
    "[event]",
    "''",
    "\"\"\"",
    "0x7fffffffffffffff",
    "1e999",
    "cluster.racks = 1\n",
];

/// A few random edits: cut, double, swap, insert.
fn mutate(text: &str, draw: &mut Draw) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + draw.below(4) {
        let at = draw.below(chars.len() + 1);
        let longest = if draw.below(4) == 0 { 200 } else { 8 };
        let length = draw.below(longest);
        let end = (at + length).min(chars.len());
        match draw.below(5) {
            0 => drop(chars.drain(at..end)),
            1 => {
                let copy: Vec<char> = chars[at..end].to_vec();
                let to = draw.below(chars.len() + 1);
                chars.splice(to..to, copy);
            }
            2 => chars.truncate(if draw.below(8) == 0 { at } else { chars.len() }),
            3 => chars.splice(at..end, PIECES[draw.below(PIECES.len())].chars()).for_each(drop),
            _ => chars.splice(at..at, PIECES[draw.below(PIECES.len())].chars()).for_each(drop),
        }
    }
    chars.into_iter().collect()
}

/// Each problem is on the command line or in a file that was read, in an existing line.
fn look_at(error: &BadInput, files: &[(&Path, &[u8])]) {
    assert!(!error.problems.is_empty());
    for problem in &error.problems {
        assert!(!problem.problem.is_empty());
        let Some((_, bytes)) = files.iter().find(|(file, _)| *file == problem.file) else {
            let file = problem.file.as_path();
            assert!(file == Path::new("command line"), "of {file:?}: {problem}");
            continue;
        };
        let lines = bytes.split(|byte| *byte == b'\n').count() as u32;
        let text = String::from_utf8_lossy(bytes);
        assert!(problem.line.is_none_or(|l| l >= 1 && l <= lines), "{problem}\n{text}")
    }
}

/// Some mutations must be valid: else the edits are too mild or too wild.
fn some(accepted: usize, of: usize) {
    assert!((of / 100..of * 5 / 6).contains(&accepted), "{accepted} of {of} are accepted")
}

#[test]
fn scenarios() {
    let mut draw = Draw(7);
    let mut accepted = 0;
    for _ in 0..6_000 {
        let text = mutate(EIGHT, &mut draw);
        match Scenario::from_str(&text, "x.toml", &[]) {
            Ok(_) => accepted += 1,
            Err(error) => look_at(&error, &[(Path::new("x.toml"), text.as_bytes())]),
        }
    }
    some(accepted, 6_000)
}

#[test]
fn cluster_files() {
    let mut draw = Draw(8);
    let mut accepted = 0;
    let file = Path::new("shop.toml");
    for _ in 0..4_000 {
        let text = mutate(SHOP, &mut draw);
        match cluster_file::read_str(&text, file) {
            Ok(_) => accepted += 1,
            Err(error) => look_at(&error, &[(file, text.as_bytes())]),
        }
    }
    some(accepted, 4_000)
}

#[test]
fn imports() {
    let folder = folder("mutations");
    let (file, shop) = (folder.join("x.toml"), folder.join("shop.toml"));
    let mut draw = Draw(9);
    let mut accepted = 0;
    for _ in 0..1_000 {
        let imported = mutate(SHOP, &mut draw);
        std::fs::write(&shop, &imported).expect("written");
        let text = if draw.below(2) == 0 { LOSS.to_string() } else { mutate(LOSS, &mut draw) };
        match Scenario::from_str(&text, &file, &[]) {
            Ok(_) => accepted += 1,
            Err(error) => {
                look_at(&error, &[(&file, text.as_bytes()), (&shop, imported.as_bytes())])
            }
        }
    }
    some(accepted, 1_000)
}

#[test]
fn command_lines() {
    let mut draw = Draw(10);
    let mut accepted = 0;
    let keys: Vec<&str> = hdfs_scenario::keys::all().map(|key| key.name).collect();
    for _ in 0..4_000 {
        let key = keys[draw.below(keys.len())].to_string();
        let key = if draw.below(4) == 0 { mutate(&key, &mut draw) } else { key };
        let value = mutate(["65MB/s", "3", "hdd-7200", "ring", ""][draw.below(5)], &mut draw);
        match Scenario::from_str(EIGHT, "x.toml", &[(key, value.clone())]) {
            Ok(_) => accepted += 1,
            Err(error) => {
                // What is set may be the name of a file to import, which is not there.
                let imported = (Path::new(value.trim()), &b""[..]);
                look_at(&error, &[(Path::new("x.toml"), EIGHT.as_bytes()), imported])
            }
        }
    }
    some(accepted, 4_000)
}

/// Bytes that are no text at all.
#[test]
fn bytes() {
    let folder = folder("bytes");
    let file = folder.join("x.toml");
    let mut draw = Draw(11);
    let mut accepted = 0;
    for _ in 0..300 {
        let mut bytes = EIGHT.as_bytes().to_vec();
        for _ in 0..1 + draw.below(5) {
            let at = draw.below(bytes.len());
            bytes[at] = draw.next() as u8;
        }
        std::fs::write(&file, &bytes).expect("written");
        match Scenario::read(&file, &[]) {
            Ok(_) => accepted += 1,
            Err(error) => look_at(&error, &[(&file, &bytes)]),
        }
    }
    some(accepted, 300)
}
