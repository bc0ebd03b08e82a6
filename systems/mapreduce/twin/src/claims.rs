//! Claims C1.1 to C1.5 of Watanabe 2014 on real YARN and HDFS daemons: five concurrent Sorts, with
//! each rule and without.
use crate::{arms, figures};
use analysis::{Stat, stat};
use cluster::Sheet;
use mapreduce::MAPREDUCE;
use mapreduce::claims::sites::{ALL, DISK, FAIR, POTENTIAL, RECEIVE};
use mapreduce::claims::table::{NOISE, RECEIVE_ON_LAB, SHORTER, SIZE, SLIGHTLY_WORSE};
use page::words::num;
use std::collections::BTreeMap;
use std::path::Path;
use system::claims::{
    Band, MeasuredClaim, MeasuredClaims, RealRunOptions, ReproduceRequest, Verdict,
};
use system::lab::{Lab, Row};
use system::{Failure, interrupt};
use testbed::twin::{Campaign, TwinArgs, runs};

const SORTS: &str = include_str!("../../scenarios/sorts.toml");

const CLAIMS: [(&str, &[&str]); 5] = [
    ("C1.1", &[FAIR, RECEIVE, POTENTIAL, DISK]),
    ("C1.2", &[FAIR, RECEIVE]),
    ("C1.3", &[FAIR, POTENTIAL]),
    ("C1.4", &[DISK, ALL]),
    ("C1.5", &[FAIR, DISK]),
];

