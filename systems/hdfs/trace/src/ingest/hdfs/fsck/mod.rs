//! `hdfs fsck / -files -blocks -locations`, with or without `-replicaDetails`, `-racks`,
//! `-maintenance`, `-upgradedomains`, `-openforwrite`.
//!
//! Reads line by line. Only the packed block map stays in memory; paths are dropped.
mod line;
mod location;
mod runs;
mod scan;
mod summary;
mod target_estimate;
mod targets;

use super::namenode;
use super::sniff::Kind;
use crate::packed::{Column, PackedBlocks};
use hdfs_scenario::{Redundancy, Replica};
use import::{ImportError, Issue, Lines, issue, quote, quote_end};
use line::{FileLine, FsckLine};
pub(super) use location::Locations;
use runs::Runs;
use scan::Scan;
pub(super) use summary::{Summary, SummarySection};
pub(super) use target_estimate::TargetEstimate;
pub(super) use targets::Targets;

/// Counts from messages and flags for one half (replicated blocks, erasure-coded groups).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    pub(super) files: u64,
    pub(super) blocks: u64,
    pub(super) under: u64,
    pub(super) misplaced: u64,
    pub(super) missing: u64,
    pub(super) corrupt: u64,
    pub(super) bytes: u64,
}

#[derive(Default)]
pub(super) struct Fsck {
    pub(super) blocks: PackedBlocks,
    pub(super) lines: Column<true>,
    /// `Live_repl` of each block.
    pub(super) live: Column<false>,
    pub(super) locations: Locations,
    pub(super) replicated: Tally,
    pub(super) coded: Tally,
    pub(super) summary: Summary,
    /// Sorted ids of blocks with only corrupt replicas, from fsck's messages.
    pub(super) all_corrupt: Vec<i64>,
    pub(super) under_construction: u64,
    pub(super) targets: Targets,
    /// Some files lack a replication factor (Hadoop 2).
    pub(super) unsaid_redundancy: bool,
    /// Line of the first path with a possible line break, or of a truncated line.
    pub(super) suspect: Option<u64>,
    /// Lines that are not UTF-8 but were read: (first, number).
    pub(super) odd_bytes: Option<(u64, u64)>,
    /// The NameNode's host, if the listing has the client's first line.
    pub(super) namenode: Option<String>,
    /// Day of the end: 2026-11-21.
    pub(super) day: Option<String>,
    pub(super) root: bool,
}

impl Fsck {
    /// `dfs.replication` from the summary, else HDFS's default.
    pub(super) fn usual_replication(&self) -> u16 {
        let said = self.summary.get(SummarySection::Replicated, "Default replication factor");
        said.and_then(|n| u16::try_from(n).ok()).unwrap_or(3).max(1)
    }

    /// Estimates the replication factor of files that lack it; `None`: all have it.
    pub(super) fn unsaid(&self) -> Option<TargetEstimate> {
        let over = self.summary.get(SummarySection::Replicated, "Over-replicated blocks");
        let unsaid =
            TargetEstimate { default: self.usual_replication(), has_no_excess: over == Some(0) };
        self.unsaid_redundancy.then_some(unsaid)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Listing,
    Summary,
    Ended,
}

struct OpenFile {
    redundancy: Option<Redundancy>,
    target: Option<u16>,
    blocks: u64,
    seen: u64,
    line: u64,
    open: bool,
}

impl OpenFile {
    fn wanted(&self) -> Option<u16> {
        match self.redundancy {
            Some(Redundancy::Replicated(replicas)) => Some(replicas),
            Some(Redundancy::ErasureCoded { .. }) => None,
            None => self.target,
        }
    }
}

struct Reader {
    out: Fsck,
    phase: Phase,
    file: Option<OpenFile>,
    /// First line of a possible path with a line break.
    fragment: Option<(u64, String)>,
    writing: bool,
    replicas: Vec<Replica>,
    path: Vec<u8>,
    runs: Runs,
}

pub(super) fn read(name: &str, lines: &mut Lines<'_>) -> Result<Fsck, ImportError> {
    let out = Fsck { root: true, ..Fsck::default() };
    let (file, fragment, replicas, path) = (None, None, Vec::new(), Vec::new());
    let (phase, writing, runs) = (Phase::Before, false, Runs::default());
    let mut reader = Reader { out, phase, file, fragment, writing, replicas, path, runs };
    loop {
        let number = lines.number + 1;
        let line = match lines.next_line() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(bad) => return Err(bad.at(name, Some(number))),
        };
        let text = std::str::from_utf8(line).map_err(|e| e.valid_up_to());
        reader.line(line, number).map_err(|(bad, at)| match text {
            Err(from) if at == number => not_utf8(line, from).at(name, Some(at)),
            _ if bad.cut => cut(line, bad).at(name, Some(at)),
            _ => bad.at(name, Some(at)),
        })?;
        if text.is_err() {
            reader.out.odd_bytes.get_or_insert((number, 0)).1 += 1
        }
    }
    let last = lines.number;
    reader.finish(last).map_err(|(bad, at)| bad.at(name, at))
}

