//! Searches the fewest servers: doubles until the goal is met, then bisects.
use super::bench::{Candidate, Counts};
use super::change::{self, Change};
use super::load;
use crate::model::Times;
use serde_json::{Value, json};
use system::Failure;
use system::plan::{Verdict, least};

/// Limit on the servers of a scenario.
const MOST: u32 = 4_096;
/// If doubling the servers gains less than this share, they are not the bottleneck.
const MORE: f64 = 0.02;
/// Most steps up from a number that met the goal only with its first seeds.
const LUCK: usize = 8;

#[derive(Clone, PartialEq, Debug)]
pub struct ChangeResult {
    pub change: Change,
    /// The fewest servers with the change; `None`: it saves none.
    pub servers: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// `None`: no number meets the goal.
    pub servers: Option<u32>,
    /// What limits one server fewer, or all numbers.
    pub limiting: &'static str,
    /// The answer, or the best number if none meets the goal.
    pub answer: Candidate,
    pub fewer: Option<Candidate>,
    pub rows: Vec<Candidate>,
    /// For `hash-k`: the smallest width of a directory.
    pub spread: Option<u32>,
    /// Changes tried, those that save most first.
    pub changes: Vec<ChangeResult>,
}

impl Plan {
    /// The change that saves most servers; settings come before hardware.
    pub fn first(&self) -> Option<(&Change, u32)> {
        let saves = |result: &&ChangeResult| result.servers.is_some();
        let settings = self.changes.iter().filter(|result| !result.change.hardware);
        let one = settings.chain(&self.changes).find(saves)?;
        Some((&one.change, one.servers?))
    }

    /// One server fewer, if its interval does not decide.
    pub fn open(&self) -> Option<&Candidate> {
        self.fewer.as_ref().filter(|fewer| fewer.verdict == Verdict::Open)
    }

    pub fn json(&self, bench: &Counts<'_>) -> Value {
        let row = |row: &Candidate| {
            json!({ "servers": row.servers,
                    "servers_per_directory": bench.is_hash_k().then_some(row.spread),
                    "offered_per_s": row.wanted,
                    "operations_per_s": row.rate.mean, "latency_ms_p99": row.p99_ms.mean,
                    "limiting": row.limiting, "margin": row.margin, "meets": row.meets(),
                    "seeds": row.seeds, "seeds_that_meet": row.meeting })
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        let change = |change: &Change, servers: Option<u32>| {
            json!({ "key": change.set.0, "value": change.set.1, "servers": servers,
                    "price": change.price, "hardware": change.hardware })
        };
        let changes: Vec<Value> =
            self.changes.iter().map(|s| change(&s.change, s.servers)).collect();
        let fewer = self.fewer.as_ref().map(|fewer| match fewer.verdict {
            Verdict::Open => "meets in some seeds",
            _ => "misses",
        });
        let first = self.first().map(|(first, servers)| change(first, Some(servers)));
        json!({ "servers": self.servers, "meets": self.servers.is_some(),
                "one_fewer": fewer,
                "limiting": self.limiting, "margin": self.answer.margin,
                "target_per_s": bench.goal.rate, "p99_goal_ms": bench.goal.p99_ms,
                "operations_per_s": self.answer.rate.mean,
                "latency_ms_p99": self.answer.p99_ms.mean,
                "round_trip_ms": load::round_trip_s(&bench.sheet) * 1e3,
                "clients_that_wait": load::waiting_clients(&bench.sheet, &bench.goal),
                "rows": rows, "servers_per_directory": self.spread,
                "change_first": first, "changes_tried": changes })
    }
}

pub fn search(bench: &mut Counts<'_>) -> Result<Plan, Failure> {
    let Some((below, enough)) = bracket(bench)? else {
        let rows = bench.rows();
        let nearest = rows.iter().max_by(|a, b| a.margin.total_cmp(&b.margin));
        let answer = nearest.expect("one was tried").clone();
        let changes = changes(bench, answer.servers)?;
        let limiting = answer.limiting;
        return Ok(Plan {
            servers: None,
            limiting,
            answer,
            fewer: None,
            rows,
            spread: None,
            changes,
        });
    };
    let mut servers = least(below, enough, &mut |n| Ok(bench.count(n)?.meets()))?;
    // The first seeds may have met the goal by luck.
    for _ in 0..LUCK {
        match bench.decided(servers)?.meets() {
            true => break,
            false => servers += 1,
        }
    }
    // They may also have missed it by bad luck.
    while servers > 1 && bench.decided(servers - 1)?.meets() {
        servers -= 1
    }
    let spread = bench.narrowest(servers)?;
    let answer = match spread {
        Some(spread) => bench.at(servers, spread)?,
        None => bench.count(servers)?,
    };
    let changes = changes(bench, servers - 1)?;
    let fewer = match servers {
        1 => None,
        _ => Some(bench.count(servers - 1)?),
    };
    let limiting = fewer.as_ref().unwrap_or(&answer).limiting;
    let rows = bench.rows();
    Ok(Plan { servers: Some(servers), limiting, answer, fewer, rows, spread, changes })
}

/// A number that misses the goal and one that meets it; `None`: none meets it.
fn bracket(bench: &mut Counts<'_>) -> Result<Option<(u32, u32)>, Failure> {
    // Fewer servers cannot send the answers, by the time of their NICs.
    let least = libm::ceil(bench.goal.rate * Times::of(&bench.sheet).at_server().as_secs());
    let least = units::floored_u64(least).clamp(1, MOST.into());
    let mut servers: u32 = units::narrow(least);
    let mut last = bench.count(servers)?;
    while last.meets() {
        if servers == 1 || !bench.count(servers - 1)?.meets() {
            return Ok(Some((servers - 1, servers)));
        }
        servers = (servers / 2).max(1);
        let fewer = bench.count(servers)?;
        if !fewer.meets() {
            return Ok(Some((servers, last.servers - 1)));
        }
        last = fewer
    }
    while servers < MOST {
        servers = (servers * 2).min(MOST);
        let candidate = bench.count(servers)?;
        if candidate.meets() {
            return Ok(Some((last.servers, servers)));
        }
        let no_rate = candidate.rate.mean < last.rate.mean * (1.0 + MORE);
        if no_rate && candidate.p99_ms.mean > last.p99_ms.mean * (1.0 - MORE) {
            return Ok(None);
        }
        last = candidate
    }
    Ok(None)
}

/// Tries each change with `servers`, which do not meet the goal without it; finds the fewest
/// servers with each.
fn changes(bench: &mut Counts<'_>, servers: u32) -> Result<Vec<ChangeResult>, Failure> {
    let mut all = Vec::new();
    if servers == 0 {
        return Ok(all);
    }
    for change in change::all(&bench.sheet) {
        let servers = match bench.with(servers, &change)?.meets() {
            true => Some(least(0, servers, &mut |n| Ok(bench.with(n, &change)?.meets()))?),
            false => None,
        };
        all.push(ChangeResult { change, servers })
    }
    all.sort_by_key(|result| result.servers.unwrap_or(u32::MAX));
    Ok(all)
}
