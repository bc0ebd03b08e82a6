//! Figures of jobs, from their histories and from the simulation.
use cluster::Sheet;
use import::Input;
use mapreduce::import::history::{Attempt, Job};
use mapreduce::import::rm_log::{self, PluginLine};
use std::path::{Path, PathBuf};
use system::lab::{Lab, Row};
use system::{Failure, interrupt};
use testbed::twin::comparison::of_seeds;
use testbed::twin::{Figures, Pair};

/// From submission until the AM is ready \[s\]; not simulated.
pub(crate) const MASTER: &str = "master_s";

/// Startup of an empty task \[s\].
pub(crate) const STARTUP: &str = "startup_s";

/// Mean time from one job's ready AM to the next \[s\]. AMs that start at once on few processors
/// are ready one after the other.
pub(crate) const ARRIVAL: &str = "arrival_s";

/// Prefix of a rule's name: how often nodes came above its threshold.
const ABOVE: &str = "above_";

const METRICS: [&str; 9] = [
    "job_s_mean",
    "makespan_s",
    "map_s_mean",
    "reduce_s_mean",
    "data_local_share",
    "read_bytes",
    "shuffle_bytes",
    "spilled_bytes",
    "written_bytes",
];

/// Mean over seeds, and chance.
///
/// # Errors
/// A run fails, or the user interrupts.
pub(crate) fn predicted(
    lab: &Lab,
    sheet: &Sheet,
    seeds: u32,
) -> Result<(Figures, Figures), Failure> {
    let row = Row { name: "predicted".into(), set: Vec::new(), sheet: sheet.clone() };
    let seeds: Vec<u64> = (1..=u64::from(seeds)).collect();
    let done = lab.run(&[row], &seeds, false, "seeds")?;
    interrupt::check()?;
    let mut all: Vec<Figures> =
        done.rows[0].runs.iter().map(|run| run.reading.metrics.clone()).collect();
    all.iter_mut().for_each(|one| one.retain(|name, _| METRICS.contains(&name.as_str())));
    Ok(of_seeds(&all))
}

/// Figures from all histories in a folder.
///
/// # Errors
/// A history is unreadable, or its job did not succeed.
pub(crate) fn measured(folder: &Path) -> Result<Figures, Failure> {
    Ok(of(&jobs(folder)?))
}

fn jobs(folder: &Path) -> Result<Vec<Job>, Failure> {
    let wrong = |e: std::io::Error| Failure::Failed(format!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.extension().is_some_and(|end| end == "jhist") {
            files.push(path)
        }
    }
    files.sort();
    let jobs: Vec<Job> = files.iter().map(|file| job(file)).collect::<Result<_, _>>()?;
    match jobs.is_empty() {
        true => Err(Failure::Failed(format!("{}: no histories", folder.display()))),
        false => Ok(jobs),
    }
}

fn job(file: &Path) -> Result<Job, Failure> {
    let read = mapreduce::import::job::read(&Input::named(file), &mut |_| {});
    let (job, _) = read.map_err(|issue| Failure::Failed(format!("{}: {issue}", file.display())))?;
    match job.status.as_str() {
        "SUCCEEDED" => Ok(job),
        status => Err(Failure::Failed(format!("{}: the job {status}", file.display()))),
    }
}

/// Mean time of the later half of all maps \[s\]. The first maps of a cluster load what later ones
/// find in caches.
pub(crate) fn later_maps(folder: &Path) -> Result<f64, Failure> {
    let mut all: Vec<(i64, i64)> = Vec::new();
    for job in jobs(folder)? {
        let maps = job.attempts.values().filter(|a| a.status == "SUCCEEDED");
        let is_map = |a: &&Attempt| job.tasks.get(&a.task).is_some_and(|t| t.kind == "MAP");
        all.extend(maps.filter(is_map).filter_map(|a| a.start.zip(a.finish)))
    }
    all.sort();
    let later: Vec<f64> =
        all[all.len() / 2..].iter().map(|(start, finish)| (finish - start) as f64 / 1e3).collect();
    match later.is_empty() {
        true => Err(Failure::Failed(format!("{}: no maps", folder.display()))),
        false => Ok(mean(&later)),
    }
}

