//! Why a command ended without a result.
use std::io::{self, ErrorKind};
use std::path::Path;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Unusable input: file, line, key, what was expected. Exit code 2; nothing was written.
    BadInput(String),
    /// The run itself failed (disk full, invariant violated). Exit code 1.
    Failed(String),
    /// Ctrl-C or SIGTERM. Exit code 130; the text states what was kept.
    Interrupted(String),
}

impl From<import::ImportError> for Failure {
    fn from(wrong: import::ImportError) -> Failure {
        Failure::BadInput(wrong.to_string())
    }
}

impl Failure {
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::BadInput(_) => 2,
            Failure::Failed(_) => 1,
            Failure::Interrupted(_) => 130,
        }
    }

    /// The message, without the kind.
    pub fn text(&self) -> &str {
        let (Failure::BadInput(text) | Failure::Failed(text) | Failure::Interrupted(text)) = self;
        text
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let kind = match self {
            Failure::BadInput(_) => b'b',
            Failure::Failed(_) => b'f',
            Failure::Interrupted(_) => b'i',
        };
        std::iter::once(kind).chain(self.text().bytes()).collect()
    }

    /// From another rank; `None` if empty: no failure.
    pub fn from_bytes(bytes: &[u8]) -> Option<Failure> {
        let (kind, text) = bytes.split_first()?;
        let text = String::from_utf8_lossy(text).into_owned();
        Some(match kind {
            b'b' => Failure::BadInput(text),
            b'i' => Failure::Interrupted(text),
            _ => Failure::Failed(text),
        })
    }

    /// An I/O error while writing results, with advice.
    pub fn writing(what: &Path, e: &io::Error) -> Failure {
        let advice = match e.kind() {
            ErrorKind::StorageFull => ". The disk is full: free space, or write elsewhere with -o",
            ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                ". Your disk quota is reached: write elsewhere with -o"
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                ". Write elsewhere with -o"
            }
            _ => "",
        };
        Failure::Failed(format!("cannot write {}: {e}{advice}", what.display()))
    }
}
