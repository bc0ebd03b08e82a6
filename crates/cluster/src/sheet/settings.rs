//! Values as people see them, and rows of a comparison.
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// Where a value came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    File {
        file: PathBuf,
        /// Its line, from 1.
        line: u32,
    },
    /// Found by an import in the real system's own files.
    Imported {
        file: PathBuf,
        /// Its line, from 1.
        line: u32,
    },
    /// `--set` or `--vary`.
    CommandLine,
    /// The real system's own default (documented).
    Default,
    /// No input says it, and it matters: shown beside the verdict.
    Assumed,
}

impl Display for Origin {
    /// "scenarios/shop.toml:12", "shop.toml:50 (imported)", "command line", "default", "ASSUMED".
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File { file, line } => write!(f, "{}:{line}", file.display()),
            Origin::Imported { file, line } => write!(f, "{}:{line} (imported)", file.display()),
            Origin::CommandLine => write!(f, "command line"),
            Origin::Default => write!(f, "default"),
            Origin::Assumed => write!(f, "ASSUMED"),
        }
    }
}

/// One key of the scenario, as `tenbin check` prints it.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// `hardware.disk`, `network.startup`.
    pub key: String,
    /// As written, or as the default would be written.
    pub value: String,
    /// Where it came from.
    pub origin: Origin,
    /// The old name of the key by which it stands there.
    pub old_name: Option<String>,
}

/// One row of a comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// What people call it: "both limits 4".
    pub name: String,
    /// Key and value, as for `--set`.
    pub set: Vec<(String, String)>,
}