/// Job times start when the AM is ready: the model has no start of AMs.
fn of(jobs: &[Job]) -> Figures {
    let ready = |job: &Job| job.inited.or(job.submit);
    let seconds = |from: Option<i64>, to: Option<i64>| Some((to? - from?) as f64 / 1e3);
    let took: Vec<f64> = jobs.iter().filter_map(|job| seconds(ready(job), job.finish)).collect();
    let masters = jobs.iter().filter_map(|job| seconds(job.submit, ready(job)));
    let masters: Vec<f64> = masters.collect();
    let first = jobs.iter().filter_map(ready).min();
    let last = jobs.iter().filter_map(|job| job.finish).max();
    let gaps = (jobs.len() - 1).max(1) as f64;
    let arrival = seconds(first, jobs.iter().filter_map(ready).max()).unwrap_or(0.0) / gaps;
    let of_kind = |kind: &'static str| {
        let attempts = jobs.iter().flat_map(move |job| {
            let is = move |a: &&Attempt| job.tasks.get(&a.task).is_some_and(|t| t.kind == kind);
            job.attempts.values().filter(is)
        });
        attempts.filter(|attempt| attempt.status == "SUCCEEDED").collect::<Vec<&Attempt>>()
    };
    let (maps, reduces) = (of_kind("MAP"), of_kind("REDUCE"));
    let times = |all: &[&Attempt]| -> Vec<f64> {
        all.iter().filter_map(|a| seconds(a.start, a.finish)).collect()
    };
    let counted = |all: &[&Attempt], name: &str| -> f64 {
        let of = |a: &&Attempt| a.counters.iter().find(|(n, _)| *n == name).map(|(_, v)| *v as f64);
        all.iter().filter_map(of).sum()
    };
    let all: Vec<&Attempt> = maps.iter().chain(&reduces).copied().collect();
    let local = maps.iter().filter(|a| a.locality.as_deref() == Some("NODE_LOCAL")).count();
    let all = [
        ("job_s_mean", mean(&took)),
        ("makespan_s", seconds(first, last).unwrap_or(0.0)),
        ("map_s_mean", mean(&times(&maps))),
        ("reduce_s_mean", mean(&times(&reduces))),
        ("data_local_share", local as f64 / maps.len().max(1) as f64),
        ("read_bytes", counted(&maps, "HDFS_BYTES_READ")),
        ("shuffle_bytes", counted(&reduces, "REDUCE_SHUFFLE_BYTES")),
        ("spilled_bytes", counted(&all, "FILE_BYTES_WRITTEN")),
        ("written_bytes", counted(&reduces, "HDFS_BYTES_WRITTEN")),
        (MASTER, mean(&masters)),
        (ARRIVAL, arrival),
    ];
    all.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// By rule: how often a node's figure came above its threshold, from the ResourceManager's log.
///
/// # Errors
/// The log is unreadable, or has no line of the plug-in.
pub(crate) fn crossings(log: &Path, rules: &[&str]) -> Result<Figures, Failure> {
    let read = rm_log::read(&Input::named(log), None, &mut |_| {});
    let read = read.map_err(|issue| Failure::Failed(format!("{}: {issue}", log.display())))?;
    let of = |rule: &&str| {
        let is_crossing = |line: &PluginLine| match line {
            PluginLine::Crossed(crossed) => crossed.withholds && crossed.rule == *rule,
            PluginLine::Settings(_) => false,
        };
        let n = read.events.iter().filter(|(_, line)| is_crossing(line)).count();
        (format!("{ABOVE}{rule}"), n as f64)
    };
    Ok(rules.iter().map(of).collect())
}

/// By rule: mean number of times per run that nodes came above its threshold.
pub(crate) fn mean_crossings(runs: &[&Figures]) -> Vec<(String, f64)> {
    let names = runs.first().into_iter().flat_map(|run| run.keys());
    let rule = |name: &String| {
        let all: Vec<f64> = runs.iter().filter_map(|run| run.get(name).copied()).collect();
        Some((name.strip_prefix(ABOVE)?.to_string(), mean(&all)))
    };
    names.filter_map(rule).collect()
}

/// As text; "" without rules.
pub(crate) fn crossings_text(pairs: &[Pair]) -> String {
    let runs: Vec<&Figures> = pairs.iter().map(|pair| &pair.measured).collect();
    let line = |(rule, times): (String, f64)| match times {
        0.0 => format!("! {rule} withheld no task: no node exceeded its threshold in any run\n"),
        _ => format!("{rule}: nodes exceeded its threshold {times:.1} times a run\n"),
    };
    mean_crossings(&runs).into_iter().map(line).collect()
}

pub(crate) fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_has_all_figures() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/terasort");
        let all = measured(&file).expect("a job that succeeded");
        assert!(METRICS.iter().all(|name| all.contains_key(*name)), "{all:?}");
        assert!(all["job_s_mean"] <= all["makespan_s"] + 1e-9, "one job");
        assert!(all["map_s_mean"] > 0.0 && all[MASTER] > 0.0, "{all:?}");
        assert!(all["shuffle_bytes"] <= 1.1 * all["spilled_bytes"], "what is fetched was spilled");
    }

    #[test]
    fn a_rule_that_never_acted_is_named() {
        let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/rules/rm-log.txt");
        let all = crossings(&log, &["disk-rate", "fast"]).expect("the plug-in's lines");
        assert!(all["above_disk-rate"] > 0.0 && all["above_fast"] == 0.0, "{all:?}");
        let said = crossings_text(&[Pair { measured: all, ..Pair::default() }]);
        assert!(said.contains("! fast withheld no task") && !said.contains("! disk"), "{said}");
        assert_eq!(crossings_text(&[Pair::default()]), "");
    }

    #[test]
    fn a_folder_without_histories_is_no_run() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(measured(&file).is_err());
    }
}
