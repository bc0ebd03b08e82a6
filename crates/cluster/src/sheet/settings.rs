//! Values in display form, and rows of a comparison.
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    File {
        file: PathBuf,
        line: u32,
    },
    Imported {
        file: PathBuf,
        line: u32,
    },
    CommandLine,
    /// A documented default of the real system.
    Default,
    /// In no input, but it matters: shown next to the verdict.
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

#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    pub key: String,
    /// As written; a default in the same format.
    pub value: String,
    pub origin: Origin,
    /// Deprecated name of the key in the file.
    pub old_name: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// Display name: "both limits 4".
    pub name: String,
    /// (key, value) as for `--set`.
    pub set: Vec<(String, String)>,
}
