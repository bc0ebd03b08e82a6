//! Phases of all clients, as mdtest counts them.
use crate::model::mdtest::Plan;
use std::collections::BTreeMap;
use units::Nanos;

/// From the first client's start to the last client's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done {
    pub operations: u64,
    pub from: Nanos,
    pub to: Nanos,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Phases(pub BTreeMap<u32, Done>);

impl Phases {
    /// Adds one client's part, or another thread's.
    pub fn add(&mut self, phase: u32, operations: u64, (from, to): (Nanos, Nanos)) {
        let new = Done { operations: 0, from, to };
        let done = self.0.entry(phase).or_insert(new);
        done.operations += operations;
        done.from = done.from.min(from);
        done.to = done.to.max(to)
    }

    pub fn include(&mut self, other: &Phases) {
        for (phase, Done { operations, from, to }) in &other.0 {
            self.add(*phase, *operations, (*from, *to))
        }
    }
}

/// A row of mdtest's SUMMARY over the iterations \[1/s\].
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    pub name: String,
    pub max: f64,
    pub min: f64,
    pub mean: f64,
    /// Population standard deviation, not the sample's.
    pub std_dev: f64,
}

impl Phases {
    /// In mdtest's order, with trees last. Items made after a stonewall count for the creation.
    pub fn summary(&self, plan: &Plan) -> Vec<Summary> {
        let mut all: BTreeMap<(String, u32), Done> = BTreeMap::new();
        let mut names: Vec<String> = Vec::new();
        let each = u32::try_from(plan.phases.len()).expect("few");
        for (number, done) in &self.0 {
            let name = plan.phase(*number).to_string();
            if !names.contains(&name) {
                names.push(name.clone())
            }
            let name_of_tree = name.starts_with("Tree");
            let sum = all.entry((name, number / each)).or_insert(Done { operations: 0, ..*done });
            // With -u mdtest still counts the directories of one tree.
            match name_of_tree {
                true => sum.operations = u64::from(plan.directories()),
                false => sum.operations += done.operations,
            }
            sum.from = sum.from.min(done.from);
            sum.to = sum.to.max(done.to)
        }
        names.sort_by_key(|name| name.starts_with("Tree"));
        let of = |name: String| {
            let mine = all.iter().filter(|((of, _), _)| *of == name);
            let rates: Vec<f64> = mine.map(|(_, done)| done.rate()).collect();
            let count = rates.len().max(1) as f64;
            let mean = rates.iter().sum::<f64>() / count;
            let square = |rate: &f64| (rate - mean) * (rate - mean);
            let std_dev = (rates.iter().map(square).sum::<f64>() / count).sqrt();
            let max = rates.iter().copied().fold(0.0, f64::max);
            let min = rates.iter().copied().fold(f64::INFINITY, f64::min);
            Summary { name, max, min, mean, std_dev }
        };
        names.into_iter().map(of).collect()
    }
}

impl Done {
    fn rate(&self) -> f64 {
        self.operations as f64 / self.to.saturating_sub(self.from).as_secs().max(1e-9)
    }
}