const A_LINE: &str = "a file, a directory, a block or the summary of an fsck listing";

fn cut(line: &[u8], bad: Issue) -> Issue {
    let problem = format!("the line is cut after {}", quote_end(line));
    let advice = "Copy or make the listing again.".into();
    Issue { problem, advice, ..bad }
}

/// A line that is invalid because of its bytes; in a path they are harmless.
fn not_utf8(line: &[u8], from: usize) -> Issue {
    let problem = format!("not UTF-8 from byte {} of the line on: {}", from + 1, quote(line));
    issue(problem, "UTF-8, as fsck prints it")
        .advice("The line is damaged: make the listing again.")
}

type IssueAtLine = (Issue, u64);

impl Reader {
    fn line(&mut self, line: &[u8], number: u64) -> Result<(), IssueAtLine> {
        match self.phase {
            Phase::Before | Phase::Ended => self.outside(line, number),
            Phase::Listing => self.listing(line, number),
            Phase::Summary => self.summary(line),
        }
    }
    /// Handles lines before or after a run: warnings, and fsck's message when it aborts.
    fn outside(&mut self, line: &[u8], number: u64) -> Result<(), IssueAtLine> {
        match line::read(line) {
            Ok(FsckLine::Started { of }) => {
                self.runs.begin(of, number).map_err(|bad| (bad, number))?;
                self.out.root &= of == b"/";
                self.phase = Phase::Listing;
                Ok(())
            }
            Ok(FsckLine::Block { .. } | FsckLine::File(_)) => Err((
                issue("a listing without its beginning", "`FSCK started by ..` above it"),
                number,
            )),
            Ok(FsckLine::Noise) => {
                self.out.namenode = namenode::of_fsck(line).or(self.out.namenode.take());
                Ok(())
            }
            _ if self.phase == Phase::Before && number > 1000 => {
                let found = "1000 lines and no `FSCK started by ..`";
                Err((issue(found, "the text of `hdfs fsck`").advice(run_fsck()), number))
            }
            _ => Ok(()),
        }
    }
    fn summary(&mut self, line: &[u8]) -> Result<(), IssueAtLine> {
        if line.starts_with(b"FSCK ended at ") {
            self.phase = Phase::Ended;
            self.out.day = day(line).or(self.out.day.take())
        }
        self.out.summary.line(line);
        Ok(())
    }
    fn listing(&mut self, line: &[u8], number: u64) -> Result<(), IssueAtLine> {
        let line = line::without_dots(line);
        let kind = line::read(line).map_err(|bad| (bad, number))?;
        if !matches!(kind, FsckLine::Other | FsckLine::Noise | FsckLine::Empty) {
            self.end_fragment(&kind, line)?
        }
        match kind {
            FsckLine::Block { number: place, rest } => {
                self.block(place, rest, number).map_err(|bad| (bad, number))
            }
            FsckLine::File(file) => self.file(file, number),
            FsckLine::Message(text) => self.message(text).map_err(|bad| (bad, number)),
            FsckLine::Directory => self.close(),
            FsckLine::Corrupt { block } => {
                self.tally(block).corrupt += 1;
                self.out.all_corrupt.push(block);
                Ok(())
            }
            FsckLine::UnderConstruction => {
                self.writing = true;
                Ok(())
            }
            FsckLine::Status => {
                self.phase = Phase::Summary;
                self.out.summary.begin();
                self.close()
            }
            FsckLine::Started { .. } => {
                let what = "a second fsck begins before the first has ended";
                Err((issue(what, "`FSCK ended at ..` above it"), number))
            }
            FsckLine::Empty | FsckLine::Noise => Ok(()),
            FsckLine::Other => self.other(line, number),
        }
    }
    /// Handles part of a path with a line break, or an unknown line.
    fn other(&mut self, line: &[u8], number: u64) -> Result<(), IssueAtLine> {
        let colon = memchr::memchr(b':', line).is_some();
        if !colon && (line.starts_with(b"/") || self.fragment.is_some()) {
            self.fragment.get_or_insert_with(|| (number, quote(line)));
            return Ok(());
        }
        if line.starts_with(b"FSCK ended at ") || line.starts_with(b"Fsck on path ") {
            let what = format!("fsck gave up: {}", quote(line));
            return Err((issue(what, "`Status: ..` and a summary").advice(run_fsck()), number));
        }
        if line.starts_with(b"Block Id: ") {
            let what = "this is `hdfs fsck -blockId`";
            return Err((issue(what, "a listing of all files").advice(run_fsck()), number));
        }
        if line.starts_with(b"/") && line::without_files(line) {
            let what = "fsck was run without `-files`";
            return Err((issue(what, "a listing of all files").advice(run_fsck()), number));
        }
        Err((issue(quote(line), A_LINE).advice("The line is cut or not fsck's."), number))
    }
    /// Ends a path with line breaks if `kind` completes it; else returns an error.
    fn end_fragment(&mut self, kind: &FsckLine<'_>, line: &[u8]) -> Result<(), IssueAtLine> {
        let ends_path =
            matches!(kind, FsckLine::File(_) | FsckLine::Directory | FsckLine::Corrupt { .. });
        match self.fragment.take() {
            Some((first, found)) if !ends_path => {
                Err((issue(found, A_LINE).advice("The line is cut or not fsck's."), first))
            }
            Some((first, _)) if line.starts_with(b"/") => {
                self.out.suspect.get_or_insert(first);
                Ok(())
            }
            _ => Ok(()),
        }
    }
    fn file(&mut self, file: FileLine<'_>, line: u64) -> Result<(), IssueAtLine> {
        self.close()?;
        let FileLine { path, redundancy, blocks, open, message } = file;
        self.path.clear();
        self.path.extend_from_slice(path);
        match redundancy {
            Some(Redundancy::ErasureCoded { .. }) => self.out.coded.files += 1,
            _ => self.out.replicated.files += 1,
        }
        self.out.unsaid_redundancy |= redundancy.is_none();
        self.file = Some(OpenFile { redundancy, target: None, blocks, seen: 0, line, open });
        self.message(message).map_err(|bad| (bad, line))
    }
    /// Checks that all announced blocks of the file were listed.
    fn close(&mut self) -> Result<(), IssueAtLine> {
        let Some(file) = self.file.take() else { return Ok(()) };
        if file.seen == file.blocks || file.open && file.seen < file.blocks {
            if let (Some(wanted), 1..) = (file.wanted(), file.seen) {
                self.out.targets.note(wanted, file.seen, &self.path, file.line)
            }
            return Ok(());
        }
        let found = match file.seen {
            0 => "its blocks are not listed".to_string(),
            seen => format!("{seen} of its blocks are listed"),
        };
        let advice = match self.out.blocks.is_empty() {
            true => format!("Was `-blocks` missing? {}", run_fsck()),
            false => "Lines are missing: copy or make the listing again.".into(),
        };
        Err((issue(found, format!("{} blocks", file.blocks)).advice(advice), file.line))
    }
    fn tally(&mut self, block: i64) -> &mut Tally {
        if block < 0 { &mut self.out.coded } else { &mut self.out.replicated }
    }
    /// `Under replicated BP-1:blk_1_1. Target Replicas is 3 but ..`, and placement violations.
    fn message(&mut self, text: &[u8]) -> Result<(), Issue> {
        let under = text.starts_with(b"Under replicated ");
        if !under && !text.starts_with(b"Replica placement policy is violated for ") {
            return Ok(());
        }
        let at = memchr::memmem::find(text, b":blk_").map(|at| at + 5);
        let mut scan = Scan::new(text);
        let at = at.ok_or_else(|| scan.expected("`:blk_` and a block id".into()))?;
        scan.rest = &text[at..];
        let block = scan.block_id()?;
        if let (Some(file), Some(target)) = (&mut self.file, line::target(text)) {
            file.target = Some(target)
        }
        let tally = self.tally(block);
        if under {
            tally.under += 1
        } else {
            tally.misplaced += 1
        }
        Ok(())
    }
    /// Parses the part after `0. BP-`: `1-10.0.0.1-1:blk_1_1 len=5 Live_repl=3  [..]`.
    fn block(&mut self, place: u64, mut rest: Scan<'_>, line: u64) -> Result<(), Issue> {
        let Some(file) = &self.file else {
            return Err(issue("a block without a file", "its file's line above it"));
        };
        if place != file.seen && !self.writing {
            let (again, advice) = match place < file.seen {
                true => {
                    (" again", "The line is in the file twice: copy or make the listing again.")
                }
                false => ("", "Lines are missing: copy or make the listing again."),
            };
            let found = format!("block {place} of the file{again}");
            let expected = match file.seen < file.blocks {
                true => format!("block {}", file.seen),
                false => format!("the next file: this one, of line {}, is complete", file.line),
            };
            return Err(issue(found, expected).advice(advice));
        }
        let pool = rest.until(b':').ok_or_else(|| rest.endless("`:` after the block pool"))?;
        self.runs.pool(pool, line)?;
        rest.need("blk_")?;
        let id = rest.block_id()?;
        rest.need("_")?;
        rest.number("a generation stamp")?;
        if rest.eat(b"{") {
            let end = memchr::memmem::find(rest.rest, b"} len=");
            let end = end.ok_or_else(|| rest.endless("`} len=`"))?;
            rest.rest = &rest.rest[end + 1..]
        }
        rest.need(" len=")?;
        let bytes = rest.number("a length in bytes")?;
        let (missing, live) = state(&mut rest)?;
        self.replicas.clear();
        if !rest.rest.is_empty() {
            self.out.locations.read(&mut rest, id, line, &mut self.replicas)?;
            if !rest.rest.is_empty() {
                return Err(rest.expected("the line's end".into()));
            }
        } else if live > 0 {
            let advice = format!("Was `-locations` missing? {}", run_fsck());
            let found = issue("the line ends without locations", "`[` and the block's locations");
            return Err(found.advice(advice));
        }
        if std::mem::take(&mut self.writing) {
            self.out.under_construction += 1;
            return Ok(());
        }
        self.keep(id, bytes, missing, live, line)
    }
    fn keep(
        &mut self,
        id: i64,
        bytes: u64,
        missing: bool,
        live: u64,
        line: u64,
    ) -> Result<(), Issue> {
        let file = self.file.as_mut().expect("a block has a file");
        file.seen += 1;
        let told = Redundancy::Replicated(file.target.unwrap_or(0));
        let redundancy = file.redundancy.unwrap_or(told);
        if (id < 0) != matches!(redundancy, Redundancy::ErasureCoded { .. })
            && redundancy_said(file)
        {
            let expected = "negative block ids in erasure-coded files, and there only";
            return Err(issue(format!("block id {id}"), expected));
        }
        let blocks = &mut self.out.blocks;
        let most = u64::from(u32::MAX);
        let full =
            blocks.len() as u64 >= most || blocks.replicas() + self.replicas.len() as u64 > most;
        if full {
            return Err(issue("more than 2^32 blocks or replicas", "a smaller file system"));
        }
        blocks.push(id, bytes, redundancy, &self.replicas);
        self.out.lines.push(line);
        self.out.live.push(live);
        self.out.locations.hold(&self.replicas, bytes);
        let tally = self.tally(id);
        tally.blocks += 1;
        tally.missing += u64::from(missing);
        tally.bytes = tally.bytes.saturating_add(bytes);
        Ok(())
    }
    fn finish(mut self, last: u64) -> Result<Fsck, (Issue, Option<u64>)> {
        let cut = |what: &str| {
            let problem = format!("the listing is cut: {what}");
            issue(problem, "`Status: ..`, a summary and `FSCK ended at ..`")
                .advice("Copy or make the listing again: fsck may still have been running.")
        };
        match self.phase {
            Phase::Before => {
                let what = issue("no `FSCK started by ..`", "the text of `hdfs fsck`");
                return Err((what.advice(run_fsck()), None));
            }
            Phase::Listing => return Err((cut("no summary"), Some(last))),
            Phase::Summary => return Err((cut("ends within the summary"), Some(last))),
            Phase::Ended => {}
        }
        self.out.all_corrupt.sort_unstable();
        Ok(self.out)
    }
}

