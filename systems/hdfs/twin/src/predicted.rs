//! Figures of a run from its logs, and from a simulation of its start.
use crate::logs;
use crate::setup::{TwinEvent, TwinSetup};
use ::hdfs::{HDFS, job};
use cluster::Cluster;
use hdfs_trace::Trace;
use hdfs_trace::ingest::hdfs::{self, Input};
use hdfs_trace::ingest::hdfs_log;
use std::path::{Path, PathBuf};
use system::Failure;
use system::import::reading;
use system::interrupt;
use system::lab::Row;
use testbed::twin::Figures;
use testbed::twin::comparison::of_seeds;
use trace::reading::{End, Reading};

const METRICS: [&str; 6] = [
    "recovery_s",
    "send_max_over_mean",
    "receive_max_over_mean",
    "balancer_s",
    "balancer_moves",
    "balancer_moved_bytes",
];

/// # Errors
/// The logs have no complete repair.
pub(crate) fn measured(
    folder: &Path,
    wanted: &TwinSetup,
    cluster: &Cluster,
) -> Result<Figures, Failure> {
    match wanted.event {
        TwinEvent::Balances { .. } => return logs::balance(folder, wanted, cluster),
        TwinEvent::Leaves(_) => return logs::repair(folder, wanted, cluster),
        TwinEvent::Lost(_) if wanted.code.is_some() => {
            return logs::repair(folder, wanted, cluster);
        }
        TwinEvent::Lost(_) => {}
    }
    let sources = hdfs_log::Sources {
        name: "logged".into(),
        logs: of_daemons(&folder.join("logs"))?.iter().map(|path| Input::named(path)).collect(),
        conf: Some(Input::named(&folder.join("hdfs-site.xml"))),
    };
    let logged = reading(|tell| hdfs_log::import(&sources, tell))?;
    let figures = figures(&HDFS.reading(&logged.trace), &hosts(&logged.trace, cluster), wanted);
    match figures.contains_key("recovery_s") {
        true => Ok(figures),
        false => Err(Failure::Failed(format!(
            "{}: the logs have no repair: {}",
            folder.display(),
            logged.cluster.notes.join("; ")
        ))),
    }
}

fn of_daemons(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |e: std::io::Error| Failure::Failed(format!("{}: {e}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(wrong)?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>();
    let is_daemons = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("namenode") || name.starts_with("datanode")
    };
    let mut paths: Vec<PathBuf> = paths.map_err(wrong)?.into_iter().filter(is_daemons).collect();
    paths.sort();
    Ok(paths)
}

/// Simulates the output of Hadoop's tools; returns (mean over seeds, spread over seeds, cluster).
///
/// # Errors
/// The listing cannot be read; a seed does not become safe; interrupted.
pub(crate) fn predicted(
    folder: &Path,
    wanted: &TwinSetup,
    seeds: u32,
) -> Result<(Figures, Figures, Cluster), Failure> {
    let named = |name: &str| Some(Input::named(&folder.join(name)));
    let sources = hdfs::Sources {
        name: "cluster".into(),
        fsck: named("fsck.txt"),
        report: named("report.txt"),
        topology: named("topology.txt"),
        conf: named("hdfs-site.xml"),
        jmx: None,
    };
    let imported = reading(|tell| hdfs::import(&sources, tell))?;
    let (cluster, scenario) = (folder.join("cluster.toml"), folder.join("scenario.toml"));
    imported.write(&cluster).map_err(|e| Failure::writing(&cluster, &e))?;
    std::fs::write(&scenario, &wanted.text).map_err(|e| Failure::writing(&scenario, &e))?;
    let lab = job::lab();
    let sheet = lab.read(&scenario, &[])?;
    let names: Vec<String> = imported.cluster.nodes.iter().map(|node| node.host.clone()).collect();
    let row = Row { name: "predicted".into(), set: Vec::new(), sheet };
    let seeds: Vec<u64> = (1..=u64::from(seeds)).collect();
    let done = lab.run(&[row], &seeds, false, "seeds")?;
    interrupt::check()?;
    let runs = done.rows[0].runs.iter().map(|run| figures(&run.reading, &names, wanted));
    let (mean, chance) = of_seeds(&runs.collect::<Vec<Figures>>());
    Ok((mean, chance, imported.cluster))
}

/// Host names of a log trace's nodes; logs name some nodes by address only.
fn hosts(trace: &Trace, cluster: &Cluster) -> Vec<String> {
    let host = |name: &str| {
        let of = cluster.nodes.iter().find(|node| node.address == name);
        of.map_or(name, |node| node.host.as_str()).to_string()
    };
    trace.nodes.iter().map(|node| host(&node.name)).collect()
}

/// Times, and copies by node. A node that rebuilds a group's block reads as many blocks as the
/// group has data blocks, and writes one.
fn figures(reading: &Reading, hosts: &[String], wanted: &TwinSetup) -> Figures {
    let known = METRICS.iter().filter_map(|name| Some((*name, *reading.metrics.get(*name)?)));
    let mut all: Figures = known.map(|(name, value)| (name.to_string(), value)).collect();
    let each = if wanted.code.is_some() { wanted.data + 1 } else { 1 };
    for load in &reading.loads {
        let end = match load.end {
            End::Node => "sent",
            End::Peer => "received",
        };
        for (host, times) in hosts.iter().zip(&load.times) {
            if wanted.stays(host) {
                *all.entry(format!("{end}_{host}")).or_default() += times / each as f64
            }
        }
    }
    all
}
