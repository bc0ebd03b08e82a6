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
