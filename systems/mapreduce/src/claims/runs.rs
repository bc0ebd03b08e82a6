//! Runs that the claims share, on the document's clusters.
use crate::MAPREDUCE;
use crate::settings::Settings;
use analysis::{Stat, stat};
use std::collections::BTreeMap;
use std::path::Path;
use system::claims::Asked;
use system::lab::{Lab, Row};
use system::{Failure, interrupt};

const LAB: &str = include_str!("../../../../scenarios/mapreduce-lab.toml");
const EC2: &str = include_str!("../../../../scenarios/mapreduce-ec2.toml");
const RACKS: &str = include_str!("../../../../scenarios/mapreduce-racks.toml");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Site {
    /// Six workers of three kinds.
    Lab,
    /// Fifty of Amazon's.
    Ec2,
    /// Ours: racks with narrow uplinks.
    Racks,
}

impl Site {
    fn text(self) -> &'static str {
        match self {
            Site::Lab => LAB,
            Site::Ec2 => EC2,
            Site::Racks => RACKS,
        }
    }
}

/// A run: where, under which scheduling, and what else is set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point(Site, Vec<(String, String)>);

pub type Set = (&'static str, &'static str);

/// What the document's rules lack that ours have: nothing lifts them.
const DOCUMENT: [Set; 1] = [("policy.withhold_limit", "0s")];

pub fn at(site: Site, scheduling: &str, more: &[Set]) -> Point {
    let theirs = DOCUMENT.iter().filter(|(key, _)| more.iter().all(|(other, _)| other != key));
    let all = [("policy.scheduling", scheduling)].into_iter().chain(theirs.copied());
    let all = all.chain(more.iter().copied());
    Point(site, all.map(|(key, value)| (key.to_string(), value.to_string())).collect())
}

type Metrics = BTreeMap<String, f64>;

pub struct Grid {
    over: Vec<(String, String)>,
    asked: Vec<Point>,
    done: BTreeMap<Point, Vec<Metrics>>,
    settings: BTreeMap<Point, Settings>,
}

impl Grid {
    /// With what the user sets over the document's parameters.
    pub fn new(over: &[(String, String)]) -> Grid {
        Grid {
            over: over.to_vec(),
            asked: Vec::new(),
            done: BTreeMap::new(),
            settings: BTreeMap::new(),
        }
    }

    pub fn ask(&mut self, point: Point) {
        if !self.asked.contains(&point) {
            self.asked.push(point)
        }
    }

    /// The scenarios of all that was asked for.
    ///
    /// # Errors
    /// Bad input, of what the user sets.
    pub fn rows(&self) -> Result<Vec<Row>, Failure> {
        let lab = Lab::of(&MAPREDUCE)?;
        let row = |Point(site, sets): &Point| {
            let set: Vec<_> = sets.iter().chain(&self.over).cloned().collect();
            let sheet = lab.read_text(site.text(), Path::new("s1.toml"), &set)?;
            Ok(Row { name: format!("{site:?} {sets:?}"), set, sheet })
        };
        self.asked.iter().map(row).collect()
    }

    /// Runs all that was asked for.
    pub fn run(&mut self, asked: &Asked<'_>) -> Result<(), Failure> {
        let seeds: Vec<u64> = (1..=u64::from(asked.seeds)).collect();
        let (lab, rows) = (Lab::of(&MAPREDUCE)?, self.rows()?);
        for (point, row) in self.asked.iter().zip(&rows) {
            self.settings.insert(point.clone(), Settings::of(&row.sheet));
        }
        let done = lab.run(&rows, &seeds, false, "reproduce s1")?;
        interrupt::check().map_err(|why| asked.kept(why, &done.rows))?;
        for (point, row) in self.asked.iter().zip(done.rows) {
            let metrics = row.runs.into_iter().map(|run| run.reading.metrics).collect();
            self.done.insert(point.clone(), metrics);
        }
        Ok(())
    }

    /// A metric, seed by seed.
    pub fn values(&self, point: &Point, metric: &str) -> Vec<f64> {
        let of = |metrics: &Metrics| metrics.get(metric).copied().unwrap_or(0.0);
        self.done.get(point).map_or_else(Vec::new, |all| all.iter().map(of).collect())
    }

    pub fn fires(&self, point: &Point) -> bool {
        self.mean(point, "withheld_s").mean > 0.0
    }

    /// What the reduces of a node fetch at a time at most.
    pub fn most_fetched(&self, point: &Point) -> u64 {
        self.settings.get(point).map_or(0, Settings::most_fetched)
    }

    /// Replicas that an output is written to.
    pub fn replicas(&self, point: &Point) -> u32 {
        self.settings.get(point).map_or(1, |settings| settings.output_replication)
    }

    pub fn mean(&self, point: &Point, metric: &str) -> Stat {
        stat(&self.values(point, metric))
    }

    /// By which part it is less than in another run, seed by seed.
    pub fn gains(&self, point: &Point, than: &Point, metric: &str) -> Vec<f64> {
        let (ours, theirs) = (self.values(point, metric), self.values(than, metric));
        ours.iter().zip(&theirs).map(|(a, b)| 1.0 - a / b).collect()
    }

    pub fn gain(&self, point: &Point, than: &Point, metric: &str) -> Stat {
        stat(&self.gains(point, than, metric))
    }

    /// By how much it is more than in another run.
    pub fn more(&self, point: &Point, than: &Point, metric: &str) -> Stat {
        let (ours, theirs) = (self.values(point, metric), self.values(than, metric));
        stat(&ours.iter().zip(&theirs).map(|(a, b)| a - b).collect::<Vec<_>>())
    }

    /// One metric over another of the same run.
    pub fn ratio(&self, point: &Point, over: &str, under: &str) -> Stat {
        let (over, under) = (self.values(point, over), self.values(point, under));
        stat(&over.iter().zip(&under).map(|(a, b)| a / b).collect::<Vec<_>>())
    }
}
