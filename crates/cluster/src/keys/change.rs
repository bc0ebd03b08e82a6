//! What it takes to give a key another value, and which other values are worth a try.

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

    /// Whether it can be done.
    pub fn is_possible(self) -> bool {
        matches!(self, Change::Setting { .. } | Change::Bought)
    }
}

/// What a key's change takes: always the same, or by its values, from one to another.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Whatever the values.
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

/// Which other values are tried where the key holds a run up.
#[derive(Clone, Copy, Debug)]
pub enum Tries {
    /// Half and double of a number, the other choices.
    ByKind,
    /// These.
    These(&'static [&'static str]),
    /// As the rule makes them of the present one.
    By(fn(&str) -> Vec<String>),
}
