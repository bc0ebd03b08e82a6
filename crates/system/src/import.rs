//! Shared by imports: reading files with progress, and an import of one text file.
use crate::action::Action;
use crate::failure::Failure;
use crate::progress::ReadProgress;
use crate::{console, interrupt, output};
use clap::{Arg, ArgMatches, Command, value_parser};
use import::{ImportError, Input, InputSpec, OnProgress};
use std::path::PathBuf;

/// Largest text for an import \[bytes\].
const LARGEST: u64 = 1 << 30;

/// Reads a real system's files, with progress on a terminal.
pub fn reading<T>(
    read: impl FnOnce(&mut OnProgress<'_>) -> Result<T, ImportError>,
) -> Result<T, Failure> {
    // Standard input may never end. A signal may end the process here: nothing has been written.
    interrupt::exit_at_once(true);
    let progress = ReadProgress::start();
    let all = read(&mut progress.callback());
    drop(progress);
    interrupt::exit_at_once(false);
    let all = all?;
    interrupt::check()?;
    Ok(all)
}

/// `tenbin import NAME FILE -o SCENARIO.toml`.
pub struct TextImport {
    pub name: &'static str,
    pub about: &'static str,
    /// Converts the text to a scenario; else (line from 1, what was expected).
    pub scenario: fn(&str) -> Result<String, (usize, String)>,
}

/// Mean of positive numbers, one per line. Fails with (line from 1, what was expected).
pub fn mean(text: &str, expected: &str) -> Result<f64, (usize, String)> {
    let (mut sum, mut count) = (0.0, 0);
    for line in text.lines().map(str::trim) {
        count += 1;
        let number = line.parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0);
        sum += number.ok_or_else(|| (count, format!("\"{line}\": expected {expected}")))?
    }
    match count {
        0 => Err((1, format!("no line: expected {expected}"))),
        _ => Ok(sum / count as f64),
    }
}

impl Action for TextImport {
    fn name(&self) -> &'static str {
        self.name
    }

    fn command(&self) -> Command {
        let path = || value_parser!(PathBuf);
        Command::new(self.name)
            .about(self.about)
            .arg(Arg::new("file").value_name("FILE").required(true).value_parser(path()))
            .arg(Arg::new("out").short('o').long("out").required(true).value_parser(path()))
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let [file, out] = ["file", "out"]
            .map(|name| arguments.get_one::<PathBuf>(name).expect("clap requires it"));
        let (input, wanted) = (Input::named(file), InputSpec::new(self.about, ""));
        let text = reading(|tell| import::text(&input, &wanted, LARGEST, tell))?;
        let scenario = (self.scenario)(&text).map_err(|(line, why)| {
            Failure::BadInput(format!("{}:{line}: {why}", file.display()))
        })?;
        output::file(out, scenario.as_bytes())?;
        console::text(&format!("{scenario}{}\n", out.display()))
    }
}
