//! Two runs of any origin side by side: curves, figures, nodes, and the moment at which they part.
//!
//! ```text
//!  two traces (and bands) ─► curves: where they part ─┐
//!                          ─► figures, nodes ─────────┴─► words ─► page, terminal
//! ```
mod curves;
mod figures;
mod nodes;
pub mod page;
mod text;
mod words;
pub use page::Diff;
pub use text::text;

use crate::band::{Band, CURVES};
use crate::run::Run;
use crate::shares;
use crate::stat::{Against, Stat, Verdict, further, judge, stat};
use ::page::Provenance;
use hdfs_trace::Trace;
use page::{Share, Shown};
use units::u32_of;

/// One of the two runs.
pub struct Side {
    /// What people call it.
    pub name: String,
    /// Its trace.
    pub trace: Trace,
    /// The trace, read.
    pub run: Run,
    /// What its seeds span, if it was run from several.
    pub band: Option<Band>,
}

/// Why two runs cannot be held against each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotComparable {
    /// Which of them cannot: 0 or 1.
    pub which: usize,
    /// What it lacks.
    pub why: String,
}

impl Side {
    /// Values of a metric: seed by seed, or the one run's.
    fn values(&self, key: &str) -> Option<Vec<f64>> {
        match &self.band {
            Some(band) => band.metrics.get(key).cloned(),
            None => self.run.metrics.get(key).map(|value| vec![*value]),
        }
    }

    fn about(&self, key: &str) -> String {
        self.trace.about(key).unwrap_or_default().to_string()
    }

    fn logged(&self) -> bool {
        self.trace.about("origin") == Some("logged")
    }

    /// How many seeds; 0 of a log.
    fn seeds(&self) -> u32 {
        let one = u32::from(!self.logged());
        self.band.as_ref().map_or(one, |band| u32_of(band.seeds.len()))
    }

    fn shown(&self) -> Shown {
        let lost = self.trace.nodes.iter().filter(|node| !node.alive);
        Shown {
            name: self.name.clone(),
            origin: self.about("origin"),
            scenario: self.about("scenario"),
            seeds: self.seeds(),
            lost: lost.map(|node| node.name.clone()).collect(),
            nodes: u32_of(self.trace.nodes.len()),
            recovery_s: self.values("recovery_s").map(|values| stat(&values)),
            shares: shares::bars(&self.run.attribution).into_iter().map(Share::of).collect(),
        }
    }

    /// What a comparison cannot do without.
    fn lacks(&self) -> Option<String> {
        let has = |name: &str| self.trace.counter_names.iter().any(|n| n.name == name);
        if !has(CURVES[0].0) {
            return Some("its trace has no curve of blocks at risk".into());
        }
        let undeclared = "no node is declared dead in it, so that its curves have no start";
        self.run.moments.declared.is_none().then(|| undeclared.into())
    }
}

/// The page of two runs; `command` is what makes it.
///
/// # Errors
/// One of them has no curve that the other has, or none that begins anywhere.
pub fn diff(sides: &[Side; 2], command: &str) -> Result<Diff, NotComparable> {
    for (which, side) in sides.iter().enumerate() {
        if let Some(why) = side.lacks() {
            return Err(NotComparable { which, why });
        }
    }
    let [first, second] = sides;
    let against = against(first, second);
    let curves = curves::pairs(first, second);
    let nodes = nodes::pairs(first, second);
    let runs = [first.shown(), second.shown()];
    Ok(Diff {
        version: 1,
        screen: "diff".into(),
        crumbs: vec!["diff".into(), first.name.clone(), second.name.clone()],
        since: words::since(&runs).into(),
        tags: words::tags(sides),
        verdict: words::verdict(&runs, against.as_ref()).done(),
        sub: words::sub(&runs, against.as_ref()).done(),
        parting: words::parting(&runs, &curves),
        nodes_note: words::nodes(sides, &nodes).done(),
        figures: figures::figures(first, second),
        provenance: provenance(sides),
        command: command.into(),
        links: Vec::new(),
        runs,
        against,
        curves,
        nodes,
    })
}

/// The second against the first: seed by seed where they have the same seeds, else mean against
/// mean; a single run against where 95 % of the other's seeds lie.
fn against(first: &Side, second: &Side) -> Option<Against> {
    let (before, after) = (first.values("recovery_s")?, second.values("recovery_s")?);
    let (a, b) = (stat(&before), stat(&after));
    let seeds = |side: &Side| side.band.as_ref().map(|band| band.seeds.clone());
    let difference = match (seeds(first), seeds(second)) {
        (Some(same), Some(other)) if same == other => {
            let pairs = after.iter().zip(&before);
            stat(&pairs.map(|(after, before)| after - before).collect::<Vec<_>>())
        }
        (Some(_), Some(_)) => of(b.mean - a.mean, libm::hypot(a.ci95, b.ci95)),
        _ => {
            let spread = further(&before).or_else(|| further(&after));
            of(b.mean - a.mean, spread.unwrap_or_default())
        }
    };
    let verdict = match judge(&difference, a.mean) {
        // One run is inside the range of further seeds or not; no seeds tell more of it.
        Verdict::Undecided if first.band.is_none() || second.band.is_none() => {
            Verdict::NoDifference
        }
        verdict => verdict,
    };
    Some(Against { mean: difference.mean, ci95: difference.ci95, verdict })
}

fn of(mean: f64, ci95: f64) -> Stat {
    Stat { mean, ci95, min: mean, max: mean }
}

/// Which runs they are.
fn provenance(sides: &[Side; 2]) -> Vec<Provenance> {
    let row = |name: String, value: String| Provenance { name, value };
    let mut rows = Vec::new();
    for side in sides {
        let seeds = match &side.band {
            Some(band) => format!("seeds {}", seeds(&band.seeds)),
            None if side.logged() => "as logged".into(),
            None => format!("seed {}", side.about("seed")),
        };
        rows.push(row(side.name.clone(), seeds));
        for (name, key) in [("Scenario", "scenario_hash"), ("Trace", "trace_hash")] {
            rows.extend(side.trace.about(key).map(|value| row(name.into(), value.into())))
        }
    }
    rows.push(row("tenbin".into(), env!("CARGO_PKG_VERSION").into()));
    rows
}

/// "1–20", or each of them.
fn seeds(seeds: &[u64]) -> String {
    let (first, last) = (seeds[0], seeds[seeds.len() - 1]);
    if last.checked_sub(first).is_some_and(|n| n + 1 == seeds.len() as u64) {
        return format!("{first}–{last}");
    }
    seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
