//! Key figures of both.
use super::Side;
use super::page::Figure;
use crate::stat::{Stat, further, stat};
use crate::words::{MINUS, NB, bytes, decimals, duration, num, percent};

/// How a figure is written.
#[derive(Clone, Copy)]
enum Unit {
    Seconds,
    Count,
    Bytes,
    Rate,
    Share,
    Ratio,
}

/// Those that people ask for first, by the names that `run --json` has.
const FIGURES: [(&str, &str, Unit); 14] = [
    ("detection_s", "Detection", Unit::Seconds),
    ("recovery_s", "Recovery", Unit::Seconds),
    ("blocks_copied", "Copies", Unit::Count),
    ("bytes_copied", "Bytes copied", Unit::Bytes),
    ("throughput_mb_s", "Throughput", Unit::Rate),
    ("blocks_lost", "Blocks lost", Unit::Count),
    ("at_one_replica_s", "Time at 1 replica", Unit::Seconds),
    ("one_rack_only_s", "Time in 1 rack", Unit::Seconds),
    ("send_max_over_mean", "Sent, max/mean", Unit::Ratio),
    ("send_gini", "Sent, Gini", Unit::Ratio),
    ("receive_max_over_mean", "Received, max/mean", Unit::Ratio),
    ("receive_gini", "Received, Gini", Unit::Ratio),
    ("disk_max_over_mean", "Disks, max/mean", Unit::Ratio),
    ("busiest_disk", "Busiest disk", Unit::Share),
];

/// Left out where they are 0 in both.
const QUIET: [&str; 2] = ["at_one_replica_s", "one_rack_only_s"];

fn nothing(values: &[Option<Vec<f64>>; 2]) -> bool {
    values.iter().flatten().flatten().all(|value| *value == 0.0)
}

/// Those that one of them has at least.
pub fn figures(first: &Side, second: &Side) -> Vec<Figure> {
    FIGURES.iter().filter_map(|figure| one(first, second, *figure)).collect()
}

fn one(first: &Side, second: &Side, (key, name, unit): (&str, &str, Unit)) -> Option<Figure> {
    let values = [first.values(key), second.values(key)];
    if values.iter().all(Option::is_none) || QUIET.contains(&key) && nothing(&values) {
        return None;
    }
    let stats = [0, 1].map(|side| values[side].as_deref().map(stat));
    let difference = match stats {
        [Some(first), Some(second)] => difference(first.mean, second.mean, unit),
        _ => String::new(),
    };
    Some(Figure {
        key: key.into(),
        name: name.into(),
        shown: stats.map(|value| value.map_or("–".into(), |value| shown(&value, unit))),
        difference,
        inside: match &values {
            [Some(first), Some(second)] => inside(first, second),
            _ => None,
        },
        values: stats,
    })
}

/// Whether one value lies where 95 % of the others do.
fn inside(first: &[f64], second: &[f64]) -> Option<bool> {
    let (one, many) = match (first, second) {
        ([one], many @ [_, _, ..]) | (many @ [_, _, ..], [one]) => (one, many),
        _ => return None,
    };
    // Sums of floats: what never varies is not outside of itself.
    let width = further(many)? + 1e-9 * one.abs();
    Some((one - stat(many).mean).abs() <= width)
}

fn shown(value: &Stat, unit: Unit) -> String {
    let mean = written(value.mean, unit);
    if value.ci95 == 0.0 {
        return mean;
    }
    let half = match unit {
        Unit::Seconds if value.mean < 599.5 => num(value.ci95, decimals(value.mean)),
        Unit::Count => num(value.ci95, 1),
        Unit::Rate => num(value.ci95, decimals(value.mean)),
        Unit::Ratio => num(value.ci95, 2),
        Unit::Share => num(100.0 * value.ci95, 0),
        _ => written(value.ci95, unit),
    };
    format!("{mean}{NB}±{NB}{half}")
}

fn written(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Seconds => duration(value),
        Unit::Count => num(value, if value == libm::floor(value) { 0 } else { 1 }),
        Unit::Bytes => bytes(value),
        Unit::Rate => format!("{}{NB}MB/s", num(value, decimals(value))),
        Unit::Share => percent(value),
        Unit::Ratio => num(value, 2),
    }
}

/// "−0.69 s (−3 %)", "0".
fn difference(first: f64, second: f64, unit: Unit) -> String {
    let by = second - first;
    let size = written(by.abs(), unit);
    if !size.bytes().any(|b| b.is_ascii_digit() && b != b'0') {
        return "0".into();
    }
    let sign = if by < 0.0 { MINUS } else { "+" };
    let relative = match first {
        0.0 => String::new(),
        _ => format!(" ({sign}{})", percent((by / first).abs())),
    };
    match unit {
        // Of a share or a ratio, a percentage more confuses.
        Unit::Share | Unit::Ratio => format!("{sign}{size}"),
        _ => format!("{sign}{size}{relative}"),
    }
}
