//! `tenbin monitor`: samples this node's resources for `tenbin import node-curves`.
use crate::curves::monitor::{Counters, between, now};
use clap::{Arg, ArgMatches, Command, value_parser};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use system::{Action, Failure, console, interrupt};
use units::Nanos;

const PROC: &str = "/proc";

const HELP: &str = "\
Examples:
  tenbin monitor -o node1.jsonl
  tenbin import node-curves node1.jsonl --into run/

Runs until Ctrl-C; a line is written completely or not at all.";

/// Position in the help: after the commands that show runs.
const PLACE: usize = 65;

pub struct Monitor;

impl Action for Monitor {
    fn name(&self) -> &'static str {
        "monitor"
    }

    fn command(&self) -> Command {
        Command::new(self.name())
            .about("Write this node's CPU, memory, disks and NICs as JSON lines")
            .after_help(HELP)
            .display_order(PLACE)
            .arg(
                Arg::new("interval")
                    .long("interval")
                    .value_name("TIME")
                    .default_value("1s")
                    .help("Length of a sample: 1s, 500ms"),
            )
            .arg(
                Arg::new("samples")
                    .long("samples")
                    .value_name("N")
                    .value_parser(value_parser!(u64))
                    .help("Number of samples [default: until Ctrl-C]"),
            )
            .arg(
                Arg::new("out")
                    .short('o')
                    .long("out")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("File to append to [default: stdout]"),
            )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let interval = arguments.get_one::<String>("interval").expect("it has a default");
        let samples = arguments.get_one::<u64>("samples").copied();
        monitor(interval, samples, arguments.get_one::<PathBuf>("out").map(PathBuf::as_path))
    }
}

fn monitor(said: &str, samples: Option<u64>, out: Option<&Path>) -> Result<(), Failure> {
    let bad = |why: &str| {
        Failure::BadInput(format!("--interval {said}: {why}. Expected 100ms to 1h, as 1s"))
    };
    let interval: Nanos = said.parse().map_err(|_| bad("no time"))?;
    if !(Nanos::millis(100)..=Nanos::secs(3600)).contains(&interval) {
        return Err(bad("too short, or too long"));
    }
    let step = Duration::from_nanos(interval.0);
    let node = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let mut before = counters()?;
    let (mut then, mut written) = (unix_ms(), 0);
    while samples.is_none_or(|most| written < most) {
        std::thread::sleep(step);
        if interrupt::check().is_err() {
            break;
        }
        let (after, at) = (counters()?, unix_ms());
        let mut line = between(node.trim(), at, at - then, &before, &after);
        now(&mut line, Path::new(PROC));
        let text = serde_json::to_string(&line).expect("a line has no odd keys") + "\n";
        put(out, &text)?;
        (before, then) = (after, at);
        written += 1
    }
    Ok(())
}

fn counters() -> Result<Counters, Failure> {
    Counters::now(Path::new(PROC))
        .map_err(|e| Failure::Failed(format!("{PROC}/stat: {e}. The monitor needs Linux")))
}

fn put(out: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = out else { return console::text(text) };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|e| Failure::writing(path, &e))
}

/// Wall clock, by which samples are joined with logs.
#[allow(clippy::disallowed_methods, reason = "no run depends on it: it says when a sample was")]
fn unix_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
