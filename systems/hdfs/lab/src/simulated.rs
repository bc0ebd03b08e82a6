//! HDFS as a simulated system: scenarios, names and runs, without its commands.
use crate::simulation::Hdfs;
use hdfs_policy::rereplication::registry;
use system::{BuiltIn, PolicyInfo, System};

const DEFAULT: &str = "The default of the system that policy.pacing names.\n\n\
                       event-driven: document-default\n\
                       hdfs1: hdfs1-default\n\
                       hdfs3: hdfs3-default";

pub(crate) static SIMULATED: System = System {
    summary: "HDFS after the loss of a DataNode: detection, pacing, re-replication",
    readme: include_str!("../../README.md"),
    policies: named,
    scenarios: &[
        BuiltIn { name: "s0", text: include_str!("../../../../scenarios/s0.toml") },
        BuiltIn { name: "datacentre", text: include_str!("../../../../scenarios/datacentre.toml") },
    ],
    simulation: Some(&Hdfs),
    assembly: hdfs_scenario::assembly,
    ..System::new(&hdfs_scenario::keys::HDFS)
};

fn named() -> Vec<PolicyInfo> {
    let key = "policy.rereplication";
    let default = PolicyInfo { key, name: "default", doc: DEFAULT.into() };
    let all = registry::named().map(|policy| PolicyInfo {
        key,
        name: policy.name(),
        doc: policy.doc().into(),
    });
    std::iter::once(default).chain(all).collect()
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
