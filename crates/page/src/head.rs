//! What stands above the pictures: the verdict, and always the same labels.
use crate::kind::{Kind, Unit};
use crate::spans::{Sentence, Span};
use serde::{Deserialize, Serialize};

/// Above the pictures. `Head::new` has the three things that no page lacks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Head {
    /// "shop / node lost / dn-r2-05".
    pub crumbs: Vec<String>,
    /// Doubtful or reduced data of the whole page.
    pub tags: Vec<String>,
    /// Who, how many.
    pub facts: Vec<Vec<Span>>,
    /// One sentence with one number.
    pub verdict: Vec<Span>,
    /// Range, and what the verdict does not contain.
    pub sub: Vec<Span>,
    /// What held it up, the most first.
    pub held_up: Vec<Holder>,
    /// What to do, if anything helps.
    pub r#do: Option<Do>,
    /// What does not help enough, and why.
    pub not_enough: Vec<Span>,
    /// How sure.
    pub certainty: Certainty,
    /// What no input says.
    pub assumed: Assumed,
}

/// A line of *Held up by*.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Holder {
    /// Its hue, as a swatch before the line; `None`: a clue to the line above.
    pub kind: Option<Kind>,
    /// "80 % network.startup = 32us".
    pub text: Vec<Span>,
    /// Where that stands: "clockSplits", "counters".
    pub source: Option<String>,
}

/// *Do*.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Do {
    /// What, and what it brings.
    pub point: Vec<Span>,
    /// What else changes.
    pub more: Vec<Span>,
    /// To be copied.
    pub command: Option<String>,
}

/// How sure one can be; nothing else is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A model.
    Low,
    /// Two independent clues.
    Medium,
    /// A logged duration.
    High,
}

impl Level {
    /// "low".
    pub fn word(self) -> &'static str {
        match self {
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
        }
    }
}

/// How sure, and why.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Certainty {
    /// How sure.
    pub level: Level,
    /// Why.
    pub reason: Vec<Span>,
}

/// One assumed input, and what the page's metric is at half and double of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AssumedRow {
    /// "Disk".
    pub name: String,
    /// "150 MB/s × 12".
    pub value: String,
    /// `hardware.disk`.
    pub key: String,
    /// The metric at half the value; `None`: not run, or it does not come to its end.
    pub half: Option<f64>,
    /// The metric as assumed.
    pub now: f64,
    /// The metric at double the value; likewise.
    pub double: Option<f64>,
}

/// All assumed inputs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Assumed {
    /// Unit of `half`, `now` and `double`.
    pub unit: Unit,
    /// What `half`, `now` and `double` are: "Recovery"; "" for the result.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub name: String,
    /// What a missing one is: "not redundant"; "" for not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub never: String,
    /// One a key.
    pub rows: Vec<AssumedRow>,
    /// What is shown, and what follows.
    pub note: Vec<Span>,
}

impl Head {
    /// A head that says so much, and nothing more yet.
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

    /// One more fact of the context line.
    pub fn fact(mut self, fact: impl Into<Sentence>) -> Head {
        self.facts.push(fact.into().done());
        self
    }

    /// Below the verdict.
    pub fn subline(mut self, sub: impl Into<Sentence>) -> Head {
        self.sub = sub.into().done();
        self
    }

    /// One more holder, with its hue.
    pub fn held_up(mut self, kind: Kind, text: impl Into<Sentence>) -> Head {
        let text = text.into().done();
        self.held_up.push(Holder { kind: Some(kind), text, source: None });
        self
    }

    /// A clue to the last holder, and where it stands.
    pub fn clue(mut self, text: impl Into<Sentence>, source: Option<&str>) -> Head {
        let text = text.into().done();
        self.held_up.push(Holder { kind: None, text, source: source.map(String::from) });
        self
    }

    /// What to do, what else that changes, and the command that does it.
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

    /// What does not help enough.
    pub fn not_enough(mut self, text: impl Into<Sentence>) -> Head {
        self.not_enough = text.into().done();
        self
    }

    /// What no input says, in the unit of the page's metric.
    pub fn assumed(mut self, unit: &str, note: impl Into<Sentence>, rows: Vec<AssumedRow>) -> Head {
        self.assumed =
            Assumed { unit: unit.into(), rows, note: note.into().done(), ..Assumed::default() };
        self
    }

    /// Doubtful or reduced data of the whole page.
    pub fn tag(mut self, tag: impl Into<String>) -> Head {
        self.tags.push(tag.into());
        self
    }
}

impl Certainty {
    /// A model says it.
    pub fn low(reason: impl Into<Sentence>) -> Certainty {
        Certainty { level: Level::Low, reason: reason.into().done() }
    }

    /// Two independent clues say it.
    pub fn medium(reason: impl Into<Sentence>) -> Certainty {
        Certainty { level: Level::Medium, reason: reason.into().done() }
    }

    /// A logged duration says it.
    pub fn high(reason: impl Into<Sentence>) -> Certainty {
        Certainty { level: Level::High, reason: reason.into().done() }
    }
}
