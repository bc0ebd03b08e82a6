//! Sums as a file, to compare machines or versions of the program.
use super::{Cell, Hash, Line, Sums, Window};
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Version of the file format.
const FORM: u64 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tenbin_sums: u64,
    of: String,
    command: String,
    version: String,
    events: u64,
    trace_hash: Hash,
    sum: Hash,
    window: Window,
    slice_ns: u64,
    block_lps: u32,
    /// (slice, block, events, sum of their hashes).
    cells: Vec<(u64, u32, u64, Hash)>,
    list: Option<Vec<Line>>,
}

impl Sums {
    /// Writes the file completely or not at all.
    pub fn write(&self, place: &Path) -> Result<(), Failure> {
        let cells = self.cells.iter().map(|((s, b), c)| (*s, *b, c.count, Hash(c.sum)));
        let file = File {
            tenbin_sums: FORM,
            of: self.of.clone(),
            command: self.command.clone(),
            version: self.version.clone(),
            events: self.events,
            trace_hash: self.trace_hash,
            sum: self.sum,
            window: self.window,
            slice_ns: 1 << self.slice,
            block_lps: 1 << self.block,
            cells: cells.collect(),
            list: self.list.clone(),
        };
        let text = serde_json::to_string(&file).expect("numbers and texts");
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let draft = place.with_file_name(format!(".{name}.draft-{}", std::process::id()));
        let written = fs::write(&draft, text + "\n").and_then(|()| fs::rename(&draft, place));
        written.map_err(|e| {
            let _ = fs::remove_file(&draft);
            Failure::writing(place, &e)
        })
    }

    /// Fails if the file is missing, of another kind or version, cut or changed.
    pub fn read(place: &Path) -> Result<Sums, Failure> {
        let name = place.display();
        let bad = |what: String| Failure::BadInput(format!("{name}: {what}"));
        let text = fs::read(place).map_err(|e| bad(e.to_string()))?;
        let value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|e| bad(no_json(&e)))?;
        match value.get("tenbin_sums").and_then(|form| form.as_u64()) {
            Some(FORM) => {}
            Some(other) => {
                return Err(bad(format!(
                    "sums of form {other}, but this tenbin ({}) reads form {FORM}: write both \
                     files with one version",
                    env!("CARGO_PKG_VERSION")
                )));
            }
            None => return Err(bad(format!("not a file of sums: {EXPECTED}"))),
        }
        let file: File = serde_json::from_value(value).map_err(|e| bad(format!("{e}: {AGAIN}")))?;
        file.sums().ok_or_else(|| bad(format!("the sums are inconsistent: {AGAIN}")))
    }

    /// For use before a run. Fails for a folder, a missing folder, or another file, which would be
    /// lost.
    pub fn check_place(place: &Path) -> Result<(), Failure> {
        let bad = |why: &str| {
            let expected = "a new file, or one that --sums wrote";
            Err(Failure::BadInput(format!(
                "--sums {}: {why}: expected {expected}",
                place.display()
            )))
        };
        if place.file_name().is_none() || place.is_dir() {
            return bad("is a folder");
        }
        let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty());
        if parent.is_some_and(|parent| !parent.is_dir()) {
            return bad("is in a folder that does not exist");
        }
        if place.exists() && !(place.is_file() && is_sums(place)) {
            return bad("is another file, which would be overwritten");
        }
        Ok(())
    }
}

const EXPECTED: &str = "expected one that `tenbin run … --sums FILE` wrote";
const AGAIN: &str = "the file was changed; write it again with --sums";

/// Also accepts a cut file.
fn is_sums(place: &Path) -> bool {
    fs::read(place).is_ok_and(|bytes| bytes.starts_with(b"{\"tenbin_sums\":"))
}

fn no_json(e: &serde_json::Error) -> String {
    match e.is_eof() {
        true => format!("ends in the middle ({e}): copy the file again"),
        false => format!("not a file of sums ({e}): {EXPECTED}"),
    }
}

impl File {
    /// `None` if the sums are inconsistent.
    fn sums(self) -> Option<Sums> {
        let power = |n: u64| n.is_power_of_two().then(|| n.trailing_zeros());
        let (slice, block) = (power(self.slice_ns)?, power(u64::from(self.block_lps))?);
        let cell = |(s, b, count, Hash(sum))| ((s, b), Cell { count, sum });
        let sums = Sums {
            of: self.of,
            command: self.command,
            version: self.version,
            events: self.events,
            trace_hash: self.trace_hash,
            sum: self.sum,
            window: self.window,
            slice,
            block,
            cells: self.cells.into_iter().map(cell).collect(),
            list: self.list,
            panicked: None,
        };
        let total = sums.cells.values().fold(0u128, |sum, cell| sum.wrapping_add(cell.sum));
        let listed = |list: &Vec<Line>| list.iter().fold(0u128, |n, l| n.wrapping_add(l.hash.0));
        let is_whole = sums.window == Window::WHOLE;
        let adds_up = !is_whole || total == sums.sum.0;
        (adds_up && sums.list.as_ref().is_none_or(|list| listed(list) == total)).then_some(sums)
    }
}
