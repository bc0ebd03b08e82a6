//! A cluster's list of nodes: in a file, which may revoke certificates, or on the command line.
//! Both are checked alike.
use std::path::Path;
use system::Failure;
use xor_relay::keys::is_fingerprint;
use xor_relay::transport::is_address;

pub(super) fn in_file(path: &Path, e: &std::io::Error) -> Failure {
    Failure::BadInput(format!("{}: {e}", path.display()))
}

/// Prefix of a line that revokes a certificate.
const REVOKED: &str = "revoked ";

/// The addresses of `--nodes`, without spaces around them.
///
/// # Errors
/// An invalid address, or one that occurs twice.
pub(super) fn listed(nodes: &[String]) -> Result<Vec<String>, Failure> {
    let mut all: Vec<String> = Vec::new();
    for node in nodes {
        let address = node.trim();
        let bad = |why: &str| Err(Failure::BadInput(format!("--nodes: {address:?}: {why}")));
        match () {
            () if !is_address(address) => return bad("expected HOST:PORT, separated by commas"),
            () if all.iter().any(|other| other == address) => {
                return bad("this address is listed twice");
            }
            () => all.push(address.to_string()),
        }
    }
    Ok(all)
}

pub(super) struct ClusterFile {
    pub(super) addresses: Vec<String>,
    pub(super) revoked: Vec<String>,
}

impl ClusterFile {
    /// One address a line; # begins a comment.
    ///
    /// # Errors
    /// A line that is neither an address nor a fingerprint, or an address that occurs twice.
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
                    false => return bad("expected the 32 digits printed by `relay keys add`"),
                }
            } else if line.is_empty() {
                continue;
            } else if !is_address(line) {
                return bad("expected one HOST:PORT a line; # begins a comment");
            } else if file.addresses.iter().any(|other| other == line) {
                return bad("this address is listed twice");
            } else {
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

    #[test]
    fn a_list_has_each_address_once_and_whole() {
        let list = |text: &str| listed(&text.split(',').map(String::from).collect::<Vec<_>>());
        let good = list("a:1, b:2 ,[::1]:3").expect("spaces do no harm");
        assert_eq!(good, ["a:1", "b:2", "[::1]:3"]);
        for wrong in [
            "a:1,b",
            "a:1,b:0",
            "a:1,b:70000",
            "a:1,",
            "a:1,:2",
            "a:1,b 2:3",
            "a:1,a:1",
            "a:1,b:c:2",
            "a:1,[::g]:3",
            "a:1,b:+2",
            "a:1,http://b:3",
        ] {
            assert!(list(wrong).is_err(), "{wrong}");
            let file = ClusterFile::parse(&wrong.replace(',', "\n"), Path::new("nodes.txt"));
            assert!(file.is_err() || wrong == "a:1,", "{wrong}: an empty line is no list");
        }
    }

    /// `FUZZ_CASES=100000000` runs for long.
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
                    assert!(file.addresses.iter().all(|a| is_address(a)), "{text:?}");
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
