//! Pages and texts of runs of jobs.
mod by_node;
mod finished;
mod head;
mod jobs;
mod nodes;
mod parts;
mod resources;
mod simulated;
mod tasks;
mod text;
mod times;
mod withheld;
pub use head::verdict;
pub use simulated::{JobsReporter, figures};
pub use text::{lines, text};

use crate::plain::printable;
use crate::why::Explanation;
use crate::why::causes;
use page::{Foot, Page};
use serde_json::{Value, json};
use system::{Failure, Jobs, TaskFilter};
use trace::Trace;

pub static JOBS: Jobs = Jobs {
    json,
    text: explained,
    page: |trace| page(trace, &Explanation::of(trace)),
    finished: |trace| match is_simulated(trace) {
        true => None,
        false => finished::of(&Explanation::of(trace)),
    },
    causes: || causes::ALL.iter().map(|rule| (rule.name, rule.page())).collect(),
};

fn json(trace: &Trace, only: &TaskFilter) -> Result<Value, Failure> {
    let why = chosen(trace, only)?;
    match &only.task {
        Some(task) => tasks::json(&why, task),
        None if is_simulated(trace) && only.job.is_none() => Ok(simulated::json(trace, &why)),
        None => Ok(json!(why)),
    }
}

fn explained(trace: &Trace, only: &TaskFilter) -> Result<String, Failure> {
    let why = chosen(trace, only)?;
    match &only.task {
        Some(task) => tasks::text(&why, task),
        None if is_simulated(trace) && only.job.is_none() => Ok(simulated::text(trace, &why)),
        None => Ok(text(&why, 20)),
    }
}

/// All jobs, or the one of `--job`.
fn chosen(trace: &Trace, only: &TaskFilter) -> Result<Explanation, Failure> {
    let mut why = Explanation::of(trace);
    let Some(job) = &only.job else { return Ok(why) };
    let known: Vec<String> = why.jobs.iter().take(5).map(|job| printable(&job.id)).collect();
    why.jobs.retain(|one| one.id == *job);
    match why.jobs.is_empty() {
        true => Err(Failure::BadInput(format!(
            "--job {job}: no such job in the run; it has {}",
            known.join(", ")
        ))),
        false => Ok(why),
    }
}

/// A single job's page, or an overview with one page per job.
pub fn page(trace: &Trace, why: &Explanation) -> Page {
    let page = match why.jobs.as_slice() {
        [one] => jobs::single_job_page(trace, one),
        _ => jobs::jobs_page(trace, why),
    };
    // The model knows what limited the run, better than a history's clues.
    match is_simulated(trace) {
        true => Page { head: simulated::head(trace, why), ..page },
        false => page,
    }
}

fn is_simulated(trace: &Trace) -> bool {
    trace.about("origin") == Some("simulated")
}

fn foot(trace: &Trace) -> Foot {
    let of = |format: &str| trace.sources.iter().filter(|s| s.format == format).count();
    let histories = page::words::count(of("jhist") as u64, ".jhist file");
    let confs = page::words::count(of("job conf") as u64, "job conf");
    let lacking = ["node curves", "reducer syslog"].into_iter().filter(|format| of(format) == 0);
    let lacking: Vec<&str> = lacking.collect();
    let mut foot = Foot::new(trace.about("command").unwrap_or("tenbin report"))
        .from("Sources", format!("{histories}, {confs}"));
    if !lacking.is_empty() {
        foot = foot.from("Not given", lacking.join(", "))
    }
    let times = |left_out: bool| {
        let format = |p: &trace::ImportIssue| &trace.sources[p.source.at()].format;
        let of = |p: &&trace::ImportIssue| (format(p) == crate::import::LEFT_OUT) == left_out;
        trace.problems.iter().filter(of).map(|p| p.times).sum::<u64>()
    };
    if times(true) > 0 {
        foot = foot.from("Left out", page::words::count(times(true), "file"))
    }
    let problems = times(false);
    if problems > 0 {
        foot = foot.from("Not readable", page::words::count(problems, "problem"))
    }
    foot.from("tenbin", env!("CARGO_PKG_VERSION"))
}
