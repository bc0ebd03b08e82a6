//! Combines lines of a reducer's log into visits of fetchers to hosts, and the map outputs they
//! fetched.
use crate::curves::unix_ms;
use std::collections::BTreeMap;

/// Longest visit accepted: a week \[ms\].
const LONGEST: i64 = 604_800_000;

/// Maximum number of outputs and of visits kept per job.
const MOST: usize = 1 << 20;

/// Visits of a job in the logs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JobFetches {
    /// Map attempt, host that served the output ("": unknown), duration \[s\].
    pub outputs: Vec<(String, String, f64)>,
    /// Host, duration \[s\].
    pub visits: Vec<(String, f64)>,
}

impl JobFetches {
    fn has_room(&self) -> bool {
        self.outputs.len() < MOST && self.visits.len() < MOST
    }
}

pub type Fetches = BTreeMap<String, JobFetches>;

/// Time of "2013-12-07 10:18:24,232 INFO …" (log4j's ISO8601), read as UTC: Unix time \[ms\].
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

#[derive(Clone, Copy, PartialEq, Debug)]
enum FetcherLine<'l> {
    /// A fetcher was assigned to a host: "Assigning worker4:13562 with 4 to fetcher#2", or the same
    /// with the count first.
    Assigned { fetcher: &'l str, host: &'l str },
    /// An output's header has arrived.
    Begins { attempt: &'l str },
    /// An output's last byte has arrived.
    Ends { fetcher: &'l str, attempt: &'l str },
    /// The fetcher left the host, `ms` after its assignment.
    Freed { fetcher: &'l str, host: &'l str, ms: i64 },
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Visit {
    /// Time \[ms\] of the assignment, and the host.
    since: Option<(i64, String)>,
    /// Attempt, arrival of the header \[ms\], arrival of the last byte \[ms\].
    got: Vec<(String, i64, i64)>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Fetchers {
    visits: BTreeMap<String, Visit>,
    /// Arrival of the header \[ms\] of unfinished outputs.
    under: BTreeMap<String, i64>,
    found: bool,
    /// Job of the last output. Visits without output are counted for it.
    job: Option<String>,
}

impl Fetchers {
    pub(super) fn line(&mut self, text: &str, into: &mut Fetches) {
        let Some((at, line)) = time(text).zip(parsed(text)) else { return };
        match line {
            FetcherLine::Assigned { fetcher, host } => {
                let visit = self.visits.entry(fetcher.into()).or_default();
                visit.since.get_or_insert((at, host.into()));
            }
            FetcherLine::Begins { attempt } => {
                self.under.insert(attempt.into(), at);
            }
            FetcherLine::Ends { fetcher, attempt } => {
                let Some(begun) = self.under.remove(attempt).filter(|begun| *begun <= at) else {
                    return;
                };
                let visit = self.visits.entry(fetcher.into()).or_default();
                visit.got.push((attempt.into(), begun, at))
            }
            FetcherLine::Freed { fetcher, host, ms } => {
                let mut visit = self.visits.remove(fetcher).unwrap_or_default();
                visit.since = Some((at - ms, host.into()));
                self.leave(visit, Some(ms), into)
            }
        }
    }

    /// Ends all open visits. Returns whether the log has a fetch.
    pub(super) fn end(mut self, into: &mut Fetches) -> bool {
        for visit in std::mem::take(&mut self.visits).into_values() {
            self.leave(visit, None, into)
        }
        self.found
    }

    fn leave(&mut self, visit: Visit, took: Option<i64>, into: &mut Fetches) {
        let (mut before, host) = match visit.since {
            Some((since, host)) => (Some(since), host),
            None => (None, String::new()),
        };
        for (attempt, begun, ended) in visit.got {
            // An output from before the assignment belongs to a visit whose assignment is not
            // logged.
            let from = before.filter(|before| *before <= begun).unwrap_or(begun);
            before = before.map(|_| ended);
            let Some(job) = job_of(&attempt) else { continue };
            self.found = true;
            self.job = Some(job.clone());
            let fetches = into.entry(job).or_default();
            if fetches.has_room() {
                fetches.outputs.push((attempt, host.clone(), (ended - from) as f64 / 1e3))
            }
        }
        let fetches = self.job.as_ref().and_then(|job| into.get_mut(job));
        if let (Some(ms), Some(fetches)) = (took, fetches.filter(|fetches| fetches.has_room())) {
            fetches.visits.push((host, ms as f64 / 1e3))
        }
    }
}

fn parsed(line: &str) -> Option<FetcherLine<'_>> {
    let begins = [" about to shuffle output of map ", " into RAM from ", " into Local-FS from "];
    if let Some((_, rest)) = line.split_once(" bytes from map-output for ") {
        return Some(FetcherLine::Ends { fetcher: thread(line), attempt: id(rest)? });
    }
    if let Some((_, rest)) = begins.iter().find_map(|of| line.split_once(of)) {
        return Some(FetcherLine::Begins { attempt: id(rest)? });
    }
    if let Some((before, rest)) = line.split_once(" freed by ") {
        let (fetcher, rest) = rest.split_once(" in ")?;
        let ms = rest
            .trim_end()
            .strip_suffix("ms")?
            .parse()
            .ok()
            .filter(|ms| (0..=LONGEST).contains(ms))?;
        return Some(FetcherLine::Freed { fetcher, host: host(before.rsplit(' ').next()?), ms });
    }
    // "Assigning HOST with 4 to FETCHER", or "assigned 4 of 4 to HOST to FETCHER".
    let rest = line.split_once("Assigning ").or_else(|| line.split_once(" assigned "))?.1;
    let (before, fetcher) = rest.trim_end().rsplit_once(" to ")?;
    let named = before.split(' ').find(|word| is_address(word))?;
    Some(FetcherLine::Assigned { fetcher, host: host(named) })
}

fn is_address(word: &str) -> bool {
    let port = word.rsplit_once(':').map(|(_, port)| port);
    port.is_some_and(|port| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()))
}

