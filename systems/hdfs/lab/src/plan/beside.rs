//! Clients beside whom nothing can be planned: too many for a run to end, too few to tell anything.
use super::goals::Goals;
use super::space::{SLOWDOWN, Tested};
use crate::failure::Failure;
use crate::job;
use hdfs_scenario::{Foreground, Scenario};

/// Requests that a percentile is told of at least.
const ENOUGH: usize = hdfs_reading::foreground::ENOUGH;

/// After the first run was broken off by the clock, or took so long that it leaves no time for
/// others.
///
/// # Errors
/// Bad input, unless it was the user who broke it off.
pub fn refuse_too_many(scenario: &Scenario, bench: &Tested<'_, '_>) -> Result<(), Failure> {
    let late = bench.budget.was_late() && bench.runs(bench.now()).is_empty();
    let Some(clients) = scenario.foreground.as_ref().filter(|_| late) else {
        return Ok(());
    };
    Err(job::bad(format!(
        "workload.foreground: one run beside {} is not over after {:.0} s of computing, and a plan \
         needs dozens; \
         expected fewer clients, or longer pauses (think) or requests (read_bytes, \
         write_bytes), which are fewer; nothing was written",
        words(clients),
        bench.budget.elapsed().as_secs_f64()
    )))
}

/// A goal for what clients wait that nothing can be held against.
///
/// # Errors
/// Bad input.
pub fn refuse_too_few(
    scenario: &Scenario,
    bench: &Tested<'_, '_>,
    goals: &Goals,
) -> Result<(), Failure> {
    let known = bench.metric(bench.now(), SLOWDOWN).is_some();
    let asked = goals.slowdown.is_some() && !known;
    let Some(clients) = scenario.foreground.as_ref().filter(|_| asked) else {
        return Ok(());
    };
    Err(job::bad(format!(
        "--foreground-slowdown: {} make fewer than {ENOUGH} requests before or during the repair, \
         too few to tell a 99th percentile; expected more clients, or a plan without this goal; \
         nothing was written",
        words(clients)
    )))
}

/// "reads = 60, writes = 2"
fn words(clients: &Foreground) -> String {
    let Foreground { reads, writes, readers, writers, .. } = clients;
    let all = [
        ("reads", reads.to_string(), *reads > 0.0),
        ("writes", writes.to_string(), *writes > 0.0),
        ("readers", readers.to_string(), *readers > 0),
        ("writers", writers.to_string(), *writers > 0),
    ];
    let given = all.iter().filter(|(.., is)| *is).map(|(key, n, _)| format!("{key} = {n}"));
    given.collect::<Vec<String>>().join(", ")
}
