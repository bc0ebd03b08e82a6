//! What one page says: the terminal writes it, [`crate::blocks`] makes the page of it.
//!
//! All sentences and numbers are made here, so that the page, the terminal and the JSON agree.
mod clients;
pub use ::page::{
    Behind, Certainty, Do, Envelope, Kind as HolderKind, Level, Link, Provenance, Role, Span, Style,
};
pub use analysis::{Parallel, Stat, ThreadTime};
pub use clients::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One cause's part of a wait.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Share {
    /// Hue.
    pub kind: HolderKind,
    /// Real key with its value, or "Disk".
    pub name: String,
    /// Waited \[s\].
    pub waited_s: f64,
    /// 0–1.
    pub share: f64,
    /// Whole percents by largest remainder: the column sums to 100.
    pub percent: u32,
    /// The longest intervals behind the bar.
    pub intervals: Vec<Behind>,
}

/// Data loss over seeds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loss {
    /// Seeds in which what happens costs blocks their last live replica.
    pub seeds: u32,
    /// The part of all seeds that this is.
    pub probability: f64,
    /// Its 95 % interval (Wilson's score): from.
    pub low: f64,
    /// To.
    pub high: f64,
    /// Blocks lost a seed: their mean is what to expect.
    pub blocks: Stat,
}

/// A counter over time and seeds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Curve {
    /// Sample i stands at i · step_s \[s\].
    pub step_s: f64,
    /// Over seeds.
    pub median: Vec<f64>,
    /// Over seeds.
    pub min: Vec<f64>,
    /// Over seeds.
    pub max: Vec<f64>,
}

/// What a difference of two variants is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// Shorter, by 5 % at least and the paired interval below 0.
    #[serde(rename = "faster")]
    Faster,
    /// Longer, likewise.
    #[serde(rename = "slower")]
    Slower,
    /// Under 5 %, and so is all of the paired interval.
    #[serde(rename = "no difference")]
    NoDifference,
    /// Neither: the interval holds 0 or less than 5 %, and more than 5 %, too. More seeds tell.
    #[serde(rename = "not decided")]
    Undecided,
}

/// A variant against the first, paired over seeds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Against {
    /// Mean difference \[s\].
    pub mean: f64,
    /// Half width of its 95 % interval \[s\].
    pub ci95: f64,
    /// In words.
    pub verdict: Verdict,
}

/// Load of each node over the mean of live nodes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Balance {
    /// Sent.
    pub send: Vec<Option<f64>>,
    /// Received.
    pub receive: Vec<Option<f64>>,
    /// Mean sent \[bytes\].
    pub send_mean_bytes: f64,
    /// Mean received \[bytes\].
    pub receive_mean_bytes: f64,
}

/// One variant of the comparison.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Variant {
    /// What people call it.
    pub name: String,
    /// Which line it is.
    pub role: Role,
    /// Number of seeds.
    pub seeds: u32,
    /// Present where every seed became redundant again; of `balancing`, where the balancer ended.
    pub recovery_s: Option<Stat>,
    /// Seed by seed.
    pub per_seed_s: Vec<f64>,
    /// Nothing happened but the balancer: the times are its own.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub balancing: bool,
    /// `None` for the first.
    pub against_now: Option<Against>,
    /// By name, as `run --json` has them.
    pub metrics: BTreeMap<String, Stat>,
    /// How likely blocks are lost; absent where the runs do not count them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loss: Option<Loss>,
    /// What held it up, mean over seeds.
    pub shares: Vec<Share>,
    /// Blocks short of replicas or racks.
    pub at_risk: Curve,
    /// Blocks whose survivors all stand in one rack.
    pub one_rack_only: Curve,
    /// Node by node.
    pub balance: Balance,
}

/// A row of the heat map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeatRow {
    /// Hue.
    pub kind: HolderKind,
    /// Place in `Drill::racks`.
    pub rack: Option<u32>,
    /// Place in `Drill::resources`.
    pub resource: Option<u32>,
    /// Label.
    pub name: String,
    /// Utilisation 0–1 a cell.
    pub cells: Vec<f64>,
    /// Racks: busiest member's mean; single resources: highest point of `Drill::usage`.
    pub peak: f64,
    /// Mean over time (and members).
    pub mean: f64,
    /// Of the lost node's rack.
    pub strong: bool,
}

/// Rows that aggregate the same way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeatGroup {
    /// "Disks: mean of a rack's 120".
    pub title: String,
    /// Heads of the two columns on the right.
    pub columns: (String, String),
    /// Rows.
    pub rows: Vec<HeatRow>,
}

/// The heat map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Heat {
    /// "each second, peaks each 0.5 s, seed 1, now".
    pub of: String,
    /// Width of a cell \[s\].
    pub cell_s: f64,
    /// Groups from top to bottom.
    pub groups: Vec<HeatGroup>,
}

/// A node in the drill-down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DrillNode {
    /// Host.
    pub name: String,
    /// Place in `racks`.
    pub rack: u32,
    /// Not lost or dead.
    pub alive: bool,
    /// Sent \[bytes\].
    pub sent_bytes: u64,
    /// Received \[bytes\].
    pub received_bytes: u64,
}

