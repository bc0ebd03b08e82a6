//! What no input says, at half and at double: rows that are run beside the others.
use crate::campaign::Row;
use crate::console::spaced;
use crate::failure::Failure;
use crate::job::Sets;
use cluster::{Hardware, InterRack, Setting};
use hdfs_reading::{Assumption, VariantRuns};
use hdfs_scenario::Scenario;

/// A key at a multiple of its assumed value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Times {
    Half,
    Double,
}

/// Which row belongs to which key.
pub struct Plan {
    settings: Vec<Setting>,
    /// Setting, multiple, number of rows; in the order of the rows.
    blocks: Vec<(usize, Times, usize)>,
}

/// Makes a scenario of keys and their values.
pub type Read<'a> = dyn Fn(&[(String, String)]) -> Result<Scenario, Failure> + 'a;

/// Rows for each assumed key of `base` at half and at double, for every one of `variants`. `read`
/// makes their scenarios.
///
/// # Errors
/// A value that no scenario can have.
pub fn rows(
    base: &Scenario,
    variants: &[(String, Sets)],
    read: &Read<'_>,
) -> Result<(Plan, Vec<Row>), Failure> {
    let mut plan = Plan { settings: base.assumed().cloned().collect(), blocks: Vec::new() };
    let mut rows = Vec::new();
    for (place, setting) in plan.settings.iter().enumerate() {
        for (times, by, over) in [(Times::Half, 1, 2), (Times::Double, 2, 1)] {
            let Some(scaled) = base.scaled(&setting.key, by, over) else { continue };
            // A variant that sets the key itself does not rest on the assumption.
            let rests = |set: &Sets| set.iter().all(|(key, _)| *key != setting.key);
            let rest: Vec<_> = variants.iter().filter(|(_, set)| rests(set)).collect();
            plan.blocks.push((place, times, rest.len()));
            for (name, set) in rest {
                let sets: Sets = scaled.iter().chain(set).cloned().collect();
                rows.push(Row { name: name.clone(), set: set.clone(), scenario: read(&sets)? })
            }
        }
    }
    Ok((plan, rows))
}

impl Plan {
    /// The page's assumptions, from the rows that were run.
    pub fn assumptions(&self, base: &Scenario, finished: Vec<VariantRuns>) -> Vec<Assumption> {
        let seeds = finished.iter().map(|row| row.runs.len()).max().unwrap_or(0);
        let mut rows = finished.into_iter();
        let empty = |s: &Setting| Assumption {
            name: name(&s.key, &base.hardware),
            value: value(s, &base.hardware),
            key: s.key.clone(),
            half: Vec::new(),
            double: Vec::new(),
        };
        let mut all: Vec<Assumption> = self.settings.iter().map(empty).collect();
        for &(place, times, count) in &self.blocks {
            let runs: Vec<VariantRuns> = rows.by_ref().take(count).collect();
            // Where the user has stopped them half way they tell nothing.
            let whole = runs.iter().all(|row| row.runs.len() == seeds && seeds > 0);
            let runs = if whole { runs } else { Vec::new() };
            match times {
                Times::Half => all[place].half = runs,
                Times::Double => all[place].double = runs,
            }
        }
        all
    }
}

/// What people call the key.
fn name(key: &str, hardware: &Hardware) -> String {
    let word = match key {
        "hardware.disk" => "Disk",
        "hardware.disks_per_node" => "Disks per node",
        "hardware.nic" => "NIC",
        "hardware.nic_latency" => "Latency in a rack",
        "hardware.inter_rack" if hardware.inter_rack_kind == InterRack::OneLink => {
            "Inter-rack link"
        }
        "hardware.inter_rack" => "Rack uplink",
        "hardware.inter_rack_latency" => "Latency between racks",
        other => other,
    };
    word.to_string()
}

fn value(setting: &Setting, hardware: &Hardware) -> String {
    match setting.key.as_str() {
        "hardware.disk" if hardware.disks_per_node > 1 => {
            format!("{} × {}", spaced(&setting.value), hardware.disks_per_node)
        }
        _ => spaced(&setting.value),
    }
}
