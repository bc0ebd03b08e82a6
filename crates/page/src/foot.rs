//! The page's last line: origin of its numbers.
use serde::{Deserialize, Serialize};

/// A line of the page's foot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Provenance {
    /// "Seeds".
    pub name: String,
    /// "1–10".
    pub value: String,
}

/// A file next to the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Link {
    /// "Parquet", "Perfetto".
    pub name: String,
    /// Relative address.
    pub href: String,
}

/// The part below the sections.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Foot {
    /// Seeds, scenario, trace, version, missing inputs.
    pub provenance: Vec<Provenance>,
    /// The command that writes this page.
    pub command: String,
    /// Files next to this one.
    pub links: Vec<Link>,
}

impl Foot {
    /// A foot without provenance and links.
    pub fn new(command: impl Into<String>) -> Foot {
        Foot { command: command.into(), ..Foot::default() }
    }

    /// Adds a line of provenance.
    pub fn from(mut self, name: &str, value: impl Into<String>) -> Foot {
        self.provenance.push(Provenance { name: name.into(), value: value.into() });
        self
    }

    /// Adds a file.
    pub fn link(mut self, name: &str, href: &str) -> Foot {
        self.links.push(Link { name: name.into(), href: href.into() });
        self
    }
}
