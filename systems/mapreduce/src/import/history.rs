//! A job as the sum of its history's events. Times are Unix times \[ms\].
use super::value::Value;
use crate::log::stores;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Longest name kept \[bytes\].
const LONGEST: usize = 512;

/// Maximum number of file system counters kept per attempt.
const MOST_STORES: usize = 64;

/// Latest valid time: the year 2200.
const LATEST: i64 = 7_258_118_400_000;

/// A node's host and its NodeManager's HTTP port; −1: not recorded.
pub type Node = (String, i64);

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Job {
    pub id: String,
    pub name: String,
    pub user: String,
    pub queue: String,
    pub submit: Option<i64>,
    /// First start of an AM.
    pub am_start: Option<i64>,
    /// Starts of later AMs, after the first one failed.
    pub am_again: Vec<i64>,
    pub am_node: Option<Node>,
    pub inited: Option<i64>,
    /// `None`: not recorded, as in a history that is cut.
    pub finish: Option<i64>,
    /// SUCCEEDED, FAILED, KILLED or ERROR; "": not recorded.
    pub status: String,
    /// Hadoop's message about the end of a job that did not succeed.
    pub diagnostics: String,
    /// Planned number.
    pub maps: Option<i64>,
    pub reduces: Option<i64>,
    /// Group, name, value.
    pub counters: Vec<(String, String, i64)>,
    pub tasks: BTreeMap<String, Task>,
    pub attempts: BTreeMap<String, Attempt>,
    /// Number of events by unknown type.
    pub unknown: BTreeMap<String, u64>,
    pub unusable: BTreeMap<&'static str, u64>,
    /// Ran in slots of a JobTracker (Hadoop 1), not in containers.
    pub in_slots: bool,
    /// Latest start or end so far: a history is in order of time.
    latest: i64,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Task {
    pub kind: String,
    pub start: Option<i64>,
    pub finish: Option<i64>,
    pub status: String,
    pub successful: Option<String>,
    /// Hosts with a replica of the input.
    pub holders: Vec<String>,
    pub failed_by: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Attempt {
    pub task: String,
    /// `None`: never started.
    pub start: Option<i64>,
    pub finish: Option<i64>,
    /// SUCCEEDED, FAILED or KILLED; "": not ended.
    pub status: String,
    pub node: Option<Node>,
    /// The NodeManager's port in the scheduler's logs.
    pub scheduled: Option<i64>,
    pub rack: Option<String>,
    pub container: String,
    /// NODE_LOCAL, RACK_LOCAL or OFF_SWITCH.
    pub locality: Option<String>,
    pub avataar: Option<String>,
    /// Ends of phases, by the clock of the attempt's node.
    pub map_finish: Option<i64>,
    pub shuffle_finish: Option<i64>,
    pub sort_finish: Option<i64>,
    pub counters: Vec<(Cow<'static, str>, i64)>,
    /// Time \[ms\] in each twelfth of the attempt's progress; empty: not recorded.
    pub clock_splits: Vec<i64>,
    pub error: Option<String>,
    /// About when the output was lost after the attempt had succeeded.
    pub undone: Option<i64>,
}

/// Counters kept per attempt. Those of other file systems are kept in addition.
pub const KEPT: [&str; 16] = [
    "CPU_MILLISECONDS",
    "GC_TIME_MILLIS",
    "HDFS_BYTES_READ",
    "HDFS_BYTES_WRITTEN",
    "FILE_BYTES_READ",
    "FILE_BYTES_WRITTEN",
    "REDUCE_SHUFFLE_BYTES",
    "SPILLED_RECORDS",
    "MERGED_MAP_OUTPUTS",
    "MAP_INPUT_RECORDS",
    "MAP_OUTPUT_RECORDS",
    "MAP_OUTPUT_BYTES",
    "COMBINE_INPUT_RECORDS",
    "REDUCE_INPUT_RECORDS",
    "REDUCE_INPUT_GROUPS",
    "PHYSICAL_MEMORY_BYTES",
];

impl Job {
    pub fn add(&mut self, kind: &str, event: &Value<'_>) {
        match kind {
            "JOB_SUBMITTED" => self.submitted(event),
            "JOB_INITED" => {
                self.inited = self.time(event, "launchTime");
                self.maps = event.whole("totalMaps");
                self.reduces = event.whole("totalReduces");
            }
            "JOB_INFO_CHANGED" => {
                self.submit = self.time(event, "submitTime").or(self.submit);
                self.inited = self.time(event, "launchTime").or(self.inited);
            }
            "JOB_QUEUE_CHANGED" => self.queue = self.name_of(event, "jobQueueName"),
            super::hadoop1::KIND => self.in_slots = true,
            "JOB_STATUS_CHANGED" | "JOB_PRIORITY_CHANGED" | "NORMALIZED_RESOURCE" => {}
            "AM_STARTED" => self.master(event),
            "JOB_FINISHED" | "JOB_FAILED" | "JOB_KILLED" | "JOB_ERROR" => self.over(kind, event),
            "TASK_STARTED" | "TASK_FINISHED" | "TASK_FAILED" | "TASK_UPDATED" => {
                self.task(kind, event)
            }
            _ => match kind.split_once("_ATTEMPT_") {
                Some(("MAP" | "REDUCE" | "SETUP" | "CLEANUP", what)) => self.attempt(what, event),
                _ => {
                    let kind: String = kind.chars().take(64).collect();
                    if self.unknown.len() < 100 || self.unknown.contains_key(&kind) {
                        *self.unknown.entry(kind).or_default() += 1
                    }
                }
            },
        }
    }

    /// Start of a job without a recorded submission: the earliest recorded time.
    pub fn first(&self) -> i64 {
        let tasks = self.tasks.values().filter_map(|t| t.start);
        let attempts = self.attempts.values().filter_map(|a| a.start);
        let own = [self.am_start, self.inited].into_iter().flatten();
        own.chain(tasks).chain(attempts).min().or(self.finish).unwrap_or(0)
    }

    /// End of an unfinished job: the latest recorded time.
    pub fn last(&self) -> i64 {
        let tasks = self.tasks.values().flat_map(|t| [t.start, t.finish]);
        let attempts = self.attempts.values().flat_map(|a| [a.start, a.finish]);
        let own = [self.submit, self.am_start, self.inited];
        own.into_iter().chain(tasks).chain(attempts).flatten().max().unwrap_or(0)
    }

    fn submitted(&mut self, event: &Value<'_>) {
        self.id = self.name_of(event, "jobid");
        self.name = self.name_of(event, "jobName");
        self.user = self.name_of(event, "userName");
        self.submit = self.time(event, "submitTime");
        if self.queue.is_empty() {
            self.queue = self.name_of(event, "jobQueueName")
        }
    }

    fn master(&mut self, event: &Value<'_>) {
        let start = self.time(event, "startTime");
        match (self.am_start, start) {
            // Limits what a job with many failed AMs stores.
            (Some(first), Some(start)) if start > first && self.am_again.len() < 100 => {
                self.am_again.push(start)
            }
            _ => self.am_start = self.am_start.or(start),
        }
        let host = self.name_of(event, "nodeManagerHost");
        self.am_node = event.whole("nodeManagerHttpPort").map(|port| (host, port));
    }

    fn over(&mut self, kind: &str, event: &Value<'_>) {
        self.finish = self.time(event, "finishTime");
        let said = self.name_of(event, "jobStatus");
        self.status = match (kind, said.as_str()) {
            ("JOB_FINISHED", _) => "SUCCEEDED".into(),
            (_, "") => kind.trim_start_matches("JOB_").into(),
            _ => said,
        };
        self.diagnostics = event.text("diagnostics").map(sentences).unwrap_or_default();
        let counters = event.get("totalCounters").map(|c| counters(c)).unwrap_or_default();
        let named = |(group, name, value): (&str, &str, i64)| {
            (cut(group).to_string(), cut(name).to_string(), value)
        };
        self.counters = counters.into_iter().take(10_000).map(named).collect();
    }

    fn task(&mut self, kind: &str, event: &Value<'_>) {
        let id = self.name_of(event, "taskid");
        let (start, finish) = (self.time(event, "startTime"), self.time(event, "finishTime"));
        let task_kind = self.name_of(event, "taskType");
        let successful = event.text("successfulAttemptId").map(|id| cut(id).to_string());
        let failed_by = event.text("failedDueToAttempt").map(|id| cut(id).to_string());
        let status = self.name_of(event, "status");
        let holders = holders(event);
        if id.is_empty() {
            return self.odd("a task without an id");
        }
        let task = self.tasks.entry(id).or_default();
        if !task_kind.is_empty() {
            task.kind = task_kind
        }
        task.start = start.or(task.start);
        if !holders.is_empty() {
            task.holders = holders
        }
        match kind {
            "TASK_STARTED" => {}
            "TASK_UPDATED" => task.finish = finish.or(task.finish),
            _ => {
                (task.finish, task.successful, task.failed_by) = (finish, successful, failed_by);
                let fallback = if kind == "TASK_FINISHED" { "SUCCEEDED" } else { "FAILED" };
                task.status = if status.is_empty() { fallback.into() } else { status }
            }
        }
    }

    fn attempt(&mut self, what: &str, event: &Value<'_>) {
        let id = self.name_of(event, "attemptId");
        if id.is_empty() {
            return self.odd("an attempt without an id");
        }
        let mut attempt = self.attempts.remove(&id).unwrap_or_default();
        attempt.task = self.name_of(event, "taskid");
        match what {
            "STARTED" => self.started(&mut attempt, event),
            _ => self.ended(&mut attempt, what, event),
        }
        if let (Some(start), Some(finish)) = (attempt.start, attempt.finish)
            && finish < start
        {
            self.odd("an attempt that ends before its start: its start is taken as its end");
            attempt.finish = Some(start)
        }
        self.attempts.insert(id, attempt);
    }

    fn started(&mut self, attempt: &mut Attempt, event: &Value<'_>) {
        attempt.start = self.time(event, "startTime");
        let host = self.name_of(event, "trackerName");
        attempt.node = Some((host, event.whole("httpPort").unwrap_or(-1)));
        attempt.container = self.name_of(event, "containerId");
        attempt.locality = event.text("locality").map(|text| cut(text).to_string());
        attempt.avataar = event.text("avataar").map(|text| cut(text).to_string());
    }

    fn ended(&mut self, attempt: &mut Attempt, what: &str, event: &Value<'_>) {
        let finish = self.time(event, "finishTime");
        match attempt.finish.filter(|_| attempt.status == "SUCCEEDED" && what != "FINISHED") {
            // The attempt succeeded; its node or its output was lost later.
            Some(done) => return self.undone(attempt, what, event, finish.unwrap_or(done)),
            None => attempt.finish = finish,
        }
        attempt.status = match what {
            "FINISHED" => "SUCCEEDED".into(),
            other => cut(other).into(),
        };
        attempt.rack = event.text("rackname").filter(|r| *r != "UNKNOWN").map(|r| cut(r).into());
        attempt.scheduled = event.whole("port").filter(|port| *port > 0);
        attempt.error = error(event);
        attempt.map_finish = self.time(event, "mapFinishTime");
        attempt.shuffle_finish = self.time(event, "shuffleFinishTime");
        attempt.sort_finish = self.time(event, "sortFinishTime");
        let all = event.get("counters").map(|c| counters(c)).unwrap_or_default();
        attempt.counters = kept(&all);
        let splits = event.list("clockSplits").iter().take(100);
        let splits: Vec<i64> = splits
            .filter_map(|split| match split {
                Value::Whole(ms) => Some(*ms),
                _ => None,
            })
            .collect();
        // Hadoop writes −1 in all splits of an attempt that never ran.
        attempt.clock_splits = if splits.iter().all(|ms| *ms >= 0) { splits } else { Vec::new() };
    }

    /// Marks a successful attempt as lost; its task runs again. Hadoop 3 repeats the attempt's old
    /// finish time instead of the time of the loss. `latest` is the best bound.
    fn undone(&mut self, attempt: &mut Attempt, what: &str, event: &Value<'_>, finish: i64) {
        attempt.undone = Some(finish.max(self.latest));
        attempt.status = cut(what).into();
        attempt.error = error(event);
        if let Some(task) = self.tasks.get_mut(&attempt.task) {
            (task.finish, task.successful) = (None, None);
            task.status.clear()
        }
    }

    /// `None` for 0, negative and impossible times.
    fn time(&mut self, event: &Value<'_>, name: &str) -> Option<i64> {
        let time = event.whole(name).filter(|time| *time > 0)?;
        if time > LATEST {
            self.odd("a time after the year 2200: left out");
            return None;
        }
        // Other times may be from other clocks.
        if matches!(name, "startTime" | "finishTime") {
            self.latest = self.latest.max(time)
        }
        Some(time)
    }

    /// A name, cut to `LONGEST`.
    fn name_of(&mut self, event: &Value<'_>, name: &str) -> String {
        let text = event.text(name).unwrap_or("");
        let kept = cut(text);
        if kept.len() < text.len() {
            self.odd("a name of more than 512 bytes: the rest is left out")
        }
        kept.to_string()
    }

    fn odd(&mut self, what: &'static str) {
        *self.unusable.entry(what).or_default() += 1
    }
}

/// `task_1795197530166_0002_m_000007` → `m_000007`; other texts stay.
pub fn short(id: &str) -> &str {
    match id.match_indices('_').nth(2) {
        Some((at, _)) if id.starts_with("task_") || id.starts_with("attempt_") => &id[at + 1..],
        _ => id,
    }
}

/// Selects the counters to keep.
fn kept(all: &[(&str, &str, i64)]) -> Vec<(Cow<'static, str>, i64)> {
    let own = KEPT.into_iter().filter_map(|kept| {
        let counter = all.iter().find(|counter| counter.1 == kept)?;
        Some((Cow::Borrowed(kept), counter.2))
    });
    let stores = all.iter().filter(|counter| !KEPT.contains(&counter.1)).filter_map(|counter| {
        let (group, name, value) = counter;
        Some((Cow::Owned(stores::stored_name(group, name)?), *value))
    });
    own.chain(stores.take(MOST_STORES)).collect()
}

/// Hosts of an input split: "worker3,worker4". At most 16, since a split of many blocks may name
/// hundreds.
fn holders(event: &Value<'_>) -> Vec<String> {
    let all = event.text("splitLocations").unwrap_or("").split(',').map(str::trim);
    all.filter(|host| !host.is_empty()).take(16).map(|host| cut(host).to_string()).collect()
}

/// An attempt's error: its first line, and the line with the root cause or a preemption.
fn error(event: &Value<'_>) -> Option<String> {
    let mut lines = event.text("error")?.lines().map(str::trim);
    let first = cut(lines.next()?);
    let preempted = |line: &&str| line.contains("preempted");
    let rest: Vec<&str> = lines.filter(|line| !line.starts_with("at ")).collect();
    let root = || rest.iter().rfind(|line| line.starts_with("Caused by: "));
    let more = rest.iter().find(|line| preempted(line)).or_else(root);
    let said = more.map_or_else(
        || first.to_string(),
        |more| format!("{}; {more}", first.trim_end_matches('.')),
    );
    Some(cut(&said).to_string())
}

/// Joins lines with "; ".
fn sentences(text: &str) -> String {
    let mut all = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let between = if all.is_empty() || all.ends_with('.') { "" } else { ";" };
        all.push_str(between);
        all.push_str(if all.is_empty() { "" } else { " " });
        all.push_str(line)
    }
    cut(&all).to_string()
}

/// The first `LONGEST` bytes.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1
    }
    &text[..end]
}

fn counters<'v>(of: &'v Value<'_>) -> Vec<(&'v str, &'v str, i64)> {
    let mut all = Vec::new();
    for group in of.list("groups") {
        let name = group.text("name").unwrap_or("");
        for counter in group.list("counts") {
            if let (Some(counter), Some(value)) = (counter.text("name"), counter.whole("value")) {
                all.push((name, counter, value))
            }
        }
    }
    all
}
