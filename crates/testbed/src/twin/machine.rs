//! CPU and disk use of the machine during a run, to detect results limited by CPUs.
use crate::bed::Host;
use serde_json::{Value, json};
use std::fs;
use system::processors::ticks;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Machine {
    /// CPUs: busy and total \[ticks\].
    ticks: (u64, u64),
    /// By disk: bytes read, bytes written.
    disks: Vec<[u64; 2]>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Work {
    /// Busy fraction of the CPUs.
    pub processors: f64,
    /// By all disks \[bytes\].
    pub read: u64,
    /// By all disks \[bytes\].
    pub written: u64,
}

impl Work {
    pub fn json(&self) -> Value {
        json!({
            "processors_busy": self.processors,
            "disks_read_bytes": self.read,
            "disks_written_bytes": self.written,
        })
    }

    pub fn of_json(json: &Value) -> Option<Work> {
        Some(Work {
            processors: json["processors_busy"].as_f64()?,
            read: json["disks_read_bytes"].as_u64()?,
            written: json["disks_written_bytes"].as_u64()?,
        })
    }

    /// A warning if the CPUs limited the results; else empty.
    pub fn doubts(work: &[Work]) -> String {
        const SHORT: f64 = 0.9;
        let most = work.iter().map(|work| work.processors).fold(0.0, f64::max);
        match most > SHORT {
            true => format!(
                "! processors were {:.0} % busy: times exceed those of the disks and links; run \
                 nothing else, or choose slower hardware\n",
                100.0 * most
            ),
            false => String::new(),
        }
    }
}

impl Machine {
    pub fn now(hosts: &[Host]) -> Machine {
        let of = |device: &str| {
            let name = device.rsplit('/').next().unwrap_or(device);
            let text = fs::read_to_string(format!("/sys/block/{name}/stat"));
            disk(&text.unwrap_or_default()).unwrap_or_default()
        };
        let disks = hosts.iter().flat_map(|host| &host.disks).map(|(_, device)| of(device));
        let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
        Machine { ticks: ticks(&stat).unwrap_or_default(), disks: disks.collect() }
    }

    pub fn since(&self, before: &Machine) -> Work {
        let busy = self.ticks.0.saturating_sub(before.ticks.0);
        let all = self.ticks.1.saturating_sub(before.ticks.1).max(1);
        let sum = |of: usize| {
            let pairs = self.disks.iter().zip(&before.disks);
            pairs.map(|(now, then)| now[of].saturating_sub(then[of])).sum()
        };
        Work { processors: busy as f64 / all as f64, read: sum(0), written: sum(1) }
    }
}

/// Parses `/sys/block/NAME/stat`, in sectors of 512 bytes.
fn disk(stat: &str) -> Option<[u64; 2]> {
    let numbers: Vec<u64> = stat.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    Some([512 * numbers.get(2)?, 512 * numbers.get(6)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_what_counters_grew_by() {
        let at = |stat: &str, of_disk: &str| Machine {
            ticks: ticks(stat).expect("it is one"),
            disks: vec![disk(of_disk).expect("it is one"), [0; 2]],
        };
        let before = at("cpu  100 0 50 800 50 0 0 0 7 0\ncpu0 1", "10 0 100 5 3 0 40 9 0 250 14");
        let after = at("cpu  130 0 70 830 70 0 0 0 9 0\n", "20 0 300 5 3 0 50 9 0 1250 14");
        let work = after.since(&before);
        assert_eq!(work.processors, 0.5);
        assert_eq!((work.read, work.written), (200 * 512, 10 * 512));
    }
}
