//! Goals of a plan.
use trace::Better;

#[derive(Clone, PartialEq, Debug)]
pub struct Goals {
    pub objective: String,
    pub better: Better,
    pub limits: Vec<Limit>,
    /// The fastest point is requested, not the knee.
    pub fastest: bool,
}

/// An upper limit of a metric.
#[derive(Clone, PartialEq, Debug)]
pub struct Limit {
    pub metric: String,
    /// Largest value for the upper end of the interval.
    pub most: f64,
    /// Metric for comparing points if no point keeps the limit: the same, or a part of it.
    pub measure: String,
}

impl Goals {
    pub fn less(objective: &str) -> Goals {
        let objective = objective.to_string();
        Goals { objective, better: Better::Less, limits: Vec::new(), fastest: false }
    }

    pub fn more(objective: &str) -> Goals {
        Goals { better: Better::More, ..Goals::less(objective) }
    }

    /// Without limits, for the fastest point.
    pub fn fastest(&self) -> Goals {
        Goals { limits: Vec::new(), fastest: true, ..self.clone() }
    }

    /// The limit of the objective; keeping it is enough.
    pub fn deadline(&self) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.metric == self.objective)
    }

    /// The limit of another metric; it has priority over the deadline.
    pub fn guard(&self) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.metric != self.objective)
    }
}
