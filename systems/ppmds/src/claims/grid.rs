//! Runs that the claims share, each by what it sets.
use crate::PPMDS;
use analysis::{Stat, stat};
use std::collections::BTreeMap;
use std::path::Path;
use system::claims::Asked;
use system::lab::{Lab, Row, RowRuns};
use system::{Failure, interrupt};

/// The document's parameters are the defaults of the keys.
const BASE: &str = "[model]\nsystem = \"ppmds\"\n[cluster]\nservers = 2\nclients = 88\n";

/// Creates of each client: the document does not give them.
pub const CREATES: u32 = 300;

/// What a run sets besides the base.
pub type Sets = Vec<(String, String)>;

/// A point: servers, clients, and what else is set.
pub fn at(servers: u32, clients: u32, more: &[(&str, &str)]) -> Sets {
    let mut sets = vec![
        ("cluster.servers".to_string(), servers.to_string()),
        ("cluster.clients".to_string(), clients.to_string()),
    ];
    sets.extend(more.iter().map(|(k, v)| (k.to_string(), v.to_string())));
    sets
}

pub struct Grid {
    over: Sets,
    asked: Vec<Sets>,
    rates: BTreeMap<Sets, Vec<f64>>,
    rows: Vec<RowRuns>,
}

/// The lab, and a scenario of the base.
pub fn read(over: &[(String, String)], sets: &[(String, String)]) -> Result<(Lab, Row), Failure> {
    let lab = Lab::of(&PPMDS)?;
    let creates = ("workload.creates_per_client".to_string(), CREATES.to_string());
    let set: Sets = [creates].iter().chain(sets).chain(over).cloned().collect();
    let sheet = lab.read_text(BASE, Path::new("s4.toml"), &set)?;
    Ok((lab, Row { name: format!("{sets:?}"), set, sheet }))
}

impl Grid {
    /// With what the user sets over the document's parameters.
    pub fn new(over: &[(String, String)]) -> Grid {
        let over = over.to_vec();
        Grid { over, asked: Vec::new(), rates: BTreeMap::new(), rows: Vec::new() }
    }

    pub fn ask(&mut self, sets: Sets) {
        if !self.asked.contains(&sets) {
            self.asked.push(sets)
        }
    }

    /// Runs all that was asked for.
    pub fn run(&mut self, asked: &Asked<'_>) -> Result<(), Failure> {
        let seeds: Vec<u64> = (1..=u64::from(asked.seeds)).collect();
        if self.asked.is_empty() {
            return Ok(());
        }
        let mut rows = Vec::new();
        for sets in &self.asked {
            rows.push(read(&self.over, sets)?.1)
        }
        let done = Lab::of(&PPMDS)?.run(&rows, &seeds, false, "reproduce s4")?;
        interrupt::check().map_err(|why| asked.kept(why, &done.rows))?;
        for (sets, row) in self.asked.iter().zip(&done.rows) {
            let rates = row.values().expect("each run has its rate");
            self.rates.insert(sets.clone(), rates);
        }
        self.rows = done.rows;
        Ok(())
    }

    /// The runs, in the order that they were asked for.
    pub fn rows(&self) -> &[RowRuns] {
        &self.rows
    }

    /// Creates a second, seed by seed.
    pub fn rates(&self, sets: &Sets) -> &[f64] {
        self.rates.get(sets).map_or(&[], Vec::as_slice)
    }

    /// The same as a mean.
    pub fn rate(&self, sets: &Sets) -> Stat {
        stat(self.rates(sets))
    }

    /// One over the other, seed by seed.
    pub fn ratio(&self, over: &Sets, under: &Sets) -> Stat {
        let pairs = self.rates(over).iter().zip(self.rates(under));
        stat(&pairs.map(|(a, b)| a / b).collect::<Vec<_>>())
    }
}
