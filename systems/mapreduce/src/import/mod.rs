//! `tenbin import mapreduce`: histories of finished jobs.
pub mod avro;
pub mod conf;
mod files;
pub mod history;
pub mod index;
pub mod jhist;
pub mod value;
pub use files::{Imported, found, import};

use crate::why;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use index::Listed;
use page::words::NONE;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use system::output::Output;
use system::{Action, Failure, output, result, say};

/// Reads histories.
pub struct Histories;

const EXAMPLES: &str = "\
Examples:
  tenbin import mapreduce job_1795197530166_0002*.jhist -o run/
  tenbin import mapreduce /mr-history/done --list
  tenbin import mapreduce /mr-history/done --job job_1795197530166_0002 -o run/

A job's configuration is taken from job_…_conf.xml beside it, or from --conf. Files may be of
Hadoop 2.x and 3.x, Avro-Binary or JSON.";

impl Action for Histories {
    fn name(&self) -> &'static str {
        "mapreduce"
    }

    fn command(&self) -> Command {
        let paths = |name: &'static str| Arg::new(name).value_parser(value_parser!(PathBuf));
        Command::new("mapreduce")
            .about("MapReduce: histories of finished jobs, with a report of why they took so long")
            .after_help(EXAMPLES)
            .arg(
                paths("files")
                    .value_name("DIR|FILE")
                    .required(true)
                    .num_args(1..)
                    .help("Histories (.jhist), or folders of them"),
            )
            .arg(
                paths("conf")
                    .long("conf")
                    .value_name("FILE")
                    .action(ArgAction::Append)
                    .num_args(1..)
                    .help("Configurations of jobs, job_…_conf.xml"),
            )
            .arg(
                paths("out")
                    .short('o')
                    .long("out")
                    .value_name("DIR")
                    .required_unless_present("list")
                    .help("Folder for the results: report, trace"),
            )
            .arg(
                Arg::new("job")
                    .long("job")
                    .value_name("JOB")
                    .action(ArgAction::Append)
                    .help("Only this job; repeatable"),
            )
            .arg(
                Arg::new("list")
                    .long("list")
                    .action(ArgAction::SetTrue)
                    .help("Only list the jobs, from the names of the files"),
            )
            .arg(
                Arg::new("json")
                    .long("json")
                    .action(ArgAction::SetTrue)
                    .help("Print exactly one JSON object on stdout"),
            )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let all = |name: &str| -> Vec<PathBuf> {
            arguments.get_many::<PathBuf>(name).unwrap_or_default().cloned().collect()
        };
        let only: Vec<&String> = arguments.get_many("job").unwrap_or_default().collect();
        let mut jobs = files::found(&all("files"))?;
        jobs.retain(|job| only.is_empty() || only.contains(&&job.id) || job.id.is_empty());
        if jobs.is_empty() {
            let only: Vec<&str> = only.iter().map(|id| id.as_str()).collect();
            return Err(Failure::BadInput(format!(
                "--job {}: no such job is there; --list lists them",
                only.join(", ")
            )));
        }
        let json = arguments.get_flag("json");
        match arguments.get_one::<PathBuf>("out") {
            _ if arguments.get_flag("list") => list(&jobs, json),
            Some(out) => write(&jobs, &all("conf"), out, json),
            None => unreachable!("clap requires it"),
        }
    }
}

/// Reads, and writes the run's folder.
fn write(jobs: &[Listed], confs: &[PathBuf], out: &Path, json: bool) -> Result<(), Failure> {
    output::check_place(out)?;
    let imported = import(jobs, confs)?;
    let why = why::Why::of(&imported.trace);
    let page = crate::words::page(&imported.trace, &why);
    let place = Output::at(out)?;
    result::report(&place, &page)?;
    result::trace(&place, &imported.trace)?;
    place.keep()?;
    let problems: u64 = imported.trace.problems.iter().map(|p| p.times).sum();
    if json {
        return say::json(&json!({
            "jobs": why.jobs.len(), "problems": problems, "out": out,
        }));
    }
    for problem in imported.trace.problems.iter().take(20) {
        let file = &imported.trace.sources[problem.source.at()].name;
        let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
        let times =
            if problem.times > 1 { format!(" ({} times)", problem.times) } else { "".into() };
        say::aside(&format!("{file}{line}: {}{times}", problem.what))
    }
    say::text(&format!("{}{}\n", why::lines(&why, 5), out.join("report.html").display()))
}

/// What the names say.
fn list(jobs: &[Listed], json: bool) -> Result<(), Failure> {
    if json {
        let jobs: Vec<Value> = jobs
            .iter()
            .map(|job| {
                json!({
                    "id": job.id, "name": job.name, "user": job.user, "queue": job.queue,
                    "status": job.status, "submit_ms": job.submit, "finish_ms": job.finish,
                    "maps": job.maps, "reduces": job.reduces, "file": job.path,
                })
            })
            .collect();
        return say::json(&json!({ "jobs": jobs }));
    }
    let mut text = String::new();
    for job in jobs {
        let took =
            job.submit.zip(job.finish).map(|(submit, finish)| (finish - submit) as f64 / 1e3);
        let took = took.map_or(NONE.to_string(), page::words::duration);
        let many = |n: Option<i64>| n.map_or("?".to_string(), |n| n.to_string());
        let name = if job.id.is_empty() { job.path.display().to_string() } else { job.id.clone() };
        text.push_str(&format!(
            "{name}  {:<9}  {took:>8}  {} maps, {} reduces  {}  {}\n",
            job.status,
            many(job.maps),
            many(job.reduces),
            why::printable(&job.queue),
            why::printable(&job.name)
        ))
    }
    say::text(&text)
}
