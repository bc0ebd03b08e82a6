//! A page as blocks, for any system: a verdict above, pictures and tables below. All sentences and
//! numbers are made in Rust, so that the screen, the terminal and the JSON agree; each kind of
//! section is drawn by one part of `ui/src/blocks/`.
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
#![warn(missing_docs)]
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
    /// 2.
    pub version: u32,
    /// Whose it is: "ppmds", "mapreduce". All are drawn alike.
    pub screen: String,
    /// Verdict and what belongs to it.
    pub head: Head,
    /// Pictures and tables, in their order.
    pub sections: Vec<Section>,
    /// Pages that a click opens.
    pub drill: Vec<Below>,
    /// Provenance.
    pub foot: Foot,
    /// What the pages of racks, nodes and operations are made of when they are opened.
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
    /// Where one is: "dn-03".
    pub crumb: String,
    /// Named in the line on top of every page, as is fit for lists ("Nodes"); `None`: only what
    /// opens it leads to it.
    pub link: Option<String>,
    /// Who, how many.
    pub facts: Vec<Vec<Span>>,
    /// What the page says.
    pub sentence: Vec<Span>,
    /// Pictures and tables.
    pub sections: Vec<Section>,
}

impl Page {
    /// A page without pictures yet.
    pub fn new(screen: &str, head: Head, foot: Foot) -> Page {
        let (sections, drill) = (Vec::new(), Vec::new());
        Page { version: 2, screen: screen.into(), head, sections, drill, foot, fleet: None }
    }

    /// One more section.
    pub fn with(mut self, section: Section) -> Page {
        self.sections.push(section);
        self
    }

    /// With the pages of racks, nodes and operations.
    pub fn fleet(mut self, fleet: Fleet) -> Page {
        self.fleet = Some(fleet);
        self
    }

    /// One more page below.
    pub fn below(mut self, below: Below) -> Page {
        self.drill.push(below);
        self
    }
}

impl Below {
    /// A page at an address.
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

    /// One more section.
    pub fn with(mut self, section: Section) -> Below {
        self.sections.push(section);
        self
    }
}
