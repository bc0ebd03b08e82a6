//! A node that has much to fetch gets no remote maps and no reduces.
use super::{Candidate, Report, Rule, Thresholds};

pub struct PotentialReception;

impl Rule for PotentialReception {
    fn name(&self) -> &'static str {
        "potential-reception"
    }

    fn doc(&self) -> &'static str {
        "A node that has much to fetch gets no remote maps and no reduces.\n\n# What it decides\nA \
         node whose reduces fetch more than `policy.potential_reception_threshold` bytes now is \
         given data-local maps only; with `policy.potential_reception = \"outstanding\"` bytes not \
         yet fetched count, and reduces alone are withheld.\n\n# When it helps\nOne node would get \
         the reduces of several jobs whose maps end together.\n\n# What it costs\nWith many \
         reduces each fetch is small, and the rule never fires.\n\n# Reference\nWatanabe 2014, \
         Potential Reception; the paper has both definitions."
    }

    fn key(&self) -> &'static str {
        "policy.potential_reception_threshold"
    }

    fn withholds(&self, report: &Report, task: &Candidate, limits: &Thresholds) -> bool {
        match limits.outstanding {
            true => !task.map && report.outstanding > limits.reception,
            false => !(task.map && task.local) && report.fetching > limits.reception,
        }
    }
}
