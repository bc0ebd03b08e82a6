//! How a key can be changed, and which values to try.
use crate::Values;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Not adjustable (hardware, load, model): another value is a what-if, not a proposal.
    Question,
    /// A setting of the real system.
    Setting {
        /// When it takes effect: "with the next job", "after a restart of the SCM".
        when: &'static str,
        /// Cost that no metric shows: "acknowledges what two nodes hold"; or empty.
        costs: &'static str,
    },
    /// Bought per unit, such as servers.
    Bought,
    /// A policy without an implementation for the real system.
    Research,
}

impl Change {
    /// A setting without other costs.
    pub const fn setting(when: &'static str) -> Change {
        Change::Setting { when, costs: "" }
    }

    /// True if it has a cost that no metric shows.
    pub fn costs(self) -> bool {
        matches!(self, Change::Setting { costs, .. } if !costs.is_empty())
    }

    pub fn is_possible(self) -> bool {
        matches!(self, Change::Setting { .. } | Change::Bought)
    }
}

/// Change of a key: always the same, or by its old and new value.
#[derive(Clone, Copy, Debug)]
pub enum ChangeRule {
    This(Change),
    /// Arguments: old value, new value.
    By(fn(&str, &str) -> Change),
}

impl ChangeRule {
    pub fn of(self, from: &str, to: &str) -> Change {
        match self {
            ChangeRule::This(change) => change,
            ChangeRule::By(rule) => rule(from, to),
        }
    }
}

/// Values to try of a key.
#[derive(Clone, Copy, Debug)]
pub enum TrialValues {
    /// Half and double of a number, or all other choices.
    ByKind,
    These(&'static [&'static str]),
    /// Computed from the other keys and the present value.
    By(fn(&Values, &str) -> Vec<String>),
}

/// A key whose other values are tried in every run, even if no time is charged to it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Substrings of the names of causes that another value may reduce: the larger their part of
    /// the wait, the earlier it is tried.
    pub relieves: &'static [&'static str],
    /// Other settings that it needs to take effect.
    pub with: &'static [(&'static str, &'static str)],
    /// False: another value makes no difference in this scenario.
    pub applies: fn(&Values) -> bool,
}

impl Candidate {
    pub const fn relieves(relieves: &'static [&'static str]) -> Candidate {
        Candidate { relieves, with: &[], applies: |_| true }
    }

    pub const fn with(self, with: &'static [(&'static str, &'static str)]) -> Candidate {
        Candidate { with, ..self }
    }

    pub const fn applies(self, applies: fn(&Values) -> bool) -> Candidate {
        Candidate { applies, ..self }
    }
}
