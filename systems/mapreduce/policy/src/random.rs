//! Placebo for comparisons: withholds maps at random.
use super::{Candidate, Report, Rule, Thresholds};

pub struct Random;

impl Rule for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn doc(&self) -> &'static str {
        "The null rule: maps are withheld by chance.\n\n# What it decides\nAt each heartbeat a map \
         is withheld with the probability `policy.random_share`, whatever the node does.\n\n# When \
         it helps\nNever: a baseline. The gain of another rule beyond this one comes from that \
         rule's figures.\n\n# What it costs\nConcurrency.\n\n# Reference\nA placebo, for \
         comparisons."
    }

    fn key(&self) -> &'static str {
        "policy.random_share"
    }

    fn withholds(&self, _: &Report, task: &Candidate, limits: &Thresholds) -> bool {
        task.map && task.dice < limits.random
    }
}
