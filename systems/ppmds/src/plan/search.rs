//! Counts of servers are doubled until one does, then halved in between.
use super::wish::Wish;
use analysis::{Stat, stat};
use cluster::Sheet;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use system::Failure;
use system::lab::{Lab, Row};
use system::vary::Set;

/// No more servers are tried.
const MOST: u32 = 1_024;
/// Busy for more than this part of the time: it limits.
const BUSY: f64 = 0.9;
/// Twice the servers bring less than this part more: others limit.
const MORE: f64 = 0.02;

/// A count that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// How many servers.
    pub servers: u32,
    /// Operations a second, and the 99th percentile \[ms\].
    pub rate: Stat,
    pub p99_ms: Stat,
    /// What limits the rate.
    pub limiting: &'static str,
    /// Whether it is enough.
    pub meets: bool,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The fewest servers that do; `None`: none do.
    pub servers: Option<u32>,
    /// What limits the answer, or forbids one.
    pub limiting: &'static str,
    /// How much more than wanted, as a part; below 0 where none do.
    pub margin: f64,
    /// All that were tried, by number.
    pub rows: Vec<Tried>,
    /// Of `hash-k`: the fewest servers for a directory.
    pub spread: Option<u32>,
}

impl Plan {
    /// As `--json` prints it.
    pub fn json(&self) -> Value {
        let row = |row: &Tried| {
            json!({ "servers": row.servers, "operations_per_s": row.rate.mean,
                    "latency_ms_p99": row.p99_ms.mean, "limiting": row.limiting,
                    "meets": row.meets })
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        json!({ "servers": self.servers, "meets": self.servers.is_some(),
                "limiting": self.limiting, "margin": self.margin, "rows": rows,
                "servers_per_directory": self.spread })
    }
}

/// Runs counts.
pub struct Bench {
    lab: Lab,
    file: PathBuf,
    sets: Vec<Set>,
    seeds: Vec<u64>,
    pub wish: Wish,
    pub sheet: Sheet,
    tried: BTreeMap<(u32, u32), Tried>,
}

impl Bench {
    /// Of a scenario.
    pub fn new(
        lab: Lab,
        file: &Path,
        mut sets: Vec<Set>,
        seeds: u32,
        wish: Wish,
    ) -> Result<Bench, Failure> {
        // In open loops what is wanted is what comes.
        sets.push(("workload.rate".into(), wish.rate.to_string()));
        let sheet = lab.read(file, &sets)?;
        let seeds = (1..=u64::from(seeds)).collect();
        let file = file.to_path_buf();
        Ok(Bench { lab, file, sets, seeds, wish, sheet, tried: BTreeMap::new() })
    }

    fn is_open(&self) -> bool {
        self.sheet.text("workload.loop") == "open"
    }

    /// What so many servers give, with a directory on `spread` of them (hash-k).
    pub fn at(&mut self, servers: u32, spread: u32) -> Result<Tried, Failure> {
        if let Some(tried) = self.tried.get(&(servers, spread)) {
            return Ok(tried.clone());
        }
        let mut set = self.sets.clone();
        set.push(("cluster.servers".into(), servers.to_string()));
        set.push(("policy.servers_per_directory".into(), spread.to_string()));
        let sheet = self.lab.read(&self.file, &set)?;
        let row = Row { name: format!("{servers} servers"), set, sheet };
        let done = self.lab.run(&[row], &self.seeds, false, "plan metadata")?;
        system::interrupt::check()?;
        let of = |name: &str| stat(&done.rows[0].metric(name).expect("each run has it"));
        let (rate, p99_ms) = (of("operations_per_s"), of("latency_ms_p99"));
        // Arrivals of an open loop are drawn: a rate that is 2 % short is the drawing's.
        let enough = if self.is_open() { self.wish.rate * 0.98 } else { self.wish.rate };
        let in_time = self.wish.p99_ms.is_none_or(|most| p99_ms.mean + p99_ms.ci95 <= most);
        let meets = rate.mean - rate.ci95 >= enough && in_time;
        let limiting = limiting(&|name| of(name).mean);
        let tried = Tried { servers, rate, p99_ms, limiting, meets };
        self.tried.insert((servers, spread), tried.clone());
        Ok(tried)
    }
}

/// What is busy all the time; where nothing is, clients wait for round trips.
fn limiting(of: &dyn Fn(&str) -> f64) -> &'static str {
    let busy = [
        ("store", of("utilisation_max_store")),
        ("server NIC", of("utilisation_max_server_nic")),
        ("switch", of("utilisation_max_switch")),
        ("client NIC", of("utilisation_max_client_nic")),
    ];
    // Of equal ones the first.
    let most = busy.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).expect("four");
    if most.1 >= BUSY { most.0 } else { "clients" }
}

/// The fewest servers that do.
///
/// # Errors
/// As a run; interrupted.
pub fn search(bench: &mut Bench) -> Result<Plan, Failure> {
    let hash_k = bench.sheet.text("policy.metadata") == "hash-k";
    let all = |servers: u32| if hash_k { servers } else { 1 };
    let (mut below, mut servers) = (0, 1);
    let mut last: Option<Tried> = None;
    let found = loop {
        let tried = bench.at(servers, all(servers))?;
        if tried.meets {
            break Some(servers);
        }
        let others = tried.limiting != "server NIC" && tried.limiting != "store";
        let flat = last.as_ref().is_some_and(|last| {
            let rate = tried.rate.mean < last.rate.mean * (1.0 + MORE);
            rate && tried.p99_ms.mean > last.p99_ms.mean * (1.0 - MORE)
        });
        if servers == MOST || (flat && others) {
            break None;
        }
        (below, last, servers) = (servers, Some(tried), servers * 2)
    };
    let Some(mut most) = found else { return Ok(none(bench)) };
    while most - below > 1 {
        let middle = below.midpoint(most);
        match bench.at(middle, all(middle))?.meets {
            true => most = middle,
            false => below = middle,
        }
    }
    let spread = if hash_k { Some(fewest_spread(bench, most)?) } else { None };
    let answer = bench.at(most, spread.unwrap_or(1))?;
    let margin = answer.rate.mean / bench.wish.rate - 1.0;
    let (servers, limiting) = (Some(most), answer.limiting);
    Ok(Plan { servers, limiting, margin, rows: rows(bench), spread })
}

/// Of hash-k: on how few servers a directory may lie.
fn fewest_spread(bench: &mut Bench, servers: u32) -> Result<u32, Failure> {
    let (mut below, mut most) = (0, servers);
    while most - below > 1 {
        let middle = below.midpoint(most);
        match bench.at(servers, middle)?.meets {
            true => most = middle,
            false => below = middle,
        }
    }
    Ok(most)
}

fn rows(bench: &Bench) -> Vec<Tried> {
    let mut rows: Vec<Tried> = bench.tried.values().cloned().collect();
    rows.dedup_by_key(|row| row.servers);
    rows
}

fn none(bench: &Bench) -> Plan {
    let rows = rows(bench);
    let best = rows.iter().max_by(|a, b| a.rate.mean.total_cmp(&b.rate.mean));
    let best = best.expect("one was tried");
    let margin = best.rate.mean / bench.wish.rate - 1.0;
    Plan { servers: None, limiting: best.limiting, margin, spread: None, rows }
}
