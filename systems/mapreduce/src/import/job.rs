use super::history::Job;
use super::jhist::{self, Problem};
use import::{Input, Issue, OnProgress, issue};
use std::io::BufReader;

/// Reads a history. Returns what was unreadable, too.
///
/// # Errors
/// A read error, or the file has no event of a job.
pub fn read(input: &Input, tell: &mut OnProgress<'_>) -> Result<(Job, Vec<Problem>), Issue> {
    let bytes = BufReader::with_capacity(1 << 16, import::open(input, tell)?);
    let mut job = Job::default();
    let problems = jhist::read(bytes, |kind, event| job.add(kind, event))?;
    let empty = job.tasks.is_empty() && job.attempts.is_empty();
    if empty && job.id.is_empty() && job.am_start.is_none() && job.finish.is_none() {
        let why = problems.first().map(|p| format!(": {}", p.what)).unwrap_or_default();
        let expected = "events of a job, as in a complete history";
        return Err(issue(format!("no event of a job in the file{why}"), expected).on(1));
    }
    Ok((job, problems))
}
