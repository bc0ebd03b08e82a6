//! Fair: the job with the fewest running tasks.
use super::{Job, Order};

pub struct Fair;

impl Order for Fair {
    fn name(&self) -> &'static str {
        "fair"
    }

    fn doc(&self) -> &'static str {
        "The job with the fewest running tasks is next.\n\n# What it decides\nThe job whose task a \
         free slot gets: all jobs of the one user share alike, ties go to the oldest.\n\n# When it \
         helps\nShort jobs behind long ones: they get slots at once.\n\n# What it costs\nReduces \
         of many jobs hold slots while they wait for maps.\n\n# Reference\nHadoop 1.x's \
         FairScheduler with one user, which Watanabe 2014 extends."
    }

    fn rank(&self, job: &Job) -> (u64, u32) {
        (job.running.into(), job.number)
    }
}
