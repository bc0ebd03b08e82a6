//! `tenbin monitor`
use crate::cli::Monitor;
use crate::failure::Failure;
use crate::{console, interrupt};
use mapreduce::curves::monitor::{Counters, between, now};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use units::Nanos;

/// Where Linux tells.
const PROC: &str = "/proc";

/// Writes a line an interval.
pub fn monitor(args: Monitor) -> Result<(), Failure> {
    let bad = |why: &str| {
        let said = &args.interval;
        Failure::BadInput(format!("--interval {said}: {why}. Expected 100ms to 1h, as 1s"))
    };
    let interval: Nanos = args.interval.parse().map_err(|_| bad("no time"))?;
    if !(Nanos::millis(100)..=Nanos::secs(3600)).contains(&interval) {
        return Err(bad("too short, or too long"));
    }
    let step = Duration::from_nanos(interval.0);
    let node = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let mut before = counters()?;
    let (mut then, mut written) = (unix_ms(), 0);
    while args.samples.is_none_or(|most| written < most) {
        std::thread::sleep(step);
        if interrupt::check().is_err() {
            break;
        }
        let (after, at) = (counters()?, unix_ms());
        let mut line = between(node.trim(), at, at - then, &before, &after);
        now(&mut line, Path::new(PROC));
        let text = serde_json::to_string(&line).expect("a line has no odd keys") + "\n";
        put(args.out.as_deref(), &text)?;
        (before, then) = (after, at);
        written += 1
    }
    Ok(())
}

fn counters() -> Result<Counters, Failure> {
    Counters::now(Path::new(PROC))
        .map_err(|e| Failure::Failed(format!("{PROC}/stat: {e}. The monitor needs Linux")))
}

/// A line at the end of the file, or on stdout.
fn put(out: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = out else { return console::text(text) };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|e| Failure::writing(path, &e))
}

/// The wall clock: samples are joined to logs by it.
#[allow(clippy::disallowed_methods, reason = "no run depends on it: it says when a sample was")]
fn unix_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
