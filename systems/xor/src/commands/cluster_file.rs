//! A cluster's file: its addresses in order, and certificates that are not taken any more.
use super::in_file;
use std::path::Path;
use system::Failure;
use xor_relay::keys::is_fingerprint;

/// How a line begins that revokes a certificate.
const REVOKED: &str = "revoked ";

/// What it says.
pub(super) struct ClusterFile {
    pub(super) addresses: Vec<String>,
    pub(super) revoked: Vec<String>,
}

impl ClusterFile {
    /// One address a line; # begins a comment.
    ///
    /// # Errors
    /// A line that is neither an address nor a fingerprint.
    pub(super) fn read(path: &Path) -> Result<ClusterFile, Failure> {
        let text = std::fs::read_to_string(path).map_err(|e| in_file(path, &e))?;
        ClusterFile::parse(&text, path)
    }

    fn parse(text: &str, path: &Path) -> Result<ClusterFile, Failure> {
        let mut file = ClusterFile { addresses: Vec::new(), revoked: Vec::new() };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            let bad = |expected: &str| {
                let place = path.display();
                Err(Failure::BadInput(format!("{place}:{number}: {line:?}: {expected}")))
            };
            if let Some(revoked) = line.strip_prefix(REVOKED) {
                match is_fingerprint(revoked.trim()) {
                    true => file.revoked.push(revoked.trim().to_string()),
                    false => return bad("expected the 32 digits that `relay keys add` prints"),
                }
            } else if line.contains([' ', ',', '=']) || !line.is_empty() && !line.contains(':') {
                return bad("expected one HOST:PORT a line; # begins a comment");
            } else if !line.is_empty() {
                file.addresses.push(line.to_string())
            }
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Draw;

    /// `FUZZ_CASES=100000000` for long.
    #[test]
    fn any_text_is_a_list_or_a_line_that_is_named() {
        let cases = std::env::var("FUZZ_CASES").ok().and_then(|n| n.parse().ok());
        let parts =
            ["a:1", "[::1]:9", "revoked ", "0123456789abcdef", "#", "\n", " ", ",", "=", "ü"];
        for case in 0..cases.unwrap_or(20_000u64) {
            let mut draw = Draw::keyed(case, "cluster file", 0, 0);
            let count = draw.below(12);
            let text: String = (0..count).map(|_| parts[draw.below(10) as usize]).collect();
            match ClusterFile::parse(&text, Path::new("nodes.txt")) {
                Ok(file) => {
                    let is_one = |a: &String| a.contains(':') && !a.contains([' ', ',', '=', '#']);
                    assert!(file.addresses.iter().all(is_one), "{text:?}");
                    assert!(file.revoked.iter().all(|r| is_fingerprint(r)), "{text:?}")
                }
                Err(Failure::BadInput(why)) => {
                    let line = why.strip_prefix("nodes.txt:").and_then(|w| w.split(':').next());
                    let line: usize = line.and_then(|n| n.parse().ok()).expect("a line's number");
                    assert!((1..=text.lines().count()).contains(&line), "{text:?}: {why}")
                }
                Err(other) => panic!("{text:?}: {other:?}"),
            }
        }
    }
}