/// `FSCK ended at Sat Nov 21 01:20:33 UTC 2026 in 522 milliseconds` (Java's `Date`).
fn day(line: &[u8]) -> Option<String> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<&str> = std::str::from_utf8(line).ok()?.split_ascii_whitespace().collect();
    let [_, _, _, _, month, day, _, _, year, ..] = words[..] else { return None };
    let month = MONTHS.find(month).filter(|at| month.len() == 3 && at % 3 == 0)? / 3 + 1;
    let (day, year): (u8, u16) = (day.parse().ok()?, year.parse().ok()?);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

fn redundancy_said(file: &OpenFile) -> bool {
    file.redundancy.is_some()
}

/// (missing, live replicas) of ` MISSING!`, ` Live_repl=3  `. Hadoop 2 has `repl=`.
fn state(rest: &mut Scan<'_>) -> Result<(bool, u64), Issue> {
    let missing = rest.eat(b" MISSING!");
    let said = rest.eat(b" Live_repl=") || rest.eat(b" Expected_repl=") || rest.eat(b" repl=");
    let live = if said { rest.number("a number of replicas")? } else { 0 };
    if !said && !missing {
        let cut = [" Live_repl=", " MISSING!"].iter().any(|t| t.as_bytes().starts_with(rest.rest));
        return Err(Issue { cut, ..rest.expected("` Live_repl=` or ` MISSING!`".into()) });
    }
    while rest.eat(b" ") {}
    Ok((missing, live))
}

fn run_fsck() -> String {
    format!("Run `{}`.", Kind::Fsck.command())
}
