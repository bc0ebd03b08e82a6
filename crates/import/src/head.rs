//! Whose output is it? Users mix files up: what certainly is another tool's is refused by its first
//! bytes.
use crate::error::{Issue, issue};

#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// What is in it: "a job's configuration".
    pub content: &'static str,
    /// What to run for it; empty: nobody knows.
    pub command: &'static str,
    /// Why it may be empty.
    empty: &'static str,
    /// Refuses what only its system knows to be wrong.
    look: fn(&[u8]) -> Result<(), Issue>,
}

impl Wanted {
    /// This content, which that command gives.
    pub const fn new(content: &'static str, command: &'static str) -> Wanted {
        Wanted { content, command, empty: "", look: |_| Ok(()) }
    }

    /// Says why it may be empty.
    pub const fn empty(self, empty: &'static str) -> Wanted {
        Wanted { empty, ..self }
    }

    /// Refuses by its first bytes what only its system knows to be wrong.
    pub const fn look(self, look: fn(&[u8]) -> Result<(), Issue>) -> Wanted {
        Wanted { look, ..self }
    }

    /// What to do where it is not there, or wrong.
    pub fn advice(&self) -> String {
        match self.command {
            "" => String::new(),
            command => format!("Run `{command}`."),
        }
    }

    /// This file is something else; `why` it cannot serve, or what to do with it.
    pub fn refuses(&self, what: &str, why: &str) -> Issue {
        let advice = format!("{why} {}", self.advice());
        issue(format!("this is {what}"), self.content).advice(advice.trim())
    }
}

const UNPACK: &str = "Decompress it, or compress it with gzip or zstd.";

/// Other tools' files: their first bytes, what it is, what to do with it.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"PAR1", "a Parquet file", ""),
    (b"Obj\x01", "an Avro file", ""),
    (b"BZh", "bzip2-compressed", UNPACK),
    (b"\xfd7zXZ", "xz-compressed", UNPACK),
    (b"\x04\x22\x4d\x18", "lz4-compressed", UNPACK),
    (b"\x02\x21\x4c\x18", "lz4-compressed", UNPACK),
    (b"\x89LZO", "lzo-compressed", UNPACK),
    (b"\xff\x06\0\0sNaPpY", "snappy-compressed", UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "Unpack it."),
    (b"SEQ\x06", "a SequenceFile", ""),
    (b"PK\x03\x04", "a zip archive", "Unpack it."),
    (b"\x7fELF", "a program", ""),
];

/// Refuses what certainly is no `wanted` text, by its first bytes.
///
/// # Errors
/// Nothing, text in another encoding, another tool's file, or no text at all.
pub fn check(wanted: &Wanted, head: &[u8]) -> Result<(), Issue> {
    let run = wanted.advice();
    if head.is_empty() {
        return Err(issue("0 bytes", wanted.content).advice(format!("{}{run}", wanted.empty)));
    }
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) || wide(head) {
        return Err(issue("UTF-16 text", "UTF-8")
            .advice("PowerShell's `>` writes it: convert with `iconv -f UTF-16 -t UTF-8`."));
    }
    if let Some((_, what, why)) = FOREIGN.iter().find(|(magic, ..)| head.starts_with(magic)) {
        return Err(wanted.refuses(what, why));
    }
    (wanted.look)(head)?;
    if memchr::memchr(0, &head[..head.len().min(4096)]).is_some() {
        return Err(issue("a binary file", wanted.content).advice(run));
    }
    Ok(())
}

/// Latin text in two-byte characters without a mark: every other byte is 0, and no other is.
fn wide(head: &[u8]) -> bool {
    let some = &head[..head.len().min(512)];
    let zeros = |from: usize| some.iter().skip(from).step_by(2).filter(|b| **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    some.len() >= 4 && even.min(odd) == 0 && even.max(odd) > some.len() / 3
}
