//! What is tried, and which of it is recommended.
use crate::change::Change;
use crate::price;
use analysis::{Stat, stat};
use cluster::Sheet;
use page::AssumedRow;
use std::path::Path;
use system::Failure;
use system::assumed::Assumed;
use system::figures::Difference;
use system::lab::{Lab, Row, RowRuns};
use trace::reading::Role;

pub const LIMIT: &str = "ozone-site.ozone.scm.datanode.pipeline.limit";
pub const LOG_DISKS: &str = "hardware.log_disks";
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];
/// Of many that are tried the best has luck with its seeds, too: others must say the same of it.
const OTHERS: [u64; 5] = [6, 7, 8, 9, 10];
/// Limits that are tried; more than ten never paid in any run.
const LIMITS: [u64; 7] = [1, 2, 3, 4, 5, 7, 10];
/// Of what the fastest gains, the knee has so much.
const KNEE: f64 = 0.8;

type Sets = Vec<(String, String)>;

/// A setting that was tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Pipelines a node.
    pub limit: u64,
    /// Disks with a RaftLog directory.
    pub logs: u64,
    /// Writes a second.
    pub writes: Stat,
    /// What it gains, seed by seed.
    pub gain: Stat,
    /// Whether that is a difference: 5 % at least, and more than its interval.
    pub verdict: Difference,
    /// Of 100 writes, 99 end within this \[ms\].
    pub p99: f64,
    /// What gets worse.
    pub worse: Vec<String>,
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
    /// What the recommendation costs.
    pub price: Vec<String>,
    /// What it gains with other seeds.
    pub again: Option<Change>,
}

impl Plan {
    /// Tries all, on `besides` over the file.
    pub fn search(lab: &Lab, path: &Path, besides: Sets, fastest: bool) -> Result<Plan, Failure> {
        let now = lab.read(path, &besides)?;
        let rows = rows(lab, path, &besides, &now)?;
        let done = lab.run(&rows, &SEEDS, false, "plan pipelines")?;
        system::interrupt::check()?;
        let first = &done.rows[0];
        let tried = |(asked, row): (&Row, &RowRuns)| Tried::of(asked, row, first);
        let mut tried: Vec<Tried> = rows.iter().zip(&done.rows).map(tried).collect();
        let now_tried = tried.remove(0);
        let mut plan = Plan::judge(now, now_tried, tried, fastest);
        plan.try_again(lab, &rows)?;
        let best = plan.best.map_or(0, |best| best + 1);
        if let Some(found) = plan.best {
            let (set, now) = (&rows[best].set, &plan.now);
            let changed = set.iter().filter(|(key, value)| {
                let same = |of: u64| *value == of.to_string();
                !(key == LIMIT && same(now.limit) || key == LOG_DISKS && same(now.logs))
            });
            let changed: Vec<(String, String)> =
                changed.filter(|pair| !besides.contains(pair)).cloned().collect();
            plan.price = price::of_all(&changed).unwrap_or_default();
            plan.price.extend(plan.tried[found].worse.iter().cloned())
        }
        plan.test(lab, path, [rows[0].set.clone(), rows[best].set.clone()])?;
        Ok(plan)
    }

    /// Nothing is recommended that gains nothing with other seeds.
    fn try_again(&mut self, lab: &Lab, rows: &[Row]) -> Result<(), Failure> {
        let Some(best) = self.best else { return Ok(()) };
        let two = [rows[0].clone(), rows[best + 1].clone()];
        let done = lab.run(&two, &OTHERS, false, "plan pipelines: other seeds")?;
        system::interrupt::check()?;
        self.again = Change::of_writes(&done.rows[0], &done.rows[1]);
        if self.again.is_none_or(|change| change.verdict != Difference::Better) {
            self.best = None
        }
        Ok(())
    }

