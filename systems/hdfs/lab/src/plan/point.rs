//! A point of the search: settings of a cluster.
use super::knob::{KNOBS, Knob};
use crate::job::Sets;
use hdfs_policy::rereplication::registry::jar_setting;
use hdfs_scenario::Scenario;

/// Distance of another policy: as far as doubling one setting.
const POLICY: f64 = 2.0;

/// Values of all [`KNOBS`] in their order, and a policy.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    values: [u64; KNOBS.len()],
    pub policy: String,
}

impl Point {
    /// The present settings.
    pub fn of(scenario: &Scenario) -> Point {
        Point {
            values: KNOBS.map(|knob| knob.of(scenario)),
            policy: scenario.policy.rereplication.clone(),
        }
    }

    pub fn get(&self, knob: Knob) -> u64 {
        self.values[knob as usize]
    }

    /// Changes one setting. The hard limit follows `max-streams` at twice its value, as in Hadoop's
    /// defaults, and never decreases.
    pub fn with(&self, knob: Knob, value: u64) -> Point {
        let mut other = self.clone();
        other.values[knob as usize] = value;
        if knob == Knob::MaxStreams {
            let hard = &mut other.values[Knob::HardLimit as usize];
            *hard = (*hard).max(2 * value)
        }
        other
    }

    pub fn with_policy(&self, policy: &str) -> Point {
        Point { policy: policy.to_string(), ..self.clone() }
    }

    /// Settings that differ: (knob, value in `from`, value here).
    pub fn changes<'a>(&'a self, from: &'a Point) -> impl Iterator<Item = (Knob, u64, u64)> + 'a {
        let all = KNOBS.into_iter().map(|knob| (knob, from.get(knob), self.get(knob)));
        all.filter(|(_, old, new)| old != new)
    }

    pub fn changes_policy(&self, from: &Point) -> bool {
        self.policy != from.policy
    }

    /// Whether applying it to `from` needs NameNode code that does not exist.
    pub fn needs_plugin(&self, from: &Point) -> bool {
        self.changes_policy(from) && jar_setting(&self.policy).is_none()
    }

    /// The jar's `tenbin.rereplication`, if applying this to `from` needs the jar.
    pub fn needs_jar(&self, from: &Point) -> Option<&'static str> {
        jar_setting(&self.policy).filter(|_| self.changes_policy(from))
    }

    /// Sum of the factors by which settings change. Nearer points disturb the cluster less.
    pub fn distance(&self, from: &Point) -> f64 {
        let settings: f64 = self.changes(from).map(|(knob, old, new)| knob.times(old, new)).sum();
        settings + if self.changes_policy(from) { POLICY } else { 0.0 }
    }

    /// Arguments of `--set` for the changes from `from`.
    pub fn sets(&self, from: &Point) -> Sets {
        let setting = |(knob, _, new): (Knob, u64, u64)| {
            (format!("hdfs-site.{}", knob.key()), new.to_string())
        };
        let policy = ("policy.rereplication".to_string(), self.policy.clone());
        let changed = self.changes_policy(from).then_some(policy);
        self.changes(from).map(setting).chain(changed).collect()
    }

    /// "multiplier 8, max-streams 8", or "now".
    pub fn name(&self, from: &Point) -> String {
        let policy = self.changes_policy(from).then(|| self.policy.clone());
        let follows = |knob: Knob| {
            knob == Knob::HardLimit && self.get(knob) == 2 * self.get(Knob::MaxStreams)
        };
        let settings = self
            .changes(from)
            .filter(|(knob, ..)| !follows(*knob))
            .map(|(knob, _, new)| format!("{} {}", knob.short(), knob.words(new)));
        let words: Vec<String> = policy.into_iter().chain(settings).collect();
        if words.is_empty() { "now".into() } else { words.join(", ") }
    }
}

#[cfg(test)]
impl Point {
    /// Hadoop's defaults except the limits.
    pub fn example() -> Point {
        Point { values: [2, 4, 8, 3, 0, 300, 0], policy: "default".into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Point {
        Point::example()
    }

    #[test]
    fn names_and_sets_tell_only_what_changes() {
        assert_eq!(now().name(&now()), "now");
        let both = now().with(Knob::Multiplier, 8).with(Knob::MaxStreams, 8);
        assert_eq!(both.name(&now()), "multiplier 8, max-streams 8");
        let keys: Vec<String> = both.sets(&now()).into_iter().map(|(k, v)| k + "=" + &v).collect();
        assert_eq!(
            keys,
            [
                "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration=8",
                "hdfs-site.dfs.namenode.replication.max-streams=8",
                "hdfs-site.dfs.namenode.replication.max-streams-hard-limit=16",
            ]
        );
        let ring = now().with_policy("ring");
        assert_eq!((ring.name(&now()).as_str(), ring.needs_plugin(&now())), ("ring", true));
        let jar = now().with_policy("ring-priority+jar");
        assert_eq!(
            (jar.needs_jar(&now()), jar.needs_plugin(&now())),
            (Some("multi-rack-ring"), false)
        );
    }

    #[test]
    fn the_hard_limit_follows_and_never_falls() {
        assert_eq!(now().with(Knob::MaxStreams, 16).get(Knob::HardLimit), 32);
        assert_eq!(now().with(Knob::MaxStreams, 2).get(Knob::HardLimit), 8);
    }

    #[test]
    fn distance_grows_with_each_change() {
        assert_eq!(now().distance(&now()), 0.0);
        assert_eq!(now().with(Knob::Multiplier, 8).distance(&now()), 4.0);
        assert_eq!(now().with(Knob::Interval, 1).distance(&now()), 3.0);
        assert_eq!(now().with(Knob::MaxStreams, 8).distance(&now()), 4.0, "and its hard limit");
    }
}
