//! Histories of Hadoop 1 and 0.20, written by `JobHistory`: a record a line, `Task TASKID="…"
//! TASK_TYPE="MAP" … .` Each record becomes the events of Hadoop 2.
use super::value::{LARGEST, Problem, Value};
use import::{Issue, unreadable};
use std::borrow::Cow;
use std::io::{BufRead, Read};

pub const META: &[u8] = b"Meta VERSION=\"";

pub const JOB: &[u8] = b"Job JOBID=\"";

/// Synthetic event that marks a history of Hadoop 1.
pub const KIND: &str = "HADOOP_1";

type Fields = Vec<(String, String)>;

/// Reads records from line `first` on; `each` gets an event's type and fields. Files without a
/// version line (`first` is 1; Hadoop 0.18 and older) end records without a dot.
///
/// # Errors
/// A read error. Damaged records are problems, not errors.
pub fn lines(
    mut input: impl BufRead,
    mut first: u64,
    each: &mut impl FnMut(&str, &Value<'_>),
) -> Result<Vec<Problem>, Issue> {
    let (mut problems, mut record, mut at) = (Vec::new(), Vec::new(), first - 1);
    each(KIND, &Value::Null);
    let said = |line, what: String| Problem { line: Some(line), what };
    let dotted = first > 1;
    loop {
        let before = record.len();
        let room = (LARGEST - before) as u64;
        at += 1;
        let read = (&mut input).take(room).read_until(b'\n', &mut record);
        match read.map_err(|e| unreadable(&e).on(at))? {
            0 if before == LARGEST => {
                let what = "a record of more than 64 MiB: the rest is not read";
                problems.push(said(first, what.into()));
                return Ok(problems);
            }
            0 => {
                if !record.trim_ascii().is_empty() {
                    let what = "the file ends within a record: cut, or still being written";
                    problems.push(said(first, what.into()))
                }
                return Ok(problems);
            }
            _ => {}
        }
        // A value may contain newlines; only a dot after a blank ends a record.
        let text = record.trim_ascii_end();
        let is_whole = text.ends_with(b" .") || !dotted && text.ends_with(b"\"");
        if !is_whole && !text.is_empty() {
            continue;
        }
        let text = String::from_utf8_lossy(text).into_owned();
        match fields(&text) {
            Some((kind, fields)) => event(kind, &fields, each),
            None if text.is_empty() => {}
            None => {
                let what = "no record. Expected NAME KEY=\"value\" … .";
                problems.push(said(first, what.into()))
            }
        }
        record.clear();
        first = at + 1
    }
}

/// Parses `Job JOBID="…" … .` into its name, and keys with values.
fn fields(text: &str) -> Option<(&str, Fields)> {
    let (kind, mut rest) = text.split_once(' ')?;
    let mut fields = Fields::new();
    loop {
        rest = rest.trim_start();
        if rest == "." || rest.is_empty() {
            return Some((kind, fields));
        }
        let (key, after) = rest.split_once("=\"")?;
        let (value, after) = quoted(after)?;
        fields.push((key.to_string(), value));
        rest = after
    }
}

/// Unescapes a value up to its closing quote. Returns the rest, too.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut chars) = (String::new(), text.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(chars.next()?.1),
            c => value.push(c),
        }
    }
    None
}

fn event(kind: &str, fields: &Fields, each: &mut impl FnMut(&str, &Value<'_>)) {
    let of = FieldReader(fields);
    match kind {
        "Job" => job(of, each),
        "Task" => task(of, each),
        "MapAttempt" | "ReduceAttempt" => attempt(kind, of, each),
        "Meta" | "Jobtracker" => {}
        other => each(other, &Value::Record(Vec::new())),
    }
}

#[derive(Clone, Copy)]
struct FieldReader<'a>(&'a Fields);

type Field<'a> = (Cow<'a, str>, Value<'a>);

