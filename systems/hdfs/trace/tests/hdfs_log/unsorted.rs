//! Files in which the time goes back.
use super::support::{about, logs, text};
use hdfs_trace::ingest::hdfs_log::ImportedLogs;

#[track_caller]
fn same_loss(logged: &ImportedLogs) {
    let recovery = about(logged, "redundant_s") - about(logged, "declared_s");
    assert!((recovery - 25.57).abs() < 0.3, "{recovery}");
    assert_eq!(about(logged, "unrepaired"), 0.0);
    assert_eq!(logged.cluster.counts.replicas, 1200);
}

fn has(logged: &ImportedLogs, what: &str) -> bool {
    logged.cluster.notes.iter().any(|note| note.contains(what))
}

/// Lines in the order of the parts `from..to`.
fn parts(of: &[(usize, usize)]) -> String {
    let whole = text("default-nn+dn.log.gz");
    let lines: Vec<&str> = whole.lines().collect();
    let chosen = of.iter().flat_map(|(from, to)| &lines[*from..(*to).min(lines.len())]);
    chosen.map(|line| format!("{line}\n")).collect()
}

/// It is as if the parts were files of their own; but a clock may have been set back there.
#[test]
fn parts_in_another_order() {
    let whole = text("default-nn+dn.log.gz");
    let of = |data: bool| -> String {
        let is = |line: &&str| line.contains(".DataNode: ") == data;
        whole.lines().filter(is).map(|line| format!("{line}\n")).collect()
    };
    let all = 13_722;
    for unsorted in [
        of(true) + &of(false),
        parts(&[(10_900, all), (0, 10_900)]),
        parts(&[(11_500, all), (10_700, 11_500), (5_000, 10_700), (0, 5_000)]),
    ] {
        let logged = logs(&[&unsorted]).unwrap();
        same_loss(&logged);
        assert!(has(&logged, "the time goes back: "), "{:?}", logged.cluster.notes);
        assert!(about(&logged, "clock_back_s") > 1.0);
    }
}

/// Lines that a file has twice count once, and prove that no clock was set back.
#[test]
fn parts_that_a_file_has_twice() {
    let whole = text("default-nn+dn.log.gz");
    let one = logs(&[&whole]).unwrap();
    for twice in [format!("{whole}{whole}"), parts(&[(0, 11_500), (0, 99_999)])] {
        let logged = logs(&[&twice]).unwrap();
        same_loss(&logged);
        assert_eq!(one.trace.counters, logged.trace.counters);
        assert!(has(&logged, "lines are in this log twice, and count once"));
        assert_eq!(logged.trace.about("clock_back_s"), None);
    }
    assert!(one.trace.about("clock_back_s").is_none());
}

/// A clock set back an hour looks like parts in the wrong order.
#[test]
fn summer_time_ends() {
    let early = parts(&[(0, 11_502)]);
    let late = parts(&[(11_502, 99_999)]).replace("2026-11-20 17:", "2026-11-20 16:");
    let logged = logs(&[&format!("{early}{late}")]).unwrap();
    assert!((about(&logged, "clock_back_s") - 3600.0).abs() < 1.0);
    assert!(has(&logged, "If the clock was set back there"), "{:?}", logged.cluster.notes);
}

/// A line whose time alone is damaged keeps its place.
#[test]
fn a_single_time_is_wrong() {
    let whole = text("default-nn+dn.log.gz");
    let at = whole.find("BLOCK* removeDeadDatanode").unwrap();
    let line = whole[..at].rfind('\n').unwrap() + 1;
    let damaged = format!("{}2026-11-20 07{}", &whole[..line], &whole[line + 13..]);
    let logged = logs(&[&damaged]).unwrap();
    let recovery = about(&logged, "redundant_s") - about(&logged, "declared_s");
    assert!((recovery - 25.57).abs() < 0.5, "as late as the line before: {recovery}");
    assert!(has(&logged, "the clock was set back"));
    assert_eq!(logged.trace.about("clock_back_s"), None);
}

