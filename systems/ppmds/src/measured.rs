//! Compares mdtest's measured rates with the simulated ones, and names the assumption that alone
//! would explain the difference, by closed form. An import fits a server's times to the rates.
use crate::model::Times;
use crate::model::mdtest::Rates;
use crate::recorder::RunResults;
use cluster::Sheet;
use page::words::count;
use system::lab::SeedRun;
use system::measured::{MeasuredRates, Rate};

/// Keys whose values mdtest's output does not contain.
static ASSUMED: [&str; 4] = ["cluster.servers", "network.startup", "store.latency", "store.mode"];

pub fn measured(sheet: &Sheet, runs: &[SeedRun]) -> Option<MeasuredRates> {
    let all = Rates::of(sheet.text("mdtest.measured")).ok().filter(|all| !all.0.is_empty())?;
    let mean = |name: &str| {
        let of = runs.iter().filter_map(|run| RunResults::of(&run.own));
        let means = of.flat_map(|results| results.summary.iter().filter(|one| one.name == name));
        let means: Vec<f64> = means.map(|one| one.mean).collect();
        (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
    };
    let rate = |(name, measured): &(String, f64)| {
        let simulated = mean(name)?;
        Some(Rate { name: name.clone(), measured: *measured, simulated })
    };
    let rates: Vec<Rate> = all.0.iter().filter_map(rate).collect();
    let mut far: Vec<&Rate> = rates.iter().filter(|rate| rate.is_far()).collect();
    far.sort_by(|a, b| b.factor().total_cmp(&a.factor()));
    let explains = far
        .into_iter()
        .map(|rate| (rate.name.clone(), explains_of(sheet, rate)))
        .find(|(_, values)| !values.is_empty())
        .unwrap_or_default();
    Some(MeasuredRates { by: "mdtest", rates, minor: "Tree", explains, assumed: &ASSUMED })
}

/// Part of the rate that more tasks would give without a limit, below which a server is saturated.
const SATURATED: f64 = 0.7;

/// Times of one server that give these rates: the server's time of a message from the highest rate
/// of a saturated server, the store's times from the fewest tasks if they do not saturate it. Each
/// with the rate that determines it. Empty without two numbers of tasks, one at least twice the
/// other: a slow store and a busy server give the same single rate.
pub fn fit(sheet: &Sheet, runs: &[(u64, Rates)]) -> Vec<(&'static str, String, String)> {
    let by_tasks = |(tasks, _): &&(u64, Rates)| *tasks;
    let ends = runs.iter().min_by_key(by_tasks).zip(runs.iter().max_by_key(by_tasks));
    let Some((few, many)) = ends.filter(|(few, many)| many.0 >= 2 * few.0) else {
        return Vec::new();
    };
    let mut times = Times::of(sheet);
    let mut all = Vec::new();
    let of = |name: &str, rate: f64, tasks: u64| {
        format!("{name} {rate}/s of {}", count(tasks, "task").replace('\u{a0}', " "))
    };
    let is_saturated = |name: &str, rate: f64| {
        let before = few.1.rate(name).unwrap_or(f64::INFINITY) / few.0.max(1) as f64;
        rate > 1.0 / times.at_server().as_secs() || rate < SATURATED * before * many.0 as f64
    };
    let rates = FITTED.iter().flat_map(|(_, names)| *names);
    let rates = rates.filter_map(|name| Some((*name, many.1.rate(name)?)));
    let highest = rates.max_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((name, rate)) = highest.filter(|(name, rate)| is_saturated(name, *rate)) {
        let packets = (times.startup.0 / sheet.time("network.startup").0.max(1)).max(1) as f64;
        let startup = ((1.0 / rate - times.server.as_secs()) / packets).max(1e-7);
        times.startup = units::Nanos::from_secs(startup * packets);
        all.push(("network.startup", time(startup), of(name, rate, many.0)))
    }
    let limit = SATURATED / times.at_server().as_secs();
    for (key, names) in FITTED {
        let rate = |name: &&'static str| few.1.rate(name).map(|rate| (*name, rate));
        let Some((name, rate)) = names.iter().find_map(rate).filter(|(_, rate)| *rate < limit)
        else {
            continue;
        };
        let stored = (few.0 as f64 / rate - times.round_trip().as_secs()).max(0.0);
        all.push((key, time(stored), of(name, rate, few.0)))
    }
    all
}

/// Keys that one operation's rate determines, and the phases of that operation, the best first.
static FITTED: [(&str, &[&str]); 2] = [
    ("store.latency", &["File creation"]),
    ("store.read_latency", &["File stat", "Directory stat"]),
];

/// The key of the time in the store, for operations that one server answers alone.
fn latency_of(name: &str) -> Option<&'static str> {
    match name {
        "File creation" | "File removal" => Some("store.latency"),
        "File stat" | "File read" | "Directory stat" => Some("store.read_latency"),
        _ => None,
    }
}

/// Solves rate = min(clients / round trip, servers / (start-up + transmission)) for each key, with
/// the measured rate.
fn explains_of(sheet: &Sheet, rate: &Rate) -> Vec<(String, String)> {
    let plain = matches!(sheet.text("network.switch"), "port" | "lp")
        && sheet.text("store.mode") == "delay"
        && (sheet.count("cluster.servers") == 1 || sheet.text("policy.metadata") == "hash");
    let Some(latency) = latency_of(&rate.name).filter(|_| plain) else { return Vec::new() };
    let (times, measured) = (Times::of(sheet), rate.measured);
    let clients = sheet.count("cluster.clients") as f64;
    let servers = sheet.count("cluster.servers") as f64;
    let packets = sheet.bytes("network.payload").0.div_ceil(sheet.bytes("network.packet").0) as f64;
    let (startup, stored) = (times.startup.as_secs(), sheet.time(latency).as_secs());
    let round = times.round_trip().as_secs() + stored;
    let (at_server, wanted) = (times.at_server().as_secs(), clients / measured);
    let slow = rate.ratio() > 1.0;
    let between = |value: f64, now: f64| match slow {
        true => value > now,
        false => value > 0.0 && value < now,
    };
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |key: &str, value: String| all.push((key.to_string(), value));
    let needed = (measured * at_server).ceil();
    if !slow && needed > servers && wanted >= round {
        add("cluster.servers", format!("{needed:.0}"))
    }
    let in_store = wanted - (round - stored);
    if between(in_store, stored) && (slow || servers / at_server >= measured) {
        add(latency, time(in_store))
    }
    let by_round = (wanted - (round - 6.0 * startup)) / 6.0;
    let by_server = servers / measured - (at_server - startup);
    let least = by_round.min(by_server);
    if between(least, startup) {
        add("network.startup", time(least / packets))
    }
    all
}

/// A time as a scenario writes it: "15.3ms".
fn time(seconds: f64) -> String {
    match seconds {
        1e-3.. => format!("{}ms", (seconds * 1e5).round() / 1e2),
        _ => format!("{}us", (seconds * 1e7).round() / 10.0),
    }
}
