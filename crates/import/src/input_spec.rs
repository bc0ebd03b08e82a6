//! Checks the first bytes of an input, and rejects other tools' files.
use crate::error::{Issue, issue};

#[derive(Clone, Copy, Debug)]
pub struct InputSpec {
    /// Content of the file: "a job's configuration".
    pub content: &'static str,
    /// Command that writes it; empty: unknown.
    pub command: &'static str,
    /// Reason why it may be empty.
    empty: &'static str,
    /// Additional check of the first bytes by the system.
    look: fn(&[u8]) -> Result<(), Issue>,
}

impl InputSpec {
    pub const fn new(content: &'static str, command: &'static str) -> InputSpec {
        InputSpec { content, command, empty: "", look: |_| Ok(()) }
    }

    pub const fn empty(self, empty: &'static str) -> InputSpec {
        InputSpec { empty, ..self }
    }

    /// Adds a check of the first bytes that only this system can make.
    pub const fn look(self, look: fn(&[u8]) -> Result<(), Issue>) -> InputSpec {
        InputSpec { look, ..self }
    }

    /// Advice if the file is missing or wrong; empty without a command.
    pub fn advice(&self) -> String {
        match self.command {
            "" => String::new(),
            command => format!("Run `{command}`."),
        }
    }

    /// The error for another kind of file, `what`; `why` states the reason or a remedy.
    pub fn refuses(&self, what: &str, why: &str) -> Issue {
        let advice = format!("{why} {}", self.advice());
        issue(format!("this is {what}"), self.content).advice(advice.trim())
    }
}

const UNPACK: &str = "Decompress it, or compress it with gzip or zstd.";

/// Other tools' files: (first bytes, what it is, advice).
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

/// Rejects empty input, other encodings, other tools' files and binary data by the first bytes.
pub fn check(wanted: &InputSpec, head: &[u8]) -> Result<(), Issue> {
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

/// UTF-16 without a byte order mark: every other byte of Latin text is 0.
fn wide(head: &[u8]) -> bool {
    let some = &head[..head.len().min(512)];
    let zeros = |from: usize| some.iter().skip(from).step_by(2).filter(|b| **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    some.len() >= 4 && even.min(odd) == 0 && even.max(odd) > some.len() / 3
}
