//! Reads a scenario file, and identifies other files.
use crate::{BadInput, Problem};
use std::io::Read;
use std::path::Path;

/// Larger than any scenario or cluster file: 100 000 nodes take 20 MB.
const LARGEST: u64 = 256 << 20;

const A_SCENARIO: &str = "a scenario: a text file in TOML, see `tenbin list scenarios`";

/// # Errors
/// The file is unreadable, empty, not UTF-8, or of another tool.
pub fn read_text(path: &Path) -> Result<String, BadInput> {
    let bad =
        |problem: String, expected: &str| Err(Problem::of_file(path, problem, expected).into());
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| {
        if file.metadata()?.is_dir() {
            return Err(std::io::Error::other("is a directory"));
        }
        file.take(LARGEST + 1).read_to_end(&mut bytes)
    });
    if let Err(error) = read {
        return bad(format!("cannot be read ({error})"), A_SCENARIO);
    }
    if let Some((what, instead)) = other_tool(&bytes) {
        return bad(format!("is {what}"), instead);
    }
    if bytes.len() as u64 > LARGEST {
        return bad("is larger than 256 MiB".into(), A_SCENARIO);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|b| **b == b'\n').count();
        let line = crate::count32(line) + 1;
        let problem =
            Problem::of_file(path, "is not UTF-8 from here on", "the text saved as UTF-8");
        Problem { line: Some(line), ..problem }.into()
    })
}

/// (name, advice) for a file that cannot be a scenario.
fn other_tool(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let start = bytes.trim_ascii_start();
    let begins = |text: &str| start.starts_with(text.as_bytes());
    if start.is_empty() {
        return Some(("empty", A_SCENARIO));
    }
    let first = String::from_utf8_lossy(&start[..start.len().min(1024)]);
    let xml = begins("<") && first.contains("<fsimage");
    let table = begins("Path") && first.contains("PreferredBlockSize");
    if begins("HDFSIMG1") || xml || table {
        return Some((
            "an fsimage, which lists no block locations",
            "the output of `hdfs fsck / -files -blocks -locations -replicaDetails`: \
             `tenbin import hdfs --fsck FILE -o cluster.toml`",
        ));
    }
    if begins("PAR1") {
        let instead = "the scenario whose cluster file names this block map or trace";
        return Some(("a Parquet file", instead));
    }
    if bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Some(("compressed (gzip or Zstandard)", A_SCENARIO));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Some(("UTF-16 text", "the same text saved as UTF-8"));
    }
    if begins("<") {
        return Some((
            "XML",
            "a scenario; `tenbin import hdfs --conf hdfs-site.xml …` reads a site file",
        ));
    }
    if begins("Connecting to namenode") || begins("FSCK started") || begins("Configured Capacity") {
        return Some((
            "an output of `hdfs`",
            "a scenario; `tenbin import hdfs … -o cluster.toml` makes a cluster file of it",
        ));
    }
    if begins("{") {
        return Some(("JSON", A_SCENARIO));
    }
    None
}
