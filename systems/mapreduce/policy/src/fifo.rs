//! FIFO: the job that was submitted first.
use super::{Job, Order};

pub struct Fifo;

impl Order for Fifo {
    fn name(&self) -> &'static str {
        "fifo"
    }

    fn doc(&self) -> &'static str {
        "The job that was submitted first is next.\n\n# What it decides\nThe job whose task a free \
         slot gets: the oldest job that has one.\n\n# When it helps\nThe first jobs' time counts, \
         and jobs are alike.\n\n# What it costs\nA short job waits for all earlier jobs.\n\n# \
         Reference\nHadoop 1.x's JobQueueTaskScheduler."
    }

    fn rank(&self, job: &Job) -> (u64, u32) {
        (0, job.number)
    }
}
