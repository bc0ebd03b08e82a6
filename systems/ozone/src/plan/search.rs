//! What is tried, and which of it is recommended.
use analysis::{Stat, stat};
use cluster::Sheet;
use page::AssumedRow;
use std::path::Path;
use system::Failure;
use system::assumed::Assumed;
use system::lab::{Lab, Row, RowRuns};
use trace::reading::Role;

pub const LIMIT: &str = "ozone-site.ozone.scm.datanode.pipeline.limit";
pub const LOG_DISKS: &str = "hardware.log_disks";
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];
/// Limits that are tried; more than ten never paid in any run.
const LIMITS: [u64; 7] = [1, 2, 3, 4, 5, 7, 10];
/// Of what the fastest gains, the knee has so much.
const KNEE: f64 = 0.8;

type Sets = Vec<(String, String)>;

/// A setting that was tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Pipelines a node; 0: by log disks.
    pub limit: u64,
    /// Disks with a RaftLog directory.
    pub logs: u64,
    /// Writes a second.
    pub writes: Stat,
    /// What it gains, seed by seed.
    pub gain: Stat,
    /// Of 100 writes, 99 end within this \[ms\].
    pub p99: f64,
    /// What held its writes up: who, their hue, the share.
    pub held: Vec<(String, Role, f64)>,
}

/// All that was tried, and what is recommended.
pub struct Plan {
    /// The scenario as it stands.
    pub sheet: Sheet,
    /// As it stands.
    pub now: Tried,
    /// What was tried beside it.
    pub tried: Vec<Tried>,
    /// Recommended, among them; `None`: nothing gains.
    pub best: Option<usize>,
    /// What writes most.
    pub fastest: usize,
    /// What no input says, at half and at double, under the recommendation.
    pub assumed: Vec<AssumedRow>,
    /// Of these the keys where the recommendation writes no more than what stands.
    pub doubtful: Vec<String>,
}

impl Plan {
    /// Tries all, on `besides` over the file.
    pub fn search(lab: &Lab, path: &Path, besides: Sets, fastest: bool) -> Result<Plan, Failure> {
        let now = lab.read(path, &besides)?;
        let mut asked = vec![(now.count(LIMIT), now.count(LOG_DISKS), "")];
        // What stands now may be on identical sets of nodes: proposals are opened anew.
        let all = logs(&now).into_iter().flat_map(|n| LIMITS.map(|limit| (limit, n)));
        let all = all.filter(|&(limit, n)| n <= 3 * limit);
        asked.extend(all.map(|(limit, n)| (limit, n, "scm-reopened")));
        let mut rows = Vec::new();
        for &(limit, logs, policy) in &asked {
            let mut set = besides.clone();
            set.push((LIMIT.into(), limit.to_string()));
            set.push((LOG_DISKS.into(), logs.to_string()));
            if !policy.is_empty() {
                set.push(("policy.pipeline".into(), policy.into()))
            }
            let sheet = lab.read(path, &set)?;
            rows.push(Row { name: format!("{limit}, {logs}"), set, sheet })
        }
        let done = lab.run(&rows, &SEEDS, false, "plan pipelines")?;
        system::interrupt::check()?;
        let before = done.rows[0].metric("writes_per_s").unwrap_or_default();
        let tried = |(&(limit, logs, _), row): (&(u64, u64, &str), &RowRuns)| {
            measured(limit, logs, row, &before)
        };
        let mut tried: Vec<Tried> = asked.iter().zip(&done.rows).map(tried).collect();
        let first = tried.remove(0);
        let mut plan = Plan::judge(now, first, tried, fastest);
        let of = |t: &Tried| {
            asked
                .iter()
                .zip(&rows)
                .skip(1)
                .find(|((limit, logs, _), _)| (*limit, *logs) == (t.limit, t.logs))
        };
        let set = match plan.best.and_then(|best| of(&plan.tried[best])) {
            Some((_, row)) => row.set.clone(),
            None => rows[0].set.clone(),
        };
        plan.test(lab, path, [rows[0].set.clone(), set])?;
        Ok(plan)
    }

