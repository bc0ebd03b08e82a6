//! A job's reduces wait until they would hardly wait in their slots.
use super::{Candidate, Report, Rule, Thresholds};

pub struct ReducesByNeed;

impl Rule for ReducesByNeed {
    fn name(&self) -> &'static str {
        "reduces-by-need"
    }

    fn doc(&self) -> &'static str {
        "A job's reduces wait until they would hardly wait in their slots.\n\n# What it \
         decides\nA reduce starts if its job's last map is expected to end before the reduce has \
         fetched all other outputs. The job's maps are expected to go on at their mean rate so \
         far, and a fetch to take the reduce's bytes at the slot's part of the node's NIC. While \
         another job has all its map outputs and reduces without a slot, no reduce of an earlier \
         phase starts. Maps are never withheld.\n\n# When it helps\nSeveral jobs share the \
         reduce slots: reduces that wait for a late map do not hold the slots of jobs whose maps \
         are done.\n\n# What it costs\nIf the estimate is too late, a fetch that could have \
         overlapped with maps comes after them.\n\n# Reference\nSlot hoarding: Zaharia et al., \
         EuroSys 2010, and Watanabe 2014; a fixed part of the maps is task.slow_start."
    }

    fn key(&self) -> &'static str {
        "policy.scheduling"
    }

    fn withholds(&self, _: &Report, task: &Candidate, _: &Thresholds) -> bool {
        !task.map && (task.early > 0.0 || task.ready_elsewhere)
    }

    fn is_lifted(&self) -> bool {
        false
    }
}
