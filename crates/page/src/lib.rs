//! A page as blocks, for every system: a verdict above, charts and tables below. Rust makes all
//! sentences and numbers, so that UI, terminal and JSON agree. Each kind of section has one part of
//! `ui/src/blocks/`.
//!
//! ```
//! use page::{Axis, Body, Certainty, Curves, Foot, Head, Line, Page, Panel, Role, Section, say};
//!
//! let verdict = say("The server serves ").number("8 400 op/s").say(" at 64 clients.");
//! let head = Head::new(["shop", "metadata"], verdict, Certainty::low("a model."));
//! let line = Line::new("now", Role::Now, [(1.0, 900.0), (64.0, 8400.0)]);
//! let panel = Panel { unit: "op/s".into(), lines: vec![line], ..Panel::default() };
//! let x = Axis::log("clients", "", 1.0, 64.0);
//! let curves = Curves { x, panels: vec![panel], moments: vec![] };
//! let section = Section::new("served", "Served", "mean of 10 seeds", Body::Curves(curves));
//! let page = Page::new("metadata", head, Foot::new("tenbin run meta.toml")).with(section);
//! assert!(page::text(&page).starts_with("The server serves 8 400 op/s at 64 clients.\n"));
//! ```
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod fleet;
mod foot;
mod head;
mod kind;
mod section;
pub mod spans;
pub mod terminal;
pub mod text;
#[cfg(test)]
mod typescript;
pub mod words;
pub use fleet::*;
pub use foot::*;
pub use head::*;
pub use kind::*;
pub use section::*;
pub use spans::{Sentence, Span, Style, key, plain, say, strong};
pub use text::text;

use serde::{Deserialize, Serialize};

/// One page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Page {
    /// Version of the JSON format: 2.
    pub version: u32,
    /// Name of the system: "ppmds", "mapreduce". The UI draws all alike.
    pub screen: String,
    /// Verdict and related parts.
    pub head: Head,
    /// Charts and tables in order.
    pub sections: Vec<Section>,
    /// Pages that a click opens.
    pub drill: Vec<Below>,
    /// Provenance.
    pub foot: Foot,
    /// Data for pages of racks, nodes and operations, which the UI builds on demand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fleet: Option<Fleet>,
}

/// A page below the first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Below {
    /// Its address: "node/dn-03".
    pub path: String,
    /// Last part of the breadcrumbs: "dn-03".
    pub crumb: String,
    /// Label in the navigation of every page, for lists ("Nodes"); `None`: only links from sections
    /// lead here.
    pub link: Option<String>,
    /// Size of the node or job, in short phrases.
    pub facts: Vec<Vec<Span>>,
    /// The verdict of the page.
    pub sentence: Vec<Span>,
    /// Pictures and tables.
    pub sections: Vec<Section>,
}

impl Page {
    /// A page without sections.
    pub fn new(screen: &str, head: Head, foot: Foot) -> Page {
        let (sections, drill) = (Vec::new(), Vec::new());
        Page { version: 2, screen: screen.into(), head, sections, drill, foot, fleet: None }
    }

    /// Adds a section.
    pub fn with(mut self, section: Section) -> Page {
        self.sections.push(section);
        self
    }

    /// Adds data for pages of racks, nodes and operations.
    pub fn fleet(mut self, fleet: Fleet) -> Page {
        self.fleet = Some(fleet);
        self
    }

    /// Adds a page below.
    pub fn below(mut self, below: Below) -> Page {
        self.drill.push(below);
        self
    }
}

impl Below {
    /// A page without sections.
    pub fn new(path: impl Into<String>, crumb: impl Into<String>, sentence: Sentence) -> Below {
        Below {
            path: path.into(),
            crumb: crumb.into(),
            link: None,
            facts: Vec::new(),
            sentence: sentence.done(),
            sections: Vec::new(),
        }
    }

    /// Adds a section.
    pub fn with(mut self, section: Section) -> Below {
        self.sections.push(section);
        self
    }
}
