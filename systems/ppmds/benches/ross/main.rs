//! The creates of Kirii, Tatebe, Ross 2015 on ROSS, their engine, and on Tenbin.
//!
//! `README.md` in this folder says what is compared.
//! `ROSS=PATH cargo bench -p ppmds --bench ross -- [SERVERS CLIENTS]`, or `make bench`.
mod peer;
#[path = "../../../../benches/verdicts.rs"]
mod verdicts;
use engine::Scheduler;
use peer::{Case, LONGEST_S, NoProgram, Peer, Synch, cpus};
use ppmds::PPMDS;
use std::path::Path;
use std::process::ExitCode;
use system::claims::Busy;
use system::lab::Lab;
use system::{LoadedRun, RunOptions};
use verdicts::Verdicts;

/// Runs of each row, alternating.
const REPEATS: usize = 3;
/// Processes of ROSS.
const PROCESSES: [usize; 3] = [2, 4, 8];
/// Largest relative difference of the simulated rates.
const DIFFERENCE: f64 = 0.01;

/// One run on either side.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// Wall-clock time of the events.
    seconds: f64,
    events: f64,
    /// Events that were rolled back; NaN: not counted.
    undone: f64,
    /// Creates per simulated second; NaN: not counted.
    rate: f64,
}

/// The settings of `peer.c` with the creates of each client, and Tenbin's key for the same.
const SETTINGS: [(&str, u32, &str); 3] = [
    ("document", 20, "reception = \"event\""),
    ("ours", 100, "switch = \"lp\""),
    ("folded", 300, ""),
];

/// How a row is run.
#[derive(Clone, Copy)]
enum How {
    Ross(Synch, usize),
    Tenbin(Scheduler),
}

impl How {
    fn all() -> Vec<How> {
        let mut all = vec![How::Ross(Synch::Sequential, 1)];
        for synch in [Synch::Conservative, Synch::Optimistic] {
            all.extend(PROCESSES.map(|processes| How::Ross(synch, processes)));
        }
        let (safe, ahead) =
            (Scheduler::Conservative { threads: 2 }, Scheduler::Optimistic { threads: 2 });
        all.extend([Scheduler::Sequential, safe, ahead].map(How::Tenbin));
        all
    }

    /// Processes or threads.
    fn width(self) -> usize {
        match self {
            How::Ross(_, processes) => processes,
            How::Tenbin(Scheduler::Sequential) => 1,
            How::Tenbin(_) => 2,
        }
    }

    fn words(self) -> String {
        match self {
            How::Ross(Synch::Sequential, _) => "ROSS, sequential".into(),
            How::Ross(Synch::Conservative, n) => format!("ROSS, {n} processes, conservative"),
            How::Ross(_, n) => format!("ROSS, {n} processes, optimistic"),
            How::Tenbin(Scheduler::Sequential) => "Tenbin, 1 thread".into(),
            How::Tenbin(Scheduler::Conservative { .. }) => "Tenbin, 2 threads, conservative".into(),
            How::Tenbin(_) => "Tenbin, 2 threads, optimistic".into(),
        }
    }
}

fn main() -> ExitCode {
    let peer = match Peer::build() {
        Ok(peer) => peer,
        Err(NoProgram::NotInstalled(why)) => {
            println!(
                "ROSS: not measured ({why}); git clone https://github.com/ROSS-org/ROSS, apt-get \
                 install cmake libopenmpi-dev openmpi-bin, and set ROSS to that folder"
            );
            return ExitCode::SUCCESS;
        }
        Err(NoProgram::Refused(why)) => {
            eprintln!("ROSS: not measured, it cannot be built:\n{why}");
            return ExitCode::FAILURE;
        }
    };
    let numbers: Vec<u32> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let (servers, clients) = match numbers[..] {
        [servers, clients] => (servers, clients),
        _ => (128, 1_024),
    };
    let mut verdicts = Verdicts::default();
    println!("Creates on ROSS and on Tenbin; {} CPUs", cpus());
    if let Err(busy) = Busy::check_others() {
        println!("The wall times below are not usable: {busy}");
    }
    compare_rates(&peer, &mut verdicts);
    for (setting, creates, key) in SETTINGS {
        let case = Case { setting, servers, clients, creates };
        compare_speeds(&peer, (case, key))
    }
    verdicts.exit()
}

