//! Tables of all scenario keys: the source of validation, `tenbin check`, suggestions and
//! `docs/scenario.md`. A [`Vocabulary`] lists the shared and own tables of a system.
mod change;
mod kind;
pub mod shared;
mod vocabulary;
use crate::{Defaults, Values};
pub use change::{Candidate, Change, ChangeRule, TrialValues};
pub use kind::{Kind, TypedValue, ValueError};
pub use vocabulary::{SITES, Vocabulary, of_event};

/// Computes the default of a key; `None`: no value.
pub type Rule = fn(&Values, &Defaults) -> Option<String>;

#[derive(Clone, Copy, Debug)]
pub enum KeyDefault {
    /// An error, in clusters that need it.
    Required,
    /// No value: the key enables a feature.
    Nothing,
    /// Documented; [`Origin::Default`](crate::Origin).
    Default(&'static str),
    /// Documented; the rule can replace it.
    DefaultBy(&'static str, Rule),
    /// A guess that matters; [`Origin::Assumed`](crate::Origin).
    Assumed(&'static str),
    /// A guess; if the rule computes a value from other keys, that is a default.
    AssumedBy(&'static str, Rule),
    /// Computed from other keys; the text describes the rule.
    Derived(&'static str, Rule),
}

#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Table, dot, name: `hardware.disk`, `network.startup`.
    pub name: &'static str,
    pub kind: Kind,
    pub absent: KeyDefault,
    /// Name of a value in a comparison's row, `{}`: the value; empty: the key's last part and the
    /// value.
    pub row: &'static str,
    pub doc: &'static str,
    /// Origin of its meaning or default.
    pub source: &'static str,
    pub takes: ChangeRule,
    /// Values to try if the key limits a run.
    pub tries: TrialValues,
    /// `Some`: other values are tried in every run.
    pub candidate: Option<Candidate>,
}

impl Key {
    /// A key that nothing adjusts, without row name and source.
    pub const fn new(name: &'static str, kind: Kind, absent: KeyDefault, doc: &'static str) -> Key {
        let (takes, tries) = (ChangeRule::This(Change::Question), TrialValues::ByKind);
        Key { name, kind, absent, row: "", doc, source: "", takes, tries, candidate: None }
    }

    /// Names a row, such as "{} servers".
    pub const fn row(self, row: &'static str) -> Key {
        Key { row, ..self }
    }

    pub const fn source(self, source: &'static str) -> Key {
        Key { source, ..self }
    }

    /// Marks it as a setting of the real system; `when` it takes effect.
    pub const fn setting(self, when: &'static str) -> Key {
        Key { takes: ChangeRule::This(Change::setting(when)), ..self }
    }

    pub const fn bought(self) -> Key {
        Key { takes: ChangeRule::This(Change::Bought), ..self }
    }

    pub const fn takes(self, rule: fn(&str, &str) -> Change) -> Key {
        Key { takes: ChangeRule::By(rule), ..self }
    }

    pub const fn tries(self, values: &'static [&'static str]) -> Key {
        Key { tries: TrialValues::These(values), ..self }
    }

    /// `rule` computes the values to try from the other keys and the present value.
    pub const fn tries_by(self, rule: fn(&Values, &str) -> Vec<String>) -> Key {
        Key { tries: TrialValues::By(rule), ..self }
    }

    pub const fn candidate(self, candidate: Candidate) -> Key {
        Key { candidate: Some(candidate), ..self }
    }
}
