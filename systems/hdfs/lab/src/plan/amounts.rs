//! Formats times and slowdowns of a plan.
use super::answer::PointResult;
use hdfs_reading::Stat;

pub fn ms(p99: Option<Stat>, seeds: usize) -> String {
    let spread = |s: Stat, unit: f64, digits: usize| match seeds {
        1 => String::new(),
        _ => format!(" ± {:.digits$}", s.ci95 / unit),
    };
    match p99 {
        Some(s) if s.mean >= 10_000.0 => {
            format!("{:.1}{} s", s.mean / 1e3, spread(s, 1e3, 1))
        }
        Some(s) => format!("{:.0}{} ms", s.mean, spread(s, 1.0, 0)),
        None => "?".into(),
    }
}

/// Increase of clients' 99th percentile: "+11 ± 7 %"; empty without clients.
pub fn slower(tried: &PointResult) -> String {
    let spread = |s: Stat| match tried.seeds() {
        1 => String::new(),
        _ => format!(" ± {:.0}", 100.0 * s.ci95),
    };
    tried.slowdown.map_or(String::new(), |s| format!("{:+.0}{} %", 100.0 * s.mean, spread(s)))
}

/// Recovery with its interval: "41.3 ± 0.6 s".
pub fn time(tried: &PointResult) -> String {
    let Some(s) = tried.recovery else { return "for ever".into() };
    match tried.seeds() {
        1 => format!("{} (one seed)", duration(s.mean, None)),
        _ => duration(s.mean, Some(s.ci95)),
    }
}

/// As `time`, in seconds: minutes may hide the difference to a deadline.
pub fn in_seconds(tried: &PointResult) -> String {
    match tried.recovery {
        Some(s) if tried.seeds() > 1 => format!("{:.1} ± {:.1} s", s.mean, s.ci95),
        _ => time(tried),
    }
}

/// "41.3 ± 0.6 s", "12.1 min".
pub fn duration(mean: f64, ci95: Option<f64>) -> String {
    let (unit, name) = if mean >= 600.0 { (60.0, "min") } else { (1.0, "s") };
    let spread = ci95.map_or(String::new(), |ci95| format!(" ± {:.1}", ci95 / unit));
    format!("{:.1}{spread} {name}", mean / unit)
}
