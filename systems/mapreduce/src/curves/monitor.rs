//! This node's CPU, memory, disks and NICs, from `/proc` and `/sys`, for `tenbin monitor`.
use super::{Disk, Nic, NodeSample, Pressure, part};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counters {
    /// Jiffies: total, idle, waiting for I/O.
    cpu: (f64, f64, f64),
    /// Sectors read, sectors written, busy \[ms\].
    disks: BTreeMap<String, (f64, f64, f64)>,
    /// Bytes received, bytes sent.
    nics: BTreeMap<String, (f64, f64)>,
    /// Stalled on CPU, memory, I/O \[µs\].
    stalled: [Option<f64>; 3],
}

impl Counters {
    /// Reads the counters below `proc`, which is "/proc" except in tests.
    ///
    /// # Errors
    /// `proc/stat` is unreadable, as on systems other than Linux.
    pub fn now(proc: &Path) -> std::io::Result<Counters> {
        let stat = fs::read_to_string(proc.join("stat"))?;
        let text = |name: &str| fs::read_to_string(proc.join(name)).unwrap_or_default();
        let stalled = ["cpu", "memory", "io"].map(|of| stalled(&text(&format!("pressure/{of}"))));
        Ok(Counters {
            cpu: cpu(&stat),
            disks: disks(&text("diskstats")),
            nics: nics(&text("net/dev")),
            stalled,
        })
    }
}

fn numbers(words: &[&str]) -> Vec<f64> {
    words.iter().map(|word| word.parse().unwrap_or(0.0)).collect()
}

fn cpu(stat: &str) -> (f64, f64, f64) {
    let words: Vec<&str> = stat.lines().next().unwrap_or("").split_whitespace().skip(1).collect();
    // User time includes guest time already.
    let all = numbers(&words[..words.len().min(8)]);
    let at = |place: usize| all.get(place).copied().unwrap_or(0.0);
    (all.iter().sum(), at(3), at(4))
}

fn disks(text: &str) -> BTreeMap<String, (f64, f64, f64)> {
    let mut disks = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_whole = |name: &str| {
            !name.starts_with("loop") && !name.starts_with("ram") && !is_partition(name)
        };
        if words.len() >= 14 && is_whole(words[2]) {
            let n = numbers(&words);
            disks.insert(words[2].to_string(), (n[5], n[9], n[12]));
        }
    }
    disks
}

/// A partition, as sda1 or nvme0n1p2: the kernel counts its I/O on the disk as well.
fn is_partition(name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_number = bare.len() < name.len();
    match name.starts_with("nvme") || name.starts_with("mmcblk") {
        true => has_number && bare.ends_with('p'),
        false => has_number && ["sd", "vd", "hd", "xvd"].iter().any(|of| bare.starts_with(of)),
    }
}

fn nics(text: &str) -> BTreeMap<String, (f64, f64)> {
    let mut nics = BTreeMap::new();
    for line in text.lines() {
        if let Some((name, rest)) = line.split_once(':') {
            let n = numbers(&rest.split_whitespace().collect::<Vec<_>>());
            if n.len() >= 9 && name.trim() != "lo" {
                nics.insert(name.trim().to_string(), (n[0], n[8]));
            }
        }
    }
    nics
}

fn stalled(text: &str) -> Option<f64> {
    let some = text.lines().find(|line| line.starts_with("some"))?;
    some.rsplit_once("total=")?.1.trim().parse().ok()
}

