//! The load that a plan offers: an open loop at the target rate, on a service that has run for
//! long.
use super::goals::Goals;
use crate::model::{SHARES, Times};
use cluster::Sheet;
use system::Failure;
use system::vary::Set;
use units::Nanos;

/// Operations of a run, and its least length \[s\]. Queues at 97 % utilisation settle in 36 ms.
const OPERATIONS: f64 = 100_000.0;
const LEAST_S: f64 = 0.5;
/// `policy.split_entries` for giga+: small, so that a directory is on all servers early.
const SPLIT: &str = "32";
/// Share of writes below which they cannot affect the 99th percentile.
const RARE: f64 = 0.01;

/// # Errors
/// The workload has its own rate: mdtest's clients wait for each other, a trace has its times.
pub fn is_offered(sheet: &Sheet) -> Result<(), Failure> {
    let why = match sheet.text("workload.kind") {
        "mdtest" => "mdtest's clients wait for their answers and for each other",
        "trace" => "a trace has its own times, or follows the answers",
        _ => return Ok(()),
    };
    let expected = "create or mix, with the shares of the operations: the plan offers a rate of \
                    these";
    let problem = sheet.problem("workload.kind", why, expected);
    Err(Failure::BadInput(problem.to_string()))
}

/// Settings that offer the goal's rate to the scenario.
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

/// Round trip on an idle service: on the network, and in the store. A mix with hardly any writes
/// counts as reads.
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

/// Round trip on an idle service \[s\].
pub fn round_trip_s(sheet: &Sheet) -> f64 {
    let (network, store) = idle(sheet);
    (network + store).as_secs()
}

/// # Errors
/// The p99 goal is below the round trip of an idle service.
pub fn check(sheet: &Sheet, goal: &Goals) -> Result<(), Failure> {
    let (network, store) = idle(sheet);
    let least = round_trip_s(sheet) * 1e3;
    let Some(most) = goal.p99_ms.filter(|most| *most < least) else { return Ok(()) };
    let ms = |time: Nanos| format!("{:.3} ms", time.as_secs() * 1e3);
    Err(Failure::BadInput(format!(
        "--p99 {most}ms: an operation takes {least:.3} ms without other load ({} on the network, \
         {} in the store), with any number of servers and clients; expected at least {least:.3}ms, \
         or a shorter network.startup or store latency",
        ms(network),
        ms(store)
    )))
}

/// Clients of a closed loop that offer this rate.
pub fn waiting_clients(sheet: &Sheet, goal: &Goals) -> u64 {
    units::floored_u64(libm::ceil(goal.rate * round_trip_s(sheet)))
}
