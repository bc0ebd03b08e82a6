//! The files of a result.
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, page, say};
use analysis::report::Link;
use analysis::{Band, Report, VariantRuns};
use cluster::Scenario;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use trace::Trace;

/// `scenario.toml`, as it was read.
pub fn scenario(out: &Output, scenario: &Scenario) -> Result<(), Failure> {
    let text = std::fs::read(&scenario.file)
        .map_err(|e| Failure::BadInput(format!("{}: {e}", scenario.file.display())))?;
    out.write("scenario.toml", &text)
}

/// `report.html`, and its numbers as `report.json`.
pub fn report(out: &Output, report: &Report) -> Result<(), Failure> {
    if let Some(warning) = page::warning() {
        say::aside(warning)
    }
    out.write("report.html", page::html(report).as_bytes())?;
    let json = serde_json::to_vec(report).expect("as in the page");
    out.write("report.json", &json)
}

/// The numbers of two runs, side by side.
pub const DIFF: &str = "diff.json";

/// The file of [`band`].
pub const BAND: &str = "band.json";

/// `band.json`: what the seeds of `now` span, where there are several that see the loss declared;
/// `trace` is the first's.
pub fn band(out: &Output, trace: &Trace, now: &VariantRuns) -> Result<(), Failure> {
    let Some(band) = Band::of(trace, &now.runs) else { return Ok(()) };
    let json = serde_json::to_string(&band).expect("numbers and names");
    out.write(BAND, format!("{json}\n").as_bytes())
}

/// What stands beside the page, for its header.
pub fn links() -> Vec<Link> {
    let link = |name: &str, href: &str| Link { name: name.into(), href: href.into() };
    vec![link("Parquet", "trace/"), link("Perfetto", "trace.perfetto.json.gz")]
}

/// `trace/` as Parquet, and `trace.perfetto.json.gz` for Perfetto.
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
