//! The data of a page of two runs: what `ui/src/diff.ts` draws, and what `diff --json` prints.
use crate::curves::Curve;
use crate::stat::{Against, Stat};
use ::page::{Behind, Kind, Link, Provenance, Span};
use serde::Serialize;

/// One cause's part of a wait.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Share {
    /// Hue.
    pub kind: Option<Kind>,
    /// Real key with its value, or "Disk".
    pub name: String,
    /// Waited \[s\].
    pub waited_s: f64,
    /// 0–1.
    pub share: f64,
    /// Whole percents by largest remainder: the column sums to 100.
    pub percent: i32,
    /// The longest intervals behind the bar.
    pub intervals: Vec<Behind>,
}

impl Share {
    /// A page's bar.
    pub fn of(bar: ::page::Share) -> Share {
        let ::page::Share { kind, name, amount, share, percent, intervals, .. } = bar;
        Share { kind, name, waited_s: amount.unwrap_or_default(), share, percent, intervals }
    }
}

/// Two runs side by side. Lists of two have the first run first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diff {
    /// 1.
    pub version: u32,
    /// "diff".
    pub screen: String,
    /// "diff / logged / simulated".
    pub crumbs: Vec<String>,
    /// What times are counted from: "since declared dead".
    pub since: String,
    /// Doubtful or reduced data.
    pub tags: Vec<String>,
    /// One sentence, one number.
    pub verdict: Vec<Span>,
    /// The recoveries that it is made of.
    pub sub: Vec<Span>,
    /// Where each curve leaves the band of the other's seeds, a sentence a curve.
    pub parting: Vec<Vec<Span>>,
    /// Who they are.
    pub runs: [Shown; 2],
    /// The second's recovery against the first's; `None` unless both became safe.
    pub against: Option<Against>,
    /// Curves, from the declaration on.
    pub curves: Vec<Pair>,
    /// Key figures.
    pub figures: Vec<Figure>,
    /// Nodes that both have, in the order of the first.
    pub nodes: Vec<NodePair>,
    /// Below the nodes.
    pub nodes_note: Vec<Span>,
    /// The page's foot.
    pub provenance: Vec<Provenance>,
    /// What makes this page.
    pub command: String,
    /// Files beside this one.
    pub links: Vec<Link>,
}

/// One of the two.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Shown {
    /// What people call it: its folder's name.
    pub name: String,
    /// `simulated` or `logged`.
    pub origin: String,
    /// The scenario's name.
    pub scenario: String,
    /// How many; 0 of a log.
    pub seeds: u32,
    /// Nodes that it loses.
    pub lost: Vec<String>,
    /// Number of nodes.
    pub nodes: u32,
    /// `None` where one of its runs is not safe at its end.
    pub recovery_s: Option<Stat>,
    /// What held the run of its trace up.
    pub shares: Vec<Share>,
}

/// A curve of both.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pair {
    /// `at_risk`, `made`.
    pub key: String,
    /// "Blocks at risk".
    pub title: String,
    /// On one grid. Of one run, smallest and largest are its own values.
    pub sides: [Curve; 2],
    /// Where they part; `None` where neither has several seeds.
    pub parts: Option<Parts>,
    /// Where their medians (or values) differ most.
    pub farthest: Farthest,
}

/// Where a run is outside of the band of the other's seeds; or, if both have one, where the bands
/// do not meet.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parts {
    /// Whose band it is: 0, 1, or both.
    pub bands: Vec<u32>,
    /// By time; empty: it stays inside.
    pub spans: Vec<Apart>,
    /// Their sum \[s\].
    pub outside_s: f64,
    /// Until when they were held against each other \[s\].
    pub until_s: f64,
    /// Of the seeds of the one band, how many are outside of what the others span for as long;
    /// `None` with two bands.
    pub alike: Option<u32>,
    /// Seeds of the one band.
    pub seeds: Option<u32>,
}

/// A time in which they are apart.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Apart {
    /// Since the declaration \[s\].
    pub from_s: f64,
    /// Since the declaration \[s\].
    pub to_s: f64,
    /// Whether the second run's curve is above the first's.
    pub above: bool,
}

/// Where two curves differ most.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Farthest {
    /// Since the declaration \[s\].
    pub at_s: f64,
    /// There.
    pub values: [f64; 2],
}

/// A number of both.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// As `run --json` names it.
    pub key: String,
    /// "Recovery".
    pub name: String,
    /// Mean over seeds where there are several; absent where a run lacks it.
    pub values: [Option<Stat>; 2],
    /// As people read them.
    pub shown: [String; 2],
    /// The second less the first, as people read it; empty where one is absent.
    pub difference: String,
    /// Whether the one run lies where 95 % of the other's seeds do; `None` unless one of the two
    /// has seeds, and the other is one run.
    pub inside: Option<bool>,
}

/// A node of both.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NodePair {
    /// What people call it.
    pub name: String,
    /// Not lost or dead, in each.
    pub alive: [bool; 2],
    /// Copies sent.
    pub sent: [Carry; 2],
    /// Copies received.
    pub received: [Carry; 2],
    /// Whether the one run's copies sent, and received, lie where 95 % of the other's seeds have
    /// all of theirs.
    pub inside: [Option<bool>; 2],
}

/// What a node sent or received.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Carry {
    /// Copies; mean over seeds.
    pub copies: f64,
    /// Where 95 % of further runs have all of their counts, this one and the other nodes', both
    /// ways; `None` of one run.
    pub range: Option<(f64, f64)>,
    /// Moved; mean over seeds.
    pub bytes: f64,
}
