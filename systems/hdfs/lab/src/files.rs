//! The files of a result.
use crate::failure::Failure;
use crate::output::Output;
use crate::{about, console};
use ::page::{Link, Page};
use hdfs_reading::{Band, VariantRuns};
use hdfs_scenario::Scenario;
use hdfs_trace::Trace;
use std::io;
use std::path::{Component, Path, PathBuf};

/// `scenario.toml`: as it was read, but for what `--set` said and where its import lies, so that
/// `tenbin run` of it does the same again.
pub fn scenario(
    out: &Output,
    scenario: &Scenario,
    sets: &[(String, String)],
) -> Result<(), Failure> {
    const NAME: &str = "scenario.toml";
    let text = std::fs::read_to_string(&scenario.file)
        .map_err(|e| Failure::BadInput(format!("{}: {e}", scenario.file.display())))?;
    let import = about::cluster_path(scenario).and_then(|path| seen_from(out.place(), &path).ok());
    let import = import.map(|path| ("cluster.import".into(), path.display().to_string()));
    let sets: Vec<(String, String)> = sets.iter().cloned().chain(import).collect();
    let copy = cluster::with_sets(&hdfs_scenario::keys::HDFS, &text, &sets);
    let place = out.place().join(NAME);
    let again = Scenario::from_str(&copy, &place, &[]);
    if again.is_ok_and(|again| again.hash == scenario.hash) {
        return out.write(NAME, copy.as_bytes());
    }
    let (here, there) = (scenario.file.display(), place.display());
    console::aside(&format!(
        "note: {there} stands as it was read: to do the same again, run {here}"
    ));
    out.write(NAME, text.as_bytes())
}

/// `path` as a file in `folder` names it: relative if both are somewhere together, else whole.
fn seen_from(folder: &Path, path: &Path) -> io::Result<PathBuf> {
    let path = path.canonicalize()?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new(".")).canonicalize()?.join(
        folder.file_name().unwrap_or_default(), // A result has a name of its own.
    );
    let shared = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    // Nothing but the root.
    if shared < 2 {
        return Ok(path);
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    Ok(up.chain(path.components().skip(shared)).collect())
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
