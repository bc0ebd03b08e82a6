//! `tenbin diff RUN RUN`
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{console, files, folder, interrupt, job, page};
use std::path::Path;
use system::args::Diff;

/// Holds two runs against each other, and says where they part.
///
/// # Errors
/// As every command.
pub(crate) fn diff(args: Diff) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        output::check_place(out)?;
    }
    let [first, second] = [&args.first, &args.second];
    different(first, second)?;
    let [name, other] = names(first, second);
    let sides = [folder::read(first, name)?, folder::read(second, other)?];
    interrupt::check()?;
    let diff = hdfs_reading::diff(&sides, &job::command_line()).map_err(|e| {
        let which = [first, second][e.which].display();
        job::bad(format!("{which}: {}: expected runs that both see a loss declared", e.why))
    })?;
    if let Some(out) = &args.out {
        write(out, &diff)?;
    }
    if args.json {
        return console::json(&diff);
    }
    let page = args.out.map(|out| format!("{}\n", out.join("report.html").display()));
    console::text(&format!("{}{}", hdfs_reading::diff::text(&diff), page.unwrap_or_default()))
}

/// A run is no news against itself: somebody has mistyped.
fn different(first: &Path, second: &Path) -> Result<(), Failure> {
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    match (place(first), place(second)) {
        (Some(one), Some(other)) if one == other => Err(job::bad(format!(
            "{} and {} are the same folder: expected two runs",
            first.display(),
            second.display()
        ))),
        _ => Ok(()),
    }
}

/// The folders' own names; as they were typed where these are the same, or none.
fn names(first: &Path, second: &Path) -> [String; 2] {
    let own = |path: &Path| {
        // "." has no name of its own.
        let whole = path.file_name().is_none().then(|| path.canonicalize().ok()).flatten();
        let path = whole.as_deref().unwrap_or(path);
        path.file_name().map(|name| name.to_string_lossy().into_owned())
    };
    match (own(first), own(second)) {
        (Some(one), Some(other)) if one != other => [one, other],
        _ => [first, second].map(|path| path.display().to_string()),
    }
}

/// The result, whole.
fn write(place: &Path, diff: &hdfs_reading::Diff) -> Result<(), Failure> {
    let out = Output::at(place)?;
    if let Some(warning) = page::warning() {
        console::aside(warning)
    }
    out.write("report.html", page::of(diff).as_bytes())?;
    out.write(files::DIFF, format!("{}\n", page::json(diff)).as_bytes())?;
    interrupt::check()?;
    out.keep()
}
