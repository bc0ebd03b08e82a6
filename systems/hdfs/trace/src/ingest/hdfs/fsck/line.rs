//! Classifies and parses the lines of an fsck listing (`NamenodeFsck`).
use super::scan::Scan;
use hdfs_scenario::Redundancy;
use import::{Issue, issue};

/// A path can hold any character except a colon, including a line break.
pub(super) enum FsckLine<'a> {
    /// `/path 5 bytes, replicated: replication=3, 1 block(s):  OK`.
    File(FileLine<'a>),
    /// `/path <dir>`.
    Directory,
    /// `0. BP-1:blk_1_1 len=5 Live_repl=3  [..]`, from after `0. `.
    Block { number: u64, rest: Scan<'a> },
    /// ` Under replicated ..`, ` MISSING ..`: a message about the file.
    Message(&'a [u8]),
    /// `/path: CORRUPT blockpool BP-1 block blk_1`: all replicas are corrupt.
    Corrupt { block: i64 },
    /// `Under Construction Block:`, before the block that is being written.
    UnderConstruction,
    /// First line of a run, with its path.
    Started { of: &'a [u8] },
    /// `Status: HEALTHY` or `CORRUPT`: start of the summary.
    Status,
    /// Empty, or the dots of `-showprogress`.
    Empty,
    /// Warnings of the client, on a terminal or with `2>&1`.
    Noise,
    /// Part of a path with a line break, or a line of another tool.
    Other,
}

pub(super) struct FileLine<'a> {
    /// The path, or its last line.
    pub(super) path: &'a [u8],
    /// `None`: a listing of Hadoop 2, which has no redundancy.
    pub(super) redundancy: Option<Redundancy>,
    pub(super) blocks: u64,
    pub(super) open: bool,
    /// The rest of the line: ` OK`, or the first message.
    pub(super) message: &'a [u8],
}

/// Classifies a line; `Err`: a known beginning with an invalid rest.
pub(super) fn read(line: &[u8]) -> Result<FsckLine<'_>, Issue> {
    match line.first() {
        None => return Ok(FsckLine::Empty),
        Some(b'0'..=b'9') => {
            if let Some(block) = block(line) {
                return Ok(block);
            }
        }
        Some(b' ') if message(line) => return Ok(FsckLine::Message(&line[1..])),
        Some(b'.') if line.iter().all(|b| *b == b'.') => return Ok(FsckLine::Empty),
        _ => {}
    }
    let Some(colon) = memchr::memchr(b':', line) else {
        return Ok(if line.ends_with(b" <dir>") { FsckLine::Directory } else { FsckLine::Other });
    };
    with_colon(&line[..colon], Scan::new(&line[colon + 1..]), line)
}

/// Removes leading progress dots: one per file in listings without files (always in Hadoop 2, with
/// `-showprogress` in Hadoop 3).
pub(super) fn without_dots(line: &[u8]) -> &[u8] {
    let dots = line.iter().take_while(|b| **b == b'.').count();
    let rest = &line[dots..];
    if rest.starts_with(b"/") || rest.starts_with(b"Status: ") { rest } else { line }
}

fn block(line: &[u8]) -> Option<FsckLine<'_>> {
    let mut rest = Scan::new(line);
    let number = rest.number("a number").ok()?;
    rest.eat(b". BP-").then_some(FsckLine::Block { number, rest })
}

/// fsck's messages about a file start with a space.
fn message(line: &[u8]) -> bool {
    [" Under replicated ", " Replica placement ", " MISSING ", " CORRUPT "]
        .iter()
        .any(|m| line.starts_with(m.as_bytes()))
}

fn with_colon<'a>(
    before: &'a [u8],
    mut after: Scan<'a>,
    line: &'a [u8],
) -> Result<FsckLine<'a>, Issue> {
    if before.ends_with(b" bytes, replicated") {
        after.need(" replication=")?;
        let replicas = after.number("a number of replicas")?;
        let few = u16::try_from(replicas)
            .map_err(|_| issue(format!("{replicas} replicas"), "at most 65535"))?;
        after.need(",")?;
        return file(path(before), Some(Redundancy::Replicated(few)), after);
    }
    if before.ends_with(b" bytes, erasure-coded") {
        after.need(" policy=")?;
        let name = after.until(b',').ok_or_else(|| after.endless("`,` after the policy"));
        return file(path(before), Some(policy(name?)?), after);
    }
    if before.ends_with(b" block(s)") || before.ends_with(b" block(s), OPENFORWRITE") {
        return hadoop2(before, after);
    }
    if after.eat(b" CORRUPT blockpool ") {
        let at = memchr::memmem::find(after.rest, b" block blk_").map(|at| at + 11);
        let at = at.ok_or_else(|| after.endless("` block blk_`"))?;
        return Ok(FsckLine::Corrupt { block: Scan::new(&after.rest[at..]).block_id()? });
    }
    Ok(match before {
        b"Under Construction Block" => FsckLine::UnderConstruction,
        b"Status" => FsckLine::Status,
        _ if before.starts_with(b"FSCK started") => FsckLine::Started { of: path_of_run(line) },
        _ if noise(line) => FsckLine::Noise,
        _ => FsckLine::Other,
    })
}

