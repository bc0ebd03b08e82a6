//! Whatever is done to a file: an answer or an error that names it, and never a panic.
mod common;
use cluster::{BadInput, Scenario, cluster_file};
use common::{Draw, EIGHT, LOSS, SHOP, folder};
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

fn look_at(error: BadInput, text: &str, file: &str) {
    assert!(!error.problems.is_empty());
    for problem in &error.problems {
        assert!(!problem.problem.is_empty());
        let lines = text.split('\n').count() as u32;
        if problem.file == Path::new(file) {
            assert!(problem.line.is_none_or(|l| l >= 1 && l <= lines), "{problem}\n{text}");
        }
    }
}

#[test]
fn scenarios() {
    let mut draw = Draw(7);
    let mut accepted = 0;
    for _ in 0..6_000 {
        let text = mutate(EIGHT, &mut draw);
        match Scenario::from_str(&text, "x.toml", &[]) {
            Ok(_) => accepted += 1,
            Err(error) => look_at(error, &text, "x.toml"),
        }
    }
    assert!(
        (100..5_000).contains(&accepted),
        "{accepted} of 6000: the edits are too mild or too wild"
    );
}

#[test]
fn cluster_files() {
    let mut draw = Draw(8);
    for _ in 0..4_000 {
        let text = mutate(SHOP, &mut draw);
        if let Err(error) = cluster_file::read_str(&text, Path::new("shop.toml")) {
            look_at(error, &text, "shop.toml")
        }
    }
}

#[test]
fn imports() {
    let folder = folder("mutations");
    let mut draw = Draw(9);
    for _ in 0..1_000 {
        std::fs::write(folder.join("shop.toml"), mutate(SHOP, &mut draw)).expect("written");
        let text = if draw.below(2) == 0 { LOSS.to_string() } else { mutate(LOSS, &mut draw) };
        let _ = Scenario::from_str(&text, folder.join("x.toml"), &[]);
    }
}

#[test]
fn command_lines() {
    let mut draw = Draw(10);
    let keys: Vec<&str> = cluster::keys::all().map(|key| key.name).collect();
    for _ in 0..4_000 {
        let key = keys[draw.below(keys.len())].to_string();
        let key = if draw.below(4) == 0 { mutate(&key, &mut draw) } else { key };
        let value = mutate(["65MB/s", "3", "hdd-7200", "ring", ""][draw.below(5)], &mut draw);
        let _ = Scenario::from_str(EIGHT, "x.toml", &[(key, value)]);
    }
}

/// Bytes that are no text at all.
#[test]
fn bytes() {
    let folder = folder("bytes");
    let file = folder.join("x.toml");
    let mut draw = Draw(11);
    for _ in 0..300 {
        let mut bytes = EIGHT.as_bytes().to_vec();
        for _ in 0..1 + draw.below(5) {
            let at = draw.below(bytes.len());
            bytes[at] = draw.next() as u8;
        }
        std::fs::write(&file, bytes).expect("written");
        let _ = Scenario::read(&file, &[]);
    }
}
