//! Imports files of jobs into one trace, with one job in memory at a time.
use super::conf::{self, Conf};
use super::confs::Confs;
use super::fetches::{self, Fetches};
use super::history::Job;
use super::index::{self, Folder, JobIndexInfo, SkippedFile};
use super::job;
use super::rm_log::{self, OddLine};
use crate::curves::utc;
use crate::log::{Log, Ports, withheld};
use crate::plain::{count, printable};
use import::{ImportError, Input, Issue, OnProgress};
use std::path::{Path, PathBuf};
use system::import::reading;
use system::progress::ReadProgress;
use system::{Failure, interrupt};
use trace::{ImportIssue, Source, SourceId, Trace};

pub struct Imported {
    pub trace: Trace,
    /// Ports by which a scheduler's log names nodes.
    ports: Ports,
}

impl Imported {
    /// Adds fetches of map outputs from reducer logs.
    ///
    /// # Errors
    /// No file, no fetch, or no fetch of an imported job.
    pub fn fetches(&mut self, syslogs: &[PathBuf]) -> Result<(), Failure> {
        let mut all = Fetches::new();
        let first_error =
            self.each(&fetches::logs(syslogs)?, "reducer syslog", |input, tell| {
                fetches::read(input, &mut all, tell).map(|()| Vec::new())
            })?;
        match first_error {
            Some(wrong) if all.is_empty() => return Err(wrong.into()),
            _ if all.is_empty() => return Ok(()),
            _ => {}
        }
        let read: usize = all.values().map(|job| job.outputs.len() + job.visits.len()).sum();
        match fetches::attach(&mut self.trace, &all) {
            foreign if foreign == read => Err(Failure::BadInput(format!(
                "--syslog: the fetches are of {}, not of an imported job",
                all.keys().next().map_or("", String::as_str)
            ))),
            _ => Ok(()),
        }
    }

    /// Adds what scheduling rules withheld, from ResourceManager logs. `ahead`: how far their clock
    /// is ahead of UTC \[ms\]; `None`: taken from the logs.
    ///
    /// # Errors
    /// No log, no line of the plug-in, or no line within the time of the jobs.
    pub fn rules(&mut self, paths: &[PathBuf], ahead: Option<i64>) -> Result<(), Failure> {
        let mut logs = Vec::new();
        let first_error = self.each(&rm_log::logs(paths)?, RM_LOG, |input, tell| {
            logs.push(rm_log::read(input, ahead, tell)?);
            Ok(logs.last().map_or(Vec::new(), |log| log.unusable.clone()))
        })?;
        match first_error {
            Some(wrong) if logs.is_empty() => return Err(wrong.into()),
            _ if logs.is_empty() && paths.is_empty() => return Ok(()),
            _ if logs.is_empty() => {
                return Err(Failure::BadInput(
                    "--rm-log: no log of a ResourceManager: expected a file, or a folder with one \
                     whose name has \"resourcemanager\""
                        .into(),
                ));
            }
            _ => {}
        }
        withheld::attach(&mut self.trace, &self.ports, &logs).map_err(|(log, run)| {
            Failure::BadInput(format!(
                "--rm-log: the lines are of {} to {}, the run of {} to {}. If the log's clock is \
                 not UTC, give its lead: --utc-offset",
                utc(log.0),
                utc(log.1),
                utc(run.0),
                utc(run.1)
            ))
        })
    }

    /// Records files that were left out as problems of the trace.
    pub fn note(&mut self, folder: &Folder) {
        for (name, why, times) in folder.messages().into_iter().take(NOTED) {
            let source = self.source(name, LEFT_OUT);
            let what = format!("left out: {why}");
            self.trace.problems.push(ImportIssue { source, line: None, what, times })
        }
    }

    fn source(&mut self, name: String, format: &str) -> SourceId {
        self.trace.sources.push(Source { name, format: format.into(), sha256: None });
        SourceId::of(self.trace.sources.len() - 1)
    }

