//! What stands beside a page of HDFS.
use crate::failure::Failure;
use crate::output::Output;
use ::page::{Link, Page};
use hdfs_trace::Trace;

/// A page with what stands beside it in its header.
pub fn linked(mut page: Page) -> Page {
    let link = |name: &str, href: &str| Link { name: name.into(), href: href.into() };
    page.foot.links = vec![link("Parquet", "trace/"), link("Perfetto", "trace.perfetto.json.gz")];
    page
}

/// `trace/` as Parquet, and `trace.perfetto.json.gz` for Perfetto, with what the run is judged by.
pub fn trace(out: &Output, trace: &mut Trace) -> Result<(), Failure> {
    trace.objectives = vec![hdfs_reading::objective(trace)];
    system::result::trace(out, trace)
}
