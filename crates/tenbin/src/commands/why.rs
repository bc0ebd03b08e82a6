//! `tenbin why RUN`
use crate::cli::Why;
use crate::console;
use crate::failure::Failure;
use crate::systems::{finished, jobs};
use system::TaskFilter;

/// Prints causes of the duration: jobs in detail; for other runs, as on the page.
pub fn why(args: Why) -> Result<(), Failure> {
    let run = finished(&args.run)?;
    let only = TaskFilter { job: args.job, task: args.task };
    let trace = run.trace();
    let of_jobs = trace.as_ref().ok().and_then(|trace| Some((trace, jobs(trace)?)));
    match (of_jobs, args.json) {
        (Some((trace, jobs)), true) => console::json(&(jobs.json)(trace, &only)?),
        (Some((trace, jobs)), false) => console::text(&(jobs.text)(trace, &only)?),
        (None, _) if only != TaskFilter::default() => {
            Err(run.bad("--job and --task: the run has no jobs"))
        }
        (None, true) => console::json(&run.json()?),
        (None, false) => console::text(&page::text(&run.page()?)),
    }
}