/// `FSCK started by hdfs (auth:SIMPLE) from /10.0.0.1 for path /a at Mon Dec 25 ..`: `/a`.
fn path_of_run(line: &[u8]) -> &[u8] {
    let begins = memchr::memmem::find(line, b" for path ").map_or(line.len(), |at| at + 10);
    let ends = memchr::memmem::rfind(line, b" at ").filter(|at| *at >= begins);
    &line[begins..ends.unwrap_or(line.len())]
}

/// `/path` of `/path 5 bytes, replicated`.
fn path(before: &[u8]) -> &[u8] {
    let bytes = memchr::memmem::rfind(before, b" bytes, ").unwrap_or(before.len());
    let length = memchr::memrchr(b' ', &before[..bytes]).unwrap_or(bytes);
    &before[..length]
}

/// Parses the part after the redundancy: ` 1 block(s), OPENFORWRITE:  OK`.
fn file<'a>(
    path: &'a [u8],
    redundancy: Option<Redundancy>,
    mut rest: Scan<'a>,
) -> Result<FsckLine<'a>, Issue> {
    rest.need(" ")?;
    let blocks = rest.number("a number of blocks")?;
    rest.need(" block(s)")?;
    let open = rest.eat(b", OPENFORWRITE");
    rest.need(":")?;
    Ok(FsckLine::File(FileLine { path, redundancy, blocks, open, message: rest.rest.trim_ascii() }))
}

/// `/path 5 bytes, 1 block(s):  OK`: the format of Hadoop 2.
fn hadoop2<'a>(before: &'a [u8], after: Scan<'a>) -> Result<FsckLine<'a>, Issue> {
    let open = before.ends_with(b", OPENFORWRITE");
    let tail = b" bytes, ";
    let Some(at) = memchr::memmem::rfind(before, tail) else { return Ok(FsckLine::Other) };
    let blocks = Scan::new(&before[at + tail.len()..]).number("a number of blocks")?;
    let message = after.rest.trim_ascii();
    Ok(FsckLine::File(FileLine { path: path(before), redundancy: None, blocks, open, message }))
}

/// `RS-6-3-1024k`, `RS-LEGACY-6-3-1024k`, `XOR-2-1-1024k`: data and parity precede the cell size.
fn policy(name: &[u8]) -> Result<Redundancy, Issue> {
    let mut parts = name.rsplit(|b| *b == b'-').skip(1);
    let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse::<u8>().ok();
    let (parity, data) = (number(), number());
    match (data, parity) {
        (Some(data @ 1..), Some(parity @ 1..)) => Ok(Redundancy::ErasureCoded { data, parity }),
        _ => Err(Scan::new(name).expected("an erasure-coding policy like `RS-6-3-1024k`".into())),
    }
}

/// The 10 of `Under replicated BP-1:blk_1_1. Target Replicas is 10 but found 3 replica(s).`.
pub(super) fn target(message: &[u8]) -> Option<u16> {
    const BEFORE: &[u8] = b" Target Replicas is ";
    let at = memchr::memmem::find(message, BEFORE)? + BEFORE.len();
    let wanted = Scan::new(&message[at..]).number("a number of replicas").ok()?;
    u16::try_from(wanted).ok().filter(|wanted| *wanted > 0)
}

/// `/path:  Under replicated ..`: without `-files`, messages contain the path.
pub(super) fn without_files(line: &[u8]) -> bool {
    let after = memchr::memchr(b':', line).map_or(&b""[..], |at| &line[at + 1..]);
    message(after.strip_prefix(b" ").filter(|a| a.starts_with(b" ")).unwrap_or(after))
}

/// Output of Hadoop's clients and Java on stderr.
pub(super) fn noise(line: &[u8]) -> bool {
    let starts =
        ["Connecting to namenode via ", "SLF4J:", "log4j:", "WARNING: ", "OpenJDK ", "Java "]
            .iter()
            .any(|n| line.starts_with(n.as_bytes()));
    let dated = line.len() > 24 && line[0].is_ascii_digit() && [line[4], line[7]] == *b"--"
        || line.len() > 18 && [line[2], line[5], line[8]] == *b"// ";
    let level = || {
        let start = &line[..line.len().min(40)];
        [&b" WARN "[..], b" INFO ", b" ERROR ", b" DEBUG "]
            .iter()
            .any(|l| memchr::memmem::find(start, l).is_some())
    };
    starts || dated && level()
}