/// The simulated rates of both sides on one thread, over enough creates for a steady rate.
fn compare_rates(peer: &Peer, verdicts: &mut Verdicts) {
    println!("\nCreates per simulated second, one thread; bound 1 %");
    println!(
        "{:10} {:>7} {:>7} {:>9} {:>9} {:>7}",
        "", "servers", "clients", "ROSS", "Tenbin", "%"
    );
    for (servers, clients, creates) in [(2, 88, 2_000), (8, 352, 1_000), (128, 1_024, 300)] {
        for (setting, _, key) in SETTINGS {
            let case = Case { setting, servers, clients, creates };
            let theirs = peer.run(case, Synch::Sequential, 1).map_or(f64::NAN, |run| run.rate);
            let ours = Tenbin::of((case, key)).rate();
            let difference = (theirs - ours) / ours;
            let verdict = verdicts.of(difference.abs() <= DIFFERENCE);
            let percent = 100.0 * difference;
            println!(
                "{setting:10} {servers:7} {clients:7} {theirs:9.0} {ours:9.0} {percent:7.2}  \
                 {verdict}"
            );
        }
    }
}

/// Medians of all rows of a setting.
fn compare_speeds(peer: &Peer, scenario: (Case, &str)) {
    let Case { setting, servers, clients, creates, .. } = scenario.0;
    let (all, tenbin) = (How::all(), Tenbin::of(scenario));
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); all.len()];
    for round in 0..REPEATS {
        for (row, how) in all.iter().enumerate() {
            // A row that was stopped is not run again.
            if runs[row].len() < round {
                continue;
            }
            runs[row].extend(match *how {
                How::Ross(synch, processes) => peer.run(scenario.0, synch, processes),
                How::Tenbin(scheduler) => Some(tenbin.run(scheduler)),
            })
        }
    }
    let all_creates = clients as f64 * creates as f64;
    println!(
        "\n{setting}: {servers} servers, {clients} clients, {creates} creates each; medians of \
         {REPEATS}\n{:34} {:>8} {:>12} {:>10} {:>7} {:>7}",
        "", "wall s", "creates/s", "M events/s", "to one", "undone"
    );
    let mut one_s = f64::NAN;
    for (how, mut runs) in all.into_iter().zip(runs) {
        let note = if how.width() > cpus() { "  more than CPUs: not judged" } else { "" };
        let words = how.words();
        if runs.len() < REPEATS {
            println!("{words:34} {:>8}{note}", format!("> {LONGEST_S}"));
            continue;
        }
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let Run { seconds, events, undone, .. } = runs[REPEATS / 2];
        one_s = if how.width() == 1 { seconds } else { one_s };
        println!(
            "{words:34} {seconds:8.2} {:12.0} {:10.2} {:7.2} {:7.2}{note}",
            all_creates / seconds,
            events / seconds / 1e6,
            one_s / seconds,
            undone / events
        );
    }
}

/// The same creates on Tenbin.
struct Tenbin {
    lab: Lab,
    sheet: cluster::Sheet,
    loaded: LoadedRun,
}

impl Tenbin {
    fn of((case, key): (Case, &str)) -> Tenbin {
        let Case { servers, clients, creates, .. } = case;
        let text = format!(
            "[model]\nsystem = \"ppmds\"\n[cluster]\nservers = {servers}\nclients = {clients}\n\
             [workload]\ncreates_per_client = {creates}\n[network]\n{key}"
        );
        let lab = Lab::of(&PPMDS).expect("ppmds is simulated");
        let sheet = lab.read_text(&text, Path::new("ross.toml"), &[]).expect("it is right");
        let loaded = LoadedRun::of(lab, sheet.clone(), 1).expect("nothing to load");
        Tenbin { lab, sheet, loaded }
    }

    fn rate(&self) -> f64 {
        let how = RunOptions::by(Scheduler::Sequential);
        let done = self.lab.run_once(&self.sheet, 1, how).expect("it runs");
        done.and_then(|done| done.reading.value).unwrap_or(f64::NAN)
    }

    fn run(&self, scheduler: Scheduler) -> Run {
        let timed = self.loaded.time(scheduler).expect("it runs");
        Run {
            seconds: timed.seconds,
            events: timed.events as f64,
            undone: f64::NAN,
            rate: f64::NAN,
        }
    }
}
