//! The files of a result.
use crate::failure::Failure;
use crate::output::Output;
use crate::{console, interrupt, template};
use cluster::Sheet;
use flate2::Compression;
use flate2::write::GzEncoder;
use page::Page;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use trace::Trace;

/// `report.html`, and its numbers as `report.json`.
///
/// # Errors
/// They cannot be written.
pub fn report(out: &Output, page: &Page) -> Result<(), Failure> {
    if let Some(warning) = template::warning() {
        console::aside(warning)
    }
    out.write("report.html", template::of(page).as_bytes())?;
    let json = serde_json::to_vec(page).expect("a page has no maps with odd keys");
    out.write("report.json", &json)
}

/// `scenario.toml`: as it was read, with what `--set` said.
///
/// # Errors
/// It cannot be written.
pub fn scenario(out: &Output, sheet: &Sheet, sets: &[(String, String)]) -> Result<(), Failure> {
    let text = std::fs::read_to_string(&sheet.file)
        .map_err(|e| Failure::BadInput(format!("{}: {e}", sheet.file.display())))?;
    let import = sheet.import.as_ref().and_then(|path| path.canonicalize().ok());
    let import = import.map(|path| ("cluster.import".into(), path.display().to_string()));
    let sets: Vec<(String, String)> = sets.iter().cloned().chain(import).collect();
    let copy = cluster::with_sets(sheet.vocabulary(), &text, &sets);
    out.write("scenario.toml", copy.as_bytes())
}

/// `trace/` as Parquet, and `trace.perfetto.json.gz` for Perfetto.
///
/// # Errors
/// They cannot be written; interrupted.
pub fn trace(out: &Output, trace: &Trace) -> Result<(), Failure> {
    interrupt::check()?;
    let tables = out.path("trace");
    trace::tables::write(trace, &tables).map_err(|e| Failure::writing(&tables, &e))?;
    interrupt::check()?;
    let timeline = out.path("trace.perfetto.json.gz");
    perfetto(trace, &timeline).map_err(|e| Failure::writing(&timeline, &e))
}

fn perfetto(trace: &Trace, path: &Path) -> io::Result<()> {
    let packed = GzEncoder::new(BufWriter::new(File::create(path)?), Compression::fast());
    // The encoder pays for every call, and an event is written in dozens of them.
    let whole = trace::chrome::write_to(trace, BufWriter::with_capacity(1 << 16, packed))?;
    whole.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.flush()
}
