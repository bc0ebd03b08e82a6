//! The part above the sections: the verdict, and labels common to all pages.
use crate::kind::{Kind, Unit};
use crate::spans::{Sentence, Span};
use serde::{Deserialize, Serialize};

/// The part above the sections. [`Head::new`] sets what every page has.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Head {
    /// "shop / node lost / dn-r2-05".
    pub crumbs: Vec<String>,
    /// Doubtful or reduced data of the whole page.
    pub tags: Vec<String>,
    /// Size of the scenario, in short phrases.
    pub facts: Vec<Vec<Span>>,
    /// One sentence with one number.
    pub verdict: Vec<Span>,
    /// Range, and facts that the verdict leaves out.
    pub sub: Vec<Span>,
    /// Bottlenecks, largest first.
    pub held_up: Vec<Holder>,
    /// The recommended change; `None` if none helps.
    pub r#do: Option<Do>,
    /// Changes that do not help enough, with reasons.
    pub not_enough: Vec<Span>,
    /// Certainty of the verdict.
    pub certainty: Certainty,
    /// Inputs that no file states.
    pub assumed: Assumed,
}

/// A line of *Held up by*.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Holder {
    /// Hue of the swatch before the line; `None`: evidence for the line above.
    pub kind: Option<Kind>,
    /// "80 % network.startup = 32us".
    pub text: Vec<Span>,
    /// Origin of evidence: "clockSplits", "counters".
    pub source: Option<String>,
}

/// *Do*.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Do {
    /// The change and its gain.
    pub point: Vec<Span>,
    /// Effort, price and certainty.
    pub more: Vec<Span>,
    /// Command to copy.
    pub command: Option<String>,
}

/// Degree of certainty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// From a model.
    Low,
    /// From two independent pieces of evidence.
    Medium,
    /// From a logged duration.
    High,
}

impl Level {
    /// The level as text: "low".
    pub fn word(self) -> &'static str {
        match self {
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
        }
    }
}

/// Degree of certainty with its reason.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Certainty {
    /// The degree.
    pub level: Level,
    /// Its reason.
    pub reason: Vec<Span>,
}

/// An assumed input, with the page's metric at half and double of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AssumedRow {
    /// "Disk".
    pub name: String,
    /// "150 MB/s × 12".
    pub value: String,
    /// `hardware.disk`.
    pub key: String,
    /// The metric at half the value; `None`: not run, or a run did not end.
    pub half: Option<f64>,
    /// The metric as assumed.
    pub now: f64,
    /// The metric at double the value; `None` as for `half`.
    pub double: Option<f64>,
}

/// All assumed inputs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Assumed {
    /// Unit of `half`, `now` and `double`.
    pub unit: Unit,
    /// What `half`, `now` and `double` are: "Recovery"; "" for the page's metric.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub name: String,
    /// Text for a missing value: "not redundant"; "" for "unknown".
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub never: String,
    /// One row per key.
    pub rows: Vec<AssumedRow>,
    /// Explains the rows.
    pub note: Vec<Span>,
}

impl Head {
    /// A head with the required parts only.
    pub fn new<S: Into<String>>(
        crumbs: impl IntoIterator<Item = S>,
        verdict: Sentence,
        certainty: Certainty,
    ) -> Head {
        Head {
            crumbs: crumbs.into_iter().map(Into::into).collect(),
            tags: Vec::new(),
            facts: Vec::new(),
            verdict: verdict.done(),
            sub: Vec::new(),
            held_up: Vec::new(),
            r#do: None,
            not_enough: Vec::new(),
            certainty,
            assumed: Assumed::default(),
        }
    }

    /// Adds a fact to the context line.
    pub fn fact(mut self, fact: impl Into<Sentence>) -> Head {
        self.facts.push(fact.into().done());
        self
    }

    /// Sets the line below the verdict.
    pub fn subline(mut self, sub: impl Into<Sentence>) -> Head {
        self.sub = sub.into().done();
        self
    }

    /// Adds a bottleneck with its hue.
    pub fn held_up(mut self, kind: Kind, text: impl Into<Sentence>) -> Head {
        let text = text.into().done();
        self.held_up.push(Holder { kind: Some(kind), text, source: None });
        self
    }

    /// Adds evidence for the last bottleneck, with its origin.
    pub fn clue(mut self, text: impl Into<Sentence>, source: Option<&str>) -> Head {
        let text = text.into().done();
        self.held_up.push(Holder { kind: None, text, source: source.map(String::from) });
        self
    }

    /// Sets *Do*: the change, its further effects, and its command.
    pub fn doing(
        mut self,
        point: impl Into<Sentence>,
        more: impl Into<Sentence>,
        command: Option<&str>,
    ) -> Head {
        self.r#do = Some(Do {
            point: point.into().done(),
            more: more.into().done(),
            command: command.map(String::from),
        });
        self
    }

    /// Sets the changes that do not help enough.
    pub fn not_enough(mut self, text: impl Into<Sentence>) -> Head {
        self.not_enough = text.into().done();
        self
    }

    /// Sets the assumed inputs; `unit` is that of the page's metric.
    pub fn assumed(mut self, unit: &str, note: impl Into<Sentence>, rows: Vec<AssumedRow>) -> Head {
        self.assumed =
            Assumed { unit: unit.into(), rows, note: note.into().done(), ..Assumed::default() };
        self
    }

    /// Adds a mark for doubtful or reduced data of the whole page.
    pub fn tag(mut self, tag: impl Into<String>) -> Head {
        self.tags.push(tag.into());
        self
    }
}

impl Certainty {
    /// From a model.
    pub fn low(reason: impl Into<Sentence>) -> Certainty {
        Certainty { level: Level::Low, reason: reason.into().done() }
    }

    /// From two independent pieces of evidence.
    pub fn medium(reason: impl Into<Sentence>) -> Certainty {
        Certainty { level: Level::Medium, reason: reason.into().done() }
    }

    /// From a logged duration.
    pub fn high(reason: impl Into<Sentence>) -> Certainty {
        Certainty { level: Level::High, reason: reason.into().done() }
    }
}
