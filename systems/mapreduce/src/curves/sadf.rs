//! `sadf -j` (sysstat 11 and newer): `sadf -j -- -u -d -n DEV -r -q`.
use super::calendar::unix_ms;
use super::{Disk, Nic, NodeSample, part};
use import::{Issue, issue};
use serde_json::Value;

/// Reads the output of `sadf -j`. `ahead`: how far the clock of local times is ahead of UTC \[ms\].
///
/// # Errors
/// The text is not of `sadf -j`, or has local times and `ahead` is `None`.
pub fn read(text: &str, ahead: Option<i64>) -> Result<Vec<NodeSample>, Issue> {
    const EXPECTED: &str = "what sadf -j prints";
    let all: Value = serde_json::from_str(text).map_err(|e| {
        let what = if e.is_eof() { "the JSON ends in the middle" } else { "not JSON" };
        issue(format!("{what} (column {})", e.column()), EXPECTED).on(e.line() as u64)
    })?;
    let hosts = all["sysstat"]["hosts"].as_array();
    let hosts = hosts.ok_or_else(|| issue("no sysstat.hosts", EXPECTED).on(1))?;
    let mut lines = Vec::new();
    for host in hosts {
        let node = host["nodename"].as_str().unwrap_or("");
        for sample in host["statistics"].as_array().into_iter().flatten() {
            if ahead.is_none() && is_local(&sample["timestamp"]) {
                return Err(local(text, &sample["timestamp"]));
            }
            lines.extend(line(node, sample, ahead))
        }
    }
    Ok(lines)
}

/// Whether a timestamp is not certainly UTC. Up to sysstat 12.6, "utc" is 1 or 0; later versions
/// have "tz" with a zone's name.
fn is_local(stamp: &Value) -> bool {
    let is_utc = |zone: &str| ["UTC", "GMT", "UCT", "Etc/UTC", "Z"].contains(&zone);
    match (&stamp["utc"], stamp["tz"].as_str()) {
        (Value::Null, Some(zone)) => !is_utc(zone),
        (utc, _) => !(*utc == 1 || *utc == true),
    }
}

/// The history has no UTC offset either, so the user has to state it.
fn local(text: &str, stamp: &Value) -> Issue {
    let (date, time) = (at(stamp, "date"), at(stamp, "time"));
    let is_it = |line: &str| line.contains(&time) && line.contains("\"time\"");
    let line = 1 + text.lines().position(is_it).unwrap_or(0) as u64;
    let why = match (&stamp["utc"], stamp["tz"].as_str()) {
        (Value::Null, None) => "has no time zone".to_string(),
        (Value::Null, Some(zone)) => format!("is local time (\"tz\": \"{zone}\")"),
        _ => "is local time (\"utc\": 0)".to_string(),
    };
    issue(format!("{date} {time} {why}"), "UTC, as sadf -j prints it without -t and -T")
        .advice("Or give the lead of that clock over UTC: --utc-offset +01:00.")
        .on(line)
}

fn at(stamp: &Value, part: &str) -> String {
    stamp[part].as_str().unwrap_or("?").to_string()
}

fn line(node: &str, sample: &Value, ahead: Option<i64>) -> Option<NodeSample> {
    let stamp = &sample["timestamp"];
    let unix_ms = unix_ms(stamp["date"].as_str()?, stamp["time"].as_str()?)?;
    let unix_ms = if is_local(stamp) { unix_ms - ahead.unwrap_or(0) } else { unix_ms };
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
        // `%ifutil` relates the busier direction to the line rate.
        speed: number(&n["ifutil-percent"]).filter(|p| *p > 0.0).and_then(|p| {
            let most = f64::max(number(&n["rxkB"])?, number(&n["txkB"])?) * 1024.0;
            Some(most / (p / 100.0))
        }),
    };
    Some(NodeSample {
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
        ..NodeSample::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sadf_prints_is_read() {
        let text = r#"{"sysstat":{"hosts":[{"nodename":"n1","statistics":[{"timestamp":
            {"date":"2026-11-23","time":"12:41:37","utc":1,"interval":1},
            "cpu-load":[{"cpu":"all","user":60.0,"iowait":10.0,"idle":20.0},{"cpu":"0","idle":1}],
            "disk":[{"disk-device":"sda","rkB":1000.0,"wkB":0.0,"util-percent":95.5}],
            "network":{"net-dev":[{"iface":"eth0","rxkB":100.0,"txkB":50.0,"ifutil-percent":10.0}]},
            "memory":{"memused-percent":25.0},"queue":{"runq-sz":7}}]}]}}"#;
        let lines = read(text, None).unwrap();
        let line = &lines[0];
        assert_eq!((line.node.as_str(), line.unix_ms), ("n1", 1_795_437_697_000));
        assert!((line.cpu_busy.unwrap() - 0.7).abs() < 1e-9, "neither idle nor I/O wait");
        assert_eq!(line.disks[0].busy, Some(0.955));
        assert_eq!(line.nics[0].speed, Some(1_024_000.0));
        assert_eq!((line.runnable, line.memory_used), (Some(7), Some(0.25)));
        assert!(read("[]", None).unwrap_err().to_string().contains("sadf -j"));
    }

    #[test]
    fn local_times_are_refused_or_shifted() {
        let text = r#"{"sysstat":{"hosts":[{"nodename":"n","statistics":[{"timestamp":
            {"date":"2023-11-14","time":"23:15:02","utc": 0,"interval":60}}]}]}}"#;
        let why = read(text, None).unwrap_err();
        assert!(why.problem.starts_with("2023-11-14 23:15:02 is local time"), "{why}");
        assert_eq!(why.line, Some(2));
        for (zone, said) in [("\"tz\": \"CET\"", "\"tz\": \"CET\""), ("\"x\": 0", "no time zone")] {
            let why = read(&text.replace("\"utc\": 0", zone), None).unwrap_err().to_string();
            assert!(why.contains(said), "{why}");
        }
        let named = read(&text.replace("\"utc\": 0", "\"tz\": \"UTC\""), None).unwrap();
        assert_eq!(named[0].unix_ms, 1_700_003_702_000);
        let shifted = read(text, Some(3_600_000)).unwrap();
        assert_eq!(shifted[0].unix_ms, 1_700_000_102_000);
        let utc = read(&text.replace("utc\": 0", "utc\": 1"), Some(3_600_000)).unwrap();
        assert_eq!(utc[0].unix_ms, 1_700_003_702_000, "what is UTC stays");
    }
}
