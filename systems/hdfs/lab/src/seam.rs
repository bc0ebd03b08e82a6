//! HDFS behind the seam.
use crate::{commands, reproduce};
use cluster::keys::Vocabulary;
use hdfs_policy::rereplication::registry;
use system::claims::Document;
use system::{About, Action, Named, Runs, System};

/// HDFS: lost nodes and their repair.
pub struct Hdfs;

/// What `default` stands for.
const DEFAULT: &str = "The default of the system that policy.pacing names.\n\n\
                       event-driven: document-default\n\
                       hdfs1: hdfs1-default\n\
                       hdfs3: hdfs3-default";

impl System for Hdfs {
    fn about(&self) -> About {
        let what = "HDFS after the loss of a DataNode: detection, pacing, re-replication";
        About { name: "hdfs", what, readme: include_str!("../../README.md") }
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &hdfs_scenario::keys::HDFS
    }

    fn runs(&self) -> Option<Box<dyn Runs>> {
        Some(Box::new(Hdfs))
    }

    fn named(&self) -> Vec<Named> {
        let key = "policy.rereplication";
        let default = Named { key, name: "default", doc: DEFAULT.into() };
        let policies = registry::all();
        let all = policies.iter().map(|policy| Named {
            key,
            name: policy.name(),
            doc: policy.doc().into(),
        });
        std::iter::once(default).chain(all).collect()
    }

    fn imports(&self) -> Vec<&'static dyn Action> {
        commands::imports()
    }

    fn plans(&self) -> Vec<&'static dyn Action> {
        commands::plans()
    }

    fn document(&self) -> Option<&dyn Document> {
        Some(&reproduce::Rereplication)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::about::pacing;
    use hdfs_scenario::Pacing::{EventDriven, Hdfs1, Hdfs3};

    #[test]
    fn the_default_of_each_pacing_is_told() {
        for paced in [EventDriven, Hdfs1, Hdfs3] {
            let line = format!("{}: {}", pacing(paced), registry::default_of(paced));
            assert!(DEFAULT.lines().any(|told| told == line), "{line}")
        }
    }
}
