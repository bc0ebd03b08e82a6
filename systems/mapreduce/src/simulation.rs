use crate::keys::numbers;
use crate::model::{Event, Record, Tracker, is_too_long};
use crate::policy;
use crate::settings::Settings;
use crate::trace::Recorder;
use cluster::{BadInput, Problem, Sheet, nearest};
use engine::*;
use system::footprint::count;
use system::{Failure, Footprint, Reporter, RunOptions, SimulatedRun, Simulation};

pub struct Model;

/// Keys with one number per node.
const LISTS: [&str; 5] = [
    "cluster.disks",
    "cluster.cores",
    "cluster.map_slots",
    "cluster.reduce_slots",
    "cluster.memory_gb",
];

/// The least number of each list.
fn least_of(key: &str) -> u32 {
    u32::from(!["cluster.reduce_slots", "cluster.memory_gb"].contains(&key))
}

/// The largest number of each list.
fn most_of(key: &str) -> u32 {
    if key == "cluster.memory_gb" { 4096 } else { 64 }
}

const SCHEDULING: &str = "policy.scheduling";

impl Simulation for Model {
    fn reporter(&self) -> &dyn Reporter {
        &crate::words::JobsReporter
    }

    fn combines(&self, key: &str) -> bool {
        key == SCHEDULING
    }

    fn check(&self, sheet: &Sheet) -> Result<(), BadInput> {
        if let Err(word) = policy::Scheduling::named(sheet.text(SCHEDULING)) {
            return Err(no_scheduling(sheet, &word).into());
        }
        let nodes = sheet.count32("cluster.nodes");
        for key in LISTS {
            let all = numbers(sheet.text(key), nodes);
            let (least, most) = (least_of(key), most_of(key));
            let right = all.is_some_and(|all| all.iter().all(|n| (least..=most).contains(n)));
            if !right || is_too_long(sheet, key, nodes) {
                let problem = format!("\"{}\"", sheet.text(key));
                let expected = format!(
                    "a number from {least} to {most}, or up to {nodes} of them, one a node: \
                     \"4 3 3 2\""
                );
                return Err(sheet.problem(key, &problem, &expected).into());
            }
        }
        let reduces = sheet.count("workload.reduces");
        let slots = numbers(sheet.text("cluster.reduce_slots"), nodes).unwrap_or_default();
        if reduces > 0 && slots.iter().all(|slots| *slots == 0) {
            let expected = "at least one slot, or workload.reduces = 0";
            return Err(sheet
                .problem("cluster.reduce_slots", "no node has a slot", expected)
                .into());
        }
        let (maps, bytes) = (sheet.count("workload.maps"), sheet.bytes("workload.input_bytes").0);
        if maps > bytes {
            let problem = format!("{maps}: some maps have no byte");
            let expected = "at most workload.input_bytes";
            return Err(sheet.problem("workload.maps", &problem, expected).into());
        }
        let (copies, all) = (sheet.count("workload.replication"), u64::from(nodes));
        if copies > all {
            let problem = format!("{copies}: more replicas than nodes");
            let expected = format!("at most cluster.nodes = {all}");
            return Err(sheet.problem("workload.replication", &problem, &expected).into());
        }
        never_stalls(sheet)
    }

    fn footprint(&self, sheet: &Sheet) -> Option<Footprint> {
        let tasks = sheet.count("workload.maps") + sheet.count("workload.reduces");
        let jobs = sheet.count("workload.jobs").min(1_000);
        let of = format!("{} tasks", count(jobs * tasks));
        Some(Footprint { bytes: jobs * tasks * 400, of, key: "workload.jobs" })
    }

    fn run(&self, sheet: &Sheet, seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, Failure> {
        let bound = Nanos::millis(1);
        let mut topology = Topology::new(bound, bound);
        let tracker = topology.place::<Event>(1, |_| 0).at(0);
        let settings = Shared::new(Settings::of(sheet));
        let build = |_| Tracker::new(Shared::clone(&settings));
        let horizon = sheet.time("workload.limit");
        let mut world = World::new(Shared::new(topology), seed, horizon, build);
        world.start(tracker, Nanos(1), Event::Submit { job: 0 });
        for node in 0..settings.nodes {
            let mut draw = Draw::keyed(seed, "heartbeat", node.into(), 0);
            let phase = Nanos(2 + draw.below(settings.heartbeat.0));
            world.start(tracker, phase, Event::Heartbeat { node })
        }
        let mut recorder = Recorder::new(sheet, &settings, how.keep_trace);
        let sink = |stamp: Stamp, record: Record| recorder.add(stamp.at, &record);
        let ended = how.run(world, sink);
        Ok(recorder.finish(ended))
    }
}

/// Rules that are never lifted may depend on running jobs, which end. They must not depend on what
/// never ends.
fn never_stalls(sheet: &Sheet) -> Result<(), BadInput> {
    let (limit, foreign) = ("policy.withhold_limit", "hardware.foreign_disks");
    let disks = "policy.disk_rate_threshold";
    let scheduling = policy::Scheduling::named(sheet.text(SCHEDULING)).expect("checked");
    let has = |key: &str| scheduling.rules.iter().any(|rule| policy::rule(*rule).key() == key);
    let reads = has(disks) && sheet.count(foreign) > 0;
    let draws = has("policy.random_share") && sheet.number("policy.random_share") >= 1.0;
    if sheet.time(limit) > Nanos::ZERO || !(reads || draws) {
        return Ok(());
    }
    let why = if reads { foreign } else { "policy.random_share = 1" };
    let problem = format!("0s: with {why} a rule may withhold all maps for ever");
    Err(sheet.problem(limit, &problem, "a time above 0: \"40s\"").into())
}

/// Error for an unknown `word` in `policy.scheduling`. Its hint is the text with an order in front,
/// or with the nearest name instead of the word.
fn no_scheduling(sheet: &Sheet, word: &str) -> Problem {
    let text = sheet.text(SCHEDULING);
    let rules: Vec<&str> = policy::RULES.iter().map(|rule| rule.name()).collect();
    let expected = format!(
        "fair or fifo, then rules, such as \"fair+disk-rate\"; rules: {}",
        rules.join(", ")
    );
    let parted = text.replace([',', ' '], "+");
    let near = nearest(word, policy::names()).map(|near| text.replacen(word, near, 1));
    let meant = [parted.clone(), format!("fair+{parted}")].into_iter().chain(near);
    let meant = meant.into_iter().find(|meant| policy::Scheduling::named(meant).is_ok());
    let mut problem = sheet.problem(SCHEDULING, format!("\"{text}\""), expected);
    problem.hint = meant.map(|meant| format!("\"{meant}\""));
    problem
}
