//! Fetches of map outputs, from the logs that reducers' containers write: `syslog.shuffle` of
//! Hadoop 2 and 3 (or `syslog`, where `yarn.app.mapreduce.shuffle.log.separate` is false), `syslog`
//! of 1.
use crate::curves::unix_ms;
use crate::log::kinds::fact;
use import::{ImportError, Input, Issue, OnProgress, issue, unreadable};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use trace::{EntityId, Fact, FactRole, Kind, KindRole, Trace};

/// A job has no more of them.
const MOST: usize = 1 << 20;

/// No line that counts is longer.
pub(super) const LONGEST: u64 = 1 << 16;

/// What was expected of a log without any.
const EXPECTED: &str = "a reducer's lines like \"fetcher#1 about to shuffle output of map \
                        attempt_…\": they stand in syslog.shuffle, unless \
                        yarn.app.mapreduce.shuffle.log.separate is false";

/// Seconds that each fetch took, by job.
pub type Fetches = BTreeMap<String, Vec<f64>>;

/// Reads a log, plain or packed.
///
/// # Errors
/// It cannot be read, or no fetch is in it.
pub fn read(input: &Input, into: &mut Fetches, tell: &mut OnProgress<'_>) -> Result<(), Issue> {
    let mut input = BufReader::with_capacity(1 << 16, import::open(input, tell)?);
    let (mut line, mut under, mut found) = (Vec::new(), BTreeMap::new(), false);
    loop {
        line.clear();
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(|e| unreadable(&e))? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        match event(&text) {
            Some((at, attempt, false)) => {
                under.insert(attempt.to_string(), at);
            }
            Some((at, attempt, true)) => {
                let begun = under.remove(attempt).filter(|begun| *begun <= at);
                if let (Some(begun), Some(job)) = (begun, job_of(attempt)) {
                    let all = into.entry(job).or_default();
                    found = true;
                    if all.len() < MOST {
                        all.push((at - begun) as f64 / 1e3)
                    }
                }
            }
            None => {}
        }
    }
    match found {
        true => Ok(()),
        false => Err(issue("no fetch of a map output is in it", EXPECTED)),
    }
}

/// When a fetch begins or ends, and whose output it is of.
fn event(line: &str) -> Option<(i64, &str, bool)> {
    let begins = [" about to shuffle output of map ", " into RAM from ", " into Local-FS from "];
    let (attempt, ends) = match line.split_once(" bytes from map-output for ") {
        Some((_, rest)) => (rest, true),
        None => (begins.iter().find_map(|of| Some(line.split_once(of)?.1))?, false),
    };
    let attempt = attempt.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    Some((time(line)?, attempt, ends))
}

/// "2013-12-07 10:18:24,232 INFO …": what log4j's ISO8601 has, as if it were UTC \[ms\].
pub(super) fn time(line: &str) -> Option<i64> {
    let (date, rest) = line.trim_start().split_once([' ', 'T'])?;
    let (time, rest) = rest.split_once([',', '.'])?;
    let ms: i64 = rest.get(..3)?.parse().ok()?;
    Some(unix_ms(date, time)? + ms)
}

/// `attempt_1_0002_m_000003_0` → `job_1_0002`
fn job_of(attempt: &str) -> Option<String> {
    let mut parts = attempt.strip_prefix("attempt_")?.split('_');
    Some(format!("job_{}_{}", parts.next()?, parts.next()?))
}

/// Adds fetches to the jobs of a trace; how many there were of jobs that it does not have.
pub fn attach(trace: &mut Trace, fetches: &Fetches) -> usize {
    let of = KindRole::Fact(FactRole::Other);
    let id = |kind: &Kind| kind.role == of && kind.name == fact::ID;
    let Some(id) = trace.kinds.iter().position(id) else { return 0 };
    let ids = trace.facts.iter().filter(|fact| fact.kind.at() == id);
    let jobs: BTreeMap<String, EntityId> =
        ids.filter_map(|fact| Some((fact.text.clone()?, fact.entity))).collect();
    let (name, label) = (fact::FETCH.to_string(), "a fetch of a map output".to_string());
    trace.kinds.push(Kind { role: of, name, label, other: None, unit: Some("s".into()) });
    let kind = trace::FactKind::of(trace.kinds.len() - 1);
    let mut foreign = 0;
    for (job, all) in fetches {
        match jobs.get(job) {
            Some(entity) => trace.facts.extend(all.iter().map(|seconds| Fact {
                entity: *entity,
                kind,
                value: Some(*seconds),
                text: None,
            })),
            None => foreign += all.len(),
        }
    }
    foreign
}

/// Logs in folders, and files; `-` is standard input.
///
/// # Errors
/// A path that cannot be read.
pub fn logs(paths: &[PathBuf]) -> Result<Vec<Input>, ImportError> {
    logs_named(paths, |name| name.starts_with("syslog"))
}

/// Files, and those in folders that are named so; `-` is standard input.
pub(super) fn logs_named(
    paths: &[PathBuf],
    is_log: impl Fn(&str) -> bool,
) -> Result<Vec<Input>, ImportError> {
    let (mut all, mut open) = (Vec::new(), paths.to_vec());
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            all.push(path);
            continue;
        }
        let failed = |e| unreadable(&e).at(&path.display().to_string(), None);
        for entry in std::fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (kind, name) = (entry.file_type().map_err(failed)?, entry.file_name());
            if kind.is_dir() || kind.is_file() && is_log(&name.to_string_lossy()) {
                open.push(entry.path())
            }
        }
    }
    all.sort();
    Ok(all.iter().map(|path| Input::named(path)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fetch_is_from_its_announcement_to_its_last_byte() {
        let of = "org.apache.hadoop.mapreduce.task.reduce";
        let begin = format!(
            "2026-11-23 10:18:24,900 INFO [fetcher#1] {of}.Fetcher: fetcher#1 about to shuffle \
             output of map attempt_17_0002_m_000003_0 decomp: 66 len: 70 to MEMORY"
        );
        let end = format!(
            "2026-11-23 10:18:25,032 INFO [fetcher#1] {of}.InMemoryMapOutput: Read 66 bytes from \
             map-output for attempt_17_0002_m_000003_0"
        );
        let (from, attempt, ends) = event(&begin).unwrap();
        assert_eq!((attempt, ends), ("attempt_17_0002_m_000003_0", false));
        let (to, same, ends) = event(&end).unwrap();
        assert_eq!((to - from, same, ends), (132, attempt, true));
        assert_eq!(job_of(attempt).as_deref(), Some("job_17_0002"));
        let old = "2013-12-07 10:18:24,232 INFO org.apache.hadoop.mapred.ReduceTask: Shuffling 10 \
                   bytes (10 raw bytes) into RAM from attempt_2_1_m_000000_0";
        assert_eq!(event(old).map(|e| (e.1, e.2)), Some(("attempt_2_1_m_000000_0", false)));
        assert_eq!(event("2026-11-23 10:18:24,900 INFO nothing"), None);
    }
}
