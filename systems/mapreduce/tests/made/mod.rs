//! Small histories of made-up jobs, event by event. Times are seconds since the submission.
#![allow(dead_code, reason = "each test uses a part of it")]
use std::fs;
use std::path::PathBuf;

/// Submission, Unix time \[ms\].
pub const ZERO: i64 = 1_700_000_000_000;

/// A history in the making.
pub struct Made {
    text: String,
    id: String,
}

impl Made {
    /// A job submitted at 0 s; its AM starts at 1 s and is ready at 3 s.
    pub fn job(number: u32, maps: u32, reduces: u32) -> Made {
        Made::late(number, maps, reduces, 1.0)
    }

    /// The AM starts at `start`, and is ready 2 s later.
    pub fn late(number: u32, maps: u32, reduces: u32, start: f64) -> Made {
        let id = format!("1700000000000_{number:04}");
        let mut made = Made { text: "Avro-Json\n{\"type\":\"record\"}\n".into(), id };
        let (job, started, ready) = (made.id.clone(), ms(start), ms(start + 2.0));
        let node = r#""nodeManagerHost": "n0", "nodeManagerHttpPort": 8042"#;
        made.event("AM_STARTED", &format!(r#""startTime": {started}, {node}"#));
        let who = r#""jobName": "made", "userName": "u", "jobQueueName": "default""#;
        let fields = format!(r#""jobid": "job_{job}", {who}, "submitTime": {ZERO}"#);
        made.event("JOB_SUBMITTED", &fields);
        let tasks = format!(r#""totalMaps": {maps}, "totalReduces": {reduces}"#);
        let fields = format!(r#""jobid": "job_{job}", "launchTime": {ready}, {tasks}"#);
        made.event("JOB_INITED", &fields);
        made
    }

    fn event(&mut self, kind: &str, fields: &str) {
        let event = format!("{{\"org.apache.hadoop.mapreduce.jobhistory.X\": {{{fields}}}}}");
        self.text.push_str(&format!("{{\"type\": \"{kind}\", \"event\": {event}}}\n"))
    }

    /// A task is asked for.
    pub fn task(mut self, name: &str, at: f64) -> Made {
        let (id, kind, at) = (&self.id, kind(name), ms(at));
        let task = format!(r#""taskid": "task_{id}_{name}", "taskType": "{kind}""#);
        let fields = format!(r#"{task}, "startTime": {at}, "splitLocations": """#);
        self.event("TASK_STARTED", &fields);
        self
    }

    /// An attempt starts on a node; other fields come as they are.
    pub fn starts(mut self, name: &str, node: &str, at: f64, more: &str) -> Made {
        let node = format!(r#""trackerName": "{node}", "httpPort": 8042, "containerId": "c""#);
        let fields = format!(r#"{}, "startTime": {}, {node}{more}"#, self.of(name), ms(at));
        self.event(&format!("{}_ATTEMPT_STARTED", kind(name)), &fields);
        self
    }

    /// An attempt ends: FINISHED, FAILED, KILLED.
    pub fn ends(mut self, name: &str, how: &str, at: f64, more: &str) -> Made {
        let fields =
            format!(r#"{}, "finishTime": {}, "rackname": "/r"{more}"#, self.of(name), ms(at));
        self.event(&format!("{}_ATTEMPT_{how}", kind(name)), &fields);
        self
    }

    /// A task is asked for, and its only attempt runs and succeeds with these counters; of a reduce
    /// `copied` says when its copies are done.
    pub fn ran(
        self,
        task: &str,
        node: &str,
        span: (f64, f64),
        copied: f64,
        all: &[(&str, u64)],
    ) -> Made {
        let name = format!("{task}_0");
        let counts = all.iter().map(|(name, n)| format!(r#"{{"name": "{name}", "value": {n}}}"#));
        let counts = counts.collect::<Vec<_>>().join(", ");
        let counters =
            format!(r#", "counters": {{"groups": [{{"name": "g", "counts": [{counts}]}}]}}"#);
        let node_of = format!(r#", "hostname": "{node}""#);
        let phases = match task.starts_with('r') {
            true => format!(r#", "shuffleFinishTime": {0}, "sortFinishTime": {0}"#, ms(copied)),
            false => String::new(),
        };
        self.task(task, 3.0)
            .starts(&name, node, span.0, "")
            .ends(&name, "FINISHED", span.1, &format!("{node_of}{phases}{counters}"))
            .over(task, "SUCCEEDED", span.1)
    }

    /// A task ends: SUCCEEDED, FAILED, KILLED.
    pub fn over(mut self, name: &str, how: &str, at: f64) -> Made {
        let event = if how == "SUCCEEDED" { "TASK_FINISHED" } else { "TASK_FAILED" };
        let fields = format!(
            r#""taskid": "task_{}_{name}", "taskType": "{}", "finishTime": {}, "status": "{how}""#,
            self.id,
            kind(name),
            ms(at)
        );
        self.event(event, &fields);
        self
    }

    /// The job ends: SUCCEEDED, FAILED, KILLED.
    pub fn done(self, how: &str, at: f64) -> Made {
        self.done_with(how, at, "")
    }

    pub fn master(mut self, at: f64) -> Made {
        self.event("AM_STARTED", &format!(r#""startTime": {}"#, ms(at)));
        self
    }

    /// The job ends; other fields come as they are.
    pub fn done_with(mut self, how: &str, at: f64, more: &str) -> Made {
        let event = if how == "SUCCEEDED" { "JOB_FINISHED".into() } else { format!("JOB_{how}") };
        let fields = format!(
            r#""jobid": "job_{}", "finishTime": {}, "jobStatus": "{how}"{more}"#,
            self.id,
            ms(at)
        );
        self.event(&event, &fields);
        self
    }

    /// The names of an attempt and of its task: of `m_000001_0`.
    fn of(&self, name: &str) -> String {
        let (id, task) = (&self.id, name.rsplit_once('_').expect("an attempt").0);
        format!(
            r#""taskid": "task_{id}_{task}", "attemptId": "attempt_{id}_{name}", "taskType": "{}""#,
            kind(name)
        )
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Imported and explained, its only job.
    pub fn why(&self) -> mapreduce::why::JobExplanation {
        let dir = folder(&self.id);
        let path = dir.join("made.jhist");
        fs::write(&path, &self.text).unwrap();
        let listed = mapreduce::import::index::list(std::slice::from_ref(&path)).unwrap().jobs;
        let trace = mapreduce::import::import(&listed, &[]).unwrap_or_else(|e| panic!("{e:?}"));
        fs::remove_dir_all(dir).unwrap();
        mapreduce::why::Explanation::of(&trace.trace).jobs.remove(0)
    }
}

pub fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("tenbin-made-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn kind(name: &str) -> &'static str {
    if name.starts_with('m') { "MAP" } else { "REDUCE" }
}

fn ms(at: f64) -> i64 {
    ZERO + (1000.0 * at).round() as i64
}
