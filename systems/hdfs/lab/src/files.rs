//! The files of a result.
use crate::failure::Failure;
use crate::output::Output;
use hdfs_reading::Report;
use hdfs_reading::report::Link;
use hdfs_trace::Trace;
use system::result;

/// The numbers of two runs, side by side.
pub const DIFF: &str = "diff.json";

/// What the seeds of a run span.
pub const BAND: &str = "band.json";

/// `report.html`, and its numbers as `report.json`.
pub fn report(out: &Output, report: &Report) -> Result<(), Failure> {
    result::report(out, &hdfs_reading::blocks(report))
}

/// What stands beside the page, for its header.
pub fn links() -> Vec<Link> {
    let link = |name: &str, href: &str| Link { name: name.into(), href: href.into() };
    vec![link("Parquet", "trace/"), link("Perfetto", "trace.perfetto.json.gz")]
}

/// `trace/` as Parquet, and `trace.perfetto.json.gz` for Perfetto.
pub fn trace(out: &Output, trace: &Trace) -> Result<(), Failure> {
    result::trace(out, &hdfs_reading::stored(trace))
}
