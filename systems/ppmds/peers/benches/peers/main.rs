//! The metadata service compared with its peers, in turn on one disk:
//! `cargo bench -p ppmds-peers -- [SECONDS] [FOLDER]`. It needs `redis-server`.
//!
//! Each client is a thread that sends one operation after the other. An operation is durable when
//! it returns, except in the rows `everysec` and `NORMAL`. CPU is that of all server processes;
//! SQLite and the file system have none, so theirs is the whole process's.
#![allow(clippy::disallowed_methods, reason = "it measures real time")]
mod local;
mod network;

use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::time::{Duration, Instant};

pub const KINDS: [&str; 5] = ["create", "stat", "rename", "readdir", "unlink"];
/// Entries of the directory that `readdir` lists.
pub const LISTED: u32 = 100;
const CLIENTS: [u32; 3] = [1, 8, 64];

/// A client of one peer. File `n` of a client has a name of its own.
pub trait Client {
    fn run(&mut self, kind: &str, n: u32);
}

pub trait Peer: Sync {
    fn name(&self) -> String;
    fn client(&self, number: u32) -> Box<dyn Client + '_>;
    /// Processes whose CPU is the server's.
    fn processes(&self) -> Vec<u32> {
        vec![std::process::id()]
    }
}

/// CPU of processes so far \[s\].
fn cpu(processes: &[u32]) -> f64 {
    let of = |process: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
    };
    processes.iter().map(of).sum()
}

struct Measured {
    per_second: f64,
    p50_us: f64,
    p99_us: f64,
    cpu_us: f64,
}

/// Runs one kind for some time; each client has `files` of its own and returns how many are left.
fn measure(
    peer: &dyn Peer,
    clients: &mut [(Box<dyn Client + '_>, u32)],
    kind: &str,
    time: Duration,
) -> Measured {
    let before = cpu(&peer.processes());
    let barrier = Barrier::new(clients.len());
    let began = Instant::now();
    let mut times: Vec<u64> = std::thread::scope(|scope| {
        let users = clients.iter_mut().map(|(client, files)| {
            let barrier = &barrier;
            let client = Handle(client);
            scope.spawn(move || use_one(client, files, kind, time, barrier))
        });
        let users: Vec<_> = users.collect();
        users.into_iter().flat_map(|user| user.join().unwrap()).collect()
    });
    let took = began.elapsed().as_secs_f64();
    let spent = cpu(&peer.processes()) - before;
    times.sort_unstable();
    let count = times.len().max(1) as f64;
    let at = |part: f64| {
        let place = ((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1));
        times.get(place).map_or(f64::NAN, |ns| *ns as f64 / 1e3)
    };
    let (p50_us, p99_us) = (at(0.5), at(0.99));
    Measured { per_second: count / took, p50_us, p99_us, cpu_us: spent * 1e6 / count }
}

struct Handle<'a, 'b>(&'a mut Box<dyn Client + 'b>);
/// SAFETY: each client is used by one thread at a time.
unsafe impl Send for Handle<'_, '_> {}

fn use_one(
    client: Handle<'_, '_>,
    files: &mut u32,
    kind: &str,
    time: Duration,
    barrier: &Barrier,
) -> Vec<u64> {
    let Handle(client) = client;
    barrier.wait();
    let until = Instant::now() + time;
    let mut times = Vec::new();
    let mut n = 0;
    while Instant::now() < until {
        let file = match kind {
            "create" => *files,
            "unlink" if *files == 0 => break,
            "unlink" => *files - 1,
            _ => n % (*files).max(1),
        };
        let began = Instant::now();
        client.run(kind, file);
        times.push(u64::try_from(began.elapsed().as_nanos()).unwrap());
        match kind {
            "create" => *files += 1,
            "unlink" => *files -= 1,
            _ => {}
        }
        n += 1
    }
    times
}

fn report(peer: &dyn Peer, time: Duration) {
    for count in CLIENTS {
        let mut clients: Vec<_> = (0..count).map(|n| (peer.client(n + 1_000 * count), 0)).collect();
        for kind in KINDS {
            let Measured { per_second, p50_us, p99_us, cpu_us } =
                measure(peer, &mut clients, kind, time);
            println!(
                "| {} | {count} | {kind} | {per_second:.0} | {p50_us:.0} | {p99_us:.0} | \
                 {cpu_us:.0} |",
                peer.name()
            );
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [node, rest @ ..] = &arguments[..]
        && node == "node"
    {
        return network::node(rest);
    }
    let seconds = arguments.first().map_or(1.0, |text| text.parse().expect("seconds"));
    let folder = arguments.get(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("tenbin-peers-{}", std::process::id()));
    let time = Duration::from_secs_f64(seconds);
    println!("| store | clients | operation | per second | p50 µs | p99 µs | server CPU µs |");
    println!("|---|---|---|---|---|---|---|");
    each(&folder, |peer| report(peer, time));
    println!(
        "\nThe bare store, 64 rows of 170 bytes a durable commit: {:.0} rows/s",
        local::bare(&folder)
    );
    std::fs::remove_dir_all(&folder).unwrap()
}

fn each(folder: &Path, work: impl Fn(&dyn Peer)) {
    let new = |name: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    };
    for (servers, has_standbys) in [(1, false), (1, true), (3, false)] {
        let folder = new(&format!("service-{servers}-{has_standbys}"));
        work(&network::Service::start(&folder, servers, has_standbys))
    }
    for policy in ["always", "everysec"] {
        work(&network::Redis::start(&new(&format!("redis-{policy}")), policy))
    }
    for mode in ["FULL", "NORMAL"] {
        work(&local::Sqlite::open(&new(&format!("sqlite-{mode}")), mode))
    }
    work(&local::Files::new(new("files")))
}
