//! Writes the files of a result.
use crate::failure::Failure;
use crate::output::Output;
use crate::{console, interrupt, template};
use cluster::Sheet;
use flate2::Compression;
use flate2::write::GzEncoder;
use page::Page;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};
use trace::Trace;

/// `report.html`, and its data as `report.json`.
pub fn report(out: &Output, page: &Page) -> Result<(), Failure> {
    if let Some(warning) = template::warning() {
        console::note(warning)
    }
    out.write("report.html", template::of(page).as_bytes())?;
    let json = serde_json::to_vec(page).expect("a page has no maps with odd keys");
    out.write("report.json", &json)
}

/// `scenario.toml` as read, with `--set` values and the path of its import adapted, so that `tenbin
/// run` reproduces the result.
pub fn scenario(out: &Output, sheet: &Sheet) -> Result<(), Failure> {
    const NAME: &str = "scenario.toml";
    let (text, vocabulary) = (&sheet.source.document.text, sheet.vocabulary());
    let import = sheet.import.as_ref().and_then(|path| seen_from(out.place(), path).ok());
    let import = import.map(|path| ("cluster.import".into(), path.display().to_string()));
    let sets = sheet.source.sets.iter().map(|set| (set.key.clone(), set.value.text().to_string()));
    let sets: Vec<(String, String)> = sets.chain(import).collect();
    let copy = cluster::with_sets(vocabulary, text, &sets);
    let place = out.place().join(NAME);
    let again = Sheet::from_str(&copy, &place, &[], vocabulary, sheet.source.assembly);
    if again.is_ok_and(|again| again.hash == sheet.hash) {
        return out.write(NAME, copy.as_bytes());
    }
    let (here, there) = (sheet.file.display(), place.display());
    let note = format!("note: {there} is unchanged; to repeat this run, use {here}");
    console::note(&note);
    out.write(NAME, text.as_bytes())
}

/// `path` relative to `folder` if they share a parent folder; else absolute.
fn seen_from(folder: &Path, path: &Path) -> io::Result<PathBuf> {
    let path = path.canonicalize()?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new(".")).canonicalize()?.join(
        folder.file_name().unwrap_or_default(), // A result has a name of its own.
    );
    let shared = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    // Only the root in common.
    if shared < 2 {
        return Ok(path);
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    Ok(up.chain(path.components().skip(shared)).collect())
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
    // Buffers in front of the encoder: each call is costly, and an event takes dozens.
    let whole = trace::chrome::write_to(trace, BufWriter::with_capacity(1 << 16, packed))?;
    whole.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.flush()
}
