//! Assigns the configurations of `--conf` to their jobs.
use super::conf::{self, Conf, ConfFile};
use import::Input;
use std::path::PathBuf;
use system::Failure;

pub(super) struct Confs {
    all: Vec<ConfFile>,
    used: Vec<bool>,
    /// Jobs looked up so far.
    jobs: Vec<String>,
}

impl Confs {
    /// # Errors
    /// A file is unreadable, or has no property of a job.
    pub fn read(paths: &[PathBuf]) -> Result<Confs, Failure> {
        let all: Result<Vec<ConfFile>, _> =
            paths.iter().map(|path| conf::read_conf_file(path)).collect();
        let all = all?;
        Ok(Confs { used: vec![false; all.len()], all, jobs: Vec::new() })
    }

    /// The configuration of a job. One without a job ID is used if `is_only`.
    pub fn of(&mut self, job: &str, is_only: bool) -> Option<(Input, Conf)> {
        self.jobs.push(job.to_string());
        let named = self.all.iter().position(|given| given.job_id.as_deref() == Some(job));
        let guess = || self.all.iter().position(|given| given.job_id.is_none()).filter(|_| is_only);
        let at = named.or_else(guess)?;
        self.used[at] = true;
        let given = &self.all[at];
        Some((given.input.clone(), given.conf.clone()))
    }

    /// The configuration names no job.
    pub fn is_guess(&self, input: &Input) -> bool {
        self.all.iter().any(|given| given.job_id.is_none() && given.input == *input)
    }

    /// Files that no job uses, with the reason.
    ///
    /// # Errors
    /// No job uses any of the files.
    pub fn unused(&self) -> Result<Vec<(String, String)>, Failure> {
        let unused: Vec<&ConfFile> =
            self.all.iter().zip(&self.used).filter(|(_, used)| !**used).map(|one| one.0).collect();
        let jobs: Vec<&str> = self.jobs.iter().take(5).map(String::as_str).collect();
        let jobs = format!("{}{}", jobs.join(", "), if self.jobs.len() > 5 { ", …" } else { "" });
        let why = |given: &ConfFile| match &given.job_id {
            Some(of) if self.jobs.contains(of) => format!("{of} has a configuration already"),
            Some(of) => format!("the configuration of {of}, but the histories are of {jobs}"),
            None => "the file does not name its job, and there are several".into(),
        };
        match unused.first() {
            Some(first) if unused.len() == self.all.len() => Err(Failure::BadInput(format!(
                "--conf {}: {}. Give the job's own job_…_conf.xml, next to its history",
                first.input.name(),
                why(first)
            ))),
            _ => Ok(unused
                .iter()
                .map(|given| (given.input.short_name(), format!("left out: {}", why(given))))
                .collect()),
        }
    }
}
