//! `tenbin import mdtest`: makes a scenario from mdtest's command line, or from its output with the
//! measured rates.
//!
//! ```text
//!  shell    a line's words, launcher and tail ┐
//!  output   versions, tasks, tables           ├─► one run ─► options ─► scenario
//! ```
mod options;
mod output;
mod scenario;
mod shell;

use crate::measured;
use cluster::Sheet;
use options::{Options, Parser};
use output::Output;
use std::path::Path;
use system::import::TextImport;
use system::lab::Lab;
use system::{Failure, console};

pub static MDTEST: TextImport = TextImport {
    name: "mdtest",
    about: "PPMDS: mdtest's command line, or its output with the measured rates",
    scenario,
};

#[derive(Clone, PartialEq, Debug, Default)]
struct Run {
    /// First line of the run and line of its command, from 1.
    line: usize,
    at: usize,
    words: Vec<String>,
    quoted: bool,
    tasks: Option<u64>,
    shell_rest: Vec<String>,
    /// IO500's score: thousands of operations per second.
    score: Option<f64>,
    output: Output,
}

const EXPECTED: &str = "expected mdtest's command line: mpirun -np 64 mdtest -n 1000 -u -F";

fn scenario(text: &str) -> Result<String, (usize, String)> {
    let mut file = File::default();
    let mut halves = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        // A backslash continues the line.
        if let Some(half) = line.trim_end().strip_suffix('\\') {
            halves = format!("{halves}{half} ");
            continue;
        }
        let whole = format!("{}{line}", std::mem::take(&mut halves));
        file.take(number, &whole)
    }
    let (run, tasks) = file.one()?;
    let parser = Parser::of(&run.output.version, run.quoted);
    let options = Options::read(&run.words, parser).map_err(|why| (run.at, why))?;
    options.check().map_err(|why| (run.at, why))?;
    let (text, runs) = scenario::written(&run, tasks, &options).map_err(|why| (run.at, why))?;
    let sheet = readable(&text).map_err(|why| (run.at, why))?;
    Ok(text + &fitted(&measured::fit(&sheet, &runs)))
}

/// The fitted keys, each with the rate that determines it.
fn fitted(all: &[(&str, String, String)]) -> String {
    let mut text = String::new();
    for section in ["network", "store"] {
        let keys = all.iter().filter_map(|(key, value, of)| {
            let (at, name) = key.split_once('.')?;
            (at == section).then(|| format!("{name} = \"{value}\" # fitted to {of}\n"))
        });
        let keys: String = keys.collect();
        if !keys.is_empty() {
            text += &format!("\n[{section}]\n{keys}")
        }
    }
    text
}

/// Fails if no command could read the scenario; warns if this machine lacks the memory to run it.
fn readable(text: &str) -> Result<Sheet, String> {
    let why = |failure| match failure {
        Failure::BadInput(why) => why,
        other => format!("{other:?}"),
    };
    let lab = Lab::of(&crate::PPMDS).map_err(why)?;
    let sheet = lab.read_text(text, Path::new("scenario"), &[]).map_err(why)?;
    if let Err(failure) = lab.parallel_runs(&sheet) {
        console::note(&format!("! written, but the scenario cannot run: {}", why(failure)))
    }
    Ok(sheet)
}

#[derive(Default)]
struct File {
    /// Runs with output or IO500's summary, and lines that start a run.
    printed: Vec<Run>,
    started: Vec<Run>,
    /// Tasks that a job script or IO500's summary states, and the script's directives.
    tasks: Option<u64>,
    asked: Vec<String>,
}

impl File {
    fn take(&mut self, number: usize, line: &str) {
        if let Some((version, tasks)) = output::launched(line) {
            let output = Output::of(version, tasks);
            // Each version prints this line first.
            return self.printed.push(Run { line: number, at: number, output, ..Run::default() });
        }
        if let Some((_, command)) = line.split_once("Command line used:") {
            let words = shell::words(command).split_off(1.min(shell::words(command).len()));
            let quoted = command.contains(" '") || command.contains(" \"");
            let is_open = |run: &&mut Run| run.words.is_empty() && run.output.results.is_empty();
            match self.printed.last_mut().filter(is_open) {
                Some(run) => (run.at, run.words, run.quoted) = (number, words, quoted),
                None => self.printed.push(Run {
                    line: number,
                    at: number,
                    words,
                    quoted,
                    ..Run::default()
                }),
            }
            return;
        }
        let pair = line.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        match (pair, self.printed.last_mut()) {
            (Some(("procs", value)), _) => self.tasks = value.parse().ok().or(self.tasks),
            (Some(("exe", value)), _) => {
                let all = shell::launches(value).into_iter();
                self.printed.extend(all.map(|launch| Run::of(number, launch)))
            }
            (Some(("score", value)), Some(run)) if run.score.is_none() => {
                run.score = value.parse().ok()
            }
            (_, Some(run)) => run.output.take(number, line),
            (_, None) => self.shell(number, line),
        }
    }

    fn shell(&mut self, number: usize, line: &str) {
        let trimmed = line.trim_start();
        if let Some(asked) = ["#SBATCH ", "#BSUB ", "#FLUX: ", "#PBS "]
            .iter()
            .find_map(|word| trimmed.strip_prefix(*word))
        {
            // Directives on several lines combine.
            self.asked.extend(shell::words(asked));
            self.tasks = shell::tasks(&self.asked)
        }
        if !trimmed.starts_with('#') {
            let all = shell::launches(line).into_iter();
            self.started.extend(all.map(|launch| Run::of(number, launch)))
        }
    }

    /// The file's only run, with its tasks.
    fn one(self) -> Result<(Run, u64), (usize, String)> {
        let (mut printed, started, stated) = (self.printed, self.started, self.tasks);
        // A banner without command and results is not a run.
        printed.retain(|run| !run.words.is_empty() || !run.output.results.is_empty());
        let launcher = started.first().and_then(|run| run.tasks);
        let mut all = if printed.is_empty() { started } else { printed };
        if let [first, second, ..] = all.as_slice() {
            let (line, count) = (first.line, all.len());
            return Err((
                second.line,
                format!(
                    "{count} runs of mdtest: one in line {line}, the next here: expected one run \
                     in each file"
                ),
            ));
        }
        let Some(run) = all.pop() else {
            return Err((1, format!("no output of mdtest: {EXPECTED}")));
        };
        if run.words.is_empty() {
            return Err((
                run.line,
                format!("output of mdtest without its command line: {EXPECTED}"),
            ));
        }
        let results = run.output.results.last().and_then(|results| results.tasks);
        let tasks = results.or(run.output.tasks).or(run.tasks).or(launcher).or(stated);
        match tasks {
            Some(0) => Err((
                run.at,
                "0 tasks: expected at least one: mpirun -np 64 mdtest -n 1000".to_string(),
            )),
            Some(tasks) => Ok((run, tasks)),
            None => {
                let or = "or the line \"mdtest-4.0.0 was launched with 64 total task(s)\"";
                Err((run.at, format!("the number of tasks is unknown: {EXPECTED}, {or}")))
            }
        }
    }
}

impl Run {
    fn of(line: usize, launch: shell::Launch) -> Run {
        let shell::Launch { tasks, words, shell_rest } = launch;
        Run { line, at: line, words, tasks, shell_rest, ..Run::default() }
    }
}

#[cfg(test)]
mod tests;