/// Rates and fractions between two samples; the other fields of the line stay at their defaults.
pub fn between(
    node: &str,
    unix_ms: i64,
    interval_ms: i64,
    before: &Counters,
    after: &Counters,
) -> NodeSample {
    let seconds = (interval_ms.max(1)) as f64 / 1e3;
    let rate = |now: f64, then: f64| (now - then).max(0.0) / seconds;
    let all = after.cpu.0 - before.cpu.0;
    let of_cpu = |now: f64, then: f64| if all > 0.0 { part((now - then) / all) } else { None };
    let idle = of_cpu(after.cpu.1, before.cpu.1);
    let iowait = of_cpu(after.cpu.2, before.cpu.2);
    let disk = |(name, now): (&String, &(f64, f64, f64))| {
        let then = before.disks.get(name)?;
        let busy = part(rate(now.2, then.2) / 1e3);
        let (read, written) = (512.0 * rate(now.0, then.0), 512.0 * rate(now.1, then.1));
        Some(Disk { name: name.clone(), busy, read, written })
    };
    let nic = |(name, now): (&String, &(f64, f64))| {
        let then = before.nics.get(name)?;
        let (received, sent) = (rate(now.0, then.0), rate(now.1, then.1));
        Some(Nic { name: name.clone(), received, sent, speed: speed(name) })
    };
    let pressure = |at: usize| {
        let (now, then) = (after.stalled[at]?, before.stalled[at]?);
        part(rate(now, then) / 1e6)
    };
    NodeSample {
        node: node.into(),
        unix_ms,
        interval_ms,
        cpu_busy: idle.zip(iowait).and_then(|(idle, iowait)| part(1.0 - idle - iowait)),
        cpu_iowait: iowait,
        disks: after.disks.iter().filter_map(disk).collect(),
        nics: after.nics.iter().filter_map(nic).collect(),
        pressure: Pressure { cpu: pressure(0), memory: pressure(1), io: pressure(2) },
        ..NodeSample::default()
    }
}

/// Sets `runnable` and `memory_used`, which are gauges.
pub fn now(line: &mut NodeSample, proc: &Path) {
    let text = |name: &str| fs::read_to_string(proc.join(name)).unwrap_or_default();
    let loads = text("loadavg");
    let running = loads.split_whitespace().nth(3).and_then(|word| word.split_once('/'));
    line.runnable = running.and_then(|(running, _)| running.parse().ok());
    let memory = text("meminfo");
    let of = |name: &str| -> Option<f64> {
        let line = memory.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    let (all, free) = (of("MemTotal:"), of("MemAvailable:"));
    line.memory_used = all.zip(free).and_then(|(all, free)| part(1.0 - free / all))
}

/// Line rate \[bytes/s\]; `None`: the driver reports none.
fn speed(nic: &str) -> Option<f64> {
    if nic.contains(['/', '.']) {
        return None;
    }
    let text = fs::read_to_string(format!("/sys/class/net/{nic}/speed")).ok()?;
    text.trim().parse::<f64>().ok().filter(|mbit| *mbit > 0.0).map(|mbit| mbit * 125_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_the_kernels_counters_are_rates() {
        let disk = |read, busy| {
            format!("8 0 sda 1 0 {read} 0 1 0 0 0 0 {busy} 0\n8 1 sda1 1 0 9 0 1 0 0 0 0 9 0\n")
        };
        let at = |cpu: &str, disk: &str, nic: &str| Counters {
            cpu: super::cpu(cpu),
            disks: disks(disk),
            nics: nics(nic),
            stalled: [stalled("some avg10=0 total=0\nfull total=9"), None, None],
        };
        let before = at("cpu 0 0 0 0 0 0 0 0 0 0", &disk(0, 0), " eth7: 0 0 0 0 0 0 0 0 0\n");
        let mut after = at(
            "cpu 60 0 10 20 10 0 0 0 99 0",
            &disk(2000, 500),
            " eth7: 3000 0 0 0 0 0 0 0 9000\n lo: 1 1 1 1 1 1 1 1 1\n",
        );
        after.stalled[0] = Some(250_000.0);
        let line = between("n", 1000, 1000, &before, &after);
        assert!((line.cpu_busy.unwrap() - 0.7).abs() < 1e-9, "{line:?}");
        assert_eq!(line.cpu_iowait, Some(0.1));
        assert_eq!(line.disks.len(), 1, "no partitions");
        assert_eq!((line.disks[0].busy, line.disks[0].read), (Some(0.5), 1_024_000.0));
        assert_eq!((line.nics[0].received, line.nics[0].sent), (3000.0, 9000.0));
        assert_eq!(line.pressure.cpu, Some(0.25));
    }
}
