//! Every key of a scenario, in tables: validation, `tenbin check`, suggestions and
//! `docs/scenario.md` all come from them. Some tables are shared, the others are a system's own;
//! a [`Vocabulary`] says which a system reads.
mod change;
mod kind;
pub mod shared;
mod vocabulary;
use crate::{Defaults, Values};
pub use change::{Candidate, Change, Takes, Tries};
pub use kind::{Kind, Typed, Wrong};
pub use vocabulary::{SITES, Vocabulary, of_event};

/// Computes the text of a value that no input says; `None`: it has none.
pub type Rule = fn(&Values, &Defaults) -> Option<String>;

/// What a key is when no input says it.
#[derive(Clone, Copy, Debug)]
pub enum Absent {
    /// An error (in the clusters that need it).
    Required,
    /// Nothing: the key switches something on.
    Nothing,
    /// A documented default; [`Origin::Default`](crate::Origin).
    Default(&'static str),
    /// A documented default, in whose place the rule may say another.
    DefaultBy(&'static str, Rule),
    /// A guess that matters; [`Origin::Assumed`](crate::Origin).
    Assumed(&'static str),
    /// The same, unless the rule computes it from other keys: then it is a default.
    AssumedBy(&'static str, Rule),
    /// Follows from other keys, as this says and the rule computes.
    Derived(&'static str, Rule),
}

/// A key of a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Table, dot, name: `hardware.disk`, `network.startup`.
    pub name: &'static str,
    pub kind: Kind,
    /// What it is when no input says it.
    pub absent: Absent,
    /// How a comparison's row names a value, `{}`; empty: the key's last part and the value.
    pub row: &'static str,
    pub doc: &'static str,
    /// Where its meaning or default is from.
    pub source: &'static str,
    pub takes: Takes,
    /// Which other values are tried where it holds a run up.
    pub tries: Tries,
    /// Where they are tried in every run.
    pub candidate: Option<Candidate>,
}

impl Key {
    /// A key without a row's name or a source, that nobody sets.
    pub const fn new(name: &'static str, kind: Kind, absent: Absent, doc: &'static str) -> Key {
        let (takes, tries) = (Takes::This(Change::Question), Tries::ByKind);
        Key { name, kind, absent, row: "", doc, source: "", takes, tries, candidate: None }
    }

    /// The same key, whose values a comparison's row names like this: "{} servers".
    pub const fn row(self, row: &'static str) -> Key {
        Key { row, ..self }
    }

    /// The same key, whose meaning or default is from there.
    pub const fn source(self, source: &'static str) -> Key {
        Key { source, ..self }
    }

    /// The same key, which is a setting of the real system that takes effect then.
    pub const fn setting(self, when: &'static str) -> Key {
        Key { takes: Takes::This(Change::setting(when)), ..self }
    }

    /// The same key, of which more are bought.
    pub const fn bought(self) -> Key {
        Key { takes: Takes::This(Change::Bought), ..self }
    }

    /// The same key, whose change takes what the rule says.
    pub const fn takes(self, rule: fn(&str, &str) -> Change) -> Key {
        Key { takes: Takes::By(rule), ..self }
    }

    /// The same key, of which these values are tried.
    pub const fn tries(self, values: &'static [&'static str]) -> Key {
        Key { tries: Tries::These(values), ..self }
    }

    /// The same key; the rule makes the values to try of the present one and the other keys.
    pub const fn tried_by(self, rule: fn(&Values, &str) -> Vec<String>) -> Key {
        Key { tries: Tries::By(rule), ..self }
    }

    /// The same key, whose other values are tried in every run.
    pub const fn candidate(self, candidate: Candidate) -> Key {
        Key { candidate: Some(candidate), ..self }
    }
}
