//! Classes of Ozone that policies model, and the keys that select them.
use cluster::Values;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// Key in `ozone-site.xml`.
    pub key: &'static str,
    pub class: &'static str,
    /// Scenario key of the same decision.
    pub policy: &'static str,
    pub name: &'static str,
    /// How to set it, and when it takes effect.
    pub set: &'static str,
}

macro_rules! class {
    ($key:literal, $class:literal, $policy:literal, $name:literal, $when:literal) => {
        Class {
            key: $key,
            class: $class,
            policy: $policy,
            name: $name,
            set: concat!($when, " with ", $key, " = ", $class),
        }
    };
}

/// If several classes model one policy, the first is the one to set.
pub static CLASSES: [Class; 8] = [
    class!(
        "hdds.datanode.volume.choosing.policy",
        "org.apache.hadoop.ozone.container.common.volume.RoundRobinVolumeChoosingPolicy",
        "policy.volume",
        "round-robin",
        "after a restart of the DataNodes"
    ),
    class!(
        "hdds.datanode.volume.choosing.policy",
        "org.apache.hadoop.ozone.container.common.volume.CapacityVolumeChoosingPolicy",
        "policy.volume",
        "better-of-two",
        "after a restart of the DataNodes"
    ),
    class!(
        "hdds.scm.pipeline.choose.policy.impl",
        "org.apache.hadoop.hdds.scm.pipeline.choose.algorithms.RandomPipelineChoosePolicy",
        "policy.choice",
        "random",
        "after a restart of the SCM"
    ),
    class!(
        "hdds.scm.pipeline.choose.policy.impl",
        "org.apache.hadoop.hdds.scm.pipeline.choose.algorithms.RoundRobinPipelineChoosePolicy",
        "policy.choice",
        "round-robin",
        "after a restart of the SCM"
    ),
    // Random among healthy pipelines; in a simulation every open pipeline is healthy.
    class!(
        "hdds.scm.pipeline.choose.policy.impl",
        "org.apache.hadoop.hdds.scm.pipeline.choose.algorithms.HealthyPipelineChoosePolicy",
        "policy.choice",
        "random",
        "after a restart of the SCM"
    ),
    class!(
        "ozone.scm.pipeline.leader-choose.policy",
        "org.apache.hadoop.hdds.scm.pipeline.leader.choose.algorithms.MinLeaderCountChoosePolicy",
        "policy.leader",
        "fewest",
        "after a restart of the SCM"
    ),
    class!(
        "ozone.scm.pipeline.leader-choose.policy",
        "org.apache.hadoop.hdds.scm.pipeline.leader.choose.algorithms.DefaultLeaderChoosePolicy",
        "policy.leader",
        "as-elected",
        "after a restart of the SCM"
    ),
    class!(
        "ozone.scm.pipeline.placement.impl",
        "org.apache.hadoop.hdds.scm.pipeline.PipelinePlacementPolicy",
        "policy.pipeline",
        "scm",
        "after a restart of the SCM"
    ),
];

/// The scenario key that an Ozone key corresponds to.
pub fn decides(key: &str) -> Option<&'static str> {
    CLASSES.iter().find(|row| row.key == key).map(|row| row.policy)
}

/// `key`: the key in `ozone-site.xml`.
pub fn named(key: &str, class: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|row| row.key == key && row.class == class.trim())
}

/// `None`: Ozone has no class for the policy.
pub fn of(policy: &str, name: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|row| row.policy == policy && row.name == name)
}

/// The policy of the class in the scenario's `[ozone-site]`.
pub fn of_site(values: &Values, policy: &str) -> Option<&'static str> {
    let key = CLASSES.iter().find(|row| row.policy == policy)?.key;
    let slot = values.find(&format!("ozone-site.{key}"))?;
    named(key, &slot.text).map(|row| row.name)
}