    /// Reads logs and records what is odd or unreadable as problems of the trace. Returns the first
    /// read error.
    fn each(
        &mut self,
        inputs: &[Input],
        format: &str,
        mut read: impl FnMut(&Input, &mut OnProgress<'_>) -> Result<Vec<OddLine>, Issue>,
    ) -> Result<Option<ImportError>, Failure> {
        let (progress, mut first_error) = (ReadProgress::start(), None);
        for input in inputs {
            interrupt::check()?;
            let source = self.source(input.short_name(), format);
            let odd = read(input, &mut progress.callback()).unwrap_or_else(|wrong| {
                let odd = (wrong.line, wrong.to_string(), 1);
                first_error.get_or_insert_with(|| wrong.at(&input.name(), None));
                vec![odd]
            });
            let problem = |(line, what, times)| ImportIssue { source, line, what, times };
            self.trace.problems.extend(odd.into_iter().map(problem))
        }
        Ok(first_error)
    }
}

pub const RM_LOG: &str = "ResourceManager log";

pub const LEFT_OUT: &str = "left out";

/// Maximum number of left-out files recorded in a trace.
const NOTED: usize = 100;

/// Lists histories in folders, and files.
///
/// # Errors
/// No history was found.
pub fn find_files(paths: &[PathBuf]) -> Result<Folder, Failure> {
    let folder = reading(|_| index::list(paths))?;
    if !folder.jobs.is_empty() {
        return Ok(folder);
    }
    let where_ = paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
    let why = match folder.skipped.first() {
        None => "no history in this folder".into(),
        Some(SkippedFile { path, reason: why, .. }) => format!(
            "no history among {} ({}: {why})",
            count(folder.skipped.len() as u64 + folder.more, "file"),
            name(path)
        ),
    };
    Err(Failure::BadInput(format!(
        "{where_}: {why}. Expected histories of jobs: mapreduce.jobhistory.done-dir has them \
         (hdfs dfs -get /mr-history/done)"
    )))
}

/// Reads jobs, by time of submission.
///
/// # Errors
/// No history is readable, or a configuration is invalid.
pub fn import(jobs: &[JobIndexInfo], confs: &[PathBuf]) -> Result<Imported, Failure> {
    let mut confs = Confs::read(confs)?;
    let mut log = Log::new(zero(jobs)?);
    log.about("command", &system::provenance::command_line());
    let progress = ReadProgress::start();
    let (mut read, mut first_error) = (0_u64, None);
    for listed in jobs {
        interrupt::check()?;
        let source = log.source(&listed.input.short_name(), "jhist");
        match job::read(&listed.input, &mut progress.callback()) {
            Ok((mut job, problems)) => {
                if job.id.is_empty() {
                    job.id = listed.id.clone()
                }
                let said = confs.of(&job.id, jobs.len() == 1);
                let conf = if said.is_some() { said } else { beside(&job, listed)? };
                if let Some((input, _)) = &conf {
                    let conf = log.source(&input.short_name(), "job conf");
                    if confs.is_guess(input) {
                        log.problem(
                            conf,
                            None,
                            &format!("the file does not name its job: taken for {}", job.id),
                        )
                    }
                }
                let notes = log.add(&job, conf.as_ref().map(|(_, conf)| conf));
                notes.iter().for_each(|note| log.problem(source, None, note));
                problems.iter().for_each(|p| log.problem(source, p.line, &p.what));
                said_of(&job).iter().for_each(|(what, times)| {
                    (0..*times).for_each(|_| log.problem(source, None, what))
                });
                read += 1
            }
            Err(wrong) => {
                log.problem(source, wrong.line, &wrong.to_string());
                first_error.get_or_insert_with(|| wrong.at(&listed.input.name(), None));
            }
        }
    }
    match first_error {
        Some(wrong) if read == 0 => Err(wrong.into()),
        _ => {
            for (name, why) in confs.unused()? {
                let source = log.source(&name, LEFT_OUT);
                log.problem(source, None, &why)
            }
            let ports = log.ports();
            Ok(Imported { trace: log.finish(), ports })
        }
    }
}

/// What is odd about a job, with counts capped at 10 000 each.
fn said_of(job: &Job) -> Vec<(String, u64)> {
    let unknown = job.unknown.iter().map(|(kind, times)| {
        (format!("events of the unknown type \"{}\" are skipped", printable(kind)), *times)
    });
    let odd = job.unusable.iter().map(|(what, times)| (what.to_string(), *times));
    let mut said: Vec<(String, u64)> =
        unknown.chain(odd).map(|(what, times)| (what, times.min(10_000))).collect();
    if job.finish.is_none() {
        said.push((
            "the job's end is missing: the history is cut, or still being written; the page shows \
             all events up to the last"
                .into(),
            1,
        ))
    }
    said
}

/// Start of the trace: the first submission \[Unix ms\].
fn zero(jobs: &[JobIndexInfo]) -> Result<i64, Failure> {
    let mut first = i64::MAX;
    for listed in jobs {
        // An AM whose clock is behind starts before the submission: do not trust either time from
        // the index.
        let is_behind = listed.start.zip(listed.submit).is_some_and(|(start, at)| start < at);
        let submit = match listed.submit.filter(|_| !is_behind) {
            Some(submit) => Some(submit),
            None => {
                let read = job::read(&listed.input, &mut |_| ()).ok();
                read.and_then(|(job, _)| [job.submit, job.am_start].into_iter().flatten().min())
            }
        };
        first = first.min(submit.unwrap_or(i64::MAX))
    }
    Ok(if first == i64::MAX { 0 } else { first })
}

/// The configuration in the history's folder.
fn beside(job: &Job, listed: &JobIndexInfo) -> Result<Option<(Input, Conf)>, ImportError> {
    let is_file = matches!(listed.input, Input::File(_));
    if !is_file || job.id.is_empty() || job.id.contains(['/', '\\']) {
        return Ok(None);
    }
    let named = ["", ".gz", ".zst"].map(|packed| format!("{}_conf.xml{packed}", job.id));
    let mut beside = named.iter().map(|name| listed.path.with_file_name(name));
    let path = beside.find(|path| path.is_file()).or_else(|| behind_host(job, listed));
    let Some(path) = path else { return Ok(None) };
    let input = Input::named(&path);
    let conf = conf::read(&input, &mut |_| ())?;
    Ok(Some((input, conf)))
}

/// Hadoop 0.20 prepends the JobTracker's name: "n1_1300000000000_job_1_0002_conf.xml".
fn behind_host(job: &Job, listed: &JobIndexInfo) -> Option<PathBuf> {
    let name = listed.path.file_name()?.to_str()?;
    let host = &name[..name.find(&job.id)?];
    let path = listed.path.with_file_name(format!("{host}{}_conf.xml", job.id));
    path.is_file().then_some(path)
}

/// A report should not reveal a machine's folders.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
