//! `tenbin calibrate store DIR`: what a scenario's keys say of the service, on this machine.
use crate::cores::Cores;
use crate::cpu;
use analysis::{Stat, stat};
use clap::Args;
use ppmds::commands::meta::{Children, block_on, failure, on_loopback};
use ppmds_protocol::{Attributes, Key, Name, Operation, OperationKind, ROOT};
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::clock::now;
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::load::{Measurement, Workload, run};
use ppmds_service::operator::Operator;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::{Failure, console};
use testbed::calibrate::today;
use testbed::priority::raise;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin calibrate store /var/lib/tenbin -o store.toml
  tenbin calibrate store /var/lib/tenbin --json")]
pub struct CalibrateStore {
    /// A folder on the disk, for temporary files.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
    /// File for the scenario's keys [default: stdout, below the table].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

const GROUPS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
const COMMITS: usize = 30;
/// Clients of one round whose CPU time is measured, and rounds.
const CLIENTS: u32 = 64;
const ROUNDS: usize = 60;
/// Clients of one node, for the cost of messages.
pub const IN_FLIGHT: [u32; 3] = [1, 8, 88];
/// Creates of a client that sleeps before each.
const COLD: u32 = 150;
const SLEEP: Duration = Duration::from_millis(3);
/// Ethernet, IP and TCP with timestamps \[bytes\].
const HEADERS: f64 = 66.0;

type ByClients = Vec<(u32, f64)>;

/// Times in seconds, each with its samples' spread.
pub struct Calibration {
    /// A durable commit of n creates, with the state machine's work, by n.
    pub commits: Vec<(u32, Stat)>,
    /// CPU time of a message in the state machine and its store, by kind of operation.
    pub each: Vec<(OperationKind, Stat)>,
    /// The part of `each` in the state machine.
    pub steps: Vec<(OperationKind, f64)>,
    /// Frame of a message, with headers \[bytes\].
    pub payload: Stat,
    /// A create of one client, without the time of its commit: of threads that slept for
    /// [`SLEEP`], and of threads that did not.
    pub rounds: [f64; 2],
    /// CPU time of client, node and kernel for a message, with its share of a flush and without the
    /// state machine; by clients in flight.
    pub sockets: ByClients,
}

pub fn calibrate(args: &CalibrateStore) -> Result<(), Failure> {
    raise();
    let folder = Scratch::new(Some(&args.folder))?;
    let measured = Calibration::measure(&folder.0)?;
    let keys = measured.keys(&today()?);
    let value = measured.json(&keys);
    if let Some(file) = &args.out {
        std::fs::write(file, &keys).map_err(|e| Failure::writing(file, &e))?
    }
    match (args.json, &args.out) {
        (true, _) => console::json(&value),
        (_, None) => console::text(&format!("{}\n{keys}", measured.text())),
        (_, Some(_)) => console::text(&measured.text()),
    }
}

/// A new folder, removed on drop.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(within: Option<&Path>) -> Result<Scratch, Failure> {
        let within = within.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let folder = within.join(format!("tenbin-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| Failure::writing(&folder, &e))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Calibration {
    pub fn measure(folder: &Path) -> Result<Calibration, Failure> {
        let most = GROUPS[GROUPS.len() - 1];
        let mut one = Cores::new(&folder.join("commits"), 1, most)?;
        let mut commits = Vec::new();
        for group in GROUPS {
            let times =
                repeat(COMMITS, || Ok(one.round(OperationKind::Create, group, true)?.seconds()))?;
            commits.push((group, stat(&times)))
        }
        // A rename has rows on two servers.
        let mut two = Cores::new(&folder.join("messages"), 2, CLIENTS)?;
        let (mut each, mut steps, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for kind in [OperationKind::Create, OperationKind::Stat, OperationKind::Rename] {
            let mut stepped = Vec::new();
            let times = repeat(ROUNDS, || {
                let effort = two.round(kind, CLIENTS, false)?;
                let received = f64::from(effort.received);
                sizes.push(HEADERS + effort.bytes as f64 / f64::from(effort.messages));
                stepped.push(effort.stepped.as_secs_f64() / received);
                Ok(effort.seconds() / received)
            })?;
            each.push((kind, stat(&times)));
            steps.push((kind, stat(&stepped).mean))
        }
        let (rounds, sockets) = messages(folder, each[0].1.mean)?;
        let payload = stat(&sizes);
        Ok(Calibration { commits, each, steps, payload, rounds, sockets })
    }

    /// CPU time of a message in the state machine \[s\].
    pub fn each_of(&self, kind: OperationKind) -> f64 {
        let of = self.each.iter().find(|(one, _)| *one == kind);
        of.unwrap_or(&self.each[0]).1.mean
    }

    /// CPU time of a message in the state machine alone \[s\].
    pub fn step_of(&self, kind: OperationKind) -> f64 {
        self.steps.iter().find(|(one, _)| *one == kind).map_or(0.0, |(_, time)| *time)
    }

    /// A flush without the time of its writes \[s\], over all sizes of groups.
    pub fn latency(&self) -> Stat {
        let each = self.each_of(OperationKind::Create);
        let less = |(group, time): &(u32, Stat)| (time.mean - f64::from(*group) * each).max(0.0);
        stat(&self.commits.iter().map(less).collect::<Vec<f64>>())
    }

    /// CPU time of a message with many clients: a node's socket thread is busy for a request and
    /// its answer, each at one end \[s\].
    pub fn startup(&self) -> f64 {
        self.sockets.last().map_or(0.0, |(_, time)| *time).max(1e-6)
    }

    /// The rest of a round trip, in which threads wake and nothing is busy, if they slept for the
    /// time of a commit \[s\].
    pub fn pause(&self, commit: f64) -> f64 {
        let [cold, warm] = self.rounds;
        let round = warm + (cold - warm) * (commit / SLEEP.as_secs_f64()).min(1.0);
        (round - self.each_of(OperationKind::Create) - 6.0 * self.startup()).max(0.0)
    }

    /// Keys of a scenario, as TOML.
    pub fn keys(&self, date: &str) -> String {
        let (latency, each) = (self.latency(), self.each[0].1);
        let (first, last) = (GROUPS[0], GROUPS[GROUPS.len() - 1]);
        let others = self.each[1..].iter().map(|(kind, time)| {
            let name = if *kind == OperationKind::Rename { "message of a rename" } else { "stat" };
            format!("; {name} {}", us(time))
        });
        let others: String = others.collect();
        format!(
            "# Measured {date} by `tenbin calibrate store`, on {} CPUs.\n\
             [network]\n\
             # CPU time of a message with {} clients, loopback\n\
             startup = \"{:.1}us\"\n\
             # A message with headers: {:.0} ± {:.0} bytes (n = {})\n\
             payload = \"{:.0}B\"\n\
             timeout = \"50ms\"\n\n\
             [workload]\n\
             # The rest of a round trip of {:.1} us without its commit (n = {COLD})\n\
             think = \"{:.1}us\"\n\n\
             [store]\n\
             mode = \"threads\"\n\
             threads = 1\n\
             durability = \"group\"\n\
             group = 1024\n\
             # Commits of {first} to {last} creates less n × each (n = {})\n\
             latency = \"{:.3}ms\"\n\
             # Create {}{others} (n = {ROUNDS} rounds of {CLIENTS})\n\
             each = \"{:.1}us\"\n",
            cores(),
            IN_FLIGHT[IN_FLIGHT.len() - 1],
            1e6 * self.startup(),
            self.payload.mean,
            self.payload.ci95,
            3 * ROUNDS,
            self.payload.mean,
            1e6 * self.rounds[0],
            1e6 * self.pause(SLEEP.as_secs_f64()),
            GROUPS.len() * COMMITS,
            1e3 * latency.mean,
            us(&each),
            1e6 * each.mean,
        )
    }

    fn text(&self) -> String {
        let mut text = format!("durable commit, n = {COMMITS} of each size\n");
        for (group, time) in &self.commits {
            let _ = writeln!(text, "{group:>4} creates    {:>16}", us(time));
        }
        text += "CPU time of a message in the state machine and its store\n";
        for (kind, time) in &self.each {
            let _ = writeln!(text, "{:>8}        {:>16}", kind.name(), us(time));
        }
        text += "CPU time of a message in sockets: client, node and kernel\n";
        for (clients, time) in &self.sockets {
            let _ = writeln!(text, "{clients:>4} clients    {:>10.1} us", 1e6 * time);
        }
        text
    }

    fn json(&self, keys: &str) -> Value {
        let one = |time: &Stat| {
            json!({ "mean": 1e6 * time.mean, "ci95": 1e6 * time.ci95, "min": 1e6 * time.min,
                "max": 1e6 * time.max })
        };
        let commits = self.commits.iter().map(|(count, time)| (count.to_string(), one(time)));
        let each = self.each.iter().map(|(kind, time)| (kind.name().to_string(), one(time)));
        let sockets = self.sockets.iter().map(|(n, time)| (n.to_string(), json!(1e6 * time)));
        json!({
            "commit_us": commits.collect::<Value>(), "commits_each": COMMITS,
            "message_us": each.collect::<Value>(),
            "socket_us_by_clients": sockets.collect::<Value>(),
            "round_us": self.rounds.map(|round| 1e6 * round),
            "payload_bytes": self.payload.mean, "keys": keys,
        })
    }
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// "5310 ± 40 us"
fn us(time: &Stat) -> String {
    let digits = if time.mean >= 1e-3 { 0 } else { 1 };
    format!("{:.digits$} ± {:.digits$} us", 1e6 * time.mean, 1e6 * time.ci95)
}

fn repeat(
    times: usize,
    mut one: impl FnMut() -> Result<f64, Failure>,
) -> Result<Vec<f64>, Failure> {
    (0..times).map(|_| system::interrupt::check().and_then(|()| one())).collect()
}

/// A create's round trip without its commit, and CPU time of a message without the state machine,
/// by clients \[s\].
fn messages(folder: &Path, each: f64) -> Result<([f64; 2], ByClients), Failure> {
    let start = |name, durability| {
        Children::start(
            &folder.join(name),
            on_loopback(1, false)?,
            (durability, false),
            &|_| Ok(()),
        )
    };
    let done = load(&start("warm", Durability::Async)?, Workload::Create, 1, 1)?;
    let all = done.measured.all();
    let warm = all.sum_ns as f64 / 1e9 / all.count.max(1) as f64 - done.commit;
    let node = start("node", Durability::Group)?;
    let cold = block_on(cold_round(&node.cluster))?;
    let mut sockets = Vec::new();
    for clients in IN_FLIGHT {
        let done = load(&node, Workload::Create, clients, 1)?;
        let all = done.measured.all();
        let of_operation = done.cpu.as_secs_f64() / all.count.max(1) as f64;
        sockets.push((clients, ((of_operation - each) / 2.0).max(0.0)))
    }
    Ok(([cold, warm.clamp(0.0, cold)], sockets))
}

/// A create's mean time less its commit, of threads that have slept as during a flush \[s\].
async fn cold_round(cluster: &Cluster) -> Result<f64, Failure> {
    let client = Client::connect(cluster, ClientOptions::default()).await.map_err(failure)?;
    let (before, mut total) = (commits(cluster).await?, 0.0);
    for n in 0..COLD {
        let name = Name::new(format!("cold.{n}").as_bytes()).expect("letters and digits");
        let create = Operation::Create(Key::entry(ROOT, &name), Attributes::default());
        std::thread::sleep(SLEEP);
        let began = now();
        client.run(create).await.map_err(|e| Failure::Failed(e.to_string()))?;
        total += began.elapsed().as_secs_f64()
    }
    let after = commits(cluster).await?;
    let commit = (after.1 - before.1) / (after.0 - before.0).max(1.0);
    client.close().await;
    Ok((total / f64::from(COLD) - commit).max(0.0))
}

pub struct Load {
    pub measured: Measurement,
    /// Of this process and the nodes.
    pub cpu: Duration,
    /// Mean commit of the nodes, by their own clocks \[s\].
    pub commit: f64,
}

/// Runs a load in this process.
pub fn load(
    nodes: &Children<'_>,
    workload: Workload,
    clients: u32,
    seconds: u64,
) -> Result<Load, Failure> {
    let cluster = &nodes.cluster;
    block_on(async {
        let (before, used) = (commits(cluster).await?, cpu::time(nodes.processes()));
        let measured = run(cluster, workload, clients, seconds).await.map_err(failure)?;
        let cpu = cpu::time(nodes.processes()).saturating_sub(used);
        let after = commits(cluster).await?;
        let commit = (after.1 - before.1) / (after.0 - before.0).max(1.0);
        Ok(Load { measured, cpu, commit })
    })
}

/// Commits of all nodes so far, and their time \[s\].
async fn commits(cluster: &Cluster) -> Result<(f64, f64), Failure> {
    let (mut count, mut time) = (0.0, 0.0);
    for server in 0..cluster.servers() {
        let mut node = Operator::connect(cluster, server).await.map_err(Failure::Failed)?;
        let status = node.status().await.map_err(Failure::Failed)?;
        count += status.commits as f64;
        time += status.commits as f64 * status.commit_us as f64 / 1e6
    }
    Ok((count, time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::lab::Lab;

    #[test]
    fn the_keys_are_a_scenarios() {
        let one = |mean| Stat { mean, ci95: 0.0, min: mean, max: mean };
        let each = [(OperationKind::Create, 20e-6), (OperationKind::Stat, 9e-6)];
        let calibration = Calibration {
            commits: vec![(1, one(5.02e-3)), (128, one(7.56e-3))],
            each: each.map(|(kind, time)| (kind, one(time))).into(),
            steps: Vec::new(),
            payload: one(170.4),
            rounds: [340e-6, 100e-6],
            sockets: vec![(1, 200e-6), (88, 20e-6)],
        };
        let keys = calibration.keys("2026-11-30");
        let head = "[model]\nsystem = \"ppmds\"\n[cluster]\nservers = 1\nclients = 8\n";
        let lab = Lab::of(&ppmds::PPMDS).expect("a simulation");
        let sheet = lab.read_text(&format!("{head}{keys}"), Path::new("x.toml"), &[]);
        let sheet = sheet.expect("the keys are valid");
        let us = |key| sheet.time(key).0 as f64 / 1e3;
        assert_eq!((us("store.latency"), us("store.each")), (5_000.0, 20.0), "{keys}");
        assert_eq!((us("network.startup"), sheet.bytes("network.payload").0), (20.0, 170));
        assert_eq!(us("workload.think"), 200.0);
        assert!(keys.contains("stat 9.0 ± 0.0 us"), "{keys}");
        assert_eq!(calibration.json(&keys)["commit_us"]["128"]["mean"], 7_560.0)
    }
}
