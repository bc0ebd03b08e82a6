//! `tenbin import mapreduce`: histories of finished jobs.
pub mod avro;
pub mod conf;
mod confs;
pub mod fetches;
mod files;
mod foreign;
pub mod hadoop1;
pub mod history;
pub mod index;
pub mod jhist;
pub mod job;
pub mod rm_log;
pub mod value;
mod visits;
pub use files::{Imported, LEFT_OUT, RM_LOG, find_files, import};

use crate::plain::printable;
use crate::why;
use ::import::Input;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use index::{Folder, SkippedFile};
use page::words::NONE;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use system::output::Output;
use system::{Action, Failure, console, output, result};

pub struct Histories;

const EXAMPLES: &str = "\
Examples:
  tenbin import mapreduce job_1795197530166_0002*.jhist -o run/
  tenbin import mapreduce /mr-history/done --list
  tenbin import mapreduce /mr-history/done --job job_1795197530166_0002 -o run/
  tenbin import mapreduce job_….jhist --rm-log yarn-yarn-resourcemanager-m1.log.gz -o run/

A job's configuration is read from job_…_conf.xml next to its history, or from --conf. Files may
be of Hadoop 1.x to 3.x, in all their forms, and packed (.gz, .zst); their content identifies
renamed ones; - is standard input.";

impl Action for Histories {
    fn name(&self) -> &'static str {
        "mapreduce"
    }

    fn command(&self) -> Command {
        let paths = |name: &'static str| Arg::new(name).value_parser(value_parser!(PathBuf));
        Command::new("mapreduce")
            .about("MapReduce: histories of finished jobs, with a report of why they were slow")
            .after_help(EXAMPLES)
            .arg(
                paths("files")
                    .value_name("DIR|FILE")
                    .required(true)
                    .num_args(1..)
                    .help("Histories (.jhist, .jhist.gz, .jhist.zst), or folders of them"),
            )
            .arg(
                paths("conf")
                    .long("conf")
                    .value_name("FILE")
                    .action(ArgAction::Append)
                    .num_args(1..)
                    .help("Configurations of jobs, job_…_conf.xml"),
            )
            .args(logs())
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
                    .help("Only list the jobs, by file name if possible"),
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
        let mut folder = files::find_files(&all("files"))?;
        folder.jobs.retain(|job| only.is_empty() || only.contains(&&job.id) || job.id.is_empty());
        if folder.jobs.is_empty() {
            let only: Vec<&str> = only.iter().map(|id| id.as_str()).collect();
            return Err(Failure::BadInput(format!(
                "--job {}: no such job; --list lists them",
                only.join(", ")
            )));
        }
        let json = arguments.get_flag("json");
        let given = InputFiles {
            files: all("files"),
            confs: all("conf"),
            syslogs: all("syslog"),
            rm_logs: all("rm-log"),
            utc_offset: read_utc_offset(arguments)?,
        };
        match arguments.get_one::<PathBuf>("out") {
            _ if arguments.get_flag("list") => list(&folder, json),
            Some(out) => write(&folder, &given, out, json),
            None => unreachable!("clap requires it"),
        }
    }
}

fn logs() -> [Arg; 3] {
    let logs = |name: &'static str| {
        let paths = Arg::new(name).long(name).value_parser(value_parser!(PathBuf));
        paths.value_name("FILE|DIR").action(ArgAction::Append).num_args(1..)
    };
    [
        logs("syslog").help("Logs of reducers' containers: durations of fetches of map outputs"),
        logs("rm-log").help("Logs of the ResourceManager: tasks withheld by the plug-in's rules"),
        Arg::new("utc-offset")
            .long("utc-offset")
            .value_name("+HH:MM")
            .requires("rm-log")
            .allow_hyphen_values(true)
            .help("Lead of --rm-log's clock over UTC, if the log does not state it"),
    ]
}

/// Parses `--utc-offset`: how far a clock is ahead of UTC \[ms\].
pub(crate) fn read_utc_offset(arguments: &ArgMatches) -> Result<Option<i64>, Failure> {
    let ahead = arguments.get_one::<String>("utc-offset").map(|text| {
        crate::curves::parse_utc_offset(text).ok_or_else(|| {
            let expected = "Expected hours and minutes, like +01:00 or -05:30";
            Failure::BadInput(format!("--utc-offset {text}: not an offset. {expected}"))
        })
    });
    ahead.transpose()
}

struct InputFiles {
    files: Vec<PathBuf>,
    confs: Vec<PathBuf>,
    syslogs: Vec<PathBuf>,
    rm_logs: Vec<PathBuf>,
    /// How far the clock of `rm_logs` is ahead of UTC \[ms\]; `None`: not given.
    utc_offset: Option<i64>,
}

impl InputFiles {
    /// Only one of them may be standard input.
    fn check(&self) -> Result<(), Failure> {
        let all = [&self.files, &self.confs, &self.syslogs, &self.rm_logs];
        let all: Vec<Input> = all.into_iter().flatten().map(|path| Input::named(path)).collect();
        Ok(Input::at_most_one_stdin(&all)?)
    }
}

fn write(folder: &Folder, given: &InputFiles, out: &Path, json: bool) -> Result<(), Failure> {
    output::check_place(out)?;
    given.check()?;
    let mut imported = import(&folder.jobs, &given.confs)?;
    imported.fetches(&given.syslogs)?;
    imported.rules(&given.rm_logs, given.utc_offset)?;
    let problems: u64 = imported.trace.problems.iter().map(|p| p.times).sum();
    imported.note(folder);
    let why = why::Explanation::of(&imported.trace);
    let page = crate::words::page(&imported.trace, &why);
    let place = Output::at(out)?;
    result::report(&place, &page)?;
    result::trace(&place, &imported.trace)?;
    place.keep()?;
    if json {
        return console::json(&json!({
            "jobs": why.jobs.len(), "problems": problems, "out": out,
            "left_out": left_out(folder), "left_out_more": folder.more,
        }));
    }
    for problem in imported.trace.problems.iter().take(20) {
        let file = &imported.trace.sources[problem.source.at()].name;
        let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
        let times =
            if problem.times > 1 { format!(" ({} times)", problem.times) } else { "".into() };
        console::note(&format!("{file}{line}: {}{times}", problem.what))
    }
    console::text(&format!("{}{}\n", why::lines(&why, 5), out.join("report.html").display()))
}

fn left_out(folder: &Folder) -> Vec<Value> {
    let left = |left: &SkippedFile| json!({ "file": left.path, "why": left.reason });
    folder.skipped.iter().map(left).collect()
}

fn list(folder: &Folder, json: bool) -> Result<(), Failure> {
    let jobs = &folder.jobs;
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
        return console::json(&json!({ "jobs": jobs, "left_out": left_out(folder) }));
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
            printable(&job.queue),
            printable(&job.name)
        ))
    }
    for (name, why, _) in folder.messages().iter().take(20) {
        console::note(&format!("{name}: left out: {}", printable(why)))
    }
    console::text(&text)
}
