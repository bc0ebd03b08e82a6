//! `sadf -j` (sysstat 11 and newer): `sadf -j -- -u -d -n DEV -r -q`.
use super::{Disk, Line, Nic, part};
use serde_json::Value;

/// All lines of a file of `sadf -j`.
///
/// # Errors
/// It is none, for people.
pub fn read(text: &str) -> Result<Vec<Line>, String> {
    let all: Value = serde_json::from_str(text)
        .map_err(|e| format!("{}: no JSON (column {})", e.line(), e.column()))?;
    let hosts = all["sysstat"]["hosts"].as_array();
    let hosts = hosts.ok_or("1: no sysstat.hosts. Expected what sadf -j prints")?;
    let mut lines = Vec::new();
    for host in hosts {
        let node = host["nodename"].as_str().unwrap_or("");
        for sample in host["statistics"].as_array().into_iter().flatten() {
            lines.extend(line(node, sample))
        }
    }
    Ok(lines)
}

fn line(node: &str, sample: &Value) -> Option<Line> {
    let stamp = &sample["timestamp"];
    let unix_ms = unix_ms(stamp["date"].as_str()?, stamp["time"].as_str()?)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let number = |value: &Value| value.as_f64().filter(|n| n.is_finite());
    let all = list(&sample["cpu-load"]).into_iter().find(|cpu| cpu["cpu"] == "all");
    let idle = all.as_ref().and_then(|cpu| number(&cpu["idle"]));
    let iowait = all.as_ref().and_then(|cpu| number(&cpu["iowait"]));
    let disk = |d: &Value| Disk {
        name: d["disk-device"].as_str().unwrap_or("").into(),
        busy: number(&d["util-percent"]).or(number(&d["util"])).and_then(|p| part(p / 100.0)),
        read: number(&d["rkB"]).or(number(&d["rd_sec"]).map(|s| s / 2.0)).unwrap_or(0.0) * 1024.0,
        written: number(&d["wkB"]).or(number(&d["wr_sec"]).map(|s| s / 2.0)).unwrap_or(0.0)
            * 1024.0,
    };
    let nic = |n: &Value| Nic {
        name: n["iface"].as_str().unwrap_or("").into(),
        received: number(&n["rxkB"]).unwrap_or(0.0) * 1024.0,
        sent: number(&n["txkB"]).unwrap_or(0.0) * 1024.0,
        // %ifutil is of the speed of which the busier way took so much.
        speed: number(&n["ifutil-percent"]).filter(|p| *p > 0.0).and_then(|p| {
            let most = f64::max(number(&n["rxkB"])?, number(&n["txkB"])?) * 1024.0;
            Some(most / (p / 100.0))
        }),
    };
    Some(Line {
        node: node.into(),
        unix_ms,
        interval_ms: number(&stamp["interval"])
            .map_or(0, |s| units::floored_u64(1e3 * s).cast_signed()),
        cpu_busy: idle.and_then(|idle| part(1.0 - (idle + iowait.unwrap_or(0.0)) / 100.0)),
        cpu_iowait: iowait.and_then(|p| part(p / 100.0)),
        runnable: sample["queue"]["runq-sz"].as_u64().and_then(|n| u32::try_from(n).ok()),
        memory_used: number(&sample["memory"]["memused-percent"]).and_then(|p| part(p / 100.0)),
        disks: list(&sample["disk"]).iter().map(disk).collect(),
        nics: list(&sample["network"]["net-dev"]).iter().map(nic).collect(),
        ..Line::default()
    })
}

/// "2026-11-23", "12:00:01" as Unix time \[ms\]; sadf prints UTC unless it was told otherwise.
fn unix_ms(date: &str, time: &str) -> Option<i64> {
    let numbers = |text: &str, by: char| -> Option<Vec<i64>> {
        text.split(by).map(|n| n.parse().ok()).collect()
    };
    let ([year, month, day], [hour, minute, second]) =
        (numbers(date, '-')?.try_into().ok()?, numbers(time, ':')?.try_into().ok()?);
    let fits = (1970..=2200).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    // Days since 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    fits.then(|| 1000 * (86_400 * days + 3600 * hour + 60 * minute + second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_unix_times() {
        assert_eq!(unix_ms("1970-01-01", "00:00:00"), Some(0));
        assert_eq!(unix_ms("2026-11-23", "12:41:37"), Some(1_795_437_697_000));
        assert_eq!(unix_ms("2024-02-29", "00:00:00"), Some(1_709_164_800_000));
        assert_eq!(unix_ms("9999-01-01", "00:00:00"), None);
        assert_eq!(unix_ms("2026-13-01", "00:00:00"), None);
    }

    #[test]
    fn what_sadf_prints_is_read() {
        let text = r#"{"sysstat":{"hosts":[{"nodename":"n1","statistics":[{"timestamp":
            {"date":"2026-11-23","time":"12:41:37","utc":1,"interval":1},
            "cpu-load":[{"cpu":"all","user":60.0,"iowait":10.0,"idle":20.0},{"cpu":"0","idle":1}],
            "disk":[{"disk-device":"sda","rkB":1000.0,"wkB":0.0,"util-percent":95.5}],
            "network":{"net-dev":[{"iface":"eth0","rxkB":100.0,"txkB":50.0,"ifutil-percent":10.0}]},
            "queue":{"runq-sz":7}}]}]}}"#;
        let lines = read(text).unwrap();
        let line = &lines[0];
        assert_eq!((line.node.as_str(), line.unix_ms), ("n1", 1_795_437_697_000));
        assert!((line.cpu_busy.unwrap() - 0.7).abs() < 1e-9, "neither idle nor I/O wait");
        assert_eq!(line.disks[0].busy, Some(0.955));
        assert_eq!(line.nics[0].speed, Some(1_024_000.0));
        assert_eq!(line.runnable, Some(7));
        assert!(read("[]").unwrap_err().contains("sadf -j"));
    }
}