/// Times \[s\] by rule and metric: one per real run, or per seed.
type Times = BTreeMap<(String, &'static str), Vec<f64>>;

const METRICS: [&str; 3] = ["job_s_mean", "map_s_mean", "reduce_s_mean"];

/// Runs the rules of the requested claims, and judges these claims.
pub(crate) fn real(
    asked: &ReproduceRequest<'_>,
    how: &RealRunOptions<'_>,
) -> Result<MeasuredClaims, Failure> {
    asked.unknown_claim(&CLAIMS.map(|(id, _)| id)).map_or(Ok(()), Err)?;
    let wanted = CLAIMS.iter().filter(|(id, _)| asked.includes(id));
    let mut rules: Vec<&str> = wanted.flat_map(|(_, rules)| rules.iter().copied()).collect();
    rules.sort_by_key(|rule| (rule.len(), *rule));
    rules.dedup();
    let lab = Lab::of(&MAPREDUCE)?;
    let sheet = |rule: &&str| -> Result<(String, Sheet), Failure> {
        let sets = [("policy.scheduling".to_string(), rule.to_string())];
        Ok((rule.to_string(), lab.read_text(SORTS, Path::new("sorts.toml"), &sets)?))
    };
    let all = rules.iter().map(sheet).collect::<Result<Vec<_>, _>>()?;
    let args = TwinArgs::of_claims("s1", how);
    let arms = arms::arms(&lab, all.clone(), &args)?;
    let campaign = Campaign::run(&args, how.place, arms::POM, arms)?;
    let (mut measured, mut idle) = (Times::new(), BTreeMap::new());
    for arm in &campaign.arms {
        let runs: Vec<_> = arm.made.iter().map(|made| &made.pair.measured).collect();
        let rules = figures::mean_crossings(&runs).into_iter().filter(|(_, times)| *times == 0.0);
        idle.insert(arm.name.clone(), rules.map(|(rule, _)| rule).collect());
        for metric in METRICS {
            let times = arm.made.iter().filter_map(|made| made.pair.measured.get(metric));
            measured.insert((arm.name.clone(), metric), times.copied().collect());
        }
    }
    let all_runs = campaign.arms.iter().flat_map(|arm| &arm.made);
    let given =
        arms::measured_settings(&all_runs.map(|made| &made.pair.measured).collect::<Vec<_>>());
    let predicted = predicted(&lab, &all, how.seeds, &given)?;
    runs::keep(campaign, &args, SORTS)?;
    let pairs = RunTimes { measured, predicted, idle, runs: how.runs };
    let judged = CLAIMS.iter().filter(|(id, _)| asked.includes(id));
    let judge = |(id, rules): &(&'static str, &[&str])| {
        let mut judged = pairs.judge(id);
        judged.reason += &pairs.withheld_nothing(rules);
        judged
    };
    Ok(judged.map(judge).collect::<Vec<_>>().into())
}

/// Simulated times by seed, with the settings measured on the real cluster.
fn predicted(
    lab: &Lab,
    all: &[(String, Sheet)],
    seeds: u32,
    given: &[(String, String)],
) -> Result<Times, Failure> {
    let row = |(name, sheet): &(String, Sheet)| -> Result<Row, Failure> {
        Ok(Row { name: name.clone(), sheet: lab.with(sheet, given)?, set: given.to_vec() })
    };
    let rows = all.iter().map(row).collect::<Result<Vec<Row>, _>>()?;
    let seeds: Vec<u64> = (1..=u64::from(seeds)).collect();
    let done = lab.run(&rows, &seeds, false, "seeds")?;
    interrupt::check()?;
    let mut times = Times::new();
    for (row, done) in rows.iter().zip(done.rows) {
        for metric in METRICS {
            let of_run = |run: &system::lab::SeedRun| run.reading.metrics.get(metric).copied();
            let values = done.runs.iter().filter_map(of_run).collect();
            times.insert((row.name.clone(), metric), values);
        }
    }
    Ok(times)
}

struct RunTimes {
    measured: Times,
    predicted: Times,
    /// By arm: its rules that withheld nothing in any run.
    idle: BTreeMap<String, Vec<String>>,
    runs: u32,
}

impl RunTimes {
    /// Names rules without effect: a difference is then chance.
    fn withheld_nothing(&self, arms: &[&str]) -> String {
        let said = |arm: &&str| match self.idle.get(*arm).map(Vec::as_slice) {
            None | Some([]) => String::new(),
            Some(rules) => format!("; {} withheld nothing in any run of {arm}", rules.join(", ")),
        };
        arms.iter().map(said).collect()
    }

    /// Reduction of a mean time by `rule` compared with `than` \[%\]: measured, simulated.
    fn gain(&self, rule: &str, than: &str, metric: &'static str) -> [Stat; 2] {
        [&self.measured, &self.predicted].map(|times| {
            let of = |rule: &str| times.get(&(rule.to_string(), metric)).cloned();
            let (ours, theirs) = (of(rule).unwrap_or_default(), of(than).unwrap_or_default());
            let pairs = ours.iter().zip(&theirs);
            stat(&pairs.map(|(ours, theirs)| 100.0 * (1.0 - ours / theirs)).collect::<Vec<f64>>())
        })
    }

    fn judge(&self, id: &'static str) -> MeasuredClaim {
        let job = |rule, than| self.gain(rule, than, METRICS[0]);
        let said = |[measured, predicted]: &[Stat; 2]| {
            format!("{} (simulated {})", percent(measured), percent(predicted))
        };
        let judged = |unit, [measured, predicted]: &[Stat; 2], places: &[Option<bool>], reason| {
            let verdict = Verdict::of(places.iter().copied());
            MeasuredClaim::of((id, unit), (measured, predicted), verdict, (self.runs, reason))
        };
        let one = |unit, rule, than, band: Band| {
            let gain = job(rule, than);
            judged(unit, &gain, &[band.holds(&gain[0])], said(&gain))
        };
        match id {
            "C1.2" => one("% shorter jobs", RECEIVE, FAIR, RECEIVE_ON_LAB),
            "C1.3" => one("% shorter jobs", POTENTIAL, FAIR, NOISE),
            "C1.4" => one("% shorter jobs than Disk Rate alone", ALL, DISK, SLIGHTLY_WORSE),
            "C1.5" => {
                let gains = [METRICS[1], METRICS[2]].map(|metric| self.gain(DISK, FAIR, metric));
                let places = [0, 1].map(|task| SHORTER[task].holds(&gains[task][0]));
                let [maps, reduces] = gains.each_ref().map(said);
                let reason = format!("maps {maps}, reduces {reduces}");
                judged("% shorter maps", &gains[0], &places, reason)
            }
            _ => {
                let gains = [FAIR, RECEIVE, POTENTIAL].map(|than| job(DISK, than));
                let bands = [SIZE, Band::above(0.0), Band::above(0.0)];
                let places = [0, 1, 2].map(|than| bands[than].holds(&gains[than][0]));
                let [none, receive, potential] = gains.each_ref().map(said);
                let reason = format!(
                    "shorter by {none} than no rule, {receive} than Receive Rate, {potential} than \
                     Potential Reception"
                );
                judged("% shorter jobs", &gains[0], &places, reason)
            }
        }
    }
}

/// "+5.2 ± 1.0 %"
fn percent(of: &Stat) -> String {
    let sign = if of.mean > 0.0 { "+" } else { "" };
    format!("{sign}{} ± {} %", num(of.mean, 1), num(of.ci95, 1))
}