/// The same where it is ahead: neither the lines behind it nor the repair move.
#[test]
fn a_single_time_is_ahead() {
    let whole = text("default-nn+dn.log.gz");
    for mark in ["BLOCK* removeDeadDatanode", "BLOCK* addStoredBlock"] {
        let at = whole[10_000..].rfind(mark).unwrap() + 10_000;
        let line = whole[..at].rfind('\n').unwrap() + 1;
        for wrong in ["2027-11-20 17", "2026-11-20 18"] {
            let damaged = format!("{}{wrong}{}", &whole[..line], &whole[line + 13..]);
            let logged = logs(&[&damaged]).unwrap();
            let recovery = about(&logged, "redundant_s") - about(&logged, "declared_s");
            assert!((recovery - 25.57).abs() < 0.5, "{mark} {wrong}: {recovery}");
            assert!(has(&logged, "a line is far ahead of its neighbours"));
            assert_eq!(logged.trace.about("clock_back_s"), None);
        }
    }
}

/// No later line contradicts the time of a last line, so it is uncertain.
#[test]
fn the_last_time_is_ahead() {
    let whole = text("default-nn+dn.log.gz");
    let at = whole.rfind("BLOCK* addStoredBlock").unwrap();
    let line = whole[..at].rfind('\n').unwrap() + 1;
    let end = at + whole[at..].find('\n').unwrap() + 1;
    let of = |hour: &str| {
        let text = format!("{}2026-11-20 {hour}{}", &whole[..line], &whole[line + 13..end]);
        logs(&[&text]).unwrap()
    };
    let (as_it_was, late) = (of("17"), of("18"));
    assert_eq!(as_it_was.trace.about("lines_unread"), None);
    assert_eq!(about(&late, "lines_unread"), 1.0);
    assert!(has(&late, "no later line confirms its time"), "{:?}", late.cluster.notes);
}

/// Daemons of one machine write at the same milliseconds of each period: a duplicate line by chance
/// does not make the following lines a copy.
#[test]
fn a_clock_is_set_back_by_a_period() {
    let whole = text("default-nn+dn.log.gz");
    let lines: Vec<&str> = whole.lines().collect();
    let earlier = |line: &&str| {
        let stamp = line.get(11..19).and_then(|time| {
            let parts: Option<Vec<u32>> = time.split(':').map(|n| n.parse().ok()).collect();
            parts.filter(|parts| parts.len() == 3).map(|p| (p[0] * 60 + p[1]) * 60 + p[2] - 10)
        });
        match stamp.filter(|_| line.starts_with("2026-")) {
            None => format!("{line}\n"),
            Some(s) => {
                let (hour, minute) = (s / 3600, s / 60 % 60);
                format!("{}{hour:02}:{minute:02}:{:02}{}\n", &line[..11], s % 60, &line[19..])
            }
        }
    };
    for cut in [12_917, 13_019, 13_038, 13_097, 13_198, 13_228, 13_489] {
        let late: String = lines[cut..].iter().map(earlier).collect();
        let logged = logs(&[&format!("{}\n{late}", lines[..cut].join("\n"))]).unwrap();
        assert!((about(&logged, "clock_back_s") - 10.0).abs() < 1.0, "{cut}");
    }
}

/// A duplicate log does not explain a reset clock within it.
#[test]
fn summer_time_ends_twice() {
    let early = parts(&[(0, 11_502)]);
    let late = parts(&[(11_502, 99_999)]).replace("2026-11-20 17:", "2026-11-20 16:");
    let log = early + &late;
    let logged = logs(&[&format!("{log}{log}")]).unwrap();
    assert!(about(&logged, "clock_back_s") > 1.0);
    assert!(has(&logged, "If the clock was set back there"), "{:?}", logged.cluster.notes);
}

/// A file with more parts than are read side by side.
#[test]
fn too_many_parts() {
    let blocks: Vec<_> = (0..100).rev().map(|part| (part * 138, part * 138 + 138)).collect();
    let logged = logs(&[&parts(&blocks)]);
    let told = |logged: ImportedLogs| about(&logged, "clock_back_s") > 1.0;
    assert!(logged.is_err() || logged.is_ok_and(told));
}
