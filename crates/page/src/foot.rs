//! The page's last line: where its numbers come from.
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

/// A file beside the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Link {
    /// "Parquet", "Perfetto".
    pub name: String,
    /// Relative address.
    pub href: String,
}

/// Below the pictures.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Foot {
    /// Seeds, scenario, trace, version, what was not given.
    pub provenance: Vec<Provenance>,
    /// What makes this page.
    pub command: String,
    /// Files beside this one; empty where none was written.
    pub links: Vec<Link>,
}

impl Foot {
    /// A page made by this command.
    pub fn new(command: impl Into<String>) -> Foot {
        Foot { command: command.into(), ..Foot::default() }
    }

    /// One more name with its value.
    pub fn from(mut self, name: &str, value: impl Into<String>) -> Foot {
        self.provenance.push(Provenance { name: name.into(), value: value.into() });
        self
    }

    /// One more file.
    pub fn link(mut self, name: &str, href: &str) -> Foot {
        self.links.push(Link { name: name.into(), href: href.into() });
        self
    }
}
