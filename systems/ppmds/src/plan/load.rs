//! The load that a plan offers: operations come at the target's rate, whatever the answers do, to a
//! service that has long been at work.
use super::goals::Goals;
use crate::model::{SHARES, Times};
use cluster::Sheet;
use system::Failure;
use system::vary::Set;
use units::Nanos;

/// Operations of a run, and its length at least \[s\]: queues of servers that are busy for 97 % of
/// the time come to their lengths in 36 ms.
const OPERATIONS: f64 = 100_000.0;
const LEAST_S: f64 = 0.5;
/// giga+: so small that the directory is soon on all servers, as it is after long.
const SPLIT: &str = "32";
/// Of a hundred operations one may be slower than the 99th percentile.
const RARE: f64 = 0.01;

/// Whether operations of this workload can come at any rate.
///
/// # Errors
/// mdtest's clients wait for one another, and a trace has its own times.
pub fn is_offered(sheet: &Sheet) -> Result<(), Failure> {
    let why = match sheet.text("workload.kind") {
        "mdtest" => "mdtest's clients wait for their answers, and for one another",
        "trace" => "a trace comes at its own times, or as fast as it is answered",
        _ => return Ok(()),
    };
    let expected = "create or mix, with the shares of the operations: a rate is offered to them";
    let problem = sheet.problem("workload.kind", why, expected);
    Err(Failure::BadInput(problem.to_string()))
}

/// What a scenario sets besides, to be offered the goal.
pub fn sets(sheet: &Sheet, goal: &Goals) -> Vec<Set> {
    let seconds = (OPERATIONS / goal.rate).max(LEAST_S);
    let mut sets = vec![
        ("workload.loop", "open".to_string()),
        ("workload.start", "warm".into()),
        ("workload.rate", goal.rate.to_string()),
        ("workload.duration", Nanos::from_secs(seconds).to_string()),
    ];
    if sheet.text("policy.metadata") == "giga+" {
        sets.push(("policy.split_entries", SPLIT.into()))
    }
    sets.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

/// What an operation takes where nobody else is: the network's part and the store's. Of a mix with
/// hardly a write that of a read.
pub fn idle(sheet: &Sheet) -> (Nanos, Nanos) {
    let share = |key: &str| sheet.number(key);
    let is_mix = sheet.text("workload.kind") == "mix";
    let all: f64 = SHARES.iter().map(|(key, _)| share(key)).sum();
    let writes = share("workload.create") + share("workload.unlink");
    let store = match is_mix && writes < RARE * all {
        true => "store.read_latency",
        false => "store.latency",
    };
    (Times::of(sheet).round_trip(), sheet.time(store))
}

/// A round trip where nobody else is \[s\].
pub fn round_trip_s(sheet: &Sheet) -> f64 {
    let (network, store) = idle(sheet);
    (network + store).as_secs()
}

/// Refuses a latency that no operation can have, however many servers there are.
///
/// # Errors
/// Bad input, with the round trip.
pub fn check(sheet: &Sheet, goal: &Goals) -> Result<(), Failure> {
    let (network, store) = idle(sheet);
    let least = round_trip_s(sheet) * 1e3;
    let Some(most) = goal.p99_ms.filter(|most| *most < least) else { return Ok(()) };
    let ms = |time: Nanos| format!("{:.3} ms", time.as_secs() * 1e3);
    Err(Failure::BadInput(format!(
        "--p99 {most}ms: an operation takes {least:.3} ms where nobody else is ({} on the network, \
         {} in the store), and neither more servers nor more clients make that less; expected at \
         least {least:.3}ms, or a shorter network.startup or store latency",
        ms(network),
        ms(store)
    )))
}

/// Clients that wait for each answer before they ask again: so many offer this rate at least.
pub fn waiting_clients(sheet: &Sheet, goal: &Goals) -> u64 {
    units::floored_u64(libm::ceil(goal.rate * round_trip_s(sheet)))
}
