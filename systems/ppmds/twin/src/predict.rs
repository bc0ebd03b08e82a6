//! The simulation of a cell, and what the CPUs allow.
use crate::calibrate::{Calibration, cores};
use crate::cells::{Cell, Set, keys, renames, work};
use analysis::stat;
use cluster::Sheet;
use ppmds_protocol::OperationKind;
use std::path::Path;
use system::Failure;
use system::lab::{Lab, Row};
use testbed::twin::comparison::of_seeds;
use testbed::twin::{Figures, Pair};

#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// Operations per second: mean over seeds, and the range of another seed.
    pub rate: f64,
    pub chance: f64,
    /// Without a limit of CPUs.
    pub simulated: f64,
    /// CPU time of an operation, of clients, nodes and kernel \[s\].
    pub cpu: f64,
}

/// `commit`: mean time of the real nodes' commits, so that the disk's changes are on both sides
/// \[s\]. `used`: CPUs that nodes and clients used, and all programs.
pub fn predict(
    lab: &Lab,
    sheet: &Sheet,
    cell: &Cell,
    (measured, commit, used): (&Calibration, f64, [f64; 2]),
    (folder, seeds): (&Path, u32),
) -> Result<Prediction, Failure> {
    let trace = folder.join("renames.jsonl");
    std::fs::write(&trace, renames(cell.clients)).map_err(|e| Failure::writing(&trace, &e))?;
    let mean = |of: &dyn Fn(OperationKind) -> f64| -> f64 {
        work(cell.kind).iter().map(|(kind, share)| of(*kind) * share).sum()
    };
    let each = mean(&|kind| measured.each_of(kind));
    let time = |seconds: f64| format!("{:.0}ns", 1e9 * seconds);
    let given: [(&str, String); 8] = [
        ("cluster.servers", cell.servers.to_string()),
        ("cluster.clients", cell.clients.to_string()),
        // All links are alike.
        ("network.client_bandwidth", sheet.text("network.server_bandwidth").to_string()),
        ("network.startup", time(measured.startup())),
        ("workload.think", time(measured.pause(commit))),
        ("network.payload", format!("{:.0}B", measured.payload.mean)),
        ("store.latency", time(commit)),
        ("store.each", time(mean(&|kind| measured.step_of(kind)))),
    ];
    let mut set: Vec<Set> = given.map(|(key, value)| (key.to_string(), value)).into();
    set.extend(keys(cell.kind, &trace.to_string_lossy()));
    let row = Row { name: cell.name(), sheet: lab.with(sheet, &set)?, set };
    let seeds: Vec<u64> = (1..=u64::from(seeds)).collect();
    let done = lab.run(&[row], &seeds, false, "twin")?;
    system::interrupt::check()?;
    let none = || Failure::Failed(format!("{}: the simulation has no rate", cell.name()));
    let rates = done.rows[0].values().ok_or_else(none)?;
    let runs = &done.rows[0].runs;
    let of =
        |name: &str| -> f64 { runs.iter().filter_map(|run| run.reading.metrics.get(name)).sum() };
    let messages = of("messages") / of("operations").max(1.0);
    let clients = f64::from(cell.clients);
    // Half of the messages go to servers.
    let cpu =
        messages * (sockets(&measured.sockets, clients / f64::from(cell.servers)) + each / 2.0);
    // Other programs have a lower priority: they matter if nodes and clients need most of the CPUs.
    let left = |rate: &f64| match rate * cpu > cores() as f64 / 2.0 {
        true => (cores() as f64 - (used[1] - used[0])).max(used[0]),
        false => cores() as f64,
    };
    let bound = |rate: &f64| bounded(*rate, clients, cpu, left(rate));
    let seeds = rates.iter().map(|rate| Figures::from([(cell.name(), bound(rate))]));
    let (mean, chance) = of_seeds(&seeds.collect::<Vec<Figures>>());
    let of = |figures: &Figures| figures.values().next().copied().unwrap_or(0.0);
    let simulated = stat(&rates).mean;
    Ok(Prediction { rate: of(&mean), chance: of(&chance), simulated, cpu })
}

/// CPU time of a message by clients of each server, linear in its inverse: a wake-up serves all
/// messages that wait \[s\].
fn sockets(measured: &[(u32, f64)], clients: f64) -> f64 {
    let inverse = 1.0 / clients.max(1.0);
    let mut last: Option<(f64, f64)> = None;
    for (count, time) in measured {
        let at = 1.0 / f64::from(*count);
        if at <= inverse {
            let line = |(before, of): (f64, f64)| {
                time + (of - time) * (inverse - at) / (before - at).max(f64::MIN_POSITIVE)
            };
            return last.map_or(*time, line);
        }
        last = Some((at, *time))
    }
    last.map_or(0.0, |(_, time)| time)
}

/// The rate of a closed loop whose clients also need CPUs that all nodes share: mean value
/// analysis of one queue before all CPUs (Seidmann's approximation) and the simulated time as a
/// delay.
pub fn bounded(rate: f64, clients: f64, cpu: f64, cores: f64) -> f64 {
    let delay = (clients / rate - cpu).max(0.0) + cpu * (1.0 - 1.0 / cores).max(0.0);
    let at_one = cpu / cores;
    let (mut queue, mut bounded, mut count) = (0.0, 0.0, 1.0);
    while count <= clients {
        let time = at_one * (1.0 + queue);
        bounded = count / (delay + time);
        queue = bounded * time;
        count += 1.0
    }
    bounded
}

impl Prediction {
    pub fn pair(&self, cell: &Cell, measured: f64) -> Pair {
        let one = |value: f64| Figures::from([(cell.name(), value)]);
        Pair { predicted: one(self.rate), chance: one(self.chance), measured: one(measured) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_costs_less_with_more_clients() {
        let measured = [(1, 215.0), (8, 40.0), (88, 17.0)];
        let costs = [1.0, 0.25, 8.0, 22.0, 88.0, 500.0].map(|n| sockets(&measured, n).round());
        assert_eq!(costs, [215.0, 215.0, 40.0, 24.0, 17.0, 17.0])
    }

    #[test]
    fn cpus_bound_a_rate_and_change_none_that_is_far_below() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 0.02, "{a} and {b}");
        near(bounded(200.0, 1.0, 1e-4, 2.0), 200.0);
        near(bounded(1_000.0, 8.0, 1e-4, 2.0), 1_000.0);
        near(bounded(100_000.0, 88.0, 1e-4, 2.0), 20_000.0);
        assert!(bounded(20_000.0, 8.0, 1e-4, 2.0) < 20_000.0)
    }
}
