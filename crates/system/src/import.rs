//! What imports share: how files are read, and an import that makes a scenario of one text file.
use crate::action::Action;
use crate::failure::Failure;
use crate::progress::Reading;
use crate::{console, interrupt, output};
use clap::{Arg, ArgMatches, Command, value_parser};
use import::{ImportError, Input, OnProgress, Wanted};
use std::path::PathBuf;

/// No text that a scenario is made of is larger.
const LARGEST: u64 = 1 << 30;

/// Reads a real system's files: how far it is stands on a terminal.
///
/// # Errors
/// What is wrong with them; interrupted.
pub fn reading<T>(
    read: impl FnOnce(&mut OnProgress<'_>) -> Result<T, ImportError>,
) -> Result<T, Failure> {
    // Standard input may never end: nothing has been written, so a signal may end it all.
    interrupt::at_once(true);
    let progress = Reading::start();
    let all = read(&mut progress.tell());
    drop(progress);
    interrupt::at_once(false);
    let all = all?;
    interrupt::check()?;
    Ok(all)
}

/// `tenbin import NAME FILE -o SCENARIO.toml`.
pub struct TextImport {
    /// `NAME`.
    pub name: &'static str,
    pub about: &'static str,
    /// Makes a scenario of its text; else the line, from 1, that is wrong, and what was expected.
    pub scenario: fn(&str) -> Result<String, (usize, String)>,
}

/// The mean of numbers above 0, a line each; else the line, from 1, that is none, and what was
/// expected.
///
/// # Errors
/// A line that is no such number; a text without lines.
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
        let (input, wanted) = (Input::named(file), Wanted::new(self.about, ""));
        let text = reading(|tell| import::text(&input, &wanted, LARGEST, tell))?;
        let scenario = (self.scenario)(&text).map_err(|(line, why)| {
            Failure::BadInput(format!("{}:{line}: {why}", file.display()))
        })?;
        output::file(out, scenario.as_bytes())?;
        console::text(&format!("{scenario}{}\n", out.display()))
    }
}
