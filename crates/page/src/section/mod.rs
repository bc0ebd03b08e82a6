//! A section of a page: a title, and one picture, table or note.
mod balance;
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

/// How much of the page's width. The widths of neighbours add up to a row, or they stand below
/// each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// 4 of 12 columns.
    Third,
    /// 5 of 12 columns: beside [`Width::Larger`].
    Smaller,
    /// 6 of 12 columns.
    Half,
    /// 7 of 12 columns.
    Larger,
    /// 8 of 12 columns.
    Most,
    /// All.
    Full,
}

/// What a section shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Body {
    /// Lines over one axis; several panels are small multiples.
    Curves(Curves),
    /// A bar a cause.
    Shares(Shares),
    /// Steps that wait for each other, end to end.
    Path(Path),
    /// Rows of cells, their lightness says how much.
    Heat(Heat),
    /// Rows of bars over time.
    Gantt(Gantt),
    /// A dot a node.
    Balance(Balance),
    /// How many requests took how long.
    Latency(Latency),
    /// Measured against a document.
    Scatter(Scatter),
    /// What each of many settings gains, and what it costs.
    Trade(Trade),
    /// Where the time of the run's own threads went.
    Threads(Threads),
    /// Rows and columns.
    Table(Table),
    /// Very many rows: sorted and filtered.
    List(List),
    /// Who leads and who follows.
    Matrix(Matrix),
    /// Words alone: they stand in [`Section::note`].
    Note,
}

/// Why there is nothing to show, and what would fill it.
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
    /// Its name in addresses; one a page: "throughput".
    pub id: String,
    /// "Blocks at risk".
    pub title: String,
    /// In grey after it: "since declared dead; median of 10 seeds".
    pub qualifier: String,
    /// Doubtful or reduced data: "200 hottest of 4 800 shown".
    pub tags: Vec<String>,
    /// How wide.
    pub width: Width,
    /// How wide on a wide page, if not as the sections' neighbours ask for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub wide: Option<Width>,
    /// Stands in place of the picture.
    pub empty: Option<Empty>,
    /// Below the picture.
    pub note: Vec<Span>,
    /// The picture.
    #[serde(flatten)]
    pub body: Body,
}

impl Section {
    /// A section over the whole width.
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

    /// Words alone.
    pub fn words(id: &str, title: &str, note: impl Into<Sentence>) -> Section {
        Section::new(id, title, "", Body::Note).note(note)
    }

    /// So wide.
    pub fn width(mut self, width: Width) -> Section {
        self.width = width;
        self
    }

    /// So wide on a page that has room for more in a row.
    pub fn wide(mut self, width: Width) -> Section {
        self.wide = Some(width);
        self
    }

    /// Words below the picture.
    pub fn note(mut self, note: impl Into<Sentence>) -> Section {
        self.note = note.into().done();
        self
    }

    /// Doubtful or reduced data.
    pub fn tag(mut self, tag: impl Into<String>) -> Section {
        self.tags.push(tag.into());
        self
    }

    /// There is nothing to show.
    pub fn empty(mut self, why: impl Into<String>, fill: impl Into<String>) -> Section {
        self.empty = Some(Empty { why: why.into(), fill: fill.into() });
        self
    }
}
