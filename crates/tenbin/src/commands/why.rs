//! `tenbin why RUN`
use crate::cli::Why;
use crate::failure::Failure;
use crate::{console, systems};
use system::Only;

/// Prints what held the run up.
pub fn why(args: Why) -> Result<(), Failure> {
    let run = systems::finished(&args.run)?;
    let only = Only { job: args.job, task: args.task };
    match args.json {
        true => console::json(&run.explains()?.json(&run.trace, &only)?),
        false => console::text(&run.explains()?.text(&run.trace, &only)?),
    }
}
