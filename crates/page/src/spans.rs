//! Sentences made of styled spans.
use serde::{Deserialize, Serialize};

/// Style of a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// The main point.
    Strong,
    /// A setting's real name.
    Key,
    /// Text to type.
    Code,
    /// The one number of the verdict.
    Number,
    /// Grey: secondary.
    Dim,
}

/// A span of a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Span {
    /// Text.
    pub t: String,
    /// Style; `None`: plain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub s: Option<Style>,
    /// Page below that a click opens.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional))]
    pub open: Option<String>,
}

/// Builder of a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentence(Vec<Span>);

impl Sentence {
    /// An empty sentence.
    pub fn new() -> Sentence {
        Sentence::default()
    }

    fn push(mut self, text: impl Into<String>, style: Option<Style>) -> Sentence {
        let text = text.into();
        match self.0.last_mut() {
            Some(last) if last.s == style && last.open.is_none() => last.t.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.0.push(Span { t: text, s: style, open: None }),
        }
        self
    }

    /// Adds plain words.
    pub fn say(self, text: impl Into<String>) -> Sentence {
        self.push(text, None)
    }

    /// Adds the main point.
    pub fn strong(self, text: impl Into<String>) -> Sentence {
        self.push(text, Some(Style::Strong))
    }

    /// Adds a setting's real name.
    pub fn key(self, text: impl Into<String>) -> Sentence {
        self.push(text, Some(Style::Key))
    }

    /// Adds text to type.
    pub fn code(self, text: impl Into<String>) -> Sentence {
        self.push(text, Some(Style::Code))
    }

    /// Adds the one number of the verdict.
    pub fn number(self, text: impl Into<String>) -> Sentence {
        self.push(text, Some(Style::Number))
    }

    /// Adds secondary text in grey.
    pub fn dim(self, text: impl Into<String>) -> Sentence {
        self.push(text, Some(Style::Dim))
    }

    /// Adds words that open a page below.
    pub fn link(mut self, text: impl Into<String>, open: impl Into<String>) -> Sentence {
        self.0.push(Span { t: text.into(), s: None, open: Some(open.into()) });
        self
    }

    /// Adds a sentence after a space.
    pub fn then(mut self, other: Sentence) -> Sentence {
        if !self.0.is_empty() && !other.0.is_empty() {
            self = self.say(" ");
        }
        for span in other.0 {
            match span.open {
                Some(_) => self.0.push(span),
                None => self = self.push(span.t, span.s),
            }
        }
        self
    }

    /// Whether it has no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The spans.
    pub fn done(self) -> Vec<Span> {
        self.0
    }
}

/// The text without styles.
pub fn plain(spans: &[Span]) -> String {
    spans.iter().map(|span| span.t.as_str()).collect()
}

/// Begins a sentence with plain words.
pub fn say(text: impl Into<String>) -> Sentence {
    Sentence::new().say(text)
}

/// Begins a sentence with its main point.
pub fn strong(text: impl Into<String>) -> Sentence {
    Sentence::new().strong(text)
}

/// Begins a sentence with a setting's real name.
pub fn key(text: impl Into<String>) -> Sentence {
    Sentence::new().key(text)
}

impl From<Sentence> for Vec<Span> {
    fn from(sentence: Sentence) -> Vec<Span> {
        sentence.done()
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Sentence {
        say(text)
    }
}