/// A resource in the drill-down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DrillResource {
    /// "dn-r2-04 disk 6".
    pub name: String,
    /// Hue.
    pub kind: HolderKind,
    /// Place in `nodes`.
    pub node: Option<u32>,
    /// Place in `racks`.
    pub rack: Option<u32>,
    /// [bytes/s]
    pub capacity: u64,
}

/// Transfers in columns of equal length, by start. Times in seconds, counted from
/// what [`Report::since`] says.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Transfers {
    /// HDFS's block id (as f64: ids of replicated blocks stay below 2⁵³).
    pub block: Vec<f64>,
    /// Place in `nodes`.
    pub source: Vec<u32>,
    /// Place in `nodes`.
    pub target: Vec<u32>,
    /// Disk in the source; 65535 where none is known.
    pub source_disk: Vec<u16>,
    /// Disk in the target; likewise.
    pub target_disk: Vec<u16>,
    /// End of the wait in the queue.
    pub decided_s: Vec<f64>,
    /// First byte.
    pub start_s: Vec<f64>,
    /// Last byte.
    pub end_s: Vec<f64>,
    /// Moved.
    pub bytes: Vec<u64>,
    /// Place in `causes`.
    pub cause: Vec<u32>,
    /// What the longest wait in the queue was for, as `cause`.
    #[serde(default)]
    pub held: Vec<u32>,
}

/// A cause in the drill-down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrillCause {
    /// Hue.
    pub kind: HolderKind,
    /// Name.
    pub name: String,
}

/// Everything behind the first screen, of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Drill {
    /// "now, seed 1".
    pub of: String,
    /// Names.
    pub racks: Vec<String>,
    /// Nodes.
    pub nodes: Vec<DrillNode>,
    /// Resources.
    pub resources: Vec<DrillResource>,
    /// Width of a cell of `use` \[s\].
    pub cell_s: f64,
    /// Whole percents, row by row as in `resources`; empty where idle throughout or left out.
    #[serde(rename = "use")]
    pub usage: Vec<Vec<u8>>,
    /// By rack and kind, in place of the resources that were left out; empty where none was.
    #[serde(default)]
    pub envelopes: Vec<Envelope>,
    /// Copies.
    pub transfers: Transfers,
    /// What limited them.
    pub causes: Vec<DrillCause>,
    /// What all blocks waited for, mean over blocks (the first screen has the last block's path).
    #[serde(default)]
    pub blocked: Vec<Share>,
}

/// One assumed input, and the recovery at half and double of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AssumedRow {
    /// "Disk".
    pub name: String,
    /// "150 MB/s × 12".
    pub value: String,
    /// `hardware.disk`.
    pub key: String,
    /// Recovery at half \[s\].
    pub half_s: Option<f64>,
    /// Recovery as assumed \[s\].
    pub now_s: f64,
    /// Recovery at double \[s\].
    pub double_s: Option<f64>,
}

/// All assumed inputs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Assumed {
    /// One a key.
    pub rows: Vec<AssumedRow>,
    /// What follows.
    pub note: Vec<Span>,
}

/// One page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// 1.
    pub version: u32,
    /// "node-lost".
    pub screen: String,
    /// "shop / node lost / dn-r2-05".
    pub crumbs: Vec<String>,
    /// What times are counted from: "since declared dead".
    pub since: String,
    /// Doubtful or reduced data.
    pub tags: Vec<String>,
    /// Who, how many.
    pub facts: Vec<Vec<Span>>,
    /// One sentence, one number.
    pub verdict: Vec<Span>,
    /// Range, detection.
    pub sub: Vec<Span>,
    /// Lines.
    pub held_up: Vec<Vec<Span>>,
    /// What to do, if anything helps.
    pub r#do: Option<Do>,
    /// What does not help enough, and why.
    pub not_enough: Vec<Span>,
    /// What the repair would take without each thing; of the first seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub would_help: Vec<Span>,
    /// How sure.
    pub certainty: Certainty,
    /// What no input says.
    pub assumed: Assumed,
    /// The first is "now".
    pub variants: Vec<Variant>,
    /// Written on the risk curve.
    pub risk_note: Option<String>,
    /// What clients waited; absent without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreground: Option<Latencies>,
    /// Of a plan with a foreground load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trade: Option<Trade>,
    /// Where the time of the run itself went, if it ran on several threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel: Option<Parallel>,
    /// Utilisation.
    pub heat: Heat,
    /// Below the balance chart.
    pub balance_note: Vec<Span>,
    /// Places in `drill.nodes` of the nodes that share the cause.
    pub marked_nodes: Vec<u32>,
    /// Below the table.
    pub compare_note: Vec<Span>,
    /// The page's foot.
    pub provenance: Vec<Provenance>,
    /// What makes this page.
    pub command: String,
    /// What a click opens.
    pub drill: Drill,
    /// Files beside this one; empty where none was written.
    #[serde(default)]
    pub links: Vec<Link>,
    /// Doubtful or reduced data of one chart (`risk shares heat balance compare drill`).
    #[serde(default)]
    pub chart_tags: BTreeMap<String, Vec<String>>,
}