    /// Halves and doubles what is assumed, under what stands and under what is recommended.
    fn test(&mut self, lab: &Lab, path: &Path, sets: [Sets; 2]) -> Result<(), Failure> {
        let mut values = Vec::new();
        for (set, tried) in sets.iter().zip([&self.now, self.recommended()]) {
            let assumed = Assumed::of(lab, &lab.read(path, set)?, set);
            let done = lab.run(&assumed.rows, &SEEDS, false, "plan pipelines: assumed")?;
            system::interrupt::check()?;
            values.push(assumed.finish(tried.writes.mean, &done.rows))
        }
        let (best, now) = (values.remove(1), values.remove(0));
        let worse = |row: &&AssumedRow| {
            let before = now.iter().find(|other| other.key == row.key);
            let no_more = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| a <= b);
            before.is_some_and(|b| no_more(row.half, b.half) || no_more(row.double, b.double))
        };
        if self.changes() {
            self.doubtful = best.iter().filter(worse).map(|row| row.key.clone()).collect()
        }
        self.assumed = best;
        Ok(())
    }

    /// Recommends the nearest that has most of what the fastest gains.
    fn judge(sheet: Sheet, now: Tried, tried: Vec<Tried>, wants_fastest: bool) -> Plan {
        let by = |a: &usize, b: &usize| tried[*a].gain.mean.total_cmp(&tried[*b].gain.mean);
        let fastest = (0..tried.len()).max_by(by).expect("some were tried");
        let most = tried[fastest].gain.mean;
        let surely = |t: &Tried| t.gain.mean > t.gain.ci95;
        let good = |i: &usize| surely(&tried[*i]) && tried[*i].gain.mean >= KNEE * most;
        let knee = (0..tried.len()).filter(good).min_by_key(|&i| (tried[i].limit, tried[i].logs));
        let best = match wants_fastest {
            true => Some(fastest).filter(|&i| surely(&tried[i])),
            false => knee,
        };
        let (assumed, doubtful) = (Vec::new(), Vec::new());
        Plan { sheet, now, tried, best, fastest, assumed, doubtful }
    }

    /// What is recommended: as it stands, where nothing gains.
    pub fn recommended(&self) -> &Tried {
        self.best.map_or(&self.now, |best| &self.tried[best])
    }

    /// Whether anything is to be done.
    pub fn changes(&self) -> bool {
        self.best.is_some()
    }

    /// What is recommended over what stands, −1.
    pub fn margin(&self) -> f64 {
        self.recommended().writes.mean / self.now.writes.mean.max(1e-9) - 1.0
    }
}

/// Numbers of log disks that are tried.
fn logs(now: &Sheet) -> Vec<u64> {
    let disks = now.count("hardware.disks_per_node");
    let most = if now.flag("hardware.log_apart") { disks - 1 } else { disks };
    let mut logs: Vec<u64> = vec![1, 2, 4, disks / 2, most, now.count(LOG_DISKS)];
    logs.retain(|&n| n > 0 && n <= most);
    logs.sort_unstable();
    logs.dedup();
    logs
}

fn measured(limit: u64, logs: u64, row: &RowRuns, before: &[f64]) -> Tried {
    let of = |name: &str| row.metric(name).unwrap_or_default();
    let writes = of("writes_per_s");
    let gains: Vec<f64> = writes.iter().zip(before).map(|(a, b)| a - b).collect();
    let held = row.runs[0].reading.held.iter().filter(|held| held.share >= 0.02);
    let held = held.take(3).map(|h| (h.holder.clone(), h.role, h.share)).collect();
    let p99 = stat(&of("latency_ms_p99")).mean;
    Tried { limit, logs, writes: stat(&writes), gain: stat(&gains), p99, held }
}
