//! A section of a page: a title, and one chart, table or note.
mod balance;
mod claims;
mod curves;
mod gantt;
mod heat;
mod latency;
mod list;
mod matrix;
mod path;
mod scatter;
mod shares;
mod table;
mod threads;
mod trade;
pub use balance::*;
pub use claims::*;
pub use curves::*;
pub use gantt::*;
pub use heat::*;
pub use latency::*;
pub use list::*;
pub use matrix::*;
pub use path::*;
pub use scatter::*;
pub use shares::*;
pub use table::*;
pub use threads::*;
pub use trade::*;

use crate::spans::{Sentence, Span};
use serde::{Deserialize, Serialize};

/// Fraction of the page's width. Neighbours whose widths add up to a row are next to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// 4 of 12 columns.
    Third,
    /// 5 of 12 columns, next to [`Width::Larger`].
    Smaller,
    /// 6 of 12 columns.
    Half,
    /// 7 of 12 columns.
    Larger,
    /// 8 of 12 columns.
    Most,
    /// All 12 columns.
    Full,
}

/// Content of a section.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Body {
    /// Lines over one axis; several panels are small multiples.
    Curves(Curves),
    /// One bar per cause.
    Shares(Shares),
    /// Consecutive steps that wait for each other.
    Path(Path),
    /// Rows of cells with lightness for the amount.
    Heat(Heat),
    /// Rows of bars over time.
    Gantt(Gantt),
    /// One dot per node.
    Balance(Balance),
    /// Distributions of latency.
    Latency(Latency),
    /// Measured or simulated values compared with a paper's.
    Scatter(Scatter),
    /// Gain and cost of many settings.
    Trade(Trade),
    /// Time of the run's own threads.
    Threads(Threads),
    /// Rows and columns.
    Table(Table),
    /// A long list, sorted and filtered.
    List(List),
    /// Leaders and followers.
    Matrix(Matrix),
    /// Claims of a paper with verdicts.
    Claims(Claims),
    /// Only the text of [`Section::note`].
    Note,
}

/// Why a section is empty, and how to fill it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Empty {
    /// "No node curves given."
    pub why: String,
    /// "Add `--curves`."
    pub fill: String,
}

/// One section.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Section {
    /// Name in addresses, unique in a page: "throughput".
    pub id: String,
    /// "Blocks at risk".
    pub title: String,
    /// In grey after it: "since declared dead; median of 10 seeds".
    pub qualifier: String,
    /// Doubtful or reduced data: "200 hottest of 4 800 shown".
    pub tags: Vec<String>,
    /// Width of the section.
    pub width: Width,
    /// Width on a wide page; `None`: derived from the neighbours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub wide: Option<Width>,
    /// Replaces the content.
    pub empty: Option<Empty>,
    /// Text below the content.
    pub note: Vec<Span>,
    /// The content.
    #[serde(flatten)]
    pub body: Body,
}

impl Section {
    /// A section of full width.
    pub fn new(id: &str, title: &str, qualifier: impl Into<String>, body: Body) -> Section {
        Section {
            id: id.into(),
            title: title.into(),
            qualifier: qualifier.into(),
            tags: Vec::new(),
            width: Width::Full,
            wide: None,
            empty: None,
            note: Vec::new(),
            body,
        }
    }

    /// A section of text only.
    pub fn words(id: &str, title: &str, note: impl Into<Sentence>) -> Section {
        Section::new(id, title, "", Body::Note).note(note)
    }

    /// Sets the width.
    pub fn width(mut self, width: Width) -> Section {
        self.width = width;
        self
    }

    /// Sets the width on a wide page.
    pub fn wide(mut self, width: Width) -> Section {
        self.wide = Some(width);
        self
    }

    /// Sets the text below the content.
    pub fn note(mut self, note: impl Into<Sentence>) -> Section {
        self.note = note.into().done();
        self
    }

    /// Adds a mark for doubtful or reduced data.
    pub fn tag(mut self, tag: impl Into<String>) -> Section {
        self.tags.push(tag.into());
        self
    }

    /// Marks the section as empty.
    pub fn empty(mut self, why: impl Into<String>, fill: impl Into<String>) -> Section {
        self.empty = Some(Empty { why: why.into(), fill: fill.into() });
        self
    }
}