impl<'a> FieldReader<'a> {
    fn get(self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|field| field.0 == key).map(|field| field.1.as_str())
    }

    fn text(self, name: &'static str, key: &str) -> Option<Field<'a>> {
        Some((name.into(), Value::Text(self.get(key)?.into())))
    }

    fn whole(self, name: &'static str, key: &str) -> Option<Field<'a>> {
        Some((name.into(), Value::Whole(self.get(key)?.trim().parse().ok()?)))
    }

    fn counters(self, name: &'static str) -> Option<Field<'a>> {
        Some((name.into(), counters(self.get("COUNTERS")?)))
    }
}

/// Reports an event with the fields that are present.
fn tell<const N: usize>(
    kind: &str,
    fields: [Option<Field<'_>>; N],
    each: &mut impl FnMut(&str, &Value<'_>),
) {
    each(kind, &Value::Record(fields.into_iter().flatten().collect()))
}

fn job(of: FieldReader<'_>, each: &mut impl FnMut(&str, &Value<'_>)) {
    let id = of.text("jobid", "JOBID");
    if of.get("SUBMIT_TIME").is_some() {
        let fields = [
            id.clone(),
            of.text("jobName", "JOBNAME"),
            of.text("userName", "USER"),
            of.whole("submitTime", "SUBMIT_TIME"),
            of.text("jobQueueName", "JOB_QUEUE"),
        ];
        tell("JOB_SUBMITTED", fields, each)
    }
    if of.get("LAUNCH_TIME").is_some() {
        let fields = [
            of.whole("launchTime", "LAUNCH_TIME"),
            of.whole("totalMaps", "TOTAL_MAPS"),
            of.whole("totalReduces", "TOTAL_REDUCES"),
        ];
        tell("JOB_INITED", fields, each)
    }
    let kind = match of.get("JOB_STATUS") {
        Some("SUCCESS") => "JOB_FINISHED",
        Some("FAILED") => "JOB_FAILED",
        Some("KILLED") => "JOB_KILLED",
        _ => return,
    };
    let finish = of.whole("finishTime", "FINISH_TIME");
    let why = of.text("diagnostics", "FAIL_REASON");
    tell(kind, [id, finish, of.counters("totalCounters"), why], each)
}

fn task(of: FieldReader<'_>, each: &mut impl FnMut(&str, &Value<'_>)) {
    let (id, kind) = (of.text("taskid", "TASKID"), of.text("taskType", "TASK_TYPE"));
    if of.get("START_TIME").is_some() {
        let start = of.whole("startTime", "START_TIME");
        let splits = of.text("splitLocations", "SPLITS");
        tell("TASK_STARTED", [id.clone(), kind.clone(), start, splits], each)
    }
    let finish = of.whole("finishTime", "FINISH_TIME");
    match of.get("TASK_STATUS") {
        Some("SUCCESS") => {
            let successful = of.text("successfulAttemptId", "TASK_ATTEMPT_ID");
            tell("TASK_FINISHED", [id, kind, finish, successful], each)
        }
        Some(_) => {
            let by = of.text("failedDueToAttempt", "TASK_ATTEMPT_ID");
            tell("TASK_FAILED", [id, kind, finish, of.text("status", "TASK_STATUS"), by], each)
        }
        None if finish.is_some() => tell("TASK_UPDATED", [id, kind, finish], each),
        None => {}
    }
}

fn attempt(kind: &str, of: FieldReader<'_>, each: &mut impl FnMut(&str, &Value<'_>)) {
    let kind = if kind == "MapAttempt" { "MAP" } else { "REDUCE" };
    let (task, id) = (of.text("taskid", "TASKID"), of.text("attemptId", "TASK_ATTEMPT_ID"));
    if of.get("START_TIME").is_some() {
        let tracker = of.get("TRACKER_NAME").map(tracker);
        let fields = [
            task.clone(),
            id.clone(),
            of.whole("startTime", "START_TIME"),
            tracker.map(|host| ("trackerName".into(), Value::Text(host.into()))),
            of.whole("httpPort", "HTTP_PORT"),
            of.text("locality", "LOCALITY"),
            of.text("avataar", "AVATAAR"),
        ];
        tell(&format!("{kind}_ATTEMPT_STARTED"), fields, each)
    }
    let how = match of.get("TASK_STATUS") {
        Some("SUCCESS") => "FINISHED",
        Some(other @ ("FAILED" | "KILLED")) => other,
        _ => return,
    };
    let rack = of.get("HOSTNAME").and_then(|host| host.rsplit_once('/')).map(|(rack, _)| rack);
    let rack = rack.filter(|rack| !rack.is_empty());
    let fields = [
        task,
        id,
        of.whole("finishTime", "FINISH_TIME"),
        of.whole("shuffleFinishTime", "SHUFFLE_FINISHED"),
        of.whole("sortFinishTime", "SORT_FINISHED"),
        rack.map(|rack| ("rackname".into(), Value::Text(rack.into()))),
        of.text("error", "ERROR"),
        of.counters("counters"),
    ];
    tell(&format!("{kind}_ATTEMPT_{how}"), fields, each)
}

/// The host in `tracker_host.example.com:localhost/127.0.0.1:3333`.
fn tracker(name: &str) -> &str {
    let name = name.strip_prefix("tracker_").unwrap_or(name);
    name.split([':', '/']).next().unwrap_or(name)
}

/// Parses `{(group)(shown)[(name)(shown)(value)]…}…`
fn counters(text: &str) -> Value<'static> {
    let (mut groups, mut counts, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    let mut name = String::new();
    let mut chars = text.chars();
    let own = |text: String| Value::Text(Cow::Owned(text));
    while let Some(c) = chars.next() {
        match c {
            '(' => parts.push(bracketed(&mut chars)),
            '[' => {
                name = parts.first().filter(|_| counts.is_empty()).cloned().unwrap_or(name);
                parts.clear()
            }
            ']' => {
                if let ([name, _, value], true) = (parts.as_slice(), counts.len() < 10_000)
                    && let Ok(value) = value.parse()
                {
                    counts.push(Value::Record(vec![
                        ("name".into(), own(name.clone())),
                        ("value".into(), Value::Whole(value)),
                    ]))
                }
                parts.clear()
            }
            '}' => groups.push(Value::Record(vec![
                ("name".into(), own(std::mem::take(&mut name))),
                ("counts".into(), Value::List(std::mem::take(&mut counts))),
            ])),
            _ => {}
        }
    }
    Value::Record(vec![("groups".into(), Value::List(groups))])
}

fn bracketed(chars: &mut std::str::Chars<'_>) -> String {
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            ')' => break,
            '\\' => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_values_without_their_escapes() {
        let (kind, all) = fields(r#"Job JOBID="job_1_2" JOBNAME="a \"b\"\=\\c\. d" ."#).unwrap();
        assert_eq!(kind, "Job");
        assert_eq!(all[1], ("JOBNAME".to_string(), r#"a "b"=\c. d"#.to_string()));
        assert_eq!(fields("Job JOBID=\"x"), None);
        assert_eq!(
            fields("Job JOBID=\"x\" ").map(|(kind, all)| (kind, all.len())),
            Some(("Job", 1))
        );
    }

    #[test]
    fn counters_are_groups_of_names_and_values() {
        let text = r"{(Files)(F)[(A)(a \(x\))(5)][(B)(b)(-7)]}{(o.T$Counter)(T)[(C)(c)(9)]}";
        let value = counters(text);
        let groups = value.list("groups");
        let of = |group: usize| groups[group].list("counts");
        assert_eq!(groups[1].text("name"), Some("o.T$Counter"));
        assert_eq!((of(0)[1].text("name"), of(0)[1].whole("value")), (Some("B"), Some(-7)));
        assert_eq!(of(1)[0].whole("value"), Some(9));
    }

    #[test]
    fn a_tracker_has_its_host_in_its_name() {
        assert_eq!(tracker("tracker_n1.example.com:localhost/127.0.0.1:45454"), "n1.example.com");
        assert_eq!(tracker("localhost/127.0.0.1:3333"), "localhost");
    }
}
