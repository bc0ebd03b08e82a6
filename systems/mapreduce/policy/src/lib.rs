//! Task scheduling: which job is next, and which rules withhold a task from a node.
//!
//! `policy.scheduling` names an order of jobs and any number of rules: `fair+disk-rate`.
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

pub use disk_rate_auto::DiskRateAuto;

/// A job as an order sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// In the order of submission.
    pub number: u32,
    /// Tasks of the kind in question that run now.
    pub running: u32,
}

pub trait Order: Sync {
    /// As `policy.scheduling` names it.
    fn name(&self) -> &'static str;
    fn doc(&self) -> &'static str;
    /// The smaller, the sooner: of jobs that have a task to give.
    fn rank(&self, job: &Job) -> (u64, u32);
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Bytes received since the heartbeat before, a second.
    pub receive_rate: f64,
    /// Bytes of map output that the node's reduces fetch now.
    pub fetching: u64,
    /// Bytes of map output that they have not yet fetched, of maps that are done.
    pub outstanding: u64,
    /// Of each disk: the part of the time since the heartbeat before in which it was busy; or 1 or
    /// 0, whether it is busy now (`policy.disk_rate_figure`).
    pub disks: Vec<f64>,
    /// Maps given to the node since that figure was taken.
    pub given: u32,
    /// The mean of what all nodes last reported, this one too; 0 where no rule asks.
    pub mean_disk_rate: f64,
}

impl Report {
    /// The mean over disks, which the document's rule looks at.
    pub fn disk_rate(&self) -> f64 {
        self.disks.iter().sum::<f64>() / self.disks.len().max(1) as f64
    }
}

/// A task that a node might get.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// A map, or a reduce.
    pub map: bool,
    /// A map whose block lies on the node.
    pub local: bool,
    /// The disk of the node that has the block.
    pub disk: Option<u32>,
    /// How long its job has waited for a place beside its block \[s\].
    pub waited: f64,
    /// A number from 0 to 1, drawn for this task and heartbeat.
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
    /// `policy.predicted_share`: of a disk's time that a map takes, as a rule expects.
    pub predicted: f64,
    /// `policy.locality_wait` \[s\].
    pub locality_wait: f64,
    /// `policy.random_share`.
    pub random: f64,
}

/// A rule that withholds tasks.
pub trait Rule: Sync {
    /// As `policy.scheduling` names it.
    fn name(&self) -> &'static str;
    fn doc(&self) -> &'static str;
    /// The key that is the cause when it withholds.
    fn key(&self) -> &'static str;
    /// Whether the node is not given this task.
    fn withholds(&self, report: &Report, task: &Candidate, limits: &Thresholds) -> bool;
    /// Lifted when a job has waited for too long; delay scheduling has a bound of its own.
    fn is_lifted(&self) -> bool {
        true
    }
    /// It looks at what other nodes report, too.
    fn is_relative(&self) -> bool {
        false
    }
}

pub static ORDERS: [&dyn Order; 2] = [&fair::Fair, &fifo::Fifo];

/// All rules. Records have their places: new ones come last.
pub static RULES: [&dyn Rule; 8] = [
    &delay::Delay,
    &disk_rate::DiskRate,
    &per_disk::PerDisk,
    &potential_reception::PotentialReception,
    &predicted_load::PredictedLoad,
    &random::Random,
    &receive_rate::ReceiveRate,
    &disk_rate_auto::DiskRateAuto,
];

/// An order and its rules, as places in [`ORDERS`] and [`RULES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scheduling {
    pub order: usize,
    /// What is asked, in this order.
    pub rules: Vec<usize>,
}

impl Scheduling {
    /// Of "fair+disk-rate".
    ///
    /// # Errors
    /// The word that nobody knows.
    pub fn named(text: &str) -> Result<Scheduling, String> {
        let mut words = names_in(text);
        let first = words.next().unwrap_or("");
        let order = ORDERS.iter().position(|order| order.name() == first);
        let order = order.ok_or_else(|| first.to_string())?;
        let rule = |word: &str| RULES.iter().position(|rule| rule.name() == word);
        let rules = words.map(|word| rule(word).ok_or_else(|| word.to_string()));
        Ok(Scheduling { order, rules: rules.collect::<Result<_, _>>()? })
    }

    /// Whether a rule looks at what other nodes report, too.
    pub fn is_relative(&self) -> bool {
        self.rules.iter().any(|rule| RULES[*rule].is_relative())
    }

    /// The first rule that withholds the task; `lifted`: only those that are never lifted count.
    pub fn withheld(
        &self,
        report: &Report,
        task: &Candidate,
        limits: &Thresholds,
        lifted: bool,
    ) -> Option<usize> {
        let counts = |rule: &&usize| !lifted || !RULES[**rule].is_lifted();
        let mut rules = self.rules.iter().filter(counts);
        rules.find(|rule| RULES[**rule].withholds(report, task, limits)).copied()
    }
}

/// The names of an order and its rules: "fair+delay".
pub fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('+').map(str::trim)
}

/// Whether Hadoop has code for it: both orders, and delay scheduling.
pub fn is_shipped(name: &str) -> bool {
    ORDERS.iter().any(|order| order.name() == name) || delay::Delay.name() == name
}

/// Whether `tenbin-yarn.jar` has it (`hadoop/`). What it calls per-disk knows no block's disk: that
/// is another rule than the one here.
pub fn is_in_jar(name: &str) -> bool {
    ["receive-rate", "potential-reception", "disk-rate", "disk-rate-auto"].contains(&name)
}

pub fn names() -> Vec<&'static str> {
    let orders = ORDERS.iter().map(|order| order.name());
    orders.chain(RULES.iter().map(|rule| rule.name())).collect()
}
