//! Task scheduling: the order of jobs, and rules that withhold tasks from a node.
//! `policy.scheduling` names one order and any number of rules: `fair+disk-rate`.
mod delay;
mod disk_rate;
mod disk_rate_auto;
mod fair;
mod fifo;
mod per_disk;
mod potential_reception;
mod predicted_load;
mod random;
mod receive_rate;
mod reduces_by_need;

pub use disk_rate_auto::DiskRateAuto;
use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Position in the order of submission.
    pub number: u32,
    /// Running tasks of the kind (map or reduce) to be assigned.
    pub running: u32,
}

pub trait Order: Sync {
    fn name(&self) -> &'static str;
    fn doc(&self) -> &'static str;
    /// The job with the smallest rank gets the slot.
    fn rank(&self, job: &Job) -> (u64, u32);
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// \[bytes/s\], mean since the last heartbeat.
    pub receive_rate: f64,
    /// Bytes of map output that the node's reduces are fetching.
    pub fetching: u64,
    /// Bytes of finished maps' output that the node's reduces have not fetched yet.
    pub outstanding: u64,
    /// Busy fraction of each disk since the last heartbeat. With `policy.disk_rate_figure =
    /// "moment"`: 1 or 0, busy at the heartbeat.
    pub disks: Vec<f64>,
    /// Maps assigned to the node since `disks` was measured.
    pub given: u32,
    /// Mean disk rate in the last reports of all nodes, including this one; 0 if no rule needs it.
    pub mean_disk_rate: f64,
}

impl Report {
    /// Mean over disks, the figure of Disk Rate in Watanabe 2014.
    pub fn disk_rate(&self) -> f64 {
        self.disks.iter().sum::<f64>() / self.disks.len().max(1) as f64
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Candidate {
    /// `false`: a reduce.
    pub map: bool,
    /// A map whose block is stored on the node.
    pub local: bool,
    /// The node's disk with the block; `None`: the block is on no disk of this node.
    pub disk: Option<u32>,
    /// How long the job was passed over for want of a data-local slot \[s\]; infinite if its
    /// maps may start anywhere.
    pub waited: f64,
    /// How long a reduce that has fetched all other outputs is expected to wait for its job's last
    /// map \[s\]; 0 or less if it will not.
    pub early: f64,
    /// A reduce whose job's maps are not all done, while another job's are and it needs slots.
    pub ready_elsewhere: bool,
    /// Random number from 0 to 1, drawn per task and heartbeat.
    pub dice: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thresholds {
    /// `policy.receive_rate_threshold` \[bytes/s\].
    pub receive_rate: f64,
    /// `policy.potential_reception_threshold` \[bytes\].
    pub reception: u64,
    /// `policy.potential_reception` is `outstanding`.
    pub outstanding: bool,
    /// `policy.disk_rate_threshold`.
    pub disk_rate: f64,
    /// `policy.predicted_share`: expected busy fraction that one map adds to a disk.
    pub predicted: f64,
    /// `policy.locality_wait` \[s\].
    pub locality_wait: f64,
    /// `policy.random_share`.
    pub random: f64,
}

pub trait Rule: Sync {
    fn name(&self) -> &'static str;
    fn doc(&self) -> &'static str;
    /// The setting to blame for withheld tasks.
    fn key(&self) -> &'static str;
    fn withholds(&self, report: &Report, task: &Candidate, limits: &Thresholds) -> bool;
    /// `policy.withhold_limit` suspends the rule. A rule that ends by itself returns false.
    fn is_lifted(&self) -> bool {
        true
    }
    /// The rule needs `Report::mean_disk_rate`.
    fn is_relative(&self) -> bool {
        false
    }
}

pub static ORDERS: [&dyn Order; 2] = [&fair::Fair, &fifo::Fifo];

/// Rules that another program gave, such as Python: their positions follow those of [`RULES`].
static GIVEN: Mutex<Vec<&'static dyn Rule>> = Mutex::new(Vec::new());

/// Adds a rule; of two with one name the later one counts.
pub fn give(rule: &'static dyn Rule) {
    GIVEN.lock().expect("no thread panics while holding it").push(rule)
}

/// Every rule at its position.
pub fn rules() -> impl Iterator<Item = &'static dyn Rule> {
    let given = GIVEN.lock().expect("no thread panics while holding it").clone();
    RULES.into_iter().chain(given)
}

/// The rule at a position that a [`Scheduling`] has.
pub fn rule(place: usize) -> &'static dyn Rule {
    let own = RULES.get(place).copied();
    own.unwrap_or_else(|| rules().nth(place).expect("a position in the list"))
}

/// Traces store positions in this list: append new rules.
pub static RULES: [&dyn Rule; 9] = [
    &delay::Delay,
    &disk_rate::DiskRate,
    &per_disk::PerDisk,
    &potential_reception::PotentialReception,
    &predicted_load::PredictedLoad,
    &random::Random,
    &receive_rate::ReceiveRate,
    &disk_rate_auto::DiskRateAuto,
    &reduces_by_need::ReducesByNeed,
];

/// Indexes into [`ORDERS`] and [`RULES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scheduling {
    pub order: usize,
    /// Checked in this order.
    pub rules: Vec<usize>,
}

impl Scheduling {
    /// Parses "fair+disk-rate".
    ///
    /// # Errors
    /// The first unknown name.
    pub fn named(text: &str) -> Result<Scheduling, String> {
        let mut words = names_in(text);
        let first = words.next().unwrap_or("");
        let order = ORDERS.iter().position(|order| order.name() == first);
        let order = order.ok_or_else(|| first.to_string())?;
        let all: Vec<_> = rules().collect();
        let rule = |word: &str| all.iter().rposition(|rule| rule.name() == word);
        let rules = words.map(|word| rule(word).ok_or_else(|| word.to_string()));
        Ok(Scheduling { order, rules: rules.collect::<Result<_, _>>()? })
    }

    pub fn needs_progress(&self) -> bool {
        let name = reduces_by_need::ReducesByNeed.name();
        self.rules.iter().any(|place| rule(*place).name() == name)
    }

    pub fn is_relative(&self) -> bool {
        self.rules.iter().any(|place| rule(*place).is_relative())
    }

    /// The first rule that withholds the task. If `lifted`, rules with [`Rule::is_lifted`] are
    /// skipped.
    pub fn withheld(
        &self,
        report: &Report,
        task: &Candidate,
        limits: &Thresholds,
        lifted: bool,
    ) -> Option<usize> {
        let counts = |place: &&usize| !lifted || !rule(**place).is_lifted();
        let mut rules = self.rules.iter().filter(counts);
        rules.find(|place| rule(**place).withholds(report, task, limits)).copied()
    }
}

/// Splits "fair+delay" into its names.
pub fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('+').map(str::trim)
}

/// Hadoop itself has it: both orders, and delay scheduling.
pub fn is_shipped(name: &str) -> bool {
    ORDERS.iter().any(|order| order.name() == name) || delay::Delay.name() == name
}

/// `tenbin-yarn.jar` (`hadoop/`) has it. Its `per-disk` is another rule: YARN does not know a
/// block's disk.
pub fn is_in_jar(name: &str) -> bool {
    ["receive-rate", "potential-reception", "disk-rate", "disk-rate-auto", "predicted-load"]
        .contains(&name)
}

pub fn names() -> Vec<&'static str> {
    let orders = ORDERS.iter().map(|order| order.name());
    orders.chain(RULES.iter().map(|rule| rule.name())).collect()
}