    /// Halves and doubles what is assumed, under what stands and under what is recommended.
    fn test(&mut self, lab: &Lab, path: &Path, sets: [Sets; 2]) -> Result<(), Failure> {
        let mut values = Vec::new();
        for (set, tried) in sets.iter().zip([&self.now, self.recommended()]) {
            let assumed = Assumed::of(lab, &lab.read(path, set)?);
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

    /// Recommends what changes least among those that have most of what the fastest gains.
    fn judge(sheet: Sheet, now: Tried, tried: Vec<Tried>, wants_fastest: bool) -> Plan {
        let by = |a: &usize, b: &usize| tried[*a].gain.mean.total_cmp(&tried[*b].gain.mean);
        let fastest = (0..tried.len()).max_by(by).expect("some were tried");
        let most = tried[fastest].gain.mean;
        let surely = |t: &Tried| t.verdict == Difference::Better;
        let good = |i: &usize| surely(&tried[*i]) && tried[*i].gain.mean >= KNEE * most;
        let knee = (0..tried.len()).filter(good).min_by_key(|&i| tried[i].far(&now));
        let best = match wants_fastest {
            true => Some(fastest).filter(|&i| surely(&tried[i])),
            false => knee,
        };
        Plan {
            sheet,
            now,
            tried,
            best,
            fastest,
            assumed: Vec::new(),
            doubtful: Vec::new(),
            price: Vec::new(),
            again: None,
        }
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

/// What stands now, then all that is tried in its place.
fn rows(lab: &Lab, path: &Path, besides: &Sets, now: &Sheet) -> Result<Vec<Row>, Failure> {
    let stands = u64::from(crate::model::limit(now));
    let mut limits: Vec<u64> = LIMITS.into_iter().chain([stands]).collect();
    limits.sort_unstable();
    limits.dedup();
    let mut rows = Vec::new();
    let mut add = |limit: u64, logs: u64, policy: &[(String, String)]| {
        let mut set = besides.clone();
        set.push((LIMIT.into(), limit.to_string()));
        set.push((LOG_DISKS.into(), logs.to_string()));
        set.extend(policy.iter().cloned());
        let sheet = lab.read(path, &set)?;
        rows.push(Row { name: format!("{limit}, {logs}"), set, sheet });
        Ok::<(), Failure>(())
    };
    let logs_now = now.count(LOG_DISKS);
    add(stands, logs_now, &[])?;
    // What stands now may be on identical sets of nodes: proposals are opened again.
    let reopened = [("policy.pipeline".to_string(), "scm-reopened".to_string())];
    for n in logs(now) {
        for limit in limits.iter().filter(|&&limit| n <= 3 * limit || n == logs_now) {
            add(*limit, n, &reopened)?
        }
    }
    Ok(rows)
}

impl Tried {
    fn of(asked: &Row, row: &RowRuns, now: &RowRuns) -> Tried {
        let writes = stat(&row.metric("writes_per_s").unwrap_or_default());
        let change = Change::of_writes(now, row);
        let held = row.runs[0].reading.held.iter().filter(|held| held.share >= 0.02);
        Tried {
            limit: asked.sheet.count(LIMIT),
            logs: asked.sheet.count(LOG_DISKS),
            writes,
            gain: change.map_or(stat(&[0.0]), |change| change.by),
            verdict: change.map_or(Difference::None, |change| change.verdict),
            p99: stat(&row.metric("latency_ms_p99").unwrap_or_default()).mean,
            worse: price::worse(now, row),
            held: held.take(3).map(|h| (h.holder.clone(), h.role, h.share)).collect(),
        }
    }

    /// How far it is from what stands: settings that change, disks more or less, pipelines more or
    /// less.
    fn far(&self, now: &Tried) -> (u32, u64, u64) {
        let (logs, limit) = (self.logs.abs_diff(now.logs), self.limit.abs_diff(now.limit));
        (u32::from(logs > 0) + u32::from(limit > 0), logs, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::figures::judge;
    use trace::Better;

    fn tried(limit: u64, logs: u64, (gain, ci95): (f64, f64)) -> Tried {
        let stat = |mean, ci95| Stat { mean, ci95, min: mean, max: mean };
        let gain = stat(gain, ci95);
        let verdict = judge(&gain, 122.0, Better::More);
        let (writes, worse, held) = (stat(122.0 + gain.mean, ci95), Vec::new(), Vec::new());
        Tried { limit, logs, writes, gain, verdict, p99: 1.0, worse, held }
    }

    fn judged(all: &[(u64, u64, (f64, f64))]) -> Option<(u64, u64)> {
        let text = "[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 9\n";
        let lab = Lab::of(&crate::OZONE).unwrap();
        let sheet = lab.read_text(text, Path::new("c.toml"), &[]).unwrap();
        let all = all.iter().map(|&(limit, logs, gain)| tried(limit, logs, gain)).collect();
        let plan = Plan::judge(sheet, tried(3, 1, (0.0, 0.0)), all, false);
        plan.best.map(|best| (plan.tried[best].limit, plan.tried[best].logs))
    }

    #[test]
    fn one_write_a_second_more_is_no_advice() {
        assert_eq!(judged(&[(1, 1, (1.0, 0.5)), (2, 1, (-3.0, 1.0))]), None);
        assert_eq!(judged(&[(1, 1, (20.0, 25.0))]), None, "within its interval");
    }

    #[test]
    fn of_what_gains_nearly_as_much_that_which_changes_least_is_advised() {
        let all = [(10, 4, (100.0, 1.0)), (1, 2, (95.0, 1.0)), (3, 2, (85.0, 1.0))];
        assert_eq!(judged(&all), Some((3, 2)), "the log disks only");
        assert_eq!(judged(&all[..2]), Some((1, 2)));
    }
}
