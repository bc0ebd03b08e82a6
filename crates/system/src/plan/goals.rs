//! What a plan should reach.
use trace::Better;

/// What is to be as short, or as much, as can be, and what limits it has to keep.
#[derive(Clone, PartialEq, Debug)]
pub struct Goals {
    pub objective: String,
    pub better: Better,
    pub limits: Vec<Limit>,
    /// What is best is asked for, not the knee.
    pub fastest: bool,
}

/// A metric that may not be more.
#[derive(Clone, PartialEq, Debug)]
pub struct Limit {
    pub metric: String,
    /// Its upper end may be this at most.
    pub most: f64,
    /// What is compared where nothing keeps the limit: the same metric, or what it is made of.
    pub measure: String,
}

impl Goals {
    /// As little of a metric as can be.
    pub fn less(objective: &str) -> Goals {
        let objective = objective.to_string();
        Goals { objective, better: Better::Less, limits: Vec::new(), fastest: false }
    }

    /// As much of a metric as can be.
    pub fn more(objective: &str) -> Goals {
        Goals { better: Better::More, ..Goals::less(objective) }
    }

    /// The same, whatever it asks for.
    pub fn fastest(&self) -> Goals {
        Goals { limits: Vec::new(), fastest: true, ..self.clone() }
    }

    /// A limit of the objective itself: what keeps it is enough.
    pub fn deadline(&self) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.metric == self.objective)
    }

    /// A limit of something else, which weighs more than a deadline.
    pub fn guard(&self) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.metric != self.objective)
    }
}
