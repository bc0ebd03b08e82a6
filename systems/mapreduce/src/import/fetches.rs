//! Fetches of map outputs, from logs of reducer containers. Hadoop 2 and 3 write `syslog.shuffle`,
//! or `syslog` if `yarn.app.mapreduce.shuffle.log.separate` is false; Hadoop 1 writes `syslog`.
//!
//! A fetcher is assigned to a host, requests the outputs of several maps, and frees the host.
//! ShuffleSchedulerImpl logs the time since the assignment: "worker4:13562 freed by fetcher#3 in
//! 24000ms". The host sends outputs one at a time: each starts when the one before ends, the first
//! at the assignment. "About to shuffle" is logged when an output's header arrives. It is the start
//! only if the log has no assignment.
use super::visits::Fetchers;
pub use super::visits::{Fetches, JobFetches};
use crate::log::kinds::fact;
use import::{ImportError, Input, Issue, OnProgress, issue, unreadable};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use trace::{EntityId, Fact, FactRole, Kind, KindRole, Trace};

/// Bytes read of a line; a longer line is cut.
const LONGEST: u64 = 1 << 16;

const EXPECTED: &str = "a reducer's lines like \"fetcher#1 about to shuffle output of map \
                        attempt_…\": in syslog.shuffle, unless \
                        yarn.app.mapreduce.shuffle.log.separate is false";

/// # Errors
/// The log is unreadable, or has no fetch.
pub fn read(input: &Input, into: &mut Fetches, tell: &mut OnProgress<'_>) -> Result<(), Issue> {
    let mut fetchers = Fetchers::default();
    lines(input, tell, |_, line| fetchers.line(line, into))?;
    match fetchers.end(into) {
        true => Ok(()),
        false => Err(issue("no fetch of a map output in the file", EXPECTED)),
    }
}

/// Calls `each` with the lines of a plain or compressed log and their numbers from 1. Lines over
/// `LONGEST` are cut.
pub(super) fn lines(
    input: &Input,
    tell: &mut OnProgress<'_>,
    mut each: impl FnMut(u64, &str),
) -> Result<(), Issue> {
    let mut input = BufReader::with_capacity(1 << 16, import::open(input, tell)?);
    let (mut line, mut number, mut begins) = (Vec::new(), 0, true);
    loop {
        line.clear();
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(|e| unreadable(&e))? == 0 {
            return Ok(());
        }
        if begins {
            number += 1;
            each(number, &String::from_utf8_lossy(&line))
        }
        begins = line.ends_with(b"\n")
    }
}

/// Adds fetches to the jobs of a trace. Returns the number of fetches of other jobs.
pub fn attach(trace: &mut Trace, fetches: &Fetches) -> usize {
    let of = KindRole::Fact(FactRole::Other);
    let id = |kind: &Kind| kind.role == of && kind.name == fact::ID;
    let Some(id) = trace.kinds.iter().position(id) else { return 0 };
    let ids = trace.facts.iter().filter(|fact| fact.kind.at() == id);
    let jobs: BTreeMap<String, EntityId> =
        ids.filter_map(|fact| Some((fact.text.clone()?, fact.entity))).collect();
    let mut kind = |name: &str, label: &str| {
        let (name, label) = (name.to_string(), label.to_string());
        trace.kinds.push(Kind { role: of, name, label, other: None, unit: Some("s".into()) });
        trace::FactKind::of(trace.kinds.len() - 1)
    };
    let output = kind(fact::FETCH, "a fetch of a map output");
    let visit = kind(fact::VISIT, "a visit of a fetcher to a host");
    let mut foreign = 0;
    for (job, job_fetches) in fetches {
        let Some(entity) = jobs.get(job).copied() else {
            foreign += job_fetches.outputs.len() + job_fetches.visits.len();
            continue;
        };
        let hosts = hosts(trace, entity);
        let mut add = |kind, host: &str, seconds: f64| {
            let text = (!host.is_empty()).then(|| host.to_string());
            trace.facts.push(Fact { entity, kind, value: Some(seconds), text })
        };
        for (attempt, host, seconds) in &job_fetches.outputs {
            let ran = || attempt.splitn(4, '_').nth(3).and_then(|name| hosts.get(name));
            let host = if host.is_empty() { ran().map_or("", String::as_str) } else { host };
            add(output, host, *seconds)
        }
        for (host, seconds) in &job_fetches.visits {
            add(visit, host, *seconds)
        }
    }
    foreign
}

/// Hosts of a job's attempts by name in the trace, "m_000003_0".
fn hosts(trace: &Trace, job: EntityId) -> BTreeMap<String, String> {
    let of_job = |at: usize| {
        let task = trace.entities[at].parent?;
        (trace.entities[task.at()].parent? == job).then_some(())?;
        let host = crate::why::host(trace, trace.entities[at].node?);
        Some((trace.entity_name(EntityId::of(at)), host))
    };
    (0..trace.entities.len()).filter_map(of_job).collect()
}

/// Logs in folders, and files; `-` is standard input. In a folder with `syslog.shuffle`, other logs
/// are left out: they have no fetches.
///
/// # Errors
/// An unreadable path.
pub fn logs(paths: &[PathBuf]) -> Result<Vec<Input>, ImportError> {
    let mut all = logs_named(paths, |name| name.starts_with("syslog"))?;
    let of_shuffle = |path: &Path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("syslog.shuffle"))
    };
    let folder = |input: &Input| match input {
        Input::File(path) if of_shuffle(path) => path.parent().map(Path::to_path_buf),
        _ => None,
    };
    let folders: BTreeSet<PathBuf> = all.iter().filter_map(folder).collect();
    all.retain(|input| match input {
        Input::File(path) if !of_shuffle(path) && !paths.contains(path) => {
            !path.parent().is_some_and(|folder| folders.contains(folder))
        }
        _ => true,
    });
    Ok(all)
}

/// Named files, and files in folders whose name passes `is_log`; `-` is standard input.
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
