//! A job waits for a node that has its block.
use super::{Candidate, Report, Rule, Thresholds};

pub struct Delay;

impl Rule for Delay {
    fn name(&self) -> &'static str {
        "delay"
    }

    fn doc(&self) -> &'static str {
        "A job waits for a node that has its block.\n\n# What it decides\nA job's map is not \
         started on a node without its block before the job was passed over for \
         `policy.locality_wait`. After a map without its block, the job's further maps start \
         anywhere, until one starts on a node with its block.\n\n# When it helps\nNetworks are \
         narrow, or blocks have three replicas: a short wait makes nearly all maps local.\n\n# \
         What it costs\nSlots stay empty during the wait.\n\n# Reference\nZaharia et al., Delay \
         scheduling, EuroSys 2010; Hadoop 1.x's FairScheduler, where the wait is 1.5 heartbeats by \
         default (mapred.fairscheduler.locality.delay)."
    }

    fn key(&self) -> &'static str {
        "policy.locality_wait"
    }

    fn withholds(&self, _: &Report, task: &Candidate, limits: &Thresholds) -> bool {
        task.map && !task.local && task.waited < limits.locality_wait
    }

    fn is_lifted(&self) -> bool {
        false
    }
}
