use super::given;
use super::{
    DiskAware, DocumentDefault, Hdfs1Default, Hdfs3Default, Holders, InterRack, LeastLoaded,
    MinMax, Optimised, Rereplication, Ring, RingPriority, RiskFirst, WITH_JAR, WithJar,
};
use hdfs_scenario::Pacing;
use std::fmt;

/// Every policy once, in display order; without [`with_jar`].
pub fn all() -> Vec<Box<dyn Rereplication>> {
    let mut all: Vec<Box<dyn Rereplication>> = vec![
        Box::new(Hdfs3Default),
        Box::new(Hdfs1Default),
        Box::new(DocumentDefault { holders: Holders::Ready }),
        Box::new(DocumentDefault { holders: Holders::All }),
    ];
    all.extend(plug_ins());
    all
}

/// Policies that are no system's default: HDFS would need new code for them. [`with_jar`] has three
/// of them, as far as a placement policy can implement them.
pub fn plug_ins() -> Vec<Box<dyn Rereplication>> {
    vec![
        Box::new(Ring),
        Box::new(RingPriority),
        Box::new(Optimised),
        Box::new(LeastLoaded),
        Box::new(MinMax),
        Box::new(InterRack),
        Box::new(RiskFirst),
        Box::new(DiskAware),
    ]
}

/// Policies that users can install in a NameNode with the jar of `systems/hdfs/hadoop`.
pub fn with_jar() -> impl Iterator<Item = Box<dyn Rereplication>> {
    WITH_JAR.into_iter().map(|policy| Box::new(policy) as Box<dyn Rereplication>)
}

/// Policies that a scenario may name, except `default`.
pub fn named() -> impl Iterator<Item = Box<dyn Rereplication>> {
    all().into_iter().chain(with_jar()).chain(given::all())
}

/// The jar's name for a policy; `None` if the jar does not have it.
pub fn jar_setting(name: &str) -> Option<&'static str> {
    WITH_JAR.iter().find(|policy| policy.name() == name).map(WithJar::setting)
}

/// The policy that `default` means: that of the system with this pacing.
pub fn default_of(pacing: Pacing) -> &'static str {
    match pacing {
        Pacing::EventDriven => "document-default",
        Pacing::Hdfs1 => "hdfs1-default",
        Pacing::Hdfs3 => "hdfs3-default",
    }
}

/// The policy that a scenario names: one of [`all`], `default`, one that was
/// [given](super::give), or, under Hadoop 3's pacing, one of [`with_jar`].
///
/// # Errors
/// [`UnknownPolicy`], which names the nearest one.
pub fn find(name: &str, pacing: Pacing) -> Result<Box<dyn Rereplication>, UnknownPolicy> {
    let name = if name == "default" { default_of(pacing) } else { name };
    let jar = with_jar().filter(|_| pacing == Pacing::Hdfs3);
    let found =
        all().into_iter().chain(jar).chain(given::all()).find(|policy| policy.name() == name);
    found.ok_or_else(|| UnknownPolicy::new(name))
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPolicy {
    pub name: String,
    /// The known name with the least edit distance, if it is near.
    pub nearest: Option<&'static str>,
    pub known: Vec<&'static str>,
}

impl UnknownPolicy {
    fn new(name: &str) -> UnknownPolicy {
        let all = all().into_iter().chain(with_jar()).map(|policy| policy.name());
        let known: Vec<&str> = std::iter::once("default").chain(all).collect();
        let distance = |to: &&str| strsim::damerau_levenshtein(name, to);
        let near = |to: &&str| distance(to) <= 2.max(name.chars().count() / 2);
        let nearest = known.iter().copied().min_by_key(distance).filter(near);
        UnknownPolicy { name: name.to_string(), nearest, known }
    }
}

impl fmt::Display for UnknownPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no re-replication policy is called {:?}", self.name)?;
        if let Some(nearest) = self.nearest {
            write!(f, "; did you mean {nearest:?}?")?;
        }
        write!(f, " (known: {})", self.known.join(", "))
    }
}

impl std::error::Error for UnknownPolicy {}
