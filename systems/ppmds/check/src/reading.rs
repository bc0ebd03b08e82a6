//! Reads a history, and rejects lines that contradict each other.
use crate::chains::BEGINNING;
use crate::history::{Event, History};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// From 1.
    pub line: usize,
    pub problem: String,
    /// The line that it contradicts, from 1.
    pub other: Option<usize>,
}

/// A first line: the state before the first operation.
#[derive(Serialize, Deserialize)]
struct Beginning {
    directories: Vec<(u64, u64)>,
    /// A client may send a request before the answer to its last, as in an open loop.
    #[serde(default)]
    overlap: bool,
}

/// The first line. `directories`: with their parents.
pub fn beginning(directories: &[(u64, u64)], overlap: bool) -> String {
    let directories = directories.to_vec();
    serde_json::to_string(&Beginning { directories, overlap }).unwrap_or_default()
}

/// Without a first line by [`beginning`], the root (1) exists.
///
/// # Errors
/// An invalid line, two operations of one number, or overlapping operations of a client.
pub fn read(text: &str) -> Result<History, Reading> {
    let mut history = History { directories: vec![(1, 1)], ..History::default() };
    let mut may_overlap = false;
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if at == 0
            && let Ok(Beginning { directories, overlap }) = serde_json::from_str(line)
        {
            (history.directories, may_overlap) = (directories, overlap);
            continue;
        }
        let wrong =
            |e: serde_json::Error| Reading { line: at + 1, problem: e.to_string(), other: None };
        history.events.push(serde_json::from_str(line).map_err(wrong)?);
        history.lines.push(at + 1)
    }
    let mut all: Vec<usize> = (0..history.events.len()).collect();
    all.retain(|at| history.events[*at].client != BEGINNING);
    one_number_each(&history, &mut all)?;
    if !may_overlap {
        one_at_a_time(&history, &mut all)?
    }
    Ok(history)
}

fn one_number_each(history: &History, all: &mut [usize]) -> Result<(), Reading> {
    all.sort_by_key(|at| (history.events[*at].version(), *at));
    for pair in all.windows(2) {
        let [first, second] = [pair[0], pair[1]].map(|at| &history.events[at]);
        if first.version() == second.version() {
            let (client, number) = first.version();
            let problem = format!("client {client} has two operations {number}");
            return Err(refused(history, (pair[0], pair[1]), problem));
        }
    }
    Ok(())
}

fn one_at_a_time(history: &History, all: &mut [usize]) -> Result<(), Reading> {
    all.sort_by_key(|at| (history.events[*at].client, history.events[*at].invoked_ns, *at));
    for pair in all.windows(2) {
        let [first, second] = [pair[0], pair[1]].map(|at| &history.events[at]);
        let Some(completed) = first.completed_ns else { continue };
        if first.client == second.client && second.invoked_ns < completed {
            let Event { client, number, invoked_ns, .. } = second;
            let problem = format!(
                "client {client} calls operation {number} at {invoked_ns} ns, while its operation \
                 {} runs until {completed} ns (if clients may do so, the first line has \
                 \"overlap\": true)",
                first.number
            );
            return Err(refused(history, (pair[0], pair[1]), problem));
        }
    }
    Ok(())
}

fn refused(history: &History, pair: (usize, usize), problem: String) -> Reading {
    let (first, second) = (history.lines[pair.0], history.lines[pair.1]);
    Reading { line: first.max(second), problem, other: Some(first.min(second)) }
}
