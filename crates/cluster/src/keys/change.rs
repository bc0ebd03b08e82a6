//! What it takes to give a key another value, and which other values are worth a try.
use crate::Values;

/// What it takes to give a key another value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nobody sets it: hardware, the load, the model. Another value is a question, no proposal.
    Question,
    /// The real system has it.
    Setting {
        /// When it takes effect: "with the next job", "after a restart of the SCM".
        when: &'static str,
        /// What it costs beside what is measured: "acknowledges what two nodes hold"; or nothing.
        costs: &'static str,
    },
    /// It is bought, by the piece: servers.
    Bought,
    /// A rule for which the real system has no code that anybody could install.
    Research,
}

impl Change {
    /// A setting that costs nothing besides.
    pub const fn setting(when: &'static str) -> Change {
        Change::Setting { when, costs: "" }
    }

    /// Whether it costs something that is not measured.
    pub fn costs(self) -> bool {
        matches!(self, Change::Setting { costs, .. } if !costs.is_empty())
    }

    pub fn is_possible(self) -> bool {
        matches!(self, Change::Setting { .. } | Change::Bought)
    }
}

/// What a key's change takes: always the same, or by its values, from one to another.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    This(Change),
    /// By the present value and the other.
    By(fn(&str, &str) -> Change),
}

impl Takes {
    /// From one value to another.
    pub fn of(self, from: &str, to: &str) -> Change {
        match self {
            Takes::This(change) => change,
            Takes::By(rule) => rule(from, to),
        }
    }
}

/// Which other values of a key are tried.
#[derive(Clone, Copy, Debug)]
pub enum Tries {
    /// Half and double of a number, the other choices.
    ByKind,
    These(&'static [&'static str]),
    /// As the rule makes them of the present one and of the other keys.
    By(fn(&Values, &str) -> Vec<String>),
}

/// A key whose other values are tried in every run, whether time is charged to it or not.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Parts of the names of what another value may relieve: the more of the wait these hold, the
    /// sooner it is tried.
    pub relieves: &'static [&'static str],
    /// What has to be set with it, so that it takes effect.
    pub with: &'static [(&'static str, &'static str)],
    /// Whether it can make a difference in this scenario.
    pub applies: fn(&Values) -> bool,
}

impl Candidate {
    pub const fn relieves(relieves: &'static [&'static str]) -> Candidate {
        Candidate { relieves, with: &[], applies: |_| true }
    }

    /// The same, set together with others.
    pub const fn with(self, with: &'static [(&'static str, &'static str)]) -> Candidate {
        Candidate { with, ..self }
    }

    /// The same, only where it can make a difference.
    pub const fn applies(self, applies: fn(&Values) -> bool) -> Candidate {
        Candidate { applies, ..self }
    }
}
