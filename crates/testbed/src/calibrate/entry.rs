//! Measurements as tables, scenario keys, and catalogue entries.
use super::curve::{Fit, fit};
use super::{Access, Calibration, Cell, DiskMeasurement, STREAMS};
use std::fmt::Write;
use units::{Bytes, BytesPerSec, Nanos, floored_u64};

const ACCESSES: [Access; 3] = [Access::Read, Access::Write, Access::Both];

impl DiskMeasurement {
    /// Maximum total rate over all numbers of streams.
    pub fn rate(&self) -> BytesPerSec {
        BytesPerSec(floored_u64(self.cells.iter().map(Cell::total).fold(1.0, f64::max)))
    }

    /// Random read time minus transfer time.
    pub fn seek(&self) -> Nanos {
        let transfer = super::SMALL as f64 / self.rate().0 as f64;
        Nanos::from_secs((self.random_read - transfer).max(0.0))
    }

    pub fn of(&self, access: Access) -> Vec<Cell> {
        self.cells.iter().filter(|cell| cell.access == access).copied().collect()
    }

    pub fn fit(&self, access: Access) -> Option<Fit> {
        fit(&self.of(access), self.rate(), self.seek())
    }

    pub fn text(&self) -> String {
        let mut out = format!(
            "{}: {}; rate {:.1} MB/s, random read {:.2} ms\n\nMB/s by number of streams\n{:<8}",
            self.device.name,
            self.conditions(None),
            self.rate().0 as f64 / 1e6,
            self.random_read * 1e3,
            ""
        );
        out.extend(STREAMS.map(|n| format!("{n:>9}")));
        out += "\n";
        for access in ACCESSES {
            let cells = self.of(access);
            if cells.is_empty() {
                continue;
            }
            let _ = write!(out, "{:<8}", access.name());
            for n in STREAMS {
                let cell = cells.iter().find(|cell| cell.streams == n);
                let _ = write!(out, "{:>9}", cell.map_or("-".into(), shown));
            }
            if let Some(Fit { batch, curve, error }) = self.fit(access) {
                let (mb, g) = (batch.0 as f64 / 1e6, curve.exponent());
                let _ = write!(out, "   batch {mb:.2} MB, g {g}, within {:.0} %", error * 100.0);
            }
            out += "\n"
        }
        out
    }

    fn conditions(&self, ahead: Option<Bytes>) -> String {
        let device = &self.device;
        let system = match device.file_system.as_str() {
            "" => String::new(),
            name => format!("{name}, "),
        };
        let ahead = match ahead {
            Some(ahead) => format!("read-ahead of readers: {ahead}"),
            None => format!("readahead {} KiB", device.read_ahead),
        };
        format!("Linux {}, {system}{}, {ahead}", device.kernel, device.scheduler)
    }

    /// Scenario keys for this disk with mostly reading streams, and catalogue entries.
    pub fn entry(&self, name: &str, date: &str, asked: &Calibration) -> String {
        let (rate, seek) = (self.rate(), self.seek());
        let batch = self.fit(Access::Read).map_or(Bytes::mib(4), |fit| fit.batch);
        let source =
            format!("measured {date} by `tenbin calibrate disk`: {}", self.conditions(asked.ahead));
        let micros = seek.0 / 1000;
        let mut out = format!(
            "// A scenario's keys:\n// [hardware]\n// disk = \"{}kB/s\"\n// disk_seek = \
             \"{micros}us\"\n// disk_batch = \"{}B\"\n\n",
            rate.0 / 1000,
            batch.0
        );
        let _ = write!(
            out,
            "CatalogueDisk {{\n    name: \"{name}\",\n    what: \"{}\",\n    rate: \
             BytesPerSec({}),\n    seek: Nanos::micros({micros}),\n    turn: Nanos::ZERO, // not \
             measured\n    batch: Bytes({}),\n    source: \"{source}\",\n}},\n",
            self.device.name, rate.0, batch.0
        );
        for access in ACCESSES {
            let Some(Fit { batch, curve, error }) = self.fit(access) else { continue };
            let kind = access.name();
            let cells: Vec<String> = self.of(access).iter().map(counted).collect();
            let _ = write!(
                out,
                "CatalogueCurve {{\n    name: \"{name}-{kind}\",\n    what: \"{kind}: a seek for \
                 each batch of {:.2} MB\",\n    curve: DiskCurve::quarters({}),\n    source: \
                 \"{source}; MB/s: {}; within {:.0} %\",\n}},\n",
                batch.0 as f64 / 1e6,
                floored_u64(curve.exponent() * 4.0),
                cells.join(", "),
                error * 100.0
            );
        }
        out
    }
}

/// MB/s; both directions for mixed access.
fn shown(cell: &Cell) -> String {
    let mb = |rate: f64| floored_u64(rate / 1e6 + 0.5);
    match cell.access {
        Access::Both => format!("{}+{}", mb(cell.read), mb(cell.written)),
        _ => mb(cell.total()).to_string(),
    }
}

fn counted(cell: &Cell) -> String {
    format!("{} of {}", shown(cell), cell.streams)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::Device;

    #[test]
    fn an_entry_says_what_was_measured() {
        let device = Device {
            name: "sdb".into(),
            file_system: "ext4".into(),
            scheduler: "mq-deadline".into(),
            read_ahead: 128,
            kernel: "6.18.1".into(),
            ..Device::default()
        };
        let cell = |access, streams, read, written| Cell { access, streams, read, written };
        let cells = vec![
            cell(Access::Read, 1, 150e6, 0.0),
            cell(Access::Read, 2, 30e6, 0.0),
            cell(Access::Write, 1, 0.0, 140e6),
            cell(Access::Both, 2, 10e6, 60e6),
        ];
        let measured = DiskMeasurement { device, random_read: 0.0124, cells };
        assert_eq!(measured.rate(), BytesPerSec::mb(150), "the most");
        assert_eq!(measured.seek(), Nanos(12_372_693));
        let text = measured.text();
        assert!(text.contains("both            -    10+60"), "{text}");
        let asked = Calibration {
            target: "/mnt".into(),
            seconds: 6,
            file: Bytes::mib(128),
            ahead: Some(Bytes::mib(4)),
        };
        let entry = measured.entry("mine", "2026-11-26", &asked);
        for part in [
            "// disk = \"150000kB/s\"",
            "    seek: Nanos::micros(12372),",
            "    name: \"mine-both\",",
            "Linux 6.18.1, ext4, mq-deadline, read-ahead of readers: 4MiB; MB/s: 10+60 of 2;",
        ] {
            assert!(entry.contains(part), "{part} in {entry}");
        }
    }
}