/// "worker4:13562" → "worker4".
fn host(address: &str) -> &str {
    address.rsplit_once(':').map_or(address, |(host, _)| host)
}

/// "fetcher#3" in "… INFO [fetcher#3] …"; "" if the log layout has no thread.
fn thread(line: &str) -> &str {
    let rest = line.split_once(" [").map_or("", |(_, rest)| rest);
    rest.split_once(']').map_or("", |(name, _)| name)
}

/// The attempt ID at the start of `text`.
fn id(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF: &str = "org.apache.hadoop.mapreduce.task.reduce";

    /// Map attempt, host, duration \[s\]; host, duration \[s\].
    type JobFetches = (Vec<(String, String, f64)>, Vec<(String, f64)>);

    fn fetches(lines: &[&str]) -> JobFetches {
        let (mut fetchers, mut all) = (Fetchers::default(), Fetches::new());
        for line in lines {
            fetchers.line(&format!("2026-11-23 10:18:{line}\n"), &mut all)
        }
        fetchers.end(&mut all);
        all.remove("job_17_0002")
            .map_or_else(Default::default, |fetches| (fetches.outputs, fetches.visits))
    }

    fn begin(at: &str, map: u32) -> String {
        format!(
            "{at} INFO [fetcher#1] {OF}.Fetcher: fetcher#1 about to shuffle output of map \
             attempt_17_0002_m_{map:06}_0 decomp: 66 len: 70 to MEMORY"
        )
    }

    fn end(at: &str, map: u32) -> String {
        format!(
            "{at} INFO [fetcher#1] {OF}.InMemoryMapOutput: Read 66 bytes from map-output for \
             attempt_17_0002_m_{map:06}_0"
        )
    }

    fn seconds(fetches: &[(String, String, f64)]) -> Vec<(&str, f64)> {
        fetches.iter().map(|(_, host, seconds)| (host.as_str(), *seconds)).collect()
    }

    #[test]
    fn an_output_is_timed_from_the_one_before_and_the_first_from_the_assignment() {
        let freed = format!(
            "32,104 INFO [fetcher#1] {OF}.ShuffleSchedulerImpl: w4:13562 freed by fetcher#1 in \
             12104ms"
        );
        let (outputs, visits) = fetches(&[
            &begin("26,000", 5),
            &end("26,010", 5),
            &begin("32,090", 2),
            &end("32,100", 2),
            &freed,
        ]);
        assert_eq!(seconds(&outputs), [("w4", 6.01), ("w4", 6.09)]);
        assert_eq!(visits, [("w4".to_string(), 12.104)])
    }

    #[test]
    fn an_assignment_that_is_told_times_a_visit_that_never_ends() {
        for assigned in
            ["Assigning w4:13562 with 2 to fetcher#1", "assigned 2 of 2 to w4:13562 to fetcher#1"]
        {
            let assigned = format!("20,000 INFO [fetcher#1] {OF}.ShuffleSchedulerImpl: {assigned}");
            let (outputs, visits) = fetches(&[&assigned, &begin("26,000", 5), &end("26,010", 5)]);
            assert_eq!((seconds(&outputs), visits.len()), (vec![("w4", 6.01)], 0), "{assigned}")
        }
    }

    #[test]
    fn without_an_assignment_an_output_is_timed_from_its_header() {
        let (outputs, _) = fetches(&[&begin("24,900", 3), &end("25,032", 3)]);
        assert_eq!(seconds(&outputs), [("", 0.132)]);
        let old = [
            "24,232 INFO org.apache.hadoop.mapred.ReduceTask: Shuffling 10 bytes (10 raw bytes) \
             into RAM from attempt_17_0002_m_000000_0",
            "24,332 INFO org.apache.hadoop.mapred.ReduceTask: Read 10 bytes from map-output for \
             attempt_17_0002_m_000000_0",
        ];
        assert_eq!(seconds(&fetches(&old).0), [("", 0.1)]);
        assert_eq!(fetches(&["24,900 INFO nothing"]).0, [])
    }

    #[test]
    fn a_visit_that_brings_nothing_counts_too() {
        let none = format!(
            "59,000 INFO [fetcher#1] {OF}.ShuffleSchedulerImpl: w4:1 freed by fetcher#1 in 30000ms"
        );
        let (outputs, visits) = fetches(&[&begin("24,900", 3), &end("25,032", 3), &none, &none]);
        assert_eq!((outputs.len(), visits.len()), (1, 2))
    }
}
